/* Smaller dims: where a size is made smaller, the integers that hold it follow. */
#include "onnx/model.h"
#include "reduce/reduce_p.h"
#include "unit/test.h"

enum { EVERYWHERE, TENSORS_ONLY }; /* the sites that make the first size 1 */

static struct tensor *integers(struct arena *a, enum dtype t, double first, double second)
{
    static const int64_t two[] = {2};
    struct tensor *out = arena_new(a, struct tensor);
    struct err e;
    assert_true(tensor_from_doubles(t, two, 1, (double[]){first, second}, a, out, &e));
    return out;
}

/* x is 6 by 4; an initializer, a Constant, an attribute and an int32 tensor hold the 6. */
static void integers_that_hold_the_size_follow(void **state)
{
    static const int64_t dims[] = {6, 4}, split[] = {6, 4};
    static const struct {
        const char *name;
        uint32_t site;
        int64_t initializer, constant, attribute;
    } rows[] = {{"everywhere", EVERYWHERE, 1, 1, 1}, {"tensors only", TENSORS_ONLY, 6, 6, 6}};
    static const double x[24] = {1, 2, 3, 4, 5, 6, 7, 8};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e;
        arena_init(&a);
        struct model *m = model_new(&a, 21);
        uint32_t in = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 2);
        uint32_t to =
            graph_add_initializer(m, m->graph, STR("to"), integers(&a, DTYPE_INT64, 4, 6));
        uint32_t other =
            graph_add_initializer(m, m->graph, STR("other"), integers(&a, DTYPE_INT32, 4, 6));
        graph_add_node(m, m->graph, "Reshape", (uint32_t[]){in, to}, 2, 1);
        graph_add_node(m, m->graph, "Split", &in, 1, 2);
        graph_add_node(m, m->graph, "Constant", NULL, 0, 1);
        struct node *nodes = m->graph->nodes.at;
        node_set_ints(m, &nodes[1], "split", split, 2);
        node_set_tensor(m, &nodes[2], "value", integers(&a, DTYPE_INT64, 4, 6));
        struct named_tensor input = {.name = STR("x")};
        assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 2, x, &a, &input.tensor, &e));
        struct trial t = {.a = &a, .m = m, .inputs = {&input, 1}};
        ASSERT_ROW(pass__apply_dims(&t, rows[i].site, rows[i].site + 1), rows[i].name);
        const struct graph_value *v = m->graph->values.at;
        ASSERT_ROW(input.tensor.dims[0] == 1 && input.tensor.dims[1] == 4, rows[i].name);
        ASSERT_ROW(tensor_get_double(&input.tensor, 3) == 4, rows[i].name);
        ASSERT_ROW(tensor_get_i64(v[to].initializer, 0) == 4, rows[i].name);
        ASSERT_ROW(tensor_get_i64(v[to].initializer, 1) == rows[i].initializer, rows[i].name);
        ASSERT_ROW(tensor_get_i64(v[other].initializer, 1) == 6, rows[i].name);
        ASSERT_ROW(node_attr(&nodes[1], "split")->ints[0] == rows[i].attribute, rows[i].name);
        ASSERT_ROW(tensor_get_i64(node_attr(&nodes[2], "value")->t, 1) == rows[i].constant,
                   rows[i].name);
        arena_done(&a);
    }
}

/* x is 0 by 2: it gets a row of ones, and an axis of 0 stays. */
static void an_empty_tensor_gets_elements(void **state)
{
    static const int64_t dims[] = {0, 2};
    static const double none[1];
    struct arena a;
    struct err e;
    (void)state;
    for (uint32_t site = EVERYWHERE; site <= TENSORS_ONLY; site++) {
        arena_init(&a);
        struct model *m = model_new(&a, 21);
        uint32_t in = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 2);
        graph_add_node(m, m->graph, "Softmax", &in, 1, 1);
        node_set_int(m, &m->graph->nodes.at[0], "axis", 0);
        struct named_tensor input = {.name = STR("x")};
        assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 2, none, &a, &input.tensor, &e));
        struct trial t = {.a = &a, .m = m, .inputs = {&input, 1}};
        assert_true(pass__apply_dims(&t, site, site + 1));
        assert_true(input.tensor.dims[0] == 1 && input.tensor.dims[1] == 2);
        assert_true(tensor_get_double(&input.tensor, 1) == 1);
        assert_int_equal(node_int(&m->graph->nodes.at[0], "axis", -1), 0);
        arena_done(&a);
    }
}

TEST_SUITE(reduce_dims, TEST(integers_that_hold_the_size_follow),
           TEST(an_empty_tensor_gets_elements))
