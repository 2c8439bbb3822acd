/*
 * The generator corpus: the given models as they are, with fresh input values. Index i is model
 * i mod n, its values those of round i / n: grid and normals by turns. A model that the reference
 * cannot run still makes a case (reference NULL), since engines may be compared with each other.
 */
#include <stdlib.h>

#include "case/inputs.h"
#include "generate/corpus/corpus_p.h"
#include "generate/zoo.h"
#include "onnx/eval.h"
#include "onnx/infer.h"

enum { CORPUS_VERSION = 1 };

struct corpus_model {
    const char *name;
    struct model *m;
};

struct corpus {
    struct generator base;
    struct arena a;
    uint64_t seed;
    VEC(struct corpus_model) models;
    struct generate_counts counts;
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
    struct zoo_options o = {0, g->seed};
    struct model *m;
    if (!seed_model_load(name, &o, &g->a, &m, e) || !infer_model(m, e))
        return err_wrap(e, "model %s", name);
    vec_push(&g->models, &g->a, (struct corpus_model){arena_strdup(&g->a, name), m});
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
    const struct corpus_model *model = &g->models.at[index % g->models.n];
    struct tcase *c = arena_new(a, struct tcase);
    struct tensors *inputs = arena_new(a, struct tensors);
    struct eval_result *reference = arena_new(a, struct eval_result);
    struct input_options o = {(index / g->models.n) % 2 ? INPUT_NORMAL : INPUT_GRID, 0};
    struct rng r;
    struct err unknown = {0};
    rng_init(&r, g->seed, RNG_CASE, index);
    if (!inputs_generate(model->m, &o, &r, a, inputs, e))
        return err_wrap(e, "model %s", model->name);
    c->kind = CASE_GRAPH;
    c->graph = model->m;
    c->input_sets = inputs;
    c->n_input_sets = 1;
    if (eval_run(model->m, inputs, &(struct eval_options){0}, a, reference, &unknown))
        c->reference = reference;
    c->from = (struct provenance){.generator = "corpus",
                                  .version = CORPUS_VERSION,
                                  .seed = g->seed,
                                  .index = index,
                                  .parent = model_hash(model->m)};
    c->from.edits = str_of(arena_printf(a, "seed=%s\n", model->name));
    case_seal(c);
    g->counts.n_emitted++;
    *out = c;
    return true;
}

static void corpus_reward(struct generator *base, uint64_t index, const struct reward *r)
{
    (void)base;
    (void)index;
    (void)r;
}

static void corpus_counts(const struct generator *base, struct generate_counts *out)
{
    *out = ((const struct corpus *)base)->counts;
}

const struct generator_ops corpus_generator = {
    .name = "corpus",
    .help = "runs the given models as they are, with fresh inputs",
    .version = CORPUS_VERSION,
    .open = corpus_open,
    .next = corpus_next,
    .reward = corpus_reward,
    .counts = corpus_counts,
    .close = corpus_close,
};
