/*
 * The generator transfer: issues of one framework, translated to programs of another (CrossProbe
 * without a language model). The case of an index is the translation of one issue and a function of
 * the index alone. Must not know engines nor verdicts.
 */
#include "generate/corpus/record.h"
#include "generate/generate.h"
#include "generate/transfer/translate.h"

#include <stdlib.h>

enum { TRANSFER_VERSION = 1 };

struct issue_program {
    struct str id, text;
};

struct transfer {
    struct generator base;
    struct arena a;
    VEC(struct issue_program) programs;
    struct generate_counts counts;
};

extern const struct generator_ops transfer_generator;

static void transfer_close(struct generator *base)
{
    struct transfer *g = (struct transfer *)base;
    arena_done(&g->a);
    free(g);
}

static void take(struct transfer *g, const struct translator *t, struct reader *reader,
                 const struct issue_record *r)
{
    struct translation made;
    if (!str_eq(r->framework, reader->table.framework))
        return;
    translate(t, reader, program_repair(reader, r->code, &g->a), &g->a, &made);
    if (made.text.n)
        vec_push(&g->programs, &g->a, (struct issue_program){r->id, made.text});
}

static bool transfer_open(const struct generate_options *o, struct generator **out, struct err *e)
{
    struct transfer *g = mem_alloc(sizeof *g);
    struct issue_corpus corpus = {0};
    struct translator t;
    struct reader reader;
    *g = (struct transfer){.base = {&transfer_generator}};
    arena_init(&g->a);
    bool ok = translator_open("keras", &g->a, &t, e) && reader_open(&reader, "torch", e);
    if (ok) {
        ok = issue_corpus_load(NULL, &g->a, &corpus, e);
        for (size_t i = 0; ok && i < o->n_seed_models; i++)
            ok = issue_corpus_add(&corpus, o->seed_models[i], &g->a, e);
        for (size_t i = 0; ok && i < corpus.records.n; i++)
            take(g, &t, &reader, &corpus.records.at[i]);
        reader_close(&reader);
    }
    if (ok && !g->programs.n)
        ok = err_set(e, ERR_USAGE, "the generator transfer finds no issue that can be translated");
    if (ok)
        *out = &g->base;
    else
        transfer_close(&g->base);
    return ok;
}

static bool transfer_next(struct generator *base, uint64_t index, struct arena *a,
                          struct tcase **out, struct err *e)
{
    struct transfer *g = (struct transfer *)base;
    const struct issue_program *from = &g->programs.at[index % g->programs.n];
    struct program *p = arena_new(a, struct program);
    struct provenance prov = {
        .generator = transfer_generator.name,
        .version = TRANSFER_VERSION,
        .index = index,
        .edits = str_of(arena_printf(a, "translated from " STR_FMT, STR_ARG(from->id)))};
    (void)e;
    *out = NULL;
    if (index >= g->programs.n) { /* each issue once */
        g->counts.n_gave_up++;
        return true;
    }
    p->source = (struct str){str_dup(a, from->text), from->text.n};
    p->framework = STR("keras");
    *out = case_of_program(p, arena_new(a, struct tensors), 1, prov, a);
    g->counts.n_emitted++;
    return true;
}

static void transfer_counts(const struct generator *base, struct generate_counts *out)
{
    *out = ((const struct transfer *)base)->counts;
}

const struct generator_ops transfer_generator = {
    .name = "transfer",
    .help = "programs of Keras translated from issues of PyTorch by verified pairs of functions",
    .version = TRANSFER_VERSION,
    .open = transfer_open,
    .next = transfer_next,
    .counts = transfer_counts,
    .close = transfer_close,
};
