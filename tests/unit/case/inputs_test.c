/* Input values: ranges by consumer, styles, determinism. */
#include "case/inputs.h"

#include <math.h>

#include "unit/test.h"

/* A model of one node whose input `at` is the graph input "v"; the others are inputs too. */
struct subject {
    const char *op_type;
    uint32_t at, n_inputs;
    enum dtype dtype;
    int64_t dims[3];
    uint32_t rank;
    bool through_identity; /* an Identity is between input and operator */
};

static struct model *subject_model(const struct subject *s, struct arena *a)
{
    static const int64_t data[] = {5, 4};
    struct err e = {0};
    struct model *m = model_new(a, 17);
    uint32_t in[5];
    for (uint32_t i = 0; i < s->n_inputs; i++) {
        if (i == s->at)
            in[i] = graph_add_input(m, m->graph, STR("v"), s->dtype, s->dims, s->rank);
        else
            in[i] = graph_add_input(m, m->graph, STR("other"), DTYPE_FLOAT, data, 2);
    }
    if (s->through_identity)
        in[s->at] = graph_add_node(m, m->graph, "Identity", &in[s->at], 1, 1);
    graph_add_output(m->graph, graph_add_node(m, m->graph, s->op_type, in, s->n_inputs, 1));
    if (!model_finish(m, &e))
        fail_msg("%s", e.text);
    return m;
}

static void values_stay_where_the_operator_is_defined(void **state)
{
    static const struct {
        const char *name;
        struct subject s;
        double low, high, gap; /* |value| >= gap */
    } rows[] = {
        {"index", {"Gather", 1, 2, DTYPE_INT64, {200}, 1, false}, -5, 4, 0},
        {"index behind a copy", {"Gather", 1, 2, DTYPE_INT32, {200}, 1, true}, -5, 4, 0},
        {"divisor", {"Div", 1, 2, DTYPE_FLOAT, {200}, 1, false}, -4, 4, 0.25},
        {"integer divisor", {"Div", 1, 2, DTYPE_INT32, {200}, 1, false}, -8, 8, 1},
        {"unsigned divisor", {"Div", 1, 2, DTYPE_UINT8, {200}, 1, false}, 1, 8, 1},
        {"root", {"Sqrt", 0, 1, DTYPE_FLOAT, {200}, 1, false}, 0.25, 4, 0.25},
        {"logarithm", {"Log", 0, 1, DTYPE_DOUBLE, {200}, 1, false}, 0.25, 4, 0.25},
        {"arc cosine", {"Acos", 0, 1, DTYPE_FLOAT, {200}, 1, false}, -0.75, 0.75, 0},
        {"any float", {"Relu", 0, 1, DTYPE_FLOAT16, {200}, 1, false}, -4, 4, 0},
        {"any integer", {"Abs", 0, 1, DTYPE_INT8, {200}, 1, false}, -8, 8, 0},
        {"axes", {"ReduceSum", 1, 2, DTYPE_INT64, {2}, 1, false}, 0, 1, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct rng r;
        struct tensors t;
        struct err e = {0};
        struct input_options o = {INPUT_GRID, 0};
        arena_init(&a);
        rng_init(&r, 1, RNG_INPUT, i);
        struct model *m = subject_model(&rows[i].s, &a);
        ASSERT_ROW(inputs_generate(m, &o, &r, &a, &t, &e), rows[i].name);
        const struct tensor *v = tensors_find(&t, STR("v"));
        ASSERT_ROW(v && v->dtype == rows[i].s.dtype, rows[i].name);
        for (size_t k = 0; k < v->n; k++) {
            double x = tensor_get_double(v, k);
            ASSERT_ROW(x >= rows[i].low && x <= rows[i].high && fabs(x) >= rows[i].gap,
                       rows[i].name);
        }
        arena_done(&a);
    }
}

static void scatter_indices_come_once(void **state)
{
    static const struct subject s = {"ScatterElements", 1, 3, DTYPE_INT64, {5, 4}, 2, false};
    struct arena a;
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct rng r;
        struct tensors t;
        struct err e = {0};
        struct input_options o = {INPUT_GRID, 0};
        arena_init(&a);
        rng_init(&r, seed, RNG_INPUT, 0);
        assert_true(inputs_generate(subject_model(&s, &a), &o, &r, &a, &t, &e));
        const struct tensor *v = tensors_find(&t, STR("v"));
        for (size_t column = 0; column < 4; column++) {
            unsigned seen = 0;
            for (size_t row = 0; row < 5; row++)
                seen |= 1u << tensor_get_i64(v, row * 4 + column);
            assert_int_equal(seen, 31);
        }
        arena_done(&a);
    }
}

static void styles_give_what_they_promise(void **state)
{
    static const struct subject s = {"Relu", 0, 1, DTYPE_FLOAT, {1000}, 1, false};
    static const enum input_style styles[] = {INPUT_GRID, INPUT_NORMAL, INPUT_POSITIVE,
                                              INPUT_CORNER};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(styles); i++) {
        struct arena a;
        struct rng r;
        struct tensors t;
        struct err e = {0};
        struct input_options o = {styles[i], 0};
        size_t n_quarters = 0, n_positive = 0, n_special = 0;
        arena_init(&a);
        rng_init(&r, 1, RNG_INPUT, 0);
        assert_true(inputs_generate(subject_model(&s, &a), &o, &r, &a, &t, &e));
        for (size_t k = 0; k < 1000; k++) {
            double x = tensor_get_double(&t.at[0].tensor, k);
            n_quarters += fabs(x) <= 4 && x * 4 == floor(x * 4);
            n_positive += x >= 0.25 && x <= 4;
            n_special += !isfinite(x);
        }
        assert_int_equal(n_quarters == 1000, styles[i] == INPUT_GRID);
        assert_int_equal(n_positive == 1000, styles[i] == INPUT_POSITIVE);
        assert_int_equal(n_special > 0, styles[i] == INPUT_CORNER);
        assert_true(n_special < 100);
        arena_done(&a);
    }
}

static void symbols_get_their_size_and_same_seeds_the_same_bytes(void **state)
{
    static const struct subject s = {"Relu", 0, 1, DTYPE_FLOAT, {-1, 3}, 2, false};
    struct arena a;
    struct tensors first, second, other;
    struct err e = {0};
    struct rng r;
    struct input_options o = {INPUT_NORMAL, 7};
    (void)state;
    arena_init(&a);
    struct model *m = subject_model(&s, &a);
    rng_init(&r, 5, RNG_INPUT, 9);
    assert_true(inputs_generate(m, &o, &r, &a, &first, &e));
    rng_init(&r, 5, RNG_INPUT, 9);
    assert_true(inputs_generate(m, &o, &r, &a, &second, &e));
    rng_init(&r, 5, RNG_INPUT, 10);
    assert_true(inputs_generate(m, &o, &r, &a, &other, &e));
    assert_int_equal(first.at[0].tensor.dims[0], 7);
    assert_int_equal(first.at[0].tensor.dims[1], 3);
    assert_true(tensor_same_bits(&first.at[0].tensor, &second.at[0].tensor));
    assert_false(tensor_same_bits(&first.at[0].tensor, &other.at[0].tensor));
    arena_done(&a);
}

static void strings_are_words_and_complex_numbers_are_left_to_the_caller(void **state)
{
    static const struct subject strings = {"Identity", 0, 1, DTYPE_STRING, {20}, 1, false};
    static const struct subject complex = {"Identity", 0, 1, DTYPE_COMPLEX64, {2}, 1, false};
    struct arena a;
    struct tensors t;
    struct err e = {0};
    struct rng r;
    struct input_options o = {INPUT_GRID, 0};
    size_t n_unlike = 0;
    (void)state;
    arena_init(&a);
    rng_init(&r, 1, RNG_INPUT, 0);
    assert_true(inputs_generate(subject_model(&strings, &a), &o, &r, &a, &t, &e));
    for (size_t i = 1; i < 20; i++)
        n_unlike += !str_eq(t.at[0].tensor.strings[i], t.at[0].tensor.strings[0]);
    assert_true(n_unlike > 0);
    assert_false(inputs_generate(subject_model(&complex, &a), &o, &r, &a, &t, &e));
    assert_int_equal(e.code, ERR_UNSUPPORTED);
    arena_done(&a);
}

TEST_SUITE(case_inputs, TEST(values_stay_where_the_operator_is_defined),
           TEST(scatter_indices_come_once), TEST(styles_give_what_they_promise),
           TEST(symbols_get_their_size_and_same_seeds_the_same_bytes),
           TEST(strings_are_words_and_complex_numbers_are_left_to_the_caller))
