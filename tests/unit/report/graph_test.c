/* A graph as text in a report: every kind of attribute, what is too long, names that would break a
 * line. */
#include "report/report_p.h"
#include "unit/test.h"

static uint32_t constant(struct model *m, const char *name, enum dtype dtype, const double *values,
                         size_t n)
{
    struct err e;
    struct tensor t;
    assert_true(tensor_from_doubles(dtype, (int64_t[]){(int64_t)n}, 1, values, m->arena, &t, &e));
    return graph_add_initializer(m, m->graph, str_of(name), arena_dup(m->arena, &t, sizeof t));
}

static void assert_text(const struct model *m, const char *text)
{
    struct strbuf out = {0};
    report__graph_text(m, &out);
    assert_string_equal(out.at, text);
    strbuf_done(&out);
}

static void constants_and_optional_inputs_are_shown(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a);
    struct model *m = model_new(&a, 13);
    uint32_t x = graph_add_input(m, m->graph, STR("x\ny"), DTYPE_FLOAT, (int64_t[]){2, -1, 4}, 3);
    uint32_t high = constant(m, "high", DTYPE_FLOAT, (double[]){0.5}, 1);
    uint32_t sum[] = {graph_add_node(m, m->graph, "Clip", (uint32_t[]){x, VALUE_NONE, high}, 3, 1),
                      constant(m, "w8", DTYPE_INT64, (double[]){1, -2, 3, 4, 5, 6, 7, 8}, 8),
                      constant(m, "w9", DTYPE_INT64, (double[9]){0}, 9)};
    uint32_t y = graph_add_node(m, m->graph, "Sum", sum, 3, 1);
    graph_add_output(m->graph, y);
    graph_add_output(m->graph, sum[0]);
    m->graph->values.at[sum[0]].name = STR("a");
    m->graph->values.at[y].name = STR("b");
    assert_text(m, "opset    13\n"
                   "inputs   x\\ny: float[2,?,4]\n"
                   "constant high: float[1] {0.5}\n"
                   "constant w8: int64[8] {1, -2, 3, 4, 5, 6, 7, 8}\n"
                   "constant w9: int64[9]\n"
                   "node     a = Clip(x\\ny, _, high)\n"
                   "node     b = Sum(a, w8, w9)\n"
                   "outputs  b: undefined, a: undefined\n");
    arena_done(&a);
}

static void attributes_of_every_kind_are_shown(void **state)
{
    struct arena a;
    struct tensor t;
    struct err e;
    (void)state;
    arena_init(&a);
    struct model *m = model_new(&a, 21);
    uint32_t y = graph_add_node(m, m->graph, "Any", NULL, 0, 2);
    struct node *n = &m->graph->nodes.at[0];
    m->graph->values.at[n->outputs[0]].name = STR("p");
    m->graph->values.at[n->outputs[1]].name = STR("q");
    assert_true(
        tensor_from_doubles(DTYPE_FLOAT, (int64_t[]){1, 2}, 2, (double[]){1, -0.5}, &a, &t, &e));
    node_set_int(m, n, "i", -3);
    node_set_float(m, n, "f", 0.5f);
    node_set_string(m, n, "s", "a\"b");
    node_set_ints(m, n, "is", (int64_t[]){1, 2, 3}, 3);
    node_set_floats(m, n, "fs", (float[]){1.5f, -2}, 2);
    node_set_tensor(m, n, "t", &t);
    node_set_graph(m, n, "g", m->graph);
    graph_add_output(m->graph, y);
    assert_text(m, "opset    21\n"
                   "inputs   \n"
                   "node     p, q = Any()  i=-3, f=0.5, s=\"a\\\"b\", is=[1, 2, 3], fs=[1.5, -2], "
                   "t=float[1,2] {1, -0.5}, g=...\n"
                   "outputs  p: undefined\n");
    arena_done(&a);
}

static void only_the_first_nodes_are_shown(void **state)
{
    struct arena a;
    (void)state;
    for (size_t n = 40; n <= 42; n++) {
        struct strbuf out = {0};
        arena_init(&a);
        struct model *m = model_new(&a, 21);
        uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, NULL, 0);
        for (size_t i = 0; i < n; i++)
            x = graph_add_node(m, m->graph, "Neg", &x, 1, 1);
        report__graph_text(m, &out);
        size_t n_shown = 0;
        for (const char *at = out.at; (at = strstr(at, "\nnode ")) != NULL; at++)
            n_shown++;
        assert_int_equal(n_shown, 40);
        assert_true((strstr(out.at, "nodes more") != NULL) == (n > 40));
        assert_true((strstr(out.at, "... 2 nodes more\n") != NULL) == (n == 42));
        strbuf_done(&out);
        arena_done(&a);
    }
}

TEST_SUITE(report_graph, TEST(constants_and_optional_inputs_are_shown),
           TEST(attributes_of_every_kind_are_shown), TEST(only_the_first_nodes_are_shown))
