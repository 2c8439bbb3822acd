/*
 * The nets. Weights are normally distributed, scaled by 1 / sqrt(fan-in), so values stay near 1
 * through all layers. Opset 21. Must not know the oracles.
 */
#include "planted/nets.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "onnx/check.h"
#include "onnx/infer.h"

enum { OPSET = 21, NET_DIMS_MAX = 4 };

struct builder {
    struct model *m;
    struct graph *g;
    struct arena *a;
    struct rng r;
};

static void builder_init(struct builder *b, uint64_t seed, struct arena *a)
{
    b->a = a;
    b->m = model_new(a, OPSET);
    b->g = b->m->graph;
    rng_init(&b->r, seed, RNG_WEIGHT, 0);
}

struct dims {
    int64_t at[NET_DIMS_MAX];
    uint32_t rank;
};

#define DIMS(...)                                                                                  \
    ((struct dims){{__VA_ARGS__}, (uint32_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))})

static uint32_t input(struct builder *b, const char *name, struct dims d)
{
    return graph_add_input(b->m, b->g, str_of(name), DTYPE_FLOAT, d.at, d.rank);
}

static uint32_t initializer(struct builder *b, const char *name, struct tensor t)
{
    return graph_add_initializer(b->m, b->g, str_of(name), arena_dup(b->a, &t, sizeof t));
}

/* Normally distributed with a mean and deviation. */
static uint32_t weight(struct builder *b, const char *name, struct dims d, double mean, double sd)
{
    struct tensor t;
    void *data;
    struct err ignored = {0};
    if (!tensor_make(DTYPE_FLOAT, d.at, d.rank, b->a, &t, &data, &ignored))
        abort();
    for (size_t i = 0; i < t.n; i++)
        tensor_put_double(DTYPE_FLOAT, data, i, mean + sd * rng_normal(&b->r));
    return initializer(b, name, t);
}

/* Like weight, but positive: variances. */
static uint32_t variance(struct builder *b, const char *name, struct dims d)
{
    struct tensor t;
    void *data;
    struct err ignored = {0};
    if (!tensor_make(DTYPE_FLOAT, d.at, d.rank, b->a, &t, &data, &ignored))
        abort();
    for (size_t i = 0; i < t.n; i++)
        tensor_put_double(DTYPE_FLOAT, data, i, 0.5 + rng_unit(&b->r));
    return initializer(b, name, t);
}

static uint32_t scalar(struct builder *b, const char *name, double value)
{
    return initializer(b, name, tensor_scalar_double(DTYPE_FLOAT, value, b->a));
}

static uint32_t ints(struct builder *b, const char *name, const int64_t *v, size_t n)
{
    return initializer(b, name, tensor_from_i64s(v, n, b->a));
}

#define NODE(b, op, ...)                                                                           \
    graph_add_node((b)->m, (b)->g, op, (uint32_t[]){__VA_ARGS__},                                  \
                   (uint32_t)(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)), 1)

static struct node *last(struct builder *b)
{
    return graph_last_node(b->g);
}

static void set_ints(struct builder *b, const char *name, const int64_t *v, size_t n)
{
    node_set_ints(b->m, last(b), name, v, n);
}

static struct model *finish(struct builder *b, struct err *e)
{
    if (!model_finish(b->m, e) || !check_model(b->m, e) || !infer_model(b->m, e))
        return NULL;
    return b->m;
}

static uint32_t conv(struct builder *b, uint32_t x, const char *name, struct dims d, int64_t pad)
{
    double sd = 1 / sqrt((double)(d.at[1] * d.at[2] * d.at[3]));
    uint32_t w = weight(b, arena_printf(b->a, "%s_w", name), d, 0, sd);
    uint32_t bias = weight(b, arena_printf(b->a, "%s_b", name), DIMS(d.at[0]), 0, 0.1);
    uint32_t y = NODE(b, "Conv", x, w, bias);
    set_ints(b, "kernel_shape", (int64_t[]){d.at[2], d.at[3]}, 2);
    set_ints(b, "pads", (int64_t[]){pad, pad, pad, pad}, 4);
    return y;
}

static uint32_t batch_norm(struct builder *b, uint32_t x, int64_t channels)
{
    uint32_t scale = weight(b, "bn_scale", DIMS(channels), 1, 0.2);
    uint32_t bias = weight(b, "bn_bias", DIMS(channels), 0, 0.2);
    uint32_t mean = weight(b, "bn_mean", DIMS(channels), 0, 0.2);
    return NODE(b, "BatchNormalization", x, scale, bias, mean,
                variance(b, "bn_var", DIMS(channels)));
}

static struct model *build_conv(uint64_t seed, struct arena *a, struct err *e)
{
    struct builder b;
    builder_init(&b, seed, a);
    uint32_t x = input(&b, "x", DIMS(1, 3, 8, 8));
    uint32_t h = conv(&b, x, "c1", DIMS(8, 3, 3, 3), 1);
    h = NODE(&b, "Relu", batch_norm(&b, h, 8));
    uint32_t skip = h;
    h = conv(&b, h, "c2", DIMS(8, 8, 3, 3), 1);
    h = NODE(&b, "Relu", NODE(&b, "Add", h, skip));
    h = NODE(&b, "MaxPool", h);
    set_ints(&b, "kernel_shape", (int64_t[]){3, 3}, 2);
    set_ints(&b, "strides", (int64_t[]){2, 2}, 2);
    set_ints(&b, "pads", (int64_t[]){1, 1, 1, 1}, 4);
    h = conv(&b, h, "c3", DIMS(10, 8, 1, 1), 0);
    h = NODE(&b, "Flatten", NODE(&b, "GlobalAveragePool", h));
    uint32_t w = weight(&b, "fc_w", DIMS(10, 10), 0, 0.3);
    h = NODE(&b, "Gemm", h, w, weight(&b, "fc_b", DIMS(10), 0, 0.1));
    graph_add_output(b.g, NODE(&b, "Softmax", h));
    return finish(&b, e);
}

static uint32_t project(struct builder *b, uint32_t x, const char *name, int64_t from, int64_t to)
{
    return NODE(b, "MatMul", x, weight(b, name, DIMS(from, to), 0, 1 / sqrt((double)from)));
}

static uint32_t layer_norm(struct builder *b, uint32_t x, const char *name, int64_t n)
{
    uint32_t scale = weight(b, arena_printf(b->a, "%s_scale", name), DIMS(n), 1, 0.1);
    return NODE(b, "LayerNormalization", x, scale,
                weight(b, arena_printf(b->a, "%s_bias", name), DIMS(n), 0, 0.1));
}

static struct model *build_attention(uint64_t seed, struct arena *a, struct err *e)
{
    enum { T = 8, D = 8 };
    struct builder b;
    builder_init(&b, seed, a);
    uint32_t x = input(&b, "x", DIMS(1, T, D));
    uint32_t q = project(&b, x, "wq", D, D), k = project(&b, x, "wk", D, D);
    uint32_t v = project(&b, x, "wv", D, D);
    uint32_t kt = NODE(&b, "Transpose", k);
    set_ints(&b, "perm", (int64_t[]){0, 2, 1}, 3);
    uint32_t s = NODE(&b, "Div", NODE(&b, "MatMul", q, kt), scalar(&b, "root", sqrt(D)));
    uint32_t p = NODE(&b, "Softmax", s);
    uint32_t h = project(&b, NODE(&b, "MatMul", p, v), "wo", D, D);
    h = layer_norm(&b, NODE(&b, "Add", h, x), "ln1", D);
    uint32_t m = NODE(&b, "Gelu", project(&b, h, "w1", D, 16));
    m = project(&b, m, "w2", 16, D);
    graph_add_output(b.g, layer_norm(&b, NODE(&b, "Sub", h, m), "ln2", D));
    return finish(&b, e);
}

static struct model *build_norm(uint64_t seed, struct arena *a, struct err *e)
{
    struct builder b;
    builder_init(&b, seed, a);
    uint32_t x = input(&b, "x", DIMS(1, 4, 6, 6));
    uint32_t h = NODE(&b, "InstanceNormalization", x, weight(&b, "in_scale", DIMS(4), 1, 0.1),
                      weight(&b, "in_bias", DIMS(4), 0, 0.1));
    h = NODE(&b, "Mul", h, weight(&b, "gain", DIMS(1, 4, 1, 1), 1, 0.2));
    uint32_t axes = ints(&b, "axes", (int64_t[]){1}, 1);
    uint32_t mean = NODE(&b, "ReduceMean", h, axes);
    uint32_t d = NODE(&b, "Sub", h, mean);
    uint32_t var = NODE(&b, "ReduceMean", NODE(&b, "Mul", d, d), axes);
    uint32_t sd = NODE(&b, "Sqrt", NODE(&b, "Add", var, scalar(&b, "eps", 1e-3)));
    h = NODE(&b, "Div", d, sd);
    h = NODE(&b, "Mul", h, NODE(&b, "Sigmoid", h));
    h = layer_norm(&b, h, "ln", 6);
    h = NODE(&b, "AveragePool", h);
    set_ints(&b, "kernel_shape", (int64_t[]){3, 3}, 2);
    set_ints(&b, "pads", (int64_t[]){1, 1, 1, 1}, 4);
    h = NODE(&b, "Softmax", h);
    graph_add_output(b.g, NODE(&b, "Add", h, x));
    return finish(&b, e);
}

static uint32_t recurrent(struct builder *b, uint32_t x, const char *op, struct dims shape)
{
    int64_t gates = strcmp(op, "LSTM") == 0 ? 4 : 3, in = shape.at[0], hidden = shape.at[1];
    uint32_t w = weight(b, arena_printf(b->a, "%s_w", op), DIMS(1, gates * hidden, in), 0, 0.5);
    uint32_t r = weight(b, arena_printf(b->a, "%s_r", op), DIMS(1, gates * hidden, hidden), 0, 0.5);
    uint32_t bias = weight(b, arena_printf(b->a, "%s_b", op), DIMS(1, 2 * gates * hidden), 0, 0.2);
    uint32_t y = NODE(b, op, x, w, r, bias);
    node_set_int(b->m, last(b), "hidden_size", hidden);
    return NODE(b, "Squeeze", y, ints(b, "one", (int64_t[]){1}, 1));
}

static struct model *build_recurrent(uint64_t seed, struct arena *a, struct err *e)
{
    struct builder b;
    builder_init(&b, seed, a);
    uint32_t x = input(&b, "x", DIMS(5, 1, 6));
    uint32_t h = recurrent(&b, x, "LSTM", DIMS(6, 5));
    h = NODE(&b, "Add", h, weight(&b, "shift", DIMS(5), 0, 0.3));
    h = recurrent(&b, h, "GRU", DIMS(5, 4));
    h = NODE(&b, "Tanh", project(&b, h, "w", 4, 6));
    graph_add_output(b.g, NODE(&b, "Softmax", h));
    return finish(&b, e);
}

static struct model *build_values(uint64_t seed, struct arena *a, struct err *e)
{
    struct builder b;
    builder_init(&b, seed, a);
    uint32_t x = input(&b, "x", DIMS(3, 8));
    uint32_t h = NODE(&b, "Add", x, weight(&b, "shift", DIMS(8), 0, 1));
    h = NODE(&b, "Mul", h, weight(&b, "gain", DIMS(8), 1, 0.2));
    h = NODE(&b, "Neg", NODE(&b, "Sub", h, x));
    h = NODE(&b, "Transpose", h);
    graph_add_output(b.g, NODE(&b, "Exp", h));
    return finish(&b, e);
}

static const struct net_row nets[] = {
    {"conv", LANE_NUMERIC, build_conv},    {"attention", LANE_NUMERIC, build_attention},
    {"norm", LANE_NUMERIC, build_norm},    {"recurrent", LANE_NUMERIC, build_recurrent},
    {"values", LANE_VALUES, build_values},
};

const struct net_row *net_list(size_t *n)
{
    *n = COUNT_OF(nets);
    return nets;
}

struct tcase *net_case_of(struct model *m, enum lane lane, const struct tensors *inputs,
                          struct arena *a)
{
    struct tcase *c = arena_new(a, struct tcase);
    *c = (struct tcase){.kind = CASE_GRAPH,
                        .graph = m,
                        .input_sets = arena_dup(a, inputs, sizeof *inputs),
                        .n_input_sets = 1,
                        .lane = lane};
    c->from = (struct provenance){.generator = "test", .version = 1, .edits = STR("")};
    case_seal(c);
    return c;
}

/* Normally distributed; in LANE_VALUES an eighth of the elements is NaN or infinite. */
static struct tensors values_for(const struct model *m, enum lane lane, uint64_t seed,
                                 struct arena *a)
{
    const struct graph *g = m->graph;
    struct tensors out = {arena_new_array(a, struct named_tensor, g->inputs.n), g->inputs.n};
    struct rng r;
    rng_init(&r, seed, RNG_INPUT, 0);
    for (size_t i = 0; i < g->inputs.n; i++) {
        const struct graph_value *v = &g->values.at[g->inputs.at[i]];
        int64_t dims[TENSOR_RANK_MAX];
        void *data;
        struct err ignored = {0};
        if (!shape_to_dims(&v->shape, dims) ||
            !tensor_make(v->dtype, dims, v->shape.rank, a, &out.at[i].tensor, &data, &ignored))
            abort();
        out.at[i].name = v->name;
        for (size_t k = 0; k < out.at[i].tensor.n; k++) {
            double x = rng_normal(&r);
            if (lane == LANE_VALUES && rng_below(&r, 8) == 0)
                x = rng_below(&r, 2) ? (double)NAN : (double)INFINITY;
            tensor_put_double(v->dtype, data, k, x);
        }
    }
    return out;
}

struct tcase *net_case(const struct net_row *row, uint64_t seed, uint32_t n_sets, struct arena *a,
                       struct err *e)
{
    struct model *m = row->build(seed, a, e);
    if (!m)
        return NULL;
    struct tensors *sets = arena_new_array(a, struct tensors, n_sets);
    for (uint32_t i = 0; i < n_sets; i++)
        sets[i] = values_for(m, row->lane, seed * 16 + i, a);
    struct tcase *c = net_case_of(m, row->lane, sets, a);
    c->input_sets = sets;
    c->n_input_sets = n_sets;
    case_seal(c);
    return c;
}
