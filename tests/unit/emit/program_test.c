/* Graphs as programs: which form a node gets, where weights go, the names of values, and what
 * cannot be written. */
#include "emit/emit.h"
#include "emit/emit_p.h"
#include "onnx/op.h"
#include "unit/test.h"

struct fixture {
    struct arena a;
    struct model *m;
    struct graph *g;
    struct program p;
    struct err e;
    const char *framework;
};

static void open_model(struct fixture *f, int opset)
{
    arena_init(&f->a);
    f->e = (struct err){0};
    f->framework = "torch";
    f->m = model_new(&f->a, opset);
    f->g = f->m->graph;
}

static uint32_t add_input(struct fixture *f, const char *name, enum dtype dtype)
{
    const int64_t dims[] = {1, 3, 4, 4};
    return graph_add_input(f->m, f->g, str_of(name), dtype, dims, 4);
}

static uint32_t add_ints(struct fixture *f, const char *name, const int64_t *at, size_t n)
{
    struct tensor *t = arena_new(&f->a, struct tensor);
    *t = tensor_from_i64s(at, n, &f->a);
    return graph_add_initializer(f->m, f->g, str_of(name), t);
}

static uint32_t add_weight(struct fixture *f, const char *name, size_t n)
{
    struct tensor *t = arena_new(&f->a, struct tensor);
    const int64_t dims[] = {(int64_t)n};
    double *values = arena_new_array(&f->a, double, n);
    for (size_t i = 0; i < n; i++)
        values[i] = (double)i / 4;
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 1, values, &f->a, t, &f->e));
    return graph_add_initializer(f->m, f->g, str_of(name), t);
}

static bool emit(struct fixture *f, uint32_t output, enum emit_weights where)
{
    graph_add_output(f->g, output);
    assert_true(model_finish(f->m, &f->e));
    return emit_program(f->m, str_of(f->framework), where, &f->a, &f->p, &f->e);
}

static void expect_text(const struct fixture *f, const char *text)
{
    if (str_find(f->p.source, str_of(text)) == f->p.source.n)
        fail_msg("\"%s\" is not in\n" STR_FMT, text, STR_ARG(f->p.source));
}

/* One operator on one image, and the expression for it. */
struct row {
    const char *framework;
    const char *op_type;
    int opset;
    const char *key; /* an attribute; NULL: none */
    int64_t value;
    const char *expected;
};

static void an_operator_takes_its_first_form_that_applies(void **state)
{
    static const struct row rows[] = {
        {"torch", "Relu", 17, NULL, 0, "y = torch.relu(x)"},
        {"torch", "Softmax", 17, "axis", 1, "y = torch.softmax(x, 1)"},
        {"torch", "Softmax", 11, "axis", 1, "y = over_rest(torch.softmax, x, 1)"},
        {"torch", "Flatten", 17, "axis", 1, "y = torch.flatten(x, 1)"},
        {"torch", "Flatten", 17, "axis", 2, "y = flatten(x, 2)"},
        {"torch", "Transpose", 17, NULL, 0, "y = x.permute([3, 2, 1, 0])"},
        {"torch", "ArgMax", 17, "axis", 2, "y = torch.argmax(x, 2, keepdim=bool(1))"},
        {"torch", "ArgMax", 17, "select_last_index", 1, "y = arg_last(torch.argmax, x, 0, 1)"},
        {"torch", "GlobalAveragePool", 17, NULL, 0, "y = torch.mean(x, (2, 3,), keepdim=True)"},
        {"torch", "Split", 13, NULL, 0, "y = torch.split(x, [1], 0)[0]"},
        {"torch", "ReduceSum", 17, NULL, 0, "y = torch.sum(x, (0, 1, 2, 3), keepdim=bool(1))"},
        {"torch", "ReduceSum", 17, "noop_with_empty_axes", 1, "y = x.clone()"},
        {"jax", "Relu", 17, NULL, 0, "y = jax.nn.relu(x)"},
        {"jax", "Softmax", 11, "axis", 1, "y = over_rest(jax.nn.softmax, x, 1)"},
        {"tensorflow", "Relu", 17, NULL, 0, "y = tf.nn.relu(x)"},
        {"tensorflow", "Softmax", 17, "axis", 1, "y = tf.nn.softmax(x, 1)"},
        {"tensorflow", "ArgMax", 17, "axis", 2, "y = argument(tf.argmax, x, 2, 1, 0)"},
        {"tensorflow", "Split", 13, NULL, 0, "y = tf.split(x, [1], 0)[0]"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        open_model(&f, rows[i].opset);
        f.framework = rows[i].framework;
        uint32_t x = add_input(&f, "x", DTYPE_FLOAT);
        uint32_t y = graph_add_node(f.m, f.g, rows[i].op_type, &x, 1, 1);
        f.g->values.at[y].name = STR("y");
        if (rows[i].key)
            node_set_int(f.m, graph_last_node(f.g), rows[i].key, rows[i].value);
        if (!emit(&f, y, EMIT_WEIGHTS_INLINE))
            fail_msg("%s: %s", rows[i].op_type, f.e.text);
        expect_text(&f, rows[i].expected);
        arena_done(&f.a);
    }
}

static void only_the_helpers_that_are_called_are_written(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f, 11);
    uint32_t x = add_input(&f, "x", DTYPE_FLOAT);
    uint32_t y = graph_add_node(f.m, f.g, "Hardmax", &x, 1, 1);
    assert_true(emit(&f, y, EMIT_WEIGHTS_INLINE));
    expect_text(&f, "def over_rest(op, x, axis):");
    expect_text(&f, "def hardmax(x, axis):"); /* passed as an argument only */
    expect_text(&f, "import math\n");         /* for over_rest */
    assert_int_equal(str_find(f.p.source, STR("def flatten(")), f.p.source.n);
    arena_done(&f.a);
}

static void a_program_holds_the_frameworks_helpers_and_the_common_ones(void **state)
{
    static const char *const frameworks[] = {"jax", "tensorflow"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(frameworks); i++) {
        struct fixture f;
        open_model(&f, 17);
        f.framework = frameworks[i];
        uint32_t x = add_input(&f, "x", DTYPE_FLOAT);
        uint32_t y = graph_add_node(f.m, f.g, "MaxPool", &x, 1, 1);
        const int64_t kernel[] = {2, 2};
        node_set_ints(f.m, graph_last_node(f.g), "kernel_shape", kernel, 2);
        assert_true(emit(&f, y, EMIT_WEIGHTS_INLINE));
        expect_text(&f, "\ndef max_pool(x, kernel,");
        expect_text(&f, "\ndef ceil_pairs(x, kernel,");
        ASSERT_ROW(str_find(f.p.source, STR("import math")) == f.p.source.n, frameworks[i]);
        ASSERT_ROW(str_find(f.p.source, STR("import torch")) == f.p.source.n, frameworks[i]);
        arena_done(&f.a);
    }
}

static void a_module_of_the_framework_is_not_the_languages(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f, 17);
    f.framework = "tensorflow";
    uint32_t x = add_input(&f, "x", DTYPE_FLOAT);
    uint32_t y = graph_add_node(f.m, f.g, "Celu", &x, 1, 1);
    assert_true(emit(&f, y, EMIT_WEIGHTS_INLINE));
    expect_text(&f, "tf.math.expm1("); /* in the helper */
    assert_int_equal(str_find(f.p.source, STR("import math")), f.p.source.n);
    arena_done(&f.a);
}

static void a_shape_stands_in_the_call_where_the_framework_wants_it(void **state)
{
    static const struct {
        const char *framework, *expected;
    } rows[] = {
        {"torch", "torch.tensor([0.0, 1.0, 2.0, 3.0], dtype=torch.float32).reshape([2, 2])"},
        {"jax", "jnp.array([0.0, 1.0, 2.0, 3.0], jnp.float32).reshape([2, 2])"},
        {"tensorflow", "tf.constant([0.0, 1.0, 2.0, 3.0], tf.float32, [2, 2])"},
    };
    const double values[] = {0, 1, 2, 3};
    const int64_t dims[] = {2, 2};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fixture f;
        struct tensor t;
        struct strbuf text = {0};
        open_model(&f, 17);
        assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 2, values, &f.a, &t, &f.e));
        assert_true(emit_tensor(str_of(rows[i].framework), &t, &text, &f.e));
        ASSERT_ROW(str_is(strbuf_str(&text), rows[i].expected), rows[i].framework);
        strbuf_done(&text);
        arena_done(&f.a);
    }
}

static void small_weights_stand_in_the_source_and_large_ones_beside_it(void **state)
{
    struct fixture f;
    (void)state;
    for (int where = EMIT_WEIGHTS_INLINE; where <= EMIT_WEIGHTS_BESIDE; where++) {
        open_model(&f, 17);
        uint32_t x = add_input(&f, "x", DTYPE_FLOAT);
        uint32_t in[2] = {x, add_weight(&f, "small", 4)};
        in[0] = graph_add_node(f.m, f.g, "Add", in, 2, 1);
        in[1] = add_weight(&f, "large", 400);
        uint32_t y = graph_add_node(f.m, f.g, "Mul", in, 2, 1);
        assert_true(emit(&f, y, (enum emit_weights)where));
        expect_text(&f, "self.register_buffer(\"small\", torch.tensor([0.0, 0.25, 0.5, 0.75], "
                        "dtype=torch.float32))");
        expect_text(&f, where == EMIT_WEIGHTS_BESIDE
                            ? "self.register_buffer(\"large\", weights[\"large\"])"
                            : "self.register_buffer(\"large\", torch.frombuffer(");
        assert_int_equal(f.p.weights.n, where == EMIT_WEIGHTS_BESIDE);
        assert_true(str_is(f.p.entry, "Model"));
        arena_done(&f.a);
    }
}

static void shapes_that_do_not_change_are_literals(void **state)
{
    struct fixture f;
    const int64_t shape[] = {0, -1};
    (void)state;
    open_model(&f, 17);
    uint32_t in[2] = {add_input(&f, "x", DTYPE_FLOAT), add_ints(&f, "shape", shape, 2)};
    uint32_t y = graph_add_node(f.m, f.g, "Reshape", in, 2, 1);
    assert_true(emit(&f, y, EMIT_WEIGHTS_INLINE));
    expect_text(&f, " = x.reshape([1, -1])");
    assert_int_equal(str_find(f.p.source, STR("register_buffer")), f.p.source.n);
    arena_done(&f.a);
}

static void names_are_python_s_and_nobody_else_s(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f, 17);
    uint32_t x = add_input(&f, "lambda", DTYPE_FLOAT); /* a keyword of the language */
    uint32_t y = graph_add_node(f.m, f.g, "Relu", &x, 1, 1);
    f.g->values.at[y].name = STR("torch"); /* would hide the module */
    uint32_t z = graph_add_node(f.m, f.g, "Neg", &y, 1, 1);
    f.g->values.at[z].name = STR("1/out:0");
    assert_true(emit(&f, z, EMIT_WEIGHTS_INLINE));
    expect_text(&f, "def forward(self, lambda_2):");
    expect_text(&f, "torch_2 = torch.relu(lambda_2)");
    expect_text(&f, "v1_out_0 = -torch_2");
    arena_done(&f.a);
}

static void beside_doubles_all_digits_of_an_attribute_count(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f, 17);
    uint32_t x = add_input(&f, "x", DTYPE_DOUBLE);
    uint32_t y = graph_add_node(f.m, f.g, "LeakyRelu", &x, 1, 1);
    node_set_float(f.m, graph_last_node(f.g), "alpha", 0.01f);
    assert_true(emit(&f, y, EMIT_WEIGHTS_INLINE));
    expect_text(&f, "F.leaky_relu(x, 0.00999999977648258");
    arena_done(&f.a);
}

static void what_cannot_be_written_is_named(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f, 17);
    uint32_t x = add_input(&f, "x", DTYPE_FLOAT);
    uint32_t y = graph_add_node(f.m, f.g, "NonMaxSuppression", &x, 1, 1);
    assert_false(emit(&f, y, EMIT_WEIGHTS_INLINE));
    assert_int_equal(f.e.code, ERR_UNSUPPORTED);
    assert_string_equal(f.e.text, "operator NonMaxSuppression is not written for torch");
    arena_done(&f.a);

    open_model(&f, 17); /* an attribute that no form of the row names */
    x = add_input(&f, "x", DTYPE_FLOAT);
    y = graph_add_node(f.m, f.g, "Relu", &x, 1, 1);
    node_set_int(f.m, graph_last_node(f.g), "unheard_of", 1);
    assert_false(emit(&f, y, EMIT_WEIGHTS_INLINE));
    assert_non_null(strstr(f.e.text, "attribute unheard_of is not written for torch"));
    arena_done(&f.a);

    open_model(&f, 23);
    x = add_input(&f, "x", DTYPE_INT4);
    y = graph_add_node(f.m, f.g, "Identity", &x, 1, 1);
    assert_false(emit(&f, y, EMIT_WEIGHTS_INLINE));
    assert_non_null(strstr(f.e.text, "input x: torch has no dtype int4"));
    arena_done(&f.a);
}

static void rows_are_sorted_and_of_known_operators(void **state)
{
    const struct emit_framework *const frameworks[] = {&emit__torch, &emit__jax, &emit__tensorflow};
    (void)state;
    for (size_t k = 0; k < COUNT_OF(frameworks); k++) {
        const struct emit_framework *f = frameworks[k];
        for (size_t i = 0; i < f->n_rows; i++) {
            if (i)
                ASSERT_ROW(strcmp(f->rows[i - 1].op_type, f->rows[i].op_type) < 0,
                           f->rows[i].op_type);
            ASSERT_ROW(op_find(STR(""), str_of(f->rows[i].op_type)), f->rows[i].op_type);
            ASSERT_ROW(emit_has_operator(str_of(f->name), str_of(f->rows[i].op_type)),
                       f->rows[i].op_type);
        }
    }
    assert_false(emit_has_operator(STR("torch"), STR("NoSuchOperator")));
    for (size_t k = 0; k <= COUNT_OF(frameworks); k++) { /* these are listed, and no others */
        const char *name = emit_framework_name(k);
        ASSERT_ROW(k < COUNT_OF(frameworks) ? name && emit_module(str_of(name)) : !name,
                   name ? name : "the end");
    }
}

TEST_SUITE(emit_program, TEST(an_operator_takes_its_first_form_that_applies),
           TEST(only_the_helpers_that_are_called_are_written),
           TEST(a_program_holds_the_frameworks_helpers_and_the_common_ones),
           TEST(a_module_of_the_framework_is_not_the_languages),
           TEST(a_shape_stands_in_the_call_where_the_framework_wants_it),
           TEST(small_weights_stand_in_the_source_and_large_ones_beside_it),
           TEST(shapes_that_do_not_change_are_literals), TEST(names_are_python_s_and_nobody_else_s),
           TEST(beside_doubles_all_digits_of_an_attribute_count),
           TEST(what_cannot_be_written_is_named), TEST(rows_are_sorted_and_of_known_operators))
