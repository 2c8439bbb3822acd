/*
 * The generator corpus: the given models, programs and cases, unchanged. The case of index i is the
 * (i mod n)-th of these n, in round i / n.
 */
#include <stdlib.h>

#include "base/vec.h"
#include "generate/corpus/corpus_p.h"

enum { CORPUS_VERSION = 1 };

struct corpus {
    struct generator base;
    struct arena a;
    uint64_t seed;
    VEC(struct corpus_seed) models;
    struct generate_counts counts;
};

static bool is_program(const char *name, struct arena *a)
{
    (void)a;
    return str_ends(str_of(name), STR(".py"));
}

/* The kinds of seeds, recognised by their names. */
static const struct corpus_kind {
    bool (*is)(const char *name, struct arena *a);
    bool (*read)(uint64_t zoo_seed, struct arena *a, struct corpus_seed *seed, struct err *e);
    bool (*make)(const struct corpus_seed *seed, uint64_t round, const struct provenance *from,
                 struct arena *a, struct tcase **out, struct err *e);
} kinds[] = {
    {corpus__is_case, corpus__read_case, corpus__given_case},
    {is_program, corpus__read_program, corpus__program_case},
    {NULL, corpus__read_graph, corpus__graph_case},
};

static void corpus_close(struct generator *base)
{
    struct corpus *g = (struct corpus *)base;
    arena_done(&g->a);
    free(g);
}

static bool add_model(void *ctx, const char *name, struct err *e)
{
    struct corpus *g = ctx;
    struct corpus_seed seed = {.name = arena_strdup(&g->a, name)};
    seed.kind = kinds;
    while (seed.kind->is && !seed.kind->is(name, &g->a))
        seed.kind++;
    if (!seed.kind->read(g->seed, &g->a, &seed, e))
        return err_wrap(e, "model %s", name);
    vec_push(&g->models, &g->a, seed);
    return true;
}

static bool corpus_open(const struct generate_options *o, struct generator **out, struct err *e)
{
    struct corpus *g = mem_alloc(sizeof *g);
    *g = (struct corpus){.base = {&corpus_generator}, .seed = o->seed};
    arena_init(&g->a);
    bool ok = generate_add_models(o, add_model, g, e);
    if (ok && g->models.n == 0)
        ok = err_set(e, ERR_USAGE, "the generator corpus needs models: name files or zoo models");
    if (!ok) {
        corpus_close(&g->base);
        return false;
    }
    *out = &g->base;
    return true;
}

static bool corpus_next(struct generator *base, uint64_t index, struct arena *a, struct tcase **out,
                        struct err *e)
{
    struct corpus *g = (struct corpus *)base;
    const struct corpus_seed *seed = &g->models.at[index % g->models.n];
    struct provenance from = {
        .generator = "corpus", .version = CORPUS_VERSION, .seed = g->seed, .index = index};
    from.edits = str_of(arena_printf(a, "seed=%s\n", seed->name));
    if (!seed->kind->make(seed, index / g->models.n, &from, a, out, e))
        return err_wrap(e, "model %s", seed->name);
    g->counts.n_emitted++;
    return true;
}

static void corpus_counts(const struct generator *base, struct generate_counts *out)
{
    *out = ((const struct corpus *)base)->counts;
}

const struct generator_ops corpus_generator = {
    .name = "corpus",
    .help = "runs the given models with fresh inputs, and the given programs and case folders "
            "unchanged",
    .version = CORPUS_VERSION,
    .open = corpus_open,
    .next = corpus_next,
    .counts = corpus_counts,
    .close = corpus_close,
};
