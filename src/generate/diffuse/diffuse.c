/*
 * The generator diffuse: seeds are issues, a case is a seed of a cluster with one to three rules
 * applied, or a program of a language model's reply, where one was recorded. The case of an index
 * is a function of seed, strategy, index and recorded replies. Must not know engines nor verdicts,
 * and asks nobody.
 */
#include "generate/corpus/repair.h"
#include "generate/diffuse/diffuse_p.h"

#include <stdlib.h>

#include "base/file.h"

enum { DIFFUSE_VERSION = 7, TRIES = 16, ROUNDS_MAX = 3, SOURCE_MAX = 64 << 10 };

struct diffuse {
    struct generator base;
    struct arena a;
    struct reader reader;
    uint64_t seed;
    struct diffuse_seeds seeds;
    struct clusters clusters;
    struct diffuse_strategy strategy;
    const struct learned *learned; /* NULL: nothing was learned */
    struct prompts prompts;
    struct llm *llm; /* NULL: none */
    struct generate_counts counts;
};

extern const struct generator_ops diffuse_generator;

static void diffuse_close(struct generator *base)
{
    struct diffuse *g = (struct diffuse *)base;
    llm_close(g->llm);
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

/* Recorded replies are read; nothing is asked. */
static bool open_model(const struct generate_options *o, struct diffuse *g, struct err *e)
{
    if (!o->llm)
        return true;
    const struct llm_options replies = {.url = "cassette",
                                        .model = o->llm->model,
                                        .cassettes = o->llm->cassettes,
                                        .mode = CASSETTE_REPLAY};
    return prompts__open(&g->a, &g->prompts, e) && llm_open(&replies, &g->llm, e);
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
    bool ok = diffuse__strategy(o->strategy ? o->strategy : "assay", &g->a, &g->strategy, e) &&
              open_model(o, g, e) && load(o, g, &corpus, e);
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

/* The optimiser that the text calls first; "": none. */
static struct str first_optimizer(const struct reading *r)
{
    const struct program_part *p = parts_next(&r->parts, PART_OPTIMIZER, NULL);
    return p ? p->symbol : (struct str){0};
}

/* By what was learned of each rule, alone and on programs of this optimiser. */
static const struct rule_row *draw_rule(const struct diffuse *g, const struct mutation *m,
                                        struct str optimizer)
{
    size_t n;
    const struct rule_row *rows = diffuse__rules(&n);
    double weights[RULES_MAX];
    for (size_t i = 0; i < n; i++) {
        struct str rule = str_of(rows[i].name);
        weights[i] = g->strategy.weights[i];
        if (m->learned)
            weights[i] *=
                learned_factor(m->learned, m->epoch, learned_arm_id(ARM_OPERATOR, rule, STR(""))) *
                learned_factor(m->learned, m->epoch, learned_arm_id(ARM_ANCHOR, rule, optimizer));
    }
    return &rows[rng_weighted(m->rng, weights, n)];
}

/* One rule on the text; false: it found no place, or what it made is no Python. */
static bool step(const struct diffuse *g, struct mutation *m, struct str *text,
                 struct strbuf *edits)
{
    struct reading was;
    struct strbuf said = {0};
    if (!reading_make(m->reader, *text, m->a, &was))
        return false;
    struct str optimizer = first_optimizer(&was);
    m->was = &was;
    m->said = &said;
    const struct rule_row *rule = draw_rule(g, m, optimizer);
    m->rule = str_of(rule->name);
    struct str made = rule->apply(m);
    bool ok = made.n > 0 && made.n < SOURCE_MAX && !str_eq(made, *text) &&
              reading_make(m->reader, made, m->a, &was) && !was.tree.damage.n;
    if (ok) {
        *text = made;
        strbuf_printf(edits, "%s" STR_FMT " at=" STR_FMT "\n", rule->name,
                      STR_ARG(strbuf_str(&said)), STR_ARG(optimizer));
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

static bool try_one(struct diffuse *g, uint64_t index, struct rng *r, struct arena *a,
                    struct str *text, struct strbuf *edits)
{
    const struct cluster *c = &g->clusters.at[rng_below(r, g->clusters.n)];
    uint32_t own = c->members[rng_below(r, c->n)];
    struct str others[CLUSTER_SIZE_MAX];
    struct mutation m = {.learned = g->strategy.learns ? g->learned : NULL,
                         .epoch = index / GENERATE_EPOCH,
                         .in_turn = g->strategy.in_turn ? index * ROUNDS_MAX + 1 : 0,
                         .reader = &g->reader,
                         .optimizer = g->strategy.optimizer,
                         .others = others,
                         .rng = r,
                         .a = a};
    for (size_t i = 0; i < c->n; i++) {
        uint64_t at = g->strategy.random_companions ? rng_below(r, g->seeds.at.n) : c->members[i];
        if (at != own)
            others[m.n_others++] = g->seeds.at.at[at].text;
    }
    *text = g->seeds.at.at[own].text;
    strbuf_printf(edits, "seed=" STR_FMT "\n", STR_ARG(g->seeds.at.at[own].id));
    size_t rounds = 1 + rng_below(r, ROUNDS_MAX), n_done = 0;
    for (size_t i = 0; i < rounds; i++)
        n_done += step(g, &m, text, edits);
    g->counts.n_edits += n_done;
    if (n_done) {
        rule_fn optimizer = m.optimizer.n ? diffuse__use_optimizer : diffuse__order_by_cost;
        struct str without_eager = rewrite(&m, *text, diffuse__drop_eager_calls);
        *text = program_repair(&g->reader, rewrite(&m, without_eager, optimizer), a);
    }
    return n_done > 0;
}

/* ---- replies */

/* Which cluster, rule and sample an index asks for; false: it asks for nothing. */
static bool place_of(const struct diffuse *g, uint64_t index, struct prompt_place *out)
{
    uint64_t n = g->strategy.prompt_rules ? g->prompts.rules->n : 1, n_all = n * g->clusters.n;
    uint64_t k = index / g->strategy.prompt_every;
    if (index % g->strategy.prompt_every)
        return false;
    uint64_t at = (g->seed + k % n_all * diffuse__stride(n_all, n_all * 38 / 100)) % n_all;
    *out = (struct prompt_place){.seeds = &g->seeds,
                                 .cluster = &g->clusters.at[at / n],
                                 .rule = at % n,
                                 .sample = (uint32_t)(k / n_all)};
    rng_init(&out->rng, g->seed, RNG_CASE, index);
    return true;
}

static bool diffuse_wants(const struct generator *base, uint64_t index, struct arena *a,
                          struct llm_request *out)
{
    const struct diffuse *g = (const struct diffuse *)base;
    struct prompt_place at;
    if (!g->llm || !place_of(g, index, &at))
        return false;
    prompts__request(&g->prompts, &g->strategy, &at, a, out);
    return true;
}

/* The program of the index's reply; *text is empty where there is none. */
static bool from_reply(struct diffuse *g, uint64_t index, struct arena *a, struct str *text,
                       struct strbuf *edits, struct err *e)
{
    struct llm_request request;
    struct llm_reply reply;
    struct prompt_place at;
    bool found;
    *text = (struct str){0};
    if (!diffuse_wants(&g->base, index, a, &request) || !place_of(g, index, &at))
        return true;
    if (!llm_find(g->llm, &request, a, &reply, &found, e))
        return false;
    *text = found ? prompts__program(&g->reader, reply.text, a) : *text;
    const struct diffuse_seed *first = &g->seeds.at.at[at.cluster->members[0]];
    if (text->n)
        strbuf_printf(edits, "seed=" STR_FMT "\n", STR_ARG(first->id));
    strbuf_printf(edits, "llm bucket=" STR_FMT " %s\n",
                  STR_ARG(prompts__rule(&g->prompts, &g->strategy, &at)),
                  text->n            ? "program"
                  : !found           ? "no-reply"
                  : reply.is_refusal ? "refusal"
                                     : "no-program");
    return true;
}

/* Of four indices the last is a seed as it stands, until all were: what it shows is its issue's own
 * defect, and mutants whose reduction ends in the same key are no new bug. */
static const struct diffuse_seed *plain_seed(const struct diffuse *g, uint64_t index)
{
    enum { SEED_EVERY = 4 };
    uint64_t k = index / SEED_EVERY;
    return g->strategy.runs_seeds && index % SEED_EVERY == SEED_EVERY - 1 && k < g->seeds.at.n
               ? &g->seeds.at.at[k]
               : NULL;
}

/* By rules alone: a seed, its companions, one to three rules. */
static bool from_rules(struct diffuse *g, uint64_t index, struct arena *a, struct str *text,
                       struct strbuf *edits)
{
    struct rng r;
    size_t n_said = edits->n;
    bool found = false;
    rng_init(&r, g->seed, RNG_CASE, index);
    for (int i = 0; g->strategy.has_rules && !found && i < TRIES; i++) {
        edits->n = n_said;
        found = try_one(g, index, &r, a, text, edits);
    }
    return found;
}

static struct tcase *case_of(const struct diffuse *g, uint64_t index, struct str text,
                             const struct strbuf *edits, struct arena *a)
{
    struct program *p = arena_new(a, struct program);
    const struct provenance from = {.generator = diffuse_generator.name,
                                    .version = DIFFUSE_VERSION,
                                    .seed = g->seed,
                                    .index = index,
                                    .edits = strbuf_dup(edits, a)};
    p->source = (struct str){str_dup(a, text), text.n};
    p->framework = STR("torch");
    return case_of_program(p, arena_new(a, struct tensors), 1, from, a);
}

static bool diffuse_next(struct generator *base, uint64_t index, struct arena *a,
                         struct tcase **out, struct err *e)
{
    struct diffuse *g = (struct diffuse *)base;
    struct strbuf edits = {0};
    struct str text = {0};
    *out = NULL;
    const struct diffuse_seed *seed = plain_seed(g, index);
    bool ok = seed || from_reply(g, index, a, &text, &edits, e);
    if (seed) {
        text = seed->text;
        strbuf_printf(&edits, "seed=" STR_FMT "\n", STR_ARG(seed->id));
    }
    bool found = ok && (text.n > 0 || from_rules(g, index, a, &text, &edits));
    if (found)
        *out = case_of(g, index, text, &edits, a);
    g->counts.n_emitted += found;
    g->counts.n_gave_up += ok && !found;
    strbuf_done(&edits);
    return ok;
}

static void diffuse_learn(struct generator *base, const struct learned *l)
{
    ((struct diffuse *)base)->learned = l;
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
    .wants = diffuse_wants,
    .learn = diffuse_learn,
    .counts = diffuse_counts,
    .close = diffuse_close,
};
