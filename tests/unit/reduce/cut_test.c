/* Cuts of common nets: for every node and depth the part is a valid model whose outputs are the
 * values that the whole model has there. */
#include "reduce/cut.h"

#include <math.h>

#include "onnx/eval.h"
#include "planted/nets.h"
#include "unit/test.h"

/* The largest difference between the part's outputs and the same values of the whole, relative to
 * the largest of them. */
static double difference(const struct model *whole, const struct eval_result *values,
                         const struct cut *part, struct arena *a)
{
    struct eval_result got;
    struct err e = {0};
    double worst = 0;
    if (!eval_run(part->m, &part->inputs, &(struct eval_options){0}, a, &got, &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < part->m->graph->outputs.n; i++) {
        uint32_t at = part->m->graph->outputs.at[i];
        uint32_t then = graph_find_value(whole->graph, part->m->graph->values.at[at].name);
        const struct value *x = &got.values[at], *y = &values->values[then];
        double largest = 1e-30, d = 0;
        assert_int_equal(x->n, y->n);
        for (size_t k = 0; k < x->n; k++) {
            largest = fmax(largest, fabs(value_get_double(y, k)));
            d = fmax(d, fabs(value_get_double(x, k) - value_get_double(y, k)));
        }
        worst = fmax(worst, d / largest);
    }
    return worst;
}

static void a_part_has_the_values_of_the_whole(void **state)
{
    static const uint32_t depths[] = {0, 1, 3, CUT_ALL};
    size_t n_nets;
    const struct net_row *nets = net_list(&n_nets);
    (void)state;
    for (size_t k = 0; k < n_nets; k++) {
        struct arena a;
        struct err e = {0};
        struct eval_result values;
        if (nets[k].lane != LANE_NUMERIC) /* others hold NaN, which has no distance */
            continue;
        arena_init(&a);
        struct tcase *c = net_case(&nets[k], 7, 1, &a, &e);
        assert_true(c &&
                    eval_run(c->graph, c->input_sets, &(struct eval_options){0}, &a, &values, &e));
        for (uint32_t node = 0; node < c->graph->graph->nodes.n; node += 3)
            for (size_t d = 0; d < COUNT_OF(depths); d++) {
                struct cut part;
                const struct cut_options o = {
                    .m = c->graph, .inputs = c->input_sets, .node = node, .depth = depths[d]};
                if (!cut_graph(&o, &a, &part, &e))
                    fail_msg("%s, node %u, depth %u: %s", nets[k].name, node, depths[d], e.text);
                size_t n = part.m->graph->nodes.n;
                assert_true(n > 0 && n <= node + 1u);
                /* recorded inputs are rounded to their declared dtype */
                if (difference(c->graph, &values, &part, &a) > 1e-5)
                    fail_msg("%s, node %u, depth %u: other values", nets[k].name, node, depths[d]);
            }
        arena_done(&a);
    }
}

/* a -> b -> d, a -> c -> d: depth is the length of the shortest path. */
static void depth_counts_nodes_back(void **state)
{
    static const int64_t dims[] = {2};
    static const double x[] = {1, 2};
    static const struct {
        uint32_t depth;
        size_t n_nodes, n_inputs;
    } rows[] = {{0, 1, 2}, {1, 3, 1}, {2, 4, 1}, {CUT_ALL, 4, 1}};
    struct arena a;
    struct err e = {0};
    struct named_tensor input = {.name = STR("x")};
    (void)state;
    arena_init(&a);
    struct model *m = model_new(&a, 17);
    uint32_t in = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 1);
    uint32_t first = graph_add_node(m, m->graph, "Relu", &in, 1, 1);
    uint32_t left = graph_add_node(m, m->graph, "Neg", &first, 1, 1);
    uint32_t right = graph_add_node(m, m->graph, "Abs", &first, 1, 1);
    uint32_t last = graph_add_node(m, m->graph, "Add", (uint32_t[]){left, right}, 2, 1);
    graph_add_output(m->graph, last);
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 1, x, &a, &input.tensor, &e));
    const struct tensors inputs = {&input, 1};
    struct tcase *c = net_case_of(m, LANE_NUMERIC, &inputs, &a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct cut part;
        struct cut_options o = {
            .m = c->graph, .inputs = &inputs, .node = 3, .depth = rows[i].depth};
        assert_true(cut_graph(&o, &a, &part, &e));
        assert_int_equal(part.m->graph->nodes.n, rows[i].n_nodes);
        assert_int_equal(part.inputs.n, rows[i].n_inputs);
        assert_int_equal(part.why_open.n, 0);
        o.as_copies = true;
        assert_true(cut_graph(&o, &a, &part, &e));
        assert_int_equal(part.m->graph->nodes.n, rows[i].n_nodes + 1);
        assert_int_equal(part.m->graph->outputs.n, 1);
        assert_true(str_is(graph_last_node(part.m->graph)->op_type, "Identity"));
    }
    assert_int_equal(cut_find_node(c->graph->graph, STR("#3")), 3);
    assert_int_equal(cut_find_node(c->graph->graph, STR("#4")), NODE_NONE);
    assert_int_equal(cut_find_node(c->graph->graph, STR("x")), NODE_NONE);
    arena_done(&a);
}

TEST_SUITE(reduce_cut, TEST(a_part_has_the_values_of_the_whole), TEST(depth_counts_nodes_back))
