/*
 * Prepares seeds (inputs of two styles, and the reference's values for each), and makes stems:
 * models of inputs alone, to which patterns are appended. Shapes of stems are small: bugs of
 * optimisers need few elements, and faster cases find more of them.
 */
#include "generate/mutate/seed_p.h"

#include "onnx/infer.h"
#include "onnx/op.h"

enum { SEED_MACS_MAX = 64 << 20, SEED_BYTES_MAX = 256 << 20, SEED_TRIES = 16 };

/* Is an output element undefined, because it was quantised too near to a tie? */
static bool is_tainted(const struct seed *s, const struct eval_result *r)
{
    const struct graph *g = s->m->graph;
    for (size_t i = 0; i < g->outputs.n; i++) {
        const struct value *v = &r->values[g->outputs.at[i]];
        for (size_t k = 0; v->undefined && k < v->n; k++) {
            if (v->undefined[k])
                return true;
        }
    }
    return false;
}

/* Tries a few times to find inputs for which all outputs are defined. */
static bool fill_style(struct seed *s, unsigned style, uint64_t seed, struct arena *a,
                       struct err *e)
{
    struct input_options o = {style == 0 ? INPUT_GRID : INPUT_NORMAL, 0};
    struct eval_options eval = {.budget = {SEED_MACS_MAX, SEED_BYTES_MAX}};
    for (uint64_t tries = 0; tries < SEED_TRIES; tries++) {
        struct rng r;
        rng_init(&r, seed, RNG_INPUT, style + tries * SEED_STYLES);
        if (!inputs_generate(s->m, &o, &r, a, &s->inputs[style], e) ||
            !eval_run(s->m, &s->inputs[style], &eval, a, &s->values[style], e))
            return false;
        if (!is_tainted(s, &s->values[style]))
            break;
    }
    s->has_values[style] = true;
    return true;
}

bool seed__prepare(struct seed *s, const char *name, struct model *m, uint64_t seed,
                   struct arena *a, struct err *e)
{
    *s = (struct seed){.name = arena_strdup(a, name), .m = m};
    if (!model_finish(m, e) || !infer_model(m, e))
        return err_wrap(e, "seed model %s", name);
    s->content = model_hash(m);
    for (unsigned style = 0; style < SEED_STYLES; style++) {
        if (!fill_style(s, style, seed, a, e))
            return err_wrap(e, "seed model %s", name);
    }
    return true;
}

int seed__draw_opset(struct rng *r)
{
    static const int opsets[] = {17, 18, 21, 13, 20, 22, 11, 23, 15, 19, 24, 12, 16, 14, 25, 26};
    static const double weights[] = {24, 18, 22, 8, 5, 5, 4, 3, 2, 3, 2, 1, 1, 1, 0.5, 0.5};
    return opsets[rng_weighted(r, weights, COUNT_OF(weights))];
}

int seed__draw_operator_opset(struct rng *r, const char *op_type)
{
    int opset = rng_chance(r, 0.65) ? seed__draw_opset(r) : (int)rng_between(r, 21, 26);
    while (opset < MODEL_OPSET_NEWEST && !op_fact_find(STR(""), str_of(op_type), opset))
        opset++;
    return opset;
}

static enum dtype draw_dtype(struct rng *r, int opset)
{
    static const enum dtype types[] = {DTYPE_FLOAT, DTYPE_FLOAT16, DTYPE_DOUBLE,
                                       DTYPE_INT64, DTYPE_INT32,   DTYPE_INT8,
                                       DTYPE_UINT8, DTYPE_BOOL,    DTYPE_BFLOAT16};
    static const double weights[] = {75, 7, 6, 4, 3, 1, 2, 1, 1};
    enum dtype t = types[rng_weighted(r, weights, COUNT_OF(weights))];
    return t == DTYPE_BFLOAT16 && opset < 13 ? DTYPE_FLOAT : t;
}

static uint32_t draw_shape(struct rng *r, int64_t dims[static TENSOR_RANK_MAX])
{
    static const double ranks[] = {3, 8, 20, 29, 32, 5, 3};
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 6, 8};
    static const double size_weights[] = {15, 20, 15, 20, 8, 7, 15};
    static const int64_t channels[] = {1, 2, 3, 4, 8};
    uint32_t rank = (uint32_t)rng_weighted(r, ranks, COUNT_OF(ranks));
    bool image = (rank == 4 || rank == 3) && rng_chance(r, 0.6);
    for (uint32_t i = 0; i < rank; i++) {
        dims[i] = sizes[rng_weighted(r, size_weights, COUNT_OF(sizes))];
        if (rank >= 5)
            dims[i] = rng_between(r, 1, 3);
        if (image && i == 0)
            dims[i] = rng_between(r, 1, 2);
        else if (image && i == 1)
            dims[i] = channels[rng_below(r, COUNT_OF(channels))];
        else if (image)
            dims[i] = i == 3 && rng_chance(r, 0.6) ? dims[2] : rng_between(r, 3, 9);
    }
    return rank;
}

struct model *seed__stem(struct rng *r, bool zero_dim, struct arena *a)
{
    int64_t dims[TENSOR_RANK_MAX];
    struct model *m = model_new(a, seed__draw_opset(r));
    enum dtype t = draw_dtype(r, m->opset);
    uint32_t rank = draw_shape(r, dims);
    if (zero_dim) {
        if (rank == 0)
            dims[rank++] = 0;
        dims[rng_below(r, rank)] = 0;
    }
    graph_add_input(m, m->graph, STR("x"), t, dims, rank);
    if (rng_chance(r, 0.15)) /* a second one, of another kind */
        graph_add_input(m, m->graph, STR("z"), draw_dtype(r, m->opset), dims, draw_shape(r, dims));
    return m;
}

static void empty_dim(struct graph_value *v, uint32_t d, struct arena *a)
{
    struct dim *dims = arena_dup(a, v->shape.dims, v->shape.rank * sizeof *dims);
    dims[d] = (struct dim){0, 0};
    v->shape.dims = dims;
}

struct model *seed__emptied(const struct model *from, struct rng *r, struct arena *a)
{
    struct model *m = model_copy(from, a);
    struct graph *g = m->graph;
    struct err e = {0};
    bool by_batch = rng_chance(r, 0.6), has_any = false;
    size_t only = g->inputs.n ? rng_below(r, g->inputs.n) : 0;
    for (size_t i = 0; i < g->values.n; i++) {
        struct graph_value *v = &g->values.at[i];
        if (v->origin == ORIGIN_INPUT || v->initializer)
            continue;
        v->shape = (struct shape){0}; /* to be inferred again */
        v->is_declared = false;
    }
    for (size_t i = 0; i < g->inputs.n; i++) {
        struct graph_value *v = &g->values.at[g->inputs.at[i]];
        if (v->initializer || !v->shape.known || !v->shape.rank || (!by_batch && i != only))
            continue;
        empty_dim(v, by_batch ? 0 : (uint32_t)rng_below(r, v->shape.rank), a);
        has_any = true;
    }
    return has_any && model_finish(m, &e) && infer_model(m, &e) ? m : NULL;
}
