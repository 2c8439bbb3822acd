/*
 * The generator diffuse without a language model: seeds are issues, a case is a seed of a cluster
 * with one to three rules applied. The case of an index is a pure function of seed and index: it
 * learns nothing. Must not know engines nor verdicts.
 */
#include "generate/diffuse/diffuse_p.h"

#include <stdlib.h>

#include "base/file.h"

enum { DIFFUSE_VERSION = 1, TRIES = 16, ROUNDS_MAX = 3, SOURCE_MAX = 64 << 10 };

struct diffuse {
    struct generator base;
    struct arena a;
    struct reader reader;
    uint64_t seed;
    struct diffuse_seeds seeds;
    struct clusters clusters;
    struct generate_counts counts;
};

extern const struct generator_ops diffuse_generator;

static void diffuse_close(struct generator *base)
{
    struct diffuse *g = (struct diffuse *)base;
    reader_close(&g->reader);
    arena_done(&g->a);
    free(g);
}

/* Seeds that are named, files and folders, in place of the default corpus. */
static bool load(const struct generate_options *o, struct diffuse *g, struct issue_corpus *corpus,
                 struct err *e)
{
    if (!o->n_seed_models)
        return issue_corpus_load(NULL, &g->a, corpus, e);
    for (size_t i = 0; i < o->n_seed_models; i++) {
        const char *path = o->seed_models[i];
        if (str_ends(str_of(path), STR(".py"))) {
            struct issue_record r = {.id = str_of(arena_strdup(&g->a, path)),
                                     .framework = g->reader.table.framework,
                                     .category = CATEGORY_OTHER};
            if (!file_read(path, SOURCE_MAX, &g->a, &r.code, e))
                return false;
            vec_push(&corpus->records, &g->a, r);
        } else if (!issue_corpus_add(corpus, path, &g->a, e)) {
            return false;
        }
    }
    return true;
}

static bool diffuse_open(const struct generate_options *o, struct generator **out, struct err *e)
{
    struct diffuse *g = mem_alloc(sizeof *g);
    struct issue_corpus corpus = {0};
    *g = (struct diffuse){.base = {&diffuse_generator}, .seed = o->seed};
    arena_init(&g->a);
    if (!reader_open(&g->reader, "torch", e)) {
        arena_done(&g->a);
        free(g);
        return false;
    }
    bool ok = load(o, g, &corpus, e);
    if (ok)
        diffuse__seeds(&g->reader, &corpus, &g->a, &g->seeds);
    if (ok && g->seeds.at.n == 0)
        ok = err_set(e, ERR_USAGE,
                     "the generator diffuse finds no program that calls an optimiser "
                     "in what --model names");
    if (!ok) {
        diffuse_close(&g->base);
        return false;
    }
    struct features *f = arena_new_array(&g->a, struct features, g->seeds.at.n);
    for (size_t i = 0; i < g->seeds.at.n; i++)
        f[i] = g->seeds.at.at[i].features;
    g->clusters = clusters_make(f, g->seeds.at.n, CLUSTER_THRESHOLD, &g->a);
    *out = &g->base;
    return true;
}

static const struct rule_row *draw_rule(struct rng *r)
{
    size_t n;
    const struct rule_row *rows = diffuse__rules(&n);
    double weights[16];
    for (size_t i = 0; i < n; i++)
        weights[i] = rows[i].weight;
    return &rows[rng_weighted(r, weights, n)];
}

/* One rule on the text; false: it found no place, or what it made is no Python. */
static bool step(struct mutation *m, struct str *text, struct strbuf *edits)
{
    struct reading was;
    struct strbuf said = {0};
    const struct rule_row *rule = draw_rule(m->rng);
    if (!reading_make(m->reader, *text, m->a, &was))
        return false;
    m->was = &was;
    m->said = &said;
    struct str made = rule->apply(m);
    bool ok = made.n > 0 && made.n < SOURCE_MAX && !str_eq(made, *text) &&
              reading_make(m->reader, made, m->a, &was) && !was.tree.damage.n;
    if (ok) {
        *text = made;
        strbuf_printf(edits, "%s" STR_FMT "\n", rule->name, STR_ARG(strbuf_str(&said)));
    }
    strbuf_done(&said);
    return ok;
}

/* The text as one rewrite of the whole leaves it, where that is still Python. */
static struct str rewrite(struct mutation *m, struct str text, rule_fn whole)
{
    struct reading was;
    if (!reading_make(m->reader, text, m->a, &was))
        return text;
    m->was = &was;
    struct str made = whole(m);
    return reading_make(m->reader, made, m->a, &was) && !was.tree.damage.n ? made : text;
}

static bool try_one(struct diffuse *g, struct rng *r, struct arena *a, struct str *text,
                    struct strbuf *edits)
{
    const struct cluster *c = &g->clusters.at[rng_below(r, g->clusters.n)];
    uint32_t own = c->members[rng_below(r, c->n)];
    struct str others[CLUSTER_SIZE_MAX];
    struct mutation m = {.reader = &g->reader, .others = others, .rng = r, .a = a};
    for (size_t i = 0; i < c->n; i++)
        if (c->members[i] != own)
            others[m.n_others++] = g->seeds.at.at[c->members[i]].text;
    *text = g->seeds.at.at[own].text;
    strbuf_clear(edits);
    strbuf_printf(edits, "seed=" STR_FMT "\n", STR_ARG(g->seeds.at.at[own].id));
    size_t rounds = 1 + rng_below(r, ROUNDS_MAX), n_done = 0;
    for (size_t i = 0; i < rounds; i++)
        n_done += step(&m, text, edits);
    g->counts.n_edits += n_done;
    if (n_done)
        *text = rewrite(&m, rewrite(&m, *text, diffuse__drop_eager_calls), diffuse__order_by_cost);
    return n_done > 0;
}

static bool diffuse_next(struct generator *base, uint64_t index, struct arena *a,
                         struct tcase **out, struct err *e)
{
    struct diffuse *g = (struct diffuse *)base;
    struct strbuf edits = {0};
    struct str text = {0};
    struct rng r;
    bool found = false;
    (void)e;
    rng_init(&r, g->seed, RNG_CASE, index);
    for (int i = 0; !found && i < TRIES; i++)
        found = try_one(g, &r, a, &text, &edits);
    *out = NULL;
    if (found) {
        struct program *p = arena_new(a, struct program);
        struct provenance from = {.generator = diffuse_generator.name,
                                  .version = DIFFUSE_VERSION,
                                  .seed = g->seed,
                                  .index = index,
                                  .edits = strbuf_dup(&edits, a)};
        p->source = (struct str){str_dup(a, text), text.n};
        p->framework = STR("torch");
        *out = case_of_program(p, arena_new(a, struct tensors), 1, from, a);
        g->counts.n_emitted++;
    } else {
        g->counts.n_gave_up++;
    }
    strbuf_done(&edits);
    return true;
}

static void diffuse_counts(const struct generator *base, struct generate_counts *out)
{
    *out = ((const struct diffuse *)base)->counts;
}

const struct generator_ops diffuse_generator = {
    .name = "diffuse",
    .help = "programs made of historical issues of model optimisers by rules on their parts",
    .version = DIFFUSE_VERSION,
    .open = diffuse_open,
    .next = diffuse_next,
    .counts = diffuse_counts,
    .close = diffuse_close,
};
