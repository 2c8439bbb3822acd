/*
 * The generator transfer: issues of one framework, translated to programs of another (CrossProbe
 * without a language model), each once; calls on which functions of several frameworks were
 * seen to disagree, and calls on arguments beyond those on which they were verified to agree. The
 * case of an index is a function of seed and index alone. Must not know engines nor verdicts.
 */
#include "generate/corpus/record.h"
#include "generate/corpus/repair.h"
#include "generate/generate.h"
#include "generate/transfer/call.h"
#include "generate/transfer/translate.h"

#include <stdio.h>
#include <stdlib.h>

enum { TRANSFER_VERSION = 5, TRIES = 16 };

struct issue_program {
    struct str id, text;
};

struct transfer {
    struct generator base;
    struct arena a;
    uint64_t seed;
    VEC(struct issue_program) programs;
    struct str engine; /* that runs them */
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

/* Only the recorded disagreements of the operators that are left. */
static void keep_recorded(struct transfer *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->calls.recorded.n; i++)
        for (size_t k = 0; k < g->calls.list.n; k++)
            if (pair_has_name(g->calls.list.at[k].rows[0]->names_a,
                              g->calls.recorded.at[i].row->a)) {
                g->calls.recorded.at[n++] = g->calls.recorded.at[i];
                break;
            }
    g->calls.recorded.n = n;
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
    keep_recorded(g);
    return n || err_set(e, ERR_USAGE,
                        "\"%s\" has no verified pairs in two other frameworks; `assay align list` "
                        "prints all",
                        o->operators[0]);
}

/* "jax@0.10.2/jit" where another version of jax is given: that of the target; else empty. */
static struct str other_version(const struct generate_options *o, struct str engine,
                                struct str version)
{
    struct str its;
    for (size_t i = 0; i < o->n_targets; i++)
        if (call_target_is_of(o->targets[i], engine, &its) && !str_eq(its, version))
            return its;
    return STR("");
}

/* Pairs hold for the versions with which they were verified: others are left out. */
static void leave_other_versions(const struct generate_options *o, struct pair_files *pairs)
{
    for (size_t i = 0; i < pairs->n; i++) {
        struct pair_file *f = &pairs->at[i];
        struct str a = other_version(o, f->a, f->version_a);
        struct str b = other_version(o, f->b, f->version_b);
        struct err why = {0};
        char what[80];
        size_t n = 0;
        if (!a.n && !b.n)
            continue;
        for (size_t k = 0; k < f->n; k++)
            n += f->rows[k].is_verified;
        snprintf(what, sizeof what, "pairs of " STR_FMT " and " STR_FMT, STR_ARG(f->a),
                 STR_ARG(f->b));
        err_set(&why, ERR_UNSUPPORTED,
                "%zu were verified with " STR_FMT " " STR_FMT ", not with " STR_FMT, n,
                STR_ARG(a.n ? f->a : f->b), STR_ARG(a.n ? f->version_a : f->version_b),
                STR_ARG(a.n ? a : b));
        f->n = 0;
        if (o->on_skip)
            o->on_skip(o->ctx, what, &why);
    }
}

static bool transfer_open(const struct generate_options *o, struct generator **out, struct err *e)
{
    struct transfer *g = mem_alloc(sizeof *g);
    struct issue_corpus corpus = {0};
    struct translator t;
    struct reader reader;
    *g = (struct transfer){.base = {&transfer_generator}, .seed = o->seed};
    arena_init(&g->a);
    bool ok = translator_open(o->translate_to ? o->translate_to : "keras", &g->a, &t, e) &&
              reader_open(&reader, t.source, e);
    if (ok) {
        leave_other_versions(o, &t.pairs);
        ok = issue_corpus_load(NULL, &g->a, &corpus, e);
        for (size_t i = 0; ok && i < o->n_seed_models; i++)
            ok = issue_corpus_add(&corpus, o->seed_models[i], &g->a, e);
        for (size_t i = 0; ok && i < corpus.records.n; i++)
            take(g, &t, &reader, &corpus.records.at[i]);
        reader_close(&reader);
    }
    if (ok)
        g->engine = json_get_str(t.table, "engine", t.target);
    const struct call_targets targets = {o->targets, o->n_targets};
    ok = ok && call_groups_make(&t.pairs, &targets, &g->a, &g->calls, e) && keep_named(g, o, e);
    if (ok && !g->calls.list.n && !g->programs.n)
        ok = err_set(e, ERR_USAGE,
                     "transfer: no issue is translated, and no function has verified pairs in two "
                     "other frameworks among the targets");
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
    *p = (struct program){.source = {str_dup(a, from->text), from->text.n}, .framework = g->engine};
    strbuf_printf(edits, "translated from " STR_FMT, STR_ARG(from->id));
}

static bool of_call(const struct transfer *g, struct rng *r, struct arena *a, struct program *p,
                    struct strbuf *edits)
{
    for (unsigned i = 0; i < TRIES && g->calls.list.n; i++)
        if (call_program_make(&g->calls, r, a, p, edits))
            return true;
    return false;
}

/* First what `assay align` has seen to differ, then each issue once between other calls. */
static bool make_program(const struct transfer *g, uint64_t index, struct arena *a,
                         struct program *p, struct strbuf *edits)
{
    struct rng r;
    rng_init(&r, g->seed, RNG_CASE, index);
    if (index < g->calls.recorded.n)
        return call_program_recorded(&g->calls, index, &r, a, p, edits);
    index -= g->calls.recorded.n;
    uint64_t step = g->calls.list.n ? 2 : 1;
    if (index % step || index / step >= g->programs.n)
        return of_call(g, &r, a, p, edits);
    of_issue(g, index / step, a, p, edits);
    return true;
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
    (void)e;
    bool made = make_program(g, index, a, p, &edits);
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
    .help =
        "issues translated to another framework (--to), calls on which pairs of frameworks were "
        "seen to disagree, and calls on which they agree, with other arguments",
    .version = TRANSFER_VERSION,
    .open = transfer_open,
    .next = transfer_next,
    .counts = transfer_counts,
    .close = transfer_close,
};
