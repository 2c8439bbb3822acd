/*
 * Every layer builder and every pattern on values of several ranks and dtypes: what is built is
 * valid, or refused by inference; each works somewhere. Tables name only what exists.
 */
#include "generate/mutate/pattern_p.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "unit/test.h"

static const struct {
    enum dtype dtype;
    uint32_t rank;
    int64_t dims[6];
} inputs[] = {
    {DTYPE_FLOAT, 4, {1, 4, 6, 6}},
    {DTYPE_FLOAT, 3, {2, 4, 6}},
    {DTYPE_FLOAT, 2, {3, 4}},
    {DTYPE_FLOAT, 1, {5}},
    {DTYPE_FLOAT, 0, {0}},
    {DTYPE_DOUBLE, 3, {1, 4, 4}},
    {DTYPE_FLOAT16, 4, {2, 2, 4, 4}},
    {DTYPE_INT32, 2, {2, 3}},
    {DTYPE_INT64, 1, {4}},
    {DTYPE_UINT8, 2, {3, 3}},
    {DTYPE_BOOL, 2, {2, 2}},
    {DTYPE_FLOAT, 6, {1, 2, 1, 2, 1, 3}},
    {DTYPE_FLOAT, 4, {1, 0, 3, 3}},
    {DTYPE_FLOAT, 5, {1, 2, 3, 3, 3}},
};
static const int opsets[] = {11, 13, 17, 18, 21, 24};

enum built { BUILT_VALID, BUILT_REFUSED, BUILT_INVALID };

typedef uint32_t build_fn(struct graph_builder *b, const void *row, uint32_t x);

static uint32_t build_layer(struct graph_builder *b, const void *row, uint32_t x)
{
    return layer__apply(b, row, x);
}

static uint32_t build_pattern(struct graph_builder *b, const void *row, uint32_t x)
{
    return ((const struct pattern *)row)->build(b, x);
}

/* Builds a model, which lives in `a`. */
static enum built build_in(struct arena *a, build_fn *fn, const void *row, uint64_t seed,
                           struct model **model, struct err *e)
{
    struct graph_builder b;
    struct rng r;
    size_t in = seed % COUNT_OF(inputs);
    rng_init(&r, seed, RNG_TEST, 0);
    struct model *m = *model = model_new(a, opsets[seed / COUNT_OF(inputs) % COUNT_OF(opsets)]);
    uint32_t x =
        graph_add_input(m, m->graph, STR("x"), inputs[in].dtype, inputs[in].dims, inputs[in].rank);
    builder__init(&b, m, &r);
    enum place weights = b.weights, shapes = b.shapes;
    uint32_t y = fn(&b, row, x);
    assert_int_equal(b.weights, weights); /* what is built next is placed as before */
    assert_int_equal(b.shapes, shapes);
    if (!builder__ok(&b) || y == VALUE_NONE)
        return BUILT_REFUSED;
    graph_add_output(m->graph, y);
    return model_finish(m, e) && check_model(m, e) && infer_model(m, e) ? BUILT_VALID
                                                                        : BUILT_INVALID;
}

static enum built build(build_fn *fn, const void *row, uint64_t seed, struct err *e)
{
    struct arena a;
    struct model *m;
    arena_init(&a);
    enum built result = build_in(&a, fn, row, seed, &m, e);
    arena_done(&a);
    return result;
}

static void build_all(build_fn *fn, const void *row, const char *name, bool must_work)
{
    unsigned n_valid = 0;
    for (uint64_t seed = 0; seed < COUNT_OF(inputs) * COUNT_OF(opsets); seed++) {
        struct err e = {0};
        enum built b = build(fn, row, seed, &e);
        if (b == BUILT_INVALID)
            fail_msg("%s, seed %llu: %s", name, (unsigned long long)seed, e.text);
        n_valid += b == BUILT_VALID;
    }
    ASSERT_ROW(!must_work || n_valid >= 5, name);
}

static void every_layer_builder_makes_valid_models(void **state)
{
    size_t n;
    const struct layer_builder *list = layer__list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        const struct op *op = op_find(STR(""), str_of(list[i].op_type));
        build_all(build_layer, &list[i], list[i].op_type,
                  op && op_fact_find(STR(""), str_of(list[i].op_type), 24));
    }
}

static void every_pattern_builds_valid_models(void **state)
{
    size_t n;
    const struct pattern *list = pattern__list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++)
        build_all(build_pattern, &list[i], list[i].name, true);
}

/* The elements of a value; 0 when a dim is not known. */
static int64_t elements(const struct graph_value *v)
{
    int64_t n = v->shape.known;
    for (uint32_t i = 0; i < v->shape.rank; i++)
        n *= MAX(v->shape.dims[i].value, 0);
    return n;
}

/* The scalar of a parameter, wherever it was placed; NULL: none. */
static const struct tensor *constant(const struct graph *g, uint32_t value)
{
    const struct graph_value *v = &g->values.at[value];
    if (v->origin != ORIGIN_NODE)
        return v->initializer;
    const struct attr *a = node_attr(&g->nodes.at[v->origin_at], "value");
    return a && a->kind == ATTR_TENSOR ? a->t : NULL;
}

/* The number of divisions of a ReduceSum by a scalar; each must divide by the number of summed
 * elements. */
static unsigned check_means(const struct graph *g, uint64_t seed)
{
    unsigned n_found = 0;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *div = &g->nodes.at[i];
        if (!str_is(div->op_type, "Div"))
            continue;
        const struct graph_value *sum = &g->values.at[div->inputs[0]];
        const struct tensor *count = constant(g, div->inputs[1]);
        if (sum->origin != ORIGIN_NODE || elements(sum) == 0 || !count)
            continue;
        const struct node *reduce = &g->nodes.at[sum->origin_at];
        if (!str_is(reduce->op_type, "ReduceSum"))
            continue;
        int64_t n = elements(&g->values.at[reduce->inputs[0]]) / elements(sum);
        if (tensor_get_double(count, 0) != (double)n)
            fail_msg("seed %llu: a sum of %lld elements is divided by %g", (unsigned long long)seed,
                     (long long)n, tensor_get_double(count, 0));
        n_found++;
    }
    return n_found;
}

static void a_mean_by_sum_divides_by_the_count(void **state)
{
    size_t n;
    unsigned n_found = 0;
    const struct pattern *list = pattern__list(&n), *norm = list;
    (void)state;
    while (strcmp(norm->name, "layer-norm") != 0)
        norm++;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        struct arena a;
        struct model *m;
        struct err e = {0};
        arena_init(&a);
        if (build_in(&a, build_pattern, norm, seed, &m, &e) == BUILT_VALID)
            n_found += check_means(m->graph, seed);
        arena_done(&a);
    }
    assert_true(n_found >= 50);
}

static void chains_name_layer_builders(void **state)
{
    static const char *const chains[] = {
#define CHAIN(operators) operators,
#include "generate/mutate/chains.def"
#undef CHAIN
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chains); i++) {
        struct arena a;
        struct str rest = str_of(chains[i]), name;
        arena_init(&a);
        while (str_split(&rest, ' ', &name))
            ASSERT_ROW(layer__find(str_dup(&a, name)) != NULL, chains[i]);
        arena_done(&a);
    }
}

/* Operators without a layer builder, each with its reason. */
static void every_supported_operator_has_a_layer_builder(void **state)
{
    static const char *const reasons[][2] = {
        {"Constant", "made wherever a parameter is"},
        {"Scatter", "deprecated before opset 11"},
        {"Upsample", "deprecated before opset 11"},
        {"CausalConvWithState", "opset 27"},
        {"LinearAttention", "opset 27"},
        {"SwiGLU", "opset 28"},
        {"OptionalHasElement", "no optional values"},
        {"OptionalGetElement", "no optional values"},
        {"StringConcat", "no texts"},
        {"StringSplit", "no texts"},
        {"StringNormalizer", "no texts"},
    };
    size_t n;
    const struct op *ops = op_list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        bool is_excused = false;
        for (size_t j = 0; j < COUNT_OF(reasons); j++)
            is_excused |= !strcmp(reasons[j][0], ops[i].name);
        ASSERT_ROW(is_excused != (layer__find(ops[i].name) != NULL), ops[i].name);
    }
}

TEST_SUITE(generate_layers, TEST(every_supported_operator_has_a_layer_builder),
           TEST(every_layer_builder_makes_valid_models), TEST(every_pattern_builds_valid_models),
           TEST(a_mean_by_sum_divides_by_the_count), TEST(chains_name_layer_builders))
