/* If, Loop and Scan: which subgraph runs, how often, and what comes out. */
#include "unit/onnx/eval/net_p.h"
#include "unit/test.h"

static const struct eval_options plain = {0};
static const struct shape *output_shape(const struct net *n)
{
    return &n->m->graph->values.at[n->m->graph->outputs.at[0]].shape;
}

static uint32_t constant(struct net *n, struct graph *g, enum dtype t, double x)
{
    struct tensor *s = arena_new(&n->a, struct tensor);
    *s = tensor_scalar_double(t, x, &n->a);
    return graph_add_initializer(n->m, g, STR("c"), s);
}

static uint32_t scalar_input(struct net *n, struct graph *g, const char *name, enum dtype t)
{
    return graph_add_input(n->m, g, str_of(name), t, NULL, 0);
}

/* A branch whose output is one constant. */
static struct graph *branch(struct net *n, double x)
{
    struct graph *g = graph_new(n->m, STR("branch"));
    uint32_t c = constant(n, g, DTYPE_FLOAT, x);
    graph_add_output(g, graph_add_node(n->m, g, "Identity", &c, 1, 1));
    return g;
}

static void the_condition_picks_a_branch(void **state)
{
    (void)state;
    for (int yes = 0; yes < 2; yes++) {
        struct net n;
        net_open(&n, 21);
        uint32_t cond = net_list(&n, DTYPE_BOOL, 1, (double[]){yes});
        uint32_t y = net_node(&n, "If", &cond, 1);
        node_set_graph(n.m, net_last(&n), "then_branch", branch(&n, 7));
        node_set_graph(n.m, net_last(&n), "else_branch", branch(&n, 8));
        const struct value *v = net_run(&n, y, &plain);
        assert_non_null(v);
        assert_true(v->f[0] == (yes ? 7 : 8));
        net_close(&n);
    }
}

/* Body of a loop: runs while s < limit; s doubles; each iteration outputs s. */
static struct graph *doubling(struct net *n, double limit)
{
    struct graph *g = graph_new(n->m, STR("body"));
    scalar_input(n, g, "i", DTYPE_INT64);
    scalar_input(n, g, "go", DTYPE_BOOL);
    uint32_t s = scalar_input(n, g, "s", DTYPE_FLOAT);
    uint32_t sum = graph_add_node(n->m, g, "Add", (uint32_t[]){s, s}, 2, 1);
    uint32_t most = constant(n, g, DTYPE_FLOAT, limit);
    uint32_t go = graph_add_node(n->m, g, "Less", (uint32_t[]){sum, most}, 2, 1);
    graph_add_output(g, go);
    graph_add_output(g, sum);
    graph_add_output(g, sum);
    return g;
}

static void loops_stop_by_count_or_condition(void **state)
{
    static const struct {
        const char *name;
        double n_turns, start, limit; /* n_turns < 0, start < 0: left out */
        bool has_count, has_condition;
        int64_t n_expected;
        double last;
    } rows[] = {
        {"by count", 3, 1, 0, true, false, 3, 8},
        {"by condition", 9, 1, 5, true, true, 3, 8},
        {"by condition alone", 0, 1, 5, false, true, 3, 8},
        {"count comes first", 1, 1, 5, true, true, 1, 2},
        {"no turn", 0, 1, 5, true, true, 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct net n;
        net_open(&n, 21);
        struct graph *g = n.m->graph;
        uint32_t in[3] = {VALUE_NONE, VALUE_NONE, constant(&n, g, DTYPE_FLOAT, rows[i].start)};
        if (rows[i].has_count)
            in[0] = constant(&n, g, DTYPE_INT64, rows[i].n_turns);
        if (rows[i].has_condition)
            in[1] = constant(&n, g, DTYPE_BOOL, 1);
        uint32_t last = graph_add_node(n.m, g, "Loop", in, 3, 2);
        node_set_graph(n.m, net_last(&n), "body", doubling(&n, rows[i].limit));
        graph_add_output(g, last);
        graph_add_output(g, last + 1);
        const struct value *v = net_run(&n, last, &plain);
        if (!v)
            fail_msg("row \"%s\": %s", rows[i].name, n.e.text);
        ASSERT_ROW(v->f[0] == rows[i].last, rows[i].name);
        const struct value *all = &n.r.values[g->outputs.at[1]];
        ASSERT_ROW(all->rank == 1 && all->dims[0] == rows[i].n_expected, rows[i].name);
        net_close(&n);
    }
}

static void an_endless_loop_meets_the_budget(void **state)
{
    struct net n;
    (void)state;
    net_open(&n, 21);
    struct graph *g = n.m->graph;
    uint32_t in[3] = {VALUE_NONE, VALUE_NONE, constant(&n, g, DTYPE_FLOAT, 1)};
    uint32_t y = graph_add_node(n.m, g, "Loop", in, 3, 2);
    node_set_graph(n.m, net_last(&n), "body", doubling(&n, 0));
    assert_null(net_run(&n, y, &(struct eval_options){.budget = {.n_macs = 100000}}));
    assert_int_equal(n.e.code, ERR_LIMIT);
    net_close(&n);
}

/* Memory does not grow with the iterations. The body swaps two states, so each is what the body was
 * given two iterations ago, and adds the number of the iteration to the first. */
static void a_long_loop_takes_no_more_memory(void **state)
{
    enum { TURNS = 20000 };
    struct net n;
    (void)state;
    net_open(&n, 21);
    struct graph *g = n.m->graph, *body = graph_new(n.m, STR("body"));
    uint32_t i = scalar_input(&n, body, "i", DTYPE_INT64);
    uint32_t go = scalar_input(&n, body, "go", DTYPE_BOOL);
    uint32_t s = scalar_input(&n, body, "s", DTYPE_INT64);
    uint32_t t = scalar_input(&n, body, "t", DTYPE_INT64);
    graph_add_output(body, graph_add_node(n.m, body, "Identity", &go, 1, 1));
    graph_add_output(body, graph_add_node(n.m, body, "Identity", &t, 1, 1));
    graph_add_output(body, graph_add_node(n.m, body, "Add", (uint32_t[]){s, i}, 2, 1));
    uint32_t in[4] = {constant(&n, g, DTYPE_INT64, TURNS), VALUE_NONE,
                      constant(&n, g, DTYPE_INT64, 5), constant(&n, g, DTYPE_INT64, 7)};
    uint32_t y = graph_add_node(n.m, g, "Loop", in, 4, 2);
    node_set_graph(n.m, net_last(&n), "body", body);
    graph_add_output(g, y);
    graph_add_output(g, y + 1);
    size_t before = arena_bytes(&n.a);
    const struct value *v = net_run(&n, y, &plain);
    if (!v)
        fail_msg("%s", n.e.text);
    const struct value *other = &n.r.values[g->outputs.at[1]];
    int64_t even = 0; /* the sum of 0, 2, .., TURNS - 2 */
    for (int64_t k = 0; k < TURNS; k += 2)
        even += k;
    assert_int_equal(v->i[0], 5 + even);
    assert_int_equal(other->i[0], 7 + even + TURNS / 2);
    assert_true(arena_bytes(&n.a) - before < 100000);
    net_close(&n);
}

static void scans_walk_an_axis_in_a_direction(void **state)
{
    static const struct {
        const char *name;
        int64_t in_back, out_back;
        double sums[3];
    } rows[] = {
        {"forward", 0, 0, {1, 3, 6}},
        {"backward", 1, 0, {3, 5, 6}},
        {"prepended", 0, 1, {6, 3, 1}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct net n;
        net_open(&n, 21);
        struct graph *body = graph_new(n.m, STR("body"));
        uint32_t s = scalar_input(&n, body, "s", DTYPE_FLOAT);
        uint32_t x = scalar_input(&n, body, "x", DTYPE_FLOAT);
        uint32_t sum = graph_add_node(n.m, body, "Add", (uint32_t[]){s, x}, 2, 1);
        graph_add_output(body, sum);
        graph_add_output(body, graph_add_node(n.m, body, "Identity", &sum, 1, 1));
        uint32_t in[] = {constant(&n, n.m->graph, DTYPE_FLOAT, 0),
                         net_list(&n, DTYPE_FLOAT, 3, (double[]){1, 2, 3})};
        uint32_t y = graph_add_node(n.m, n.m->graph, "Scan", in, 2, 2);
        node_set_int(n.m, net_last(&n), "num_scan_inputs", 1);
        node_set_graph(n.m, net_last(&n), "body", body);
        node_set_ints(n.m, net_last(&n), "scan_input_directions", &rows[i].in_back, 1);
        node_set_ints(n.m, net_last(&n), "scan_output_directions", &rows[i].out_back, 1);
        const struct value *v = net_run(&n, y + 1, &plain);
        if (!v)
            fail_msg("row \"%s\": %s", rows[i].name, n.e.text);
        ASSERT_ROW(v->n == 3 && output_shape(&n)->dims[0].value == 3, rows[i].name);
        for (size_t j = 0; j < 3; j++)
            ASSERT_ROW(v->f[j] == rows[i].sums[j], rows[i].name);
        net_close(&n);
    }
}

/* Elements [2,3] of no, one or two steps are stacked along each axis of the result. */
static void scans_stack_along_an_axis(void **state)
{
    enum { ROWS = 2, COLUMNS = 3 };
    static const double x[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    (void)state;
    for (int64_t steps = 0; steps <= 2; steps++)
        for (int64_t axis = -3; axis <= 2; axis++) {
            struct net n;
            int64_t expected[3] = {ROWS, COLUMNS, 0}, at = axis < 0 ? axis + 3 : axis, in[3];
            net_open(&n, 21);
            struct graph *body = graph_new(n.m, STR("body"));
            uint32_t row =
                graph_add_input(n.m, body, STR("row"), DTYPE_FLOAT, (int64_t[]){ROWS, COLUMNS}, 2);
            graph_add_output(body, graph_add_node(n.m, body, "Identity", &row, 1, 1));
            uint32_t all = net_input(&n, DTYPE_FLOAT, (int64_t[]){steps, ROWS, COLUMNS}, 3, x);
            uint32_t y = graph_add_node(n.m, n.m->graph, "Scan", &all, 1, 1);
            node_set_int(n.m, net_last(&n), "num_scan_inputs", 1);
            node_set_graph(n.m, net_last(&n), "body", body);
            node_set_ints(n.m, net_last(&n), "scan_output_axes", &axis, 1);
            const struct value *v = net_run(&n, y, &plain);
            if (!v)
                fail_msg("%d steps along %d: %s", (int)steps, (int)axis, n.e.text);
            memmove(expected + at + 1, expected + at, (size_t)(2 - at) * sizeof *expected);
            expected[at] = steps;
            assert_int_equal(v->rank, 3);
            assert_memory_equal(v->dims, expected, sizeof expected);
            for (size_t i = 0; i < v->n; i++) { /* in[]: row and column, the step at `at` */
                in[0] = (int64_t)i / (expected[1] * expected[2]);
                in[1] = (int64_t)i / expected[2] % expected[1];
                in[2] = (int64_t)i % expected[2];
                int64_t step = in[at];
                memmove(in + at, in + at + 1, (size_t)(2 - at) * sizeof *in);
                assert_true(v->f[i] == x[(step * ROWS + in[0]) * COLUMNS + in[1]]);
            }
            net_close(&n);
        }
}

/* Runs a Loop of two iterations, or a Scan of two steps, over s = Concat(s, s). s starts as a
 * constant, whose shape inference knows, or as an input whose shape a Reshape hides. */
static bool runs_growing(struct net *n, const char *op, bool is_hidden)
{
    bool is_scan = !strcmp(op, "Scan");
    net_open(n, 21);
    struct graph *g = n->m->graph, *body = graph_new(n->m, STR("body"));
    const int64_t dims[] = {1};
    uint32_t start = net_list(n, DTYPE_FLOAT, 1, (double[]){1});
    if (is_hidden) {
        uint32_t to = net_list(n, DTYPE_INT64, 1, (double[]){1});
        start = graph_add_node(n->m, g, "Reshape", (uint32_t[]){start, to}, 2, 1);
    }
    uint32_t go = VALUE_NONE, s, x = VALUE_NONE;
    if (!is_scan) {
        scalar_input(n, body, "i", DTYPE_INT64);
        go = scalar_input(n, body, "go", DTYPE_BOOL);
    }
    s = graph_add_input(n->m, body, STR("s"), DTYPE_FLOAT, dims, 1);
    body->values.at[s].shape.known = false;
    if (is_scan)
        x = scalar_input(n, body, "x", DTYPE_FLOAT);
    uint32_t twice = graph_add_node(n->m, body, "Concat", (uint32_t[]){s, s}, 2, 1);
    node_set_int(n->m, graph_last_node(body), "axis", 0);
    if (!is_scan)
        graph_add_output(body, graph_add_node(n->m, body, "Identity", &go, 1, 1));
    graph_add_output(body, twice);
    if (is_scan)
        graph_add_output(body, graph_add_node(n->m, body, "Identity", &x, 1, 1));
    uint32_t steps = net_list(n, DTYPE_FLOAT, 2, (double[]){1, 2});
    uint32_t two = constant(n, g, DTYPE_INT64, 2);
    uint32_t y = is_scan ? graph_add_node(n->m, g, op, (uint32_t[]){start, steps}, 2, 2)
                         : graph_add_node(n->m, g, op, (uint32_t[]){two, VALUE_NONE, start}, 3, 1);
    node_set_graph(n->m, net_last(n), "body", body);
    if (is_scan)
        node_set_int(n->m, net_last(n), "num_scan_inputs", 1);
    const struct value *v = net_run(n, y, &plain);
    return v && v->n == 4;
}

/* Scan: "All the output tensors (state_variables ..) are required to have the same shape in each
 * iteration of the loop". The text of Loop has no such sentence. */
static void the_state_of_a_loop_may_grow_and_a_scans_not(void **state)
{
    static const struct {
        const char *name, *op;
        bool is_hidden, runs;
    } rows[] = {
        {"loop", "Loop", false, true},
        {"loop, shape unknown", "Loop", true, true},
        {"scan", "Scan", false, false},
        {"scan, shape unknown", "Scan", true, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct net n;
        bool runs = runs_growing(&n, rows[i].op, rows[i].is_hidden);
        if (runs != rows[i].runs)
            fail_msg("row \"%s\": %s", rows[i].name, n.e.text);
        ASSERT_ROW(runs || strstr(n.e.text, "state 0 changes its shape"), rows[i].name);
        net_close(&n);
    }
}

TEST_SUITE(onnx_kernel_control, TEST(the_condition_picks_a_branch),
           TEST(loops_stop_by_count_or_condition), TEST(an_endless_loop_meets_the_budget),
           TEST(a_long_loop_takes_no_more_memory), TEST(scans_walk_an_axis_in_a_direction),
           TEST(scans_stack_along_an_axis), TEST(the_state_of_a_loop_may_grow_and_a_scans_not))
