/* Shapes: broadcasting, symbols, windows, folding, contradictions. */
#include "onnx/infer.h"

#include "onnx/infer/infer_p.h"
#include "unit/test.h"

struct fixture {
    struct arena a;
    struct model *m;
    struct err e;
};

static void open_model(struct fixture *f)
{
    arena_init(&f->a);
    f->m = model_new(&f->a, 17);
}

/* Dims below zero are symbols: -1 is N, -2 is M. */
static uint32_t add_input(struct fixture *f, const char *name, const int64_t *dims, uint32_t rank)
{
    static const char *const symbols[] = {"N", "M"};
    uint32_t v = graph_add_input(f->m, f->m->graph, str_of(name), DTYPE_FLOAT, dims, rank);
    for (uint32_t i = 0; i < rank; i++)
        if (dims[i] < 0)
            f->m->graph->values.at[v].shape.dims[i].symbol =
                intern_id(&f->m->symbols, &f->a, str_of(symbols[-dims[i] - 1])) + 1;
    return v;
}

static bool infer(struct fixture *f, uint32_t y)
{
    graph_add_output(f->m->graph, y);
    return model_finish(f->m, &f->e) && infer_model(f->m, &f->e);
}

static bool shape_is(struct fixture *f, const char *expected)
{
    struct strbuf text = {0};
    const struct graph *g = f->m->graph;
    shape_print(f->m, &g->values.at[g->outputs.at[0]].shape, &text);
    bool same = !strcmp(text.at, expected);
    strbuf_done(&text);
    return same;
}

static void shapes_broadcast_with_symbols(void **state)
{
    static const struct {
        const char *name;
        int64_t a[3], b[3];
        uint32_t rank_a, rank_b;
        const char *expected; /* NULL: an error */
    } rows[] = {
        {"equal", {2, 3}, {2, 3}, 2, 2, "[2,3]"},
        {"one", {2, 1}, {1, 3}, 2, 2, "[2,3]"},
        {"rank grows", {4}, {2, 3, 4}, 1, 3, "[2,3,4]"},
        {"scalar", {0}, {2, 0}, 0, 2, "[2,0]"},
        {"same symbol", {-1, 3}, {-1, 1}, 2, 2, "[N,3]"},
        {"symbol meets one", {-1, 3}, {1, 3}, 2, 2, "[N,3]"},
        {"symbol meets number", {-1, 3}, {5, 3}, 2, 2, "[5,3]"},
        {"two symbols", {-1, 3}, {-2, 3}, 2, 2, "[?,3]"},
        {"clash", {2}, {3}, 1, 1, NULL},
        {"zero and three", {0}, {3}, 1, 1, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fixture f;
        open_model(&f);
        uint32_t in[] = {add_input(&f, "a", rows[i].a, rows[i].rank_a),
                         add_input(&f, "b", rows[i].b, rows[i].rank_b)};
        uint32_t y = graph_add_node(f.m, f.m->graph, "Add", in, 2, 1);
        ASSERT_ROW(infer(&f, y) == (rows[i].expected != NULL), rows[i].name);
        ASSERT_ROW(!rows[i].expected || shape_is(&f, rows[i].expected), rows[i].name);
        arena_done(&f.a);
    }
}

static void pools_follow_the_standards_formulas(void **state)
{
    static const struct {
        const char *name, *auto_pad;
        int64_t in, kernel, stride, dilation, pad_begin, pad_end, ceil_mode;
        const char *expected;
    } rows[] = {
        {"plain", NULL, 8, 3, 1, 1, 0, 0, 0, "[1,1,6]"},
        {"stride", NULL, 8, 3, 2, 1, 0, 0, 0, "[1,1,3]"},
        {"ceil", NULL, 8, 3, 2, 1, 0, 0, 1, "[1,1,4]"},
        {"window would begin in the padding", NULL, 2, 1, 2, 1, 0, 1, 1, "[1,1,1]"},
        {"dilation", NULL, 8, 3, 1, 2, 0, 0, 0, "[1,1,4]"},
        {"asymmetric", NULL, 8, 3, 1, 1, 2, 1, 0, "[1,1,9]"},
        {"same upper", "SAME_UPPER", 8, 3, 3, 1, 0, 0, 0, "[1,1,3]"},
        {"same lower", "SAME_LOWER", 7, 3, 2, 1, 0, 0, 0, "[1,1,4]"},
        {"valid", "VALID", 8, 3, 2, 1, 0, 0, 0, "[1,1,3]"},
        {"valid and ceil", "VALID", 8, 3, 2, 1, 0, 0, 1, NULL},
        {"negative padding", "SAME_UPPER", 9, 1, 3, 1, 0, 0, 0, NULL},
        {"symbol", NULL, -1, 3, 2, 1, 0, 0, 0, "[1,1,?]"},
        {"too large", NULL, 2, 3, 1, 1, 0, 0, 0, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fixture f;
        arena_init(&f.a);
        f.m = model_new(&f.a, 22);
        int64_t dims[] = {1, 1, rows[i].in}, pads[] = {rows[i].pad_begin, rows[i].pad_end};
        uint32_t x = add_input(&f, "x", dims, 3);
        uint32_t y = graph_add_node(f.m, f.m->graph, "MaxPool", &x, 1, 1);
        struct node *n = graph_last_node(f.m->graph);
        node_set_ints(f.m, n, "kernel_shape", &rows[i].kernel, 1);
        node_set_ints(f.m, n, "strides", &rows[i].stride, 1);
        node_set_ints(f.m, n, "dilations", &rows[i].dilation, 1);
        node_set_int(f.m, n, "ceil_mode", rows[i].ceil_mode);
        if (rows[i].auto_pad)
            node_set_string(f.m, n, "auto_pad", rows[i].auto_pad);
        else
            node_set_ints(f.m, n, "pads", pads, 2);
        ASSERT_ROW(infer(&f, y) == (rows[i].expected != NULL), rows[i].name);
        ASSERT_ROW(!rows[i].expected || shape_is(&f, rows[i].expected), rows[i].name);
        arena_done(&f.a);
    }
}

static void pools_before_version_22_refuse_windows_in_the_padding(void **state)
{
    static const int64_t dims[] = {1, 1, 8}, kernel = 2, stride = 3, pads[] = {0, 1};
    static const struct {
        int opset;
        bool ok;
    } rows[] = {{12, false}, {21, false}, {22, true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fixture f;
        arena_init(&f.a);
        f.m = model_new(&f.a, rows[i].opset);
        uint32_t x = add_input(&f, "x", dims, 3);
        uint32_t y = graph_add_node(f.m, f.m->graph, "MaxPool", &x, 1, 1);
        struct node *n = graph_last_node(f.m->graph);
        node_set_ints(f.m, n, "kernel_shape", &kernel, 1);
        node_set_ints(f.m, n, "strides", &stride, 1);
        node_set_ints(f.m, n, "pads", pads, 2);
        node_set_int(f.m, n, "ceil_mode", 1);
        assert_int_equal(infer(&f, y), rows[i].ok);
        assert_true(rows[i].ok ? shape_is(&f, "[1,1,3]") : f.e.code == ERR_UNSUPPORTED);
        arena_done(&f.a);
    }
}

static void declared_shapes_are_compared_once(void **state)
{
    struct fixture f;
    static const int64_t dims[] = {2, 3}, other[] = {2, 4};
    (void)state;
    open_model(&f);
    uint32_t x = add_input(&f, "x", dims, 2);
    uint32_t y = graph_add_node(f.m, f.m->graph, "Relu", &x, 1, 1);
    f.m->graph->values.at[y].dtype = DTYPE_FLOAT;
    f.m->graph->values.at[y].shape = shape_from_dims(other, 2, &f.a);
    f.m->graph->values.at[y].is_declared = true;
    assert_false(infer(&f, y));
    assert_non_null(strstr(f.e.text, "declared [2,4] but is [2,3]"));
    /* Shapes from an earlier inference are not declarations: an edit before them may change them.
     */
    f.m->graph->values.at[y].is_declared = false;
    f.m->graph->values.at[y].shape = shape_from_dims(other, 2, &f.a);
    assert_true(infer_model(f.m, &f.e));
    assert_true(shape_is(&f, "[2,3]"));
    arena_done(&f.a);
}

static void later_nodes_alone_are_inferred_anew(void **state)
{
    struct fixture f;
    static const int64_t dims[] = {2, 3};
    (void)state;
    open_model(&f);
    uint32_t x = add_input(&f, "x", dims, 2);
    uint32_t r = graph_add_node(f.m, f.m->graph, "Relu", &x, 1, 1);
    uint32_t y = graph_add_node(f.m, f.m->graph, "Neg", &r, 1, 1);
    assert_true(infer(&f, y));
    uint32_t transposed = graph_add_node(f.m, f.m->graph, "Cast", &y, 1, 1);
    node_set_int(f.m, graph_last_node(f.m->graph), "to", DTYPE_INT64);
    assert_true(model_finish(f.m, &f.e) && infer_model_from(f.m, 2, &f.e));
    assert_int_equal(f.m->graph->values.n, 3 + (transposed != VALUE_NONE) - 0);
    assert_int_equal(f.m->graph->values.at[transposed].dtype, DTYPE_INT64);
    arena_done(&f.a);
}

static void every_operator_has_a_shape_function(void **state)
{
    size_t n;
    const struct op *rows = op_list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++)
        ASSERT_ROW(infer__function_of(&rows[i]), rows[i].name);
}

TEST_SUITE(onnx_infer, TEST(shapes_broadcast_with_symbols),
           TEST(pools_follow_the_standards_formulas),
           TEST(pools_before_version_22_refuse_windows_in_the_padding),
           TEST(declared_shapes_are_compared_once), TEST(later_nodes_alone_are_inferred_anew),
           TEST(every_operator_has_a_shape_function))
