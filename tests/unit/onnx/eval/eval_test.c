/* The contract of the reference evaluator: undefined elements, exactness, units, noise, switches,
 * budget, given values. */
#include "onnx/eval.h"

#include <math.h>

#include "base/rng.h"
#include "onnx/eval/kernel_p.h"
#include "onnx/io.h"
#include "unit/onnx/eval/net_p.h"
#include "unit/test.h"

static const struct eval_options plain = {0};

static void undefined_elements_are_marked_and_taint_what_follows(void **state)
{
    static const struct {
        const char *name, *op;
        enum dtype dtype;
        double a[3], b[3];
        uint8_t undefined[3];
    } rows[] = {
        {"division by zero", "Div", DTYPE_INT32, {4, 5, 6}, {2, 0, 3}, {0, 1, 0}},
        {"lowest by -1", "Div", DTYPE_INT8, {-128, 127, 6}, {-1, -1, -1}, {1, 0, 0}},
        {"lowest int64 by -1", "Div", DTYPE_INT64, {-0x1p63, 1, 6}, {-1, -1, -1}, {1, 0, 0}},
        {"mod by zero", "Mod", DTYPE_INT32, {4, -5, 6}, {0, 3, 4}, {1, 0, 0}},
        {"mod of lowest by -1", "Mod", DTYPE_INT64, {-0x1p63, 1, 6}, {-1, 1, 1}, {0, 0, 0}},
        {"shift by the width", "BitShift", DTYPE_UINT8, {1, 1, 1}, {7, 8, 255}, {0, 1, 1}},
        {"unsigned by zero", "Div", DTYPE_UINT64, {4, 5, 6}, {2, 0, 3}, {0, 1, 0}},
        {"negative power", "Pow", DTYPE_INT32, {2, 1, -1}, {-1, -1, -1}, {1, 0, 0}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct net n;
        net_open(&n, 17);
        uint32_t in[] = {net_list(&n, rows[i].dtype, 3, rows[i].a),
                         net_list(&n, rows[i].dtype, 3, rows[i].b)};
        uint32_t y = net_node(&n, rows[i].op, in, 2);
        if (!strcmp(rows[i].op, "BitShift"))
            node_set_string(n.m, net_last(&n), "direction", "LEFT");
        const struct value *v = net_run(&n, net_node(&n, "Identity", &y, 1), &plain);
        ASSERT_ROW(v != NULL, rows[i].name);
        for (size_t j = 0; j < 3; j++)
            ASSERT_ROW((v->undefined && v->undefined[j]) == rows[i].undefined[j], rows[i].name);
        net_close(&n);
    }
}

static void casts_follow_the_standards_table(void **state)
{
    static const double inf = (double)INFINITY;
    static const struct {
        const char *name;
        enum dtype from, to;
        double x, y;
        bool undefined, no_saturate;
    } rows[] = {
        {"truncates", DTYPE_FLOAT, DTYPE_INT32, -2.75, -2, false, false},
        {"wraps integers", DTYPE_INT16, DTYPE_INT8, 200, -56, false, false},
        {"out of range", DTYPE_FLOAT, DTYPE_INT8, 300, 0, true, false},
        {"inf to integer", DTYPE_FLOAT, DTYPE_INT64, inf, 0, true, false},
        {"to bool", DTYPE_FLOAT, DTYPE_BOOL, 0.25, 1, false, false},
        {"f16 overflows", DTYPE_FLOAT, DTYPE_FLOAT16, 1e6, inf, false, false},
        {"f16 ties to even", DTYPE_DOUBLE, DTYPE_FLOAT16, 1 + 0x1p-11, 1, false, false},
        {"one rounding to f16", DTYPE_DOUBLE, DTYPE_FLOAT16, 1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-10,
         false, false},
        {"e4m3 saturates", DTYPE_FLOAT, DTYPE_FLOAT8E4M3FN, 1e6, 448, false, false},
        {"e4m3 inf saturates", DTYPE_FLOAT, DTYPE_FLOAT8E4M3FN, -inf, -448, false, false},
        {"e5m2 overflows", DTYPE_FLOAT, DTYPE_FLOAT8E5M2, 1e6, inf, false, true},
        {"e8m0 of a negative", DTYPE_FLOAT, DTYPE_FLOAT8E8M0, -1, 1, true, false},
        {"int4 wraps", DTYPE_INT32, DTYPE_INT4, 9, -7, false, false},
        {"fraction to uint4", DTYPE_FLOAT, DTYPE_UINT4, 0.75, 0, true, false},
        {"whole number to int4", DTYPE_FLOAT, DTYPE_INT4, -3, -3, false, false},
        {"int64 to f32 rounds once", DTYPE_INT64, DTYPE_FLOAT, 0x1p60 + 0x1p36 + 0x1p8,
         0x1p60 + 0x1p37, false, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct net n;
        net_open(&n, 24);
        uint32_t x = net_list(&n, rows[i].from, 1, &rows[i].x);
        uint32_t y = net_node(&n, "Cast", &x, 1);
        node_set_int(n.m, net_last(&n), "to", rows[i].to);
        if (rows[i].no_saturate)
            node_set_int(n.m, net_last(&n), "saturate", 0);
        const struct value *v = net_run(&n, y, &plain);
        ASSERT_ROW(v != NULL, rows[i].name);
        ASSERT_ROW((v->undefined && v->undefined[0]) == rows[i].undefined, rows[i].name);
        ASSERT_ROW(rows[i].undefined || value_get_double(v, 0) == rows[i].y, rows[i].name);
        net_close(&n);
    }
}

static void a_cast_to_the_same_dtype_changes_nothing(void **state)
{
    static const double x = 0.333251953125, w = 0.300048828125; /* float16; the product is not */
    struct net n;
    (void)state;
    net_open(&n, 17);
    uint32_t in[] = {net_list(&n, DTYPE_FLOAT16, 1, &x), net_list(&n, DTYPE_FLOAT16, 1, &w)};
    uint32_t product = net_node(&n, "Mul", in, 2), y = net_node(&n, "Cast", &product, 1);
    node_set_int(n.m, net_last(&n), "to", DTYPE_FLOAT16);
    const struct value *v = net_run(&n, y, &plain);
    assert_non_null(v);
    assert_true(v->f[0] == x * w);
    net_close(&n);
}

static void exactness_is_claimed_on_grids_only(void **state)
{
    static const struct {
        const char *name, *op;
        enum dtype dtype;
        double a[2], b[2];
        bool exact;
    } rows[] = {
        {"quarters add", "Add", DTYPE_FLOAT, {0.25, 3}, {1.5, -2}, true},
        {"quarters multiply", "Mul", DTYPE_FLOAT, {0.25, 3}, {1.5, -2}, true},
        {"tenths multiply", "Mul", DTYPE_FLOAT, {0.1, 3}, {0.1, -2}, false},
        {"far apart", "Add", DTYPE_FLOAT, {0x1p30, 3}, {1, -2}, false},
        {"far apart in double", "Add", DTYPE_DOUBLE, {0x1p30, 3}, {1, -2}, true},
        {"too wide for half", "Add", DTYPE_FLOAT16, {2048, 3}, {1, -2}, false},
        {"division", "Div", DTYPE_FLOAT, {1, 3}, {2, 4}, false},
        {"selection", "Max", DTYPE_FLOAT, {0.1, 3}, {0.3, 4}, true},
        {"integers", "Mul", DTYPE_INT8, {100, 3}, {2, 4}, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct net n;
        net_open(&n, 17);
        uint32_t in[] = {net_list(&n, rows[i].dtype, 2, rows[i].a),
                         net_list(&n, rows[i].dtype, 2, rows[i].b)};
        const struct value *v = net_run(&n, net_node(&n, rows[i].op, in, 2), &plain);
        ASSERT_ROW(v && v->exact == rows[i].exact, rows[i].name);
        net_close(&n);
    }
}

static void units_are_inherited_from_the_coarsest_dtype(void **state)
{
    static const double x[] = {1, 2};
    struct net n;
    (void)state;
    net_open(&n, 17);
    uint32_t in = net_list(&n, DTYPE_FLOAT, 2, x);
    uint32_t half = net_node(&n, "Cast", &in, 1);
    node_set_int(n.m, net_last(&n), "to", DTYPE_FLOAT16);
    uint32_t back = net_node(&n, "Cast", &half, 1);
    node_set_int(n.m, net_last(&n), "to", DTYPE_DOUBLE);
    const struct value *v = net_run(&n, net_node(&n, "Exp", &back, 1), &plain);
    assert_true(v->unit == 0x1p-11);
    net_close(&n);
}

/* Largest |difference| of one element between a clean run and perturbed ones. */
static double noise_of(const char *op, double x, enum dtype dtype, double *clean)
{
    double most = 0;
    for (uint64_t seed = 0; seed < 9; seed++) {
        struct net n;
        net_open(&n, 20);
        uint32_t in = net_list(&n, dtype, 1, &x);
        const struct eval_options options = {.perturb_seed = seed};
        const struct value *v = net_run(&n, net_node(&n, op, &in, 1), &options);
        assert_non_null(v);
        if (!seed)
            *clean = v->f[0];
        most = MAX(most, fabs(v->f[0] - *clean));
        net_close(&n);
    }
    return most;
}

static void noise_follows_the_rounding_model(void **state)
{
    static const struct {
        const char *name, *op;
        double x, at_least; /* in units of 2^-24 */
    } rows[] = {
        {"absolute in the tail of Sigmoid", "Sigmoid", -40, 1},
        {"absolute for Tanh near 0", "Tanh", 1e-6, 1},
        {"by the input for Gelu", "Gelu", -9, 9},
        {"relative for Exp", "Exp", 2, 7},
        {"nothing for Relu of a negative", "Relu", -3, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        double clean, noise = noise_of(rows[i].op, rows[i].x, DTYPE_FLOAT, &clean) * 0x1p24;
        ASSERT_ROW(noise >= rows[i].at_least, rows[i].name);
        ASSERT_ROW(noise <= 8 * rows[i].at_least + 20 * fabs(clean), rows[i].name);
    }
}

static void perturbing_is_reproducible_and_leaves_parameters(void **state)
{
    static const double x[] = {-1, 0.3, 5}, low[] = {0.1};
    struct net n;
    double first[3];
    (void)state;
    for (int run = 0; run < 2; run++) {
        net_open(&n, 17);
        uint32_t in[] = {net_list(&n, DTYPE_FLOAT, 3, x), net_input(&n, DTYPE_FLOAT, NULL, 0, low)};
        const struct eval_options options = {.perturb_seed = 5};
        const struct value *v = net_run(&n, net_node(&n, "Clip", in, 2), &options);
        assert_true(v->f[0] == (double)0.1f); /* the bound itself does not move */
        assert_true(v->f[1] != (double)0.3f);
        for (size_t i = 0; i < 3; i++) {
            assert_true(!run || first[i] == v->f[i]);
            first[i] = v->f[i];
        }
        net_close(&n);
    }
}

static void switches_tell_their_margin_and_can_be_forced(void **state)
{
    static const struct {
        const char *name, *op;
        double x, margin, as_is, up, down;
    } rows[] = {
        {"Floor above", "Floor", 3.0001, 0.0001, 3, 3, 2},
        {"Floor below", "Floor", 2.9999, 0.0001, 2, 3, 2},
        {"Ceil", "Ceil", 3.0001, 0.0001, 4, 4, 3},
        {"Round", "Round", 2.5001, 0.0001, 3, 3, 2},
        {"Round far", "Round", 2.25, 0.25, 2, 2, 2},
        {"Cast", "Cast", 2.9999, 0.0001, 2, 3, 2},
        {"Cast near 0", "Cast", 0.25, 0.75, 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (int ties = EVAL_TIES_AS_IS; ties <= EVAL_TIES_DOWN; ties++) {
            struct net n;
            net_open(&n, 17);
            uint32_t x = net_list(&n, DTYPE_DOUBLE, 1, &rows[i].x);
            uint32_t y = net_node(&n, rows[i].op, &x, 1);
            if (!strcmp(rows[i].op, "Cast"))
                node_set_int(n.m, net_last(&n), "to", DTYPE_INT32);
            const struct eval_options options = {
                .want_margins = true, .ties = (enum eval_ties)ties, .margin_limit = 1e-3};
            const struct value *v = net_run(&n, y, &options);
            double expected = ties == EVAL_TIES_UP     ? rows[i].up
                              : ties == EVAL_TIES_DOWN ? rows[i].down
                                                       : rows[i].as_is;
            ASSERT_ROW(v && value_get_double(v, 0) == expected, rows[i].name);
            ASSERT_ROW(v->margin && fabs(v->margin[0] - rows[i].margin) < 1e-9, rows[i].name);
            net_close(&n);
        }
}

static void comparisons_give_the_distance(void **state)
{
    static const double a[] = {1, 2, 3}, b[] = {1.5, 2, 1};
    struct net n;
    (void)state;
    net_open(&n, 17);
    uint32_t in[] = {net_list(&n, DTYPE_FLOAT, 3, a), net_list(&n, DTYPE_FLOAT, 3, b)};
    const struct eval_options options = {.want_margins = true};
    const struct value *v = net_run(&n, net_node(&n, "Less", in, 2), &options);
    assert_true(v->b[0] == 1 && v->b[1] == 0 && v->b[2] == 0);
    assert_true(v->margin[0] == 0.5 && v->margin[1] == 0 && v->margin[2] == 2);
    net_close(&n);
}

static void integers_wrap_to_their_dtype(void **state)
{
    static const struct {
        const char *name, *op;
        enum dtype dtype;
        double a, b, y;
    } rows[] = {
        {"int8 add", "Add", DTYPE_INT8, 127, 1, -128},
        {"uint8 sub", "Sub", DTYPE_UINT8, 0, 1, 255},
        {"int32 mul", "Mul", DTYPE_INT32, 65536, 65536, 0},
        {"uint64 add", "Add", DTYPE_UINT64, 0x1p63, 0x1p63, 0},
        {"truncating division", "Div", DTYPE_INT32, -7, 2, -3},
        {"python's mod", "Mod", DTYPE_INT32, -7, 3, 2},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct net n;
        net_open(&n, 17);
        uint32_t in[] = {net_list(&n, rows[i].dtype, 1, &rows[i].a),
                         net_list(&n, rows[i].dtype, 1, &rows[i].b)};
        const struct value *v = net_run(&n, net_node(&n, rows[i].op, in, 2), &plain);
        ASSERT_ROW(v && value_get_double(v, 0) == rows[i].y, rows[i].name);
        net_close(&n);
    }
}

static void budgets_are_refused_clearly(void **state)
{
    static const int64_t dims[] = {64, 64};
    static const double zeros[64 * 64];
    static const struct {
        const char *name;
        struct eval_budget budget;
        const char *says;
    } rows[] = {{"multiply-adds", {1000, 0}, "more than 1000 multiply-adds"},
                {"bytes", {0, 1000}, "more than 1000 bytes"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct net n;
        net_open(&n, 17);
        uint32_t x = net_input(&n, DTYPE_FLOAT, dims, 2, zeros);
        uint32_t in[] = {x, x};
        const struct eval_options options = {.budget = rows[i].budget};
        ASSERT_ROW(!net_run(&n, net_node(&n, "MatMul", in, 2), &options), rows[i].name);
        ASSERT_ROW(n.e.code == ERR_LIMIT && strstr(n.e.text, rows[i].says), rows[i].name);
        net_close(&n);
    }
}

static void given_values_replace_evaluation(void **state)
{
    static const double x[] = {1, 2}, other[] = {5, 6};
    struct net n;
    (void)state;
    net_open(&n, 17);
    uint32_t in = net_list(&n, DTYPE_FLOAT, 2, x);
    uint32_t inner = net_node(&n, "Exp", &in, 1);
    uint32_t y = net_node(&n, "Neg", &inner, 1);
    assert_non_null(net_run(&n, y, &plain));
    struct value *given = arena_dup(&n.a, n.r.values, n.r.n_values * sizeof *given);
    given[y].dtype = DTYPE_UNDEFINED;
    given[inner].f = other;
    const struct eval_options options = {.given = given};
    const struct value *v = net_run(&n, y, &options);
    assert_true(v->f[0] == -5 && v->f[1] == -6);
    net_close(&n);
}

static void wrong_inputs_are_named(void **state)
{
    static const double x[] = {1, 2};
    static const int64_t three = 3;
    struct net n;
    (void)state;
    net_open(&n, 17);
    uint32_t in = net_list(&n, DTYPE_FLOAT, 2, x);
    uint32_t y = net_node(&n, "Neg", &in, 1);
    n.inputs.n = 0;
    assert_null(net_run(&n, y, &plain));
    assert_non_null(strstr(n.e.text, "input 'x' is missing"));
    n.inputs.n = 1;
    n.m->graph->values.at[0].shape = shape_from_dims(&three, 1, &n.a);
    assert_null(net_run(&n, y, &plain));
    assert_non_null(strstr(n.e.text, "has size 2 in dim 0, the model declares 3"));
    n.m->graph->values.at[0].dtype = DTYPE_DOUBLE;
    assert_null(net_run(&n, y, &plain));
    assert_non_null(strstr(n.e.text, "is float, the model declares double"));
    net_close(&n);
}

static void functions_are_inlined_with_their_attributes(void **state)
{
    struct arena a;
    struct model *m;
    struct err e;
    struct eval_result r;
    static const double minus_two[] = {-2, 3};
    static const int64_t dims[] = {2};
    (void)state;
    arena_init(&a);
    assert_true(
        model_read_file(ASSAY_SOURCE_DIR "/fuzz/corpus/model/seed_function.onnx", &a, &m, &e));
    assert_int_equal(m->graph->nodes.n, 2);
    struct named_tensor x = {.name = STR("x")};
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 1, minus_two, &a, &x.tensor, &e));
    const struct eval_options options = {0};
    assert_true(eval_run(m, &(struct tensors){&x, 1}, &options, &a, &r, &e));
    const struct value *y = &r.values[m->graph->outputs.at[0]];
    assert_true(y->f[0] == -2 && y->f[1] == 6); /* leaky slope 0.5 of twice x */
    arena_done(&a);
}

static void every_operator_has_a_kernel(void **state)
{
    size_t n;
    const struct op *rows = op_list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++)
        ASSERT_ROW(kernel__of(&rows[i]), rows[i].name);
}

TEST_SUITE(onnx_eval, TEST(undefined_elements_are_marked_and_taint_what_follows),
           TEST(casts_follow_the_standards_table), TEST(a_cast_to_the_same_dtype_changes_nothing),
           TEST(exactness_is_claimed_on_grids_only),
           TEST(units_are_inherited_from_the_coarsest_dtype),
           TEST(noise_follows_the_rounding_model),
           TEST(perturbing_is_reproducible_and_leaves_parameters),
           TEST(switches_tell_their_margin_and_can_be_forced), TEST(comparisons_give_the_distance),
           TEST(integers_wrap_to_their_dtype), TEST(budgets_are_refused_clearly),
           TEST(given_values_replace_evaluation), TEST(wrong_inputs_are_named),
           TEST(functions_are_inlined_with_their_attributes), TEST(every_operator_has_a_kernel))
