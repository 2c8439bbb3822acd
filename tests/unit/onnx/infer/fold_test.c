/* Shapes that a graph computes: integers are followed through the operators that exporters use for
 * them, up to a tensor whose dims they are. */
#include "onnx/infer.h"

#include "unit/test.h"

enum { NUMBERS_MAX = 4, OPSET = 17 };

struct numbers {
    int64_t n, at[NUMBERS_MAX];
};

static uint32_t constant(struct model *m, const struct numbers *v)
{
    struct tensor t;
    struct err e;
    double at[NUMBERS_MAX];
    for (int64_t i = 0; i < v->n; i++)
        at[i] = (double)v->at[i];
    assert_true(tensor_from_doubles(DTYPE_INT64, &v->n, 1, at, m->arena, &t, &e));
    return graph_add_initializer(m, m->graph, STR("w"), arena_dup(m->arena, &t, sizeof t));
}

/* The shape [N, 3] of an input as a value. */
static uint32_t symbolic(struct model *m)
{
    static const int64_t dims[] = {-1, 3};
    uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 2);
    m->graph->values.at[x].shape.dims[0].symbol = intern_id(&m->symbols, m->arena, STR("N")) + 1;
    return graph_add_node(m, m->graph, "Shape", &x, 1, 1);
}

/* Infers the model whose output has the dims `numbers`, and compares its shape. */
static void assert_dims(struct model *m, uint32_t numbers, const char *expected, const char *row)
{
    struct err e;
    struct strbuf text = {0};
    uint32_t y = graph_add_node(m, m->graph, "ConstantOfShape", &numbers, 1, 1);
    graph_add_output(m->graph, y);
    if (!model_finish(m, &e) || !infer_model(m, &e))
        fail_msg("%s: %s", row, e.text);
    shape_print(m, &m->graph->values.at[m->graph->outputs.at[0]].shape, &text);
    if (strcmp(text.at, expected) != 0)
        fail_msg("%s: %s, not %s", row, text.at, expected);
    strbuf_done(&text);
}

static void arithmetic_of_dims_is_followed(void **state)
{
    static const struct {
        const char *op;
        struct numbers a, b; /* n 0: the shape [N, 3] */
        const char *expected;
    } rows[] = {
        {"Add", {2, {3, 4}}, {2, {1, 2}}, "[4,6]"}, {"Sub", {2, {3, 4}}, {2, {1, 2}}, "[2,2]"},
        {"Mul", {2, {3, 4}}, {1, {2}}, "[6,8]"},    {"Mul", {1, {2}}, {2, {3, 4}}, "[6,8]"},
        {"Div", {2, {7, 4}}, {2, {2, 4}}, "[3,1]"}, {"Div", {1, {7}}, {1, {0}}, "[?]"},
        {"Min", {2, {3, 4}}, {2, {1, 9}}, "[1,4]"}, {"Max", {2, {3, 4}}, {2, {1, 9}}, "[3,9]"},
        {"Add", {0, {0}}, {1, {0}}, "[N,3]"},       {"Add", {1, {0}}, {0, {0}}, "[N,3]"},
        {"Sub", {0, {0}}, {1, {0}}, "[N,3]"},       {"Mul", {0, {0}}, {1, {1}}, "[N,3]"},
        {"Mul", {1, {1}}, {0, {0}}, "[N,3]"},       {"Div", {0, {0}}, {1, {1}}, "[N,3]"},
        {"Add", {0, {0}}, {1, {1}}, "[?,4]"},       {"Sub", {0, {0}}, {1, {1}}, "[?,2]"},
        {"Mul", {0, {0}}, {2, {1, 2}}, "[N,6]"},    {"Div", {0, {0}}, {2, {1, 3}}, "[N,1]"},
        {"Sub", {1, {1}}, {2, {0, 1}}, "[1,0]"},    {"Mul", {1, {0}}, {2, {5, 7}}, "[0,0]"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        arena_init(&a);
        struct model *m = model_new(&a, OPSET);
        uint32_t in[] = {rows[i].a.n ? constant(m, &rows[i].a) : symbolic(m),
                         rows[i].b.n ? constant(m, &rows[i].b) : symbolic(m)};
        uint32_t y = graph_add_node(m, m->graph, rows[i].op, in, 2, 1);
        assert_dims(m, y, rows[i].expected, rows[i].op);
        arena_done(&a);
    }
}

/* Where(Equal(given, -1), the shape [N, 3], given), as exporters write Expand to -1. */
static void a_choice_between_dims_is_followed(void **state)
{
    static const struct {
        struct numbers given;
        const char *expected;
    } rows[] = {{{2, {-1, 5}}, "[N,5]"}, {{2, {4, -1}}, "[4,3]"}, {{2, {-1, -1}}, "[N,3]"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        arena_init(&a);
        struct model *m = model_new(&a, OPSET);
        uint32_t given = constant(m, &rows[i].given), shape = symbolic(m);
        uint32_t pair[] = {given, constant(m, &(struct numbers){1, {-1}})};
        uint32_t is_kept = graph_add_node(m, m->graph, "Equal", pair, 2, 1);
        uint32_t in[] = {is_kept, shape, given};
        assert_dims(m, graph_add_node(m, m->graph, "Where", in, 3, 1), rows[i].expected, "Where");
        arena_done(&a);
    }
}

/* Operators that move numbers about: each keeps what is known of them. */
static void moved_dims_are_followed(void **state)
{
    static const struct {
        const char *op;
        struct numbers second, third; /* further inputs; n 0: none */
        const char *expected;
    } rows[] = {
        {"Identity", {0, {0}}, {0, {0}}, "[N,3]"}, {"Gather", {2, {1, 0}}, {0, {0}}, "[3,N]"},
        {"Gather", {1, {-1}}, {0, {0}}, "[3]"},    {"Slice", {1, {1}}, {1, {9}}, "[3]"},
        {"Slice", {1, {-2}}, {1, {-1}}, "[N]"},    {"Concat", {2, {7, 8}}, {1, {9}}, "[N,3,7,8,9]"},
        {"Reshape", {1, {2}}, {0, {0}}, "[N,3]"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        arena_init(&a);
        struct model *m = model_new(&a, OPSET);
        uint32_t in[3] = {symbolic(m)}, n = 1;
        if (rows[i].second.n)
            in[n++] = constant(m, &rows[i].second);
        if (rows[i].third.n)
            in[n++] = constant(m, &rows[i].third);
        uint32_t y = graph_add_node(m, m->graph, rows[i].op, in, n, 1);
        if (strcmp(rows[i].op, "Concat") == 0)
            node_set_int(m, graph_last_node(m->graph), "axis", 0);
        assert_dims(m, y, rows[i].expected, rows[i].op);
        arena_done(&a);
    }
}

TEST_SUITE(onnx_fold, TEST(arithmetic_of_dims_is_followed), TEST(a_choice_between_dims_is_followed),
           TEST(moved_dims_are_followed))
