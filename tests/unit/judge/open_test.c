/*
 * What the standard leaves open or rounding decides is no engine's fault: shapes that depend on a
 * value near a switch, values that become equal, NaN and infinities at operators that do not settle
 * them, partial products beyond the range, tails of functions. Each such row has another of the
 * same model that must fail.
 */
#include "judge/judge.h"

#include <math.h>

#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/op.h"
#include "planted/nets.h"
#include "unit/test.h"

enum { ELEMENTS_MAX = 8 };

struct scene {
    struct arena a;
    struct model *m;
    struct graph *g;
};

struct numbers {
    enum dtype dtype;
    uint32_t rank;
    int64_t dims[2];
    double at[ELEMENTS_MAX];
};

static uint32_t constant(struct scene *s, const struct numbers *x)
{
    struct err e = {0};
    struct tensor *t = arena_new(&s->a, struct tensor);
    if (!tensor_from_doubles(x->dtype, x->dims, x->rank, x->at, &s->a, t, &e))
        fail_msg("%s", e.text);
    return graph_add_initializer(s->m, s->g, STR("c"), t);
}

/* OneHot of [0, 1] with a depth of 127 * 0.0314960629 (4 in float32, 3.99999998 exactly). */
static uint32_t one_hot(struct scene *s, uint32_t x)
{
    const struct numbers scale = {DTYPE_FLOAT, 0, {0}, {0.031496062874794006}};
    const struct numbers zero = {DTYPE_INT8, 0, {0}, {0}};
    const struct numbers indices = {DTYPE_INT64, 1, {2}, {0, 1}};
    const struct numbers values = {DTYPE_FLOAT, 1, {2}, {0, 1}};
    uint32_t by = constant(s, &scale), from = constant(s, &zero);
    uint32_t in[] = {x, by, from};
    uint32_t q = graph_add_node(s->m, s->g, "QuantizeLinear", in, 3, 1);
    uint32_t back[] = {q, by, from};
    uint32_t depth = graph_add_node(s->m, s->g, "DequantizeLinear", back, 3, 1);
    uint32_t hot[] = {constant(s, &indices), depth, constant(s, &values)};
    return graph_add_node(s->m, s->g, "OneHot", hot, 3, 1);
}

static uint32_t cube(struct scene *s, uint32_t x)
{
    const struct numbers three = {DTYPE_INT32, 0, {0}, {3}};
    uint32_t in[] = {x, constant(s, &three)};
    return graph_add_node(s->m, s->g, "Pow", in, 2, 1);
}

/* The first x^3 of three elements. */
static uint32_t cut(struct scene *s, uint32_t x)
{
    const struct numbers data = {DTYPE_FLOAT, 1, {3}, {1, 2, 3}};
    const struct numbers start = {DTYPE_INT32, 1, {1}, {0}};
    uint32_t in[] = {constant(s, &data), constant(s, &start), cube(s, x)};
    return graph_add_node(s->m, s->g, "Slice", in, 3, 1);
}

static uint32_t chain(struct scene *s, uint32_t x, const char *const *ops, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x = graph_add_node(s->m, s->g, ops[i], &x, 1, 1);
    return x;
}

/* Unique(Sqrt(x)). */
static uint32_t unique_root(struct scene *s, uint32_t x)
{
    static const char *const ops[] = {"Sqrt", "Unique"};
    return chain(s, x, ops, 2);
}

/* Unique of the sums of the rows. */
static uint32_t unique_sums(struct scene *s, uint32_t x)
{
    const struct numbers axes = {DTYPE_INT64, 1, {1}, {1}};
    uint32_t in[] = {x, constant(s, &axes)};
    uint32_t sums = graph_add_node(s->m, s->g, "ReduceSum", in, 2, 1);
    return graph_add_node(s->m, s->g, "Unique", &sums, 1, 1);
}

/* Cast(IsNaN(ReduceMax(x))): an engine may drop NaN from a maximum. */
static uint32_t nan_of_max(struct scene *s, uint32_t x)
{
    static const char *const ops[] = {"ReduceMax", "IsNaN", "Not"};
    return chain(s, x, ops, 3);
}

static uint32_t dynamic_quantise(struct scene *s, uint32_t x)
{
    return graph_add_node(s->m, s->g, "DynamicQuantizeLinear", &x, 1, 3);
}

static uint32_t product(struct scene *s, uint32_t x)
{
    return graph_add_node(s->m, s->g, "ReduceProd", &x, 1, 1);
}

static uint32_t unit_norm(struct scene *s, uint32_t x)
{
    return graph_add_node(s->m, s->g, "LpNormalization", &x, 1, 1);
}

static uint32_t log_sum_exp(struct scene *s, uint32_t x)
{
    return graph_add_node(s->m, s->g, "ReduceLogSumExp", &x, 1, 1);
}

static uint32_t softplus(struct scene *s, uint32_t x)
{
    return graph_add_node(s->m, s->g, "Softplus", &x, 1, 1);
}

/* Gemm with alpha = 0: a library may skip the product, and the NaN with it. */
static uint32_t gemm_of_nothing(struct scene *s, uint32_t x)
{
    const struct numbers b = {DTYPE_FLOAT, 2, {1, 1}, {2}}, c = {DTYPE_FLOAT, 0, {0}, {1}};
    uint32_t in[] = {x, constant(s, &b), constant(s, &c)};
    uint32_t y = graph_add_node(s->m, s->g, "Gemm", in, 3, 1);
    node_set_float(s->m, graph_last_node(s->g), "alpha", 0);
    return y;
}

/* The function's body computes squares in the dtype of its input. */
static uint32_t norm_of_integers(struct scene *s, uint32_t x)
{
    return graph_add_node(s->m, s->g, "ReduceL2", &x, 1, 1);
}

static uint32_t quantised(struct scene *s, uint32_t x)
{
    const struct numbers scale = {DTYPE_FLOAT, 0, {0}, {10}};
    uint32_t in[] = {x, constant(s, &scale)};
    return graph_add_node(s->m, s->g, "QuantizeLinear", in, 2, 1);
}

static uint32_t quantised_sum_of_products(struct scene *s, uint32_t x)
{
    return quantised(s, graph_add_node(s->m, s->g, "MatMul", (uint32_t[]){x, x}, 2, 1));
}

static uint32_t doubled(struct scene *s, uint32_t x)
{
    uint32_t both[] = {x, x};
    return graph_add_node(s->m, s->g, "Add", both, 2, 1);
}

static const struct {
    const char *name;
    uint32_t (*build)(struct scene *s, uint32_t x);
    enum lane lane;
    struct numbers x, y;
    bool fails;
} rows[] = {
    {"a depth that rounding decides",
     one_hot,
     LANE_NUMERIC,
     {DTYPE_FLOAT, 0, {0}, {4}},
     {DTYPE_FLOAT, 2, {2, 4}, {1, 0, 0, 0, 0, 1, 0, 0}},
     false},
    {"another depth than rounding allows",
     one_hot,
     LANE_NUMERIC,
     {DTYPE_FLOAT, 0, {0}, {2.2}},
     {DTYPE_FLOAT, 2, {2, 3}, {1, 0, 0, 0, 1, 0}},
     true},
    {"values that rounding merges",
     unique_root,
     LANE_NUMERIC,
     {DTYPE_FLOAT, 1, {3}, {1, 1.00000011920928955, 4}},
     {DTYPE_FLOAT, 1, {2}, {1, 2}},
     false},
    {"values that rounding keeps apart",
     unique_root,
     LANE_NUMERIC,
     {DTYPE_FLOAT, 1, {3}, {1, 1.5, 4}},
     {DTYPE_FLOAT, 1, {2}, {1, 2}},
     true},
    {"equal sums that cancel, rounded",
     unique_sums,
     LANE_NUMERIC,
     {DTYPE_FLOAT, 2, {2, 3}, {1000, 0.001, -1000, 1000, 0.001, -1000}},
     {DTYPE_FLOAT, 1, {1}, {0.0009765625}},
     false},
    {"equal sums that cancel, another value",
     unique_sums,
     LANE_NUMERIC,
     {DTYPE_FLOAT, 2, {2, 3}, {1000, 0.001, -1000, 1000, 0.001, -1000}},
     {DTYPE_FLOAT, 1, {1}, {0.1}},
     true},
    {"NaN in a maximum, seen through IsNaN",
     nan_of_max,
     LANE_VALUES,
     {DTYPE_FLOAT, 1, {3}, {1, NAN, 4}},
     {DTYPE_BOOL, 1, {1}, {1}},
     false},
    {"no NaN in a maximum",
     nan_of_max,
     LANE_VALUES,
     {DTYPE_FLOAT, 1, {3}, {1, 2, 4}},
     {DTYPE_BOOL, 1, {1}, {0}},
     true},
    {"levels of a range with NaN",
     dynamic_quantise,
     LANE_VALUES,
     {DTYPE_FLOAT, 1, {3}, {1, NAN, 4}},
     {DTYPE_UINT8, 1, {3}, {255, 255, 255}},
     false},
    {"a product whose factors underflow on the way",
     product,
     LANE_NUMERIC,
     {DTYPE_FLOAT16, 1, {4}, {0.0009765625, 0.0009765625, 1024, 1024}},
     {DTYPE_FLOAT16, 1, {1}, {0.75}},
     false},
    {"a norm whose squares overflow",
     unit_norm,
     LANE_VALUES,
     {DTYPE_FLOAT, 1, {2}, {1e30, 1}},
     {DTYPE_FLOAT, 1, {2}, {0, 0}},
     false},
    {"a norm within the range",
     unit_norm,
     LANE_VALUES,
     {DTYPE_FLOAT, 1, {2}, {3, 4}},
     {DTYPE_FLOAT, 1, {2}, {0, 0}},
     true},
    {"a product within the range",
     product,
     LANE_NUMERIC,
     {DTYPE_FLOAT16, 1, {4}, {0.5, 0.5, 2, 2}},
     {DTYPE_FLOAT16, 1, {1}, {0.75}},
     true},
    {"the tail of a function",
     softplus,
     LANE_NUMERIC,
     {DTYPE_FLOAT, 1, {2}, {0, -31}},
     {DTYPE_FLOAT, 1, {2}, {0.69314718, -1.9e-6}},
     false},
    {"NaN times nothing",
     gemm_of_nothing,
     LANE_VALUES,
     {DTYPE_FLOAT, 2, {1, 1}, {NAN}},
     {DTYPE_FLOAT, 2, {1, 1}, {0}},
     false},
    {"a number times nothing",
     gemm_of_nothing,
     LANE_VALUES,
     {DTYPE_FLOAT, 2, {1, 1}, {3}},
     {DTYPE_FLOAT, 2, {1, 1}, {0}},
     true},
    {"integers at the end of their range, through floats",
     log_sum_exp,
     LANE_VALUES,
     {DTYPE_INT32, 1, {1}, {2147483647}},
     {DTYPE_INT32, 1, {1}, {0}},
     false},
    {"integers within their range, through floats",
     log_sum_exp,
     LANE_VALUES,
     {DTYPE_INT32, 1, {1}, {1000}},
     {DTYPE_INT32, 1, {1}, {0}},
     true},
    {"squares that leave the dtype",
     norm_of_integers,
     LANE_NUMERIC,
     {DTYPE_INT32, 1, {1}, {48926}},
     {DTYPE_INT32, 1, {1}, {-2147483648.0}},
     false},
    {"squares within the dtype",
     norm_of_integers,
     LANE_NUMERIC,
     {DTYPE_INT32, 1, {1}, {4}},
     {DTYPE_INT32, 1, {1}, {5}},
     true},
    {"a power that leaves the dtype",
     cube,
     LANE_NUMERIC,
     {DTYPE_INT32, 1, {1}, {4000}},
     {DTYPE_INT32, 1, {1}, {-2147483648.0}},
     false},
    {"a power within the dtype",
     cube,
     LANE_NUMERIC,
     {DTYPE_INT32, 1, {1}, {4}},
     {DTYPE_INT32, 1, {1}, {65}},
     true},
    {"a bound that leaves the dtype",
     cut,
     LANE_NUMERIC,
     {DTYPE_INT32, 1, {1}, {4000}},
     {DTYPE_FLOAT, 1, {3}, {1, 2, 3}},
     false},
    {"a bound within the dtype",
     cut,
     LANE_NUMERIC,
     {DTYPE_INT32, 1, {1}, {1}},
     {DTYPE_FLOAT, 1, {3}, {1, 2, 3}},
     true},
    {"a slice of zeros beside a large one",
     doubled,
     LANE_NUMERIC,
     {DTYPE_FLOAT, 2, {2, 2}, {0, 1, 0, 1.3}},
     {DTYPE_FLOAT, 2, {2, 2}, {4.77e-7, 2, 0, 2.6}},
     false},
    {"a slice of zeros that is far off",
     doubled,
     LANE_NUMERIC,
     {DTYPE_FLOAT, 2, {2, 2}, {0, 1, 0, 1.3}},
     {DTYPE_FLOAT, 2, {2, 2}, {1e-5, 2, 0, 2.6}},
     true},
    {"an engine's own number for nothing",
     product,
     LANE_SHAPES,
     {DTYPE_FLOAT, 1, {0}, {0}},
     {DTYPE_FLOAT, 1, {1}, {5}},
     false},
    {"a wrong number for something",
     product,
     LANE_SHAPES,
     {DTYPE_FLOAT, 1, {1}, {1}},
     {DTYPE_FLOAT, 1, {1}, {5}},
     true},
    {"more than the tail of a function",
     softplus,
     LANE_NUMERIC,
     {DTYPE_FLOAT, 1, {2}, {0, -31}},
     {DTYPE_FLOAT, 1, {2}, {0.69314718, -1.9e-5}},
     true},
    {"a level that a sum of products gives",
     quantised_sum_of_products,
     LANE_NUMERIC,
     {DTYPE_FLOAT, 2, {2, 2}, {1, 2, 3, 4}},
     {DTYPE_UINT8, 2, {2, 2}, {1, 1, 2, 200}},
     true},
    {"a level that no product made",
     quantised,
     LANE_NUMERIC,
     {DTYPE_FLOAT, 1, {2}, {11, 42}},
     {DTYPE_UINT8, 1, {2}, {1, 200}},
     true},
};

static void see(struct scene *s, struct observation *o, const struct tcase *c, const char *mode,
                struct str output, const struct numbers *y)
{
    struct err e = {0};
    struct named_tensor *out = arena_new(&s->a, struct named_tensor);
    out->name = output;
    if (!tensor_from_doubles(y->dtype, y->dims, y->rank, y->at, &s->a, &out->tensor, &e))
        fail_msg("%s", e.text);
    *o = (struct observation){.case_id = c->id,
                              .target = {.engine = STR("a"),
                                         .version = STR("1"),
                                         .mode = str_of(mode),
                                         .family = STR("a"),
                                         .n_threads = 1,
                                         .is_base = strcmp(mode, "off") == 0},
                              .outputs = {out, 1}};
}

/* Judges the row's output. off is the output without optimisations; NULL: that mode did not run.
 * no_vnni: the processor adds pairs of u8 x s8 products in 16 bits, which saturate. */
static bool fails(size_t at, enum oracle oracle, const struct numbers *off, bool no_vnni)
{
    struct scene s = {.m = NULL};
    struct err e = {0};
    struct named_tensor in = {.name = STR("x")};
    struct observation seen[2];
    struct reference *refs;
    struct verdicts v;
    const struct target_traits traits = {.largest_opset = 17, .no_vnni = no_vnni};
    arena_init(&s.a);
    s.m = model_new(&s.a, 17);
    s.g = s.m->graph;
    const struct numbers *x = &rows[at].x;
    uint32_t result =
        rows[at].build(&s, graph_add_input(s.m, s.g, in.name, x->dtype, x->dims, x->rank));
    graph_add_output(s.g, result);
    if (!model_finish(s.m, &e) || !infer_model(s.m, &e) ||
        !tensor_from_doubles(x->dtype, x->dims, x->rank, x->at, &s.a, &in.tensor, &e))
        fail_msg("row \"%s\": %s", rows[at].name, e.text);
    struct tcase *c = net_case_of(s.m, rows[at].lane, &(struct tensors){&in, 1}, &s.a);
    if (!reference_make(c, &s.a, &refs, &e) || !refs->usable)
        fail_msg("row \"%s\": %s", rows[at].name, e.text);
    see(&s, &seen[0], c, "all", s.g->values.at[result].name, &rows[at].y);
    if (off)
        see(&s, &seen[1], c, "off", s.g->values.at[result].name, off);
    seen[0].target.traits = &traits;
    struct evidence ev = {
        .c = c, .refs = refs, .observations = seen, .n_observations = off ? 2 : 1};
    if (!judge_case(&(struct judge_options){.oracles = oracle_bit(oracle)}, &ev, &s.a, &v, &e))
        fail_msg("row \"%s\": %s", rows[at].name, e.text);
    enum decision d = verdicts_worst(&v)->decision;
    arena_done(&s.a);
    return d == DECISION_FAIL || d == DECISION_SECOND_OPINION;
}

static void what_is_open_is_no_fault_and_what_is_not_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(fails(i, ORACLE_REFERENCE, NULL, false) == rows[i].fails, rows[i].name);
}

/* The first Unique has values that rounding may make equal, the second does not. */
static void a_shape_that_rounding_decides_may_differ_between_modes(void **state)
{
    static const struct numbers off = {DTYPE_FLOAT, 1, {3}, {1, 1.000000059604645, 2}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].build == unique_root)
            ASSERT_ROW(fails(i, ORACLE_LEVELS, &off, false) == rows[i].fails, rows[i].name);
}

static void only_sums_of_products_may_saturate(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(fails(i, ORACLE_REFERENCE, NULL, true) ==
                       (rows[i].fails && rows[i].build != quantised_sum_of_products),
                   rows[i].name);
}

TEST_SUITE(judge_open, TEST(what_is_open_is_no_fault_and_what_is_not_is),
           TEST(a_shape_that_rounding_decides_may_differ_between_modes),
           TEST(only_sums_of_products_may_saturate))
