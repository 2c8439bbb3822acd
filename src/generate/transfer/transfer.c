/*
 * The generator transfer: issues of one framework, translated to programs of another (CrossProbe
 * without a language model), each once; and calls of functions that several frameworks have, on
 * arguments beyond those on which they were verified to agree. The case of an index is a function
 * of seed and index alone. Must not know engines nor verdicts.
 */
#include "generate/corpus/record.h"
#include "generate/generate.h"
#include "generate/transfer/call.h"
#include "generate/transfer/translate.h"

#include <stdlib.h>

enum { TRANSFER_VERSION = 3, TRIES = 16 };

struct issue_program {
    struct str id, text;
};

struct transfer {
    struct generator base;
    struct arena a;
    uint64_t seed;
    VEC(struct issue_program) programs;
    struct call_groups calls;
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

/* Only the named operators' calls, and no issues: for a hunt of one function. */
static bool keep_named(struct transfer *g, const struct generate_options *o, struct err *e)
{
    size_t n = 0;
    if (!o->n_operators)
        return true;
    g->programs.n = 0;
    for (size_t i = 0; i < g->calls.list.n; i++)
        for (size_t k = 0; k < o->n_operators; k++)
            if (pair_has_name(g->calls.list.at[i].rows[0]->names_a, str_of(o->operators[k]))) {
                g->calls.list.at[n++] = g->calls.list.at[i];
                break;
            }
    g->calls.list.n = n;
    return n || err_set(e, ERR_USAGE,
                        "\"%s\" has no verified pairs in two other frameworks; `assay align list` "
                        "prints all",
                        o->operators[0]);
}

static bool transfer_open(const struct generate_options *o, struct generator **out, struct err *e)
{
    struct transfer *g = mem_alloc(sizeof *g);
    struct issue_corpus corpus = {0};
    struct translator t;
    struct reader reader;
    *g = (struct transfer){.base = {&transfer_generator}, .seed = o->seed};
    arena_init(&g->a);
    bool ok = translator_open("keras", &g->a, &t, e) && reader_open(&reader, t.source, e);
    if (ok) {
        ok = issue_corpus_load(NULL, &g->a, &corpus, e);
        for (size_t i = 0; ok && i < o->n_seed_models; i++)
            ok = issue_corpus_add(&corpus, o->seed_models[i], &g->a, e);
        for (size_t i = 0; ok && i < corpus.records.n; i++)
            take(g, &t, &reader, &corpus.records.at[i]);
        reader_close(&reader);
    }
    ok = ok && call_groups_make(&t.pairs, &g->a, &g->calls, e);
    ok = ok && keep_named(g, o, e);
    if (ok && !g->calls.list.n)
        ok = err_set(e, ERR_USAGE, "no function has verified pairs in two other frameworks");
    if (ok)
        *out = &g->base;
    else
        transfer_close(&g->base);
    return ok;
}

static void of_issue(const struct transfer *g, uint64_t index, struct arena *a, struct program *p,
                     struct strbuf *edits)
{
    const struct issue_program *from = &g->programs.at[index];
    *p = (struct program){.source = {str_dup(a, from->text), from->text.n},
                          .framework = STR("keras")};
    strbuf_printf(edits, "translated from " STR_FMT, STR_ARG(from->id));
}

static bool of_call(const struct transfer *g, uint64_t index, struct arena *a, struct program *p,
                    struct strbuf *edits)
{
    struct rng r;
    rng_init(&r, g->seed, RNG_CASE, index);
    for (unsigned i = 0; i < TRIES; i++)
        if (call_program_make(&g->calls, &r, a, p, edits))
            return true;
    return false;
}

static bool transfer_next(struct generator *base, uint64_t index, struct arena *a,
                          struct tcase **out, struct err *e)
{
    struct transfer *g = (struct transfer *)base;
    struct program *p = arena_new(a, struct program);
    struct strbuf edits = {0};
    struct provenance prov = {.generator = transfer_generator.name,
                              .version = TRANSFER_VERSION,
                              .seed = g->seed,
                              .index = index};
    bool made = true;
    (void)e;
    if (index % 2 == 0 && index / 2 < g->programs.n) /* each issue once */
        of_issue(g, index / 2, a, p, &edits);
    else
        made = of_call(g, index, a, p, &edits);
    prov.edits = strbuf_dup(&edits, a);
    strbuf_done(&edits);
    *out = made ? case_of_program(p, arena_new(a, struct tensors), 1, prov, a) : NULL;
    g->counts.n_emitted += made;
    g->counts.n_gave_up += !made;
    return true;
}

static void transfer_counts(const struct generator *base, struct generate_counts *out)
{
    *out = ((const struct transfer *)base)->counts;
}

const struct generator_ops transfer_generator = {
    .name = "transfer",
    .help = "issues of PyTorch translated to Keras, and calls that are verified to agree in three "
            "frameworks, on other arguments",
    .version = TRANSFER_VERSION,
    .open = transfer_open,
    .next = transfer_next,
    .counts = transfer_counts,
    .close = transfer_close,
};
