/* Building, finishing, copying, editing; what model_finish refuses. */
#include "onnx/io.h"
#include "onnx/model.h"
#include "onnx/op.h"
#include "unit/test.h"

struct fixture {
    struct arena a;
    struct model *m;
    struct graph *g;
    struct err e;
};

static void open_model(struct fixture *f)
{
    arena_init(&f->a);
    f->m = model_new(&f->a, 17);
    f->g = f->m->graph;
}

static uint32_t add_input(struct fixture *f, const char *name)
{
    const int64_t dims[] = {2, -1};
    return graph_add_input(f->m, f->g, str_of(name), DTYPE_FLOAT, dims, 2);
}

static uint32_t add(struct fixture *f, const char *op, uint32_t x)
{
    return graph_add_node(f->m, f->g, op, &x, 1, 1);
}

static void nodes_are_sorted_and_bound(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f);
    uint32_t x = add_input(&f, "x");
    uint32_t late = add(&f, "Relu", x); /* its input comes from the node after it */
    uint32_t early = add(&f, "Neg", x);
    node_set_inputs(f.m, &f.g->nodes.at[0], &early, 1);
    graph_add_output(f.g, late);
    assert_true(model_finish(f.m, &f.e));
    assert_true(str_is(f.g->nodes.at[0].op_type, "Neg"));
    assert_true(str_is(f.g->nodes.at[1].op_type, "Relu"));
    assert_string_equal(f.g->nodes.at[1].op->name, "Relu");
    assert_int_equal(f.g->nodes.at[1].fact->since_version, 14);
    assert_int_equal(f.g->values.at[f.g->outputs.at[0]].origin_at, 1);
    arena_done(&f.a);
}

static void cycles_and_double_producers_are_named(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f);
    uint32_t x = add_input(&f, "x");
    uint32_t first = add(&f, "Relu", x), second = add(&f, "Neg", first);
    node_set_inputs(f.m, &f.g->nodes.at[0], &second, 1);
    graph_add_output(f.g, second);
    assert_false(model_finish(f.m, &f.e));
    assert_int_equal(f.e.code, ERR_DATA);
    assert_non_null(strstr(f.e.text, "cycle"));
    arena_done(&f.a);
    open_model(&f);
    x = add_input(&f, "x");
    first = add(&f, "Relu", x);
    add(&f, "Neg", x);
    f.g->nodes.at[1].outputs = f.g->nodes.at[0].outputs;
    graph_add_output(f.g, first);
    assert_false(model_finish(f.m, &f.e));
    assert_non_null(strstr(f.e.text, "twice"));
    arena_done(&f.a);
}

static void unused_values_go_and_names_stay_findable(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f);
    uint32_t x = add_input(&f, "x");
    graph_add_value(f.m, f.g, STR("nobody"));
    uint32_t y = add(&f, "Relu", x);
    graph_add_output(f.g, y);
    struct str name = f.g->values.at[y].name;
    assert_true(model_finish(f.m, &f.e));
    assert_int_equal(f.g->values.n, 2);
    assert_int_equal(graph_find_value(f.g, STR("nobody")), VALUE_NONE);
    assert_int_equal(graph_find_value(f.g, name), f.g->outputs.at[0]);
    arena_done(&f.a);
}

static void taken_names_get_a_suffix(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f);
    uint32_t a = graph_add_value(f.m, f.g, STR("a")), b = graph_add_value(f.m, f.g, STR("a"));
    assert_int_not_equal(a, b);
    assert_false(str_eq(f.g->values.at[a].name, f.g->values.at[b].name));
    arena_done(&f.a);
}

/* If(c) { x + x } else { -x }, with x of the enclosing graph. */
static void build_if(struct fixture *f)
{
    uint32_t x = add_input(f, "x");
    uint32_t c = graph_add_input(f->m, f->g, STR("c"), DTYPE_BOOL, NULL, 0);
    uint32_t y = add(f, "If", c);
    struct node *n = graph_last_node(f->g);
    static const char *const names[] = {"then_branch", "else_branch"};
    for (unsigned i = 0; i < 2; i++) {
        struct graph *branch = graph_new(f->m, str_of(names[i]));
        uint32_t inner = graph_add_value(f->m, branch, STR("x"));
        uint32_t in[] = {inner, inner};
        graph_add_output(branch, graph_add_node(f->m, branch, i ? "Neg" : "Add", in, i ? 1 : 2, 1));
        node_set_graph(f->m, n, names[i], branch);
    }
    graph_add_output(f->g, y);
    (void)x;
}

static void subgraphs_find_values_around_them(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f);
    build_if(&f);
    assert_true(model_finish(f.m, &f.e));
    const struct graph *branch = node_attr(&f.g->nodes.at[0], "else_branch")->g;
    assert_ptr_equal(branch->parent, f.g);
    assert_int_equal(branch->values.at[0].origin, ORIGIN_OUTER);
    assert_int_equal(branch->values.at[0].origin_at, graph_find_value(f.g, STR("x")));
    arena_done(&f.a);
}

static void uses_inside_subgraphs_are_replaced_and_keep_nodes_alive(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f);
    build_if(&f);
    assert_true(model_finish(f.m, &f.e));
    uint32_t x = graph_find_value(f.g, STR("x"));
    uint32_t relu = add(&f, "Relu", x);
    add(&f, "Abs", x); /* dead */
    graph_replace_uses(f.g, x, relu);
    node_set_inputs(f.m, &f.g->nodes.at[1], &x, 1);
    assert_int_equal(graph_remove_dead(f.m, f.g), 1);
    assert_true(model_finish(f.m, &f.e));
    assert_int_equal(f.g->nodes.n, 2);
    assert_true(str_is(f.g->nodes.at[0].op_type, "Relu")); /* before the If that captures it */
    struct strbuf bytes = {0};
    struct model *back;
    assert_true(model_write(f.m, false, &bytes, &f.e));
    assert_true(model_read(strbuf_str(&bytes), NULL, &f.a, &back, &f.e));
    struct hash written = model_hash(f.m), read = model_hash(back);
    assert_true(hash_eq(&written, &read));
    strbuf_done(&bytes);
    arena_done(&f.a);
}

static void copies_are_independent(void **state)
{
    struct fixture f;
    struct arena b;
    (void)state;
    open_model(&f);
    build_if(&f);
    assert_true(model_finish(f.m, &f.e));
    struct hash before = model_hash(f.m);
    arena_init(&b);
    struct model *copy = model_copy(f.m, &b);
    struct hash same = model_hash(copy);
    assert_true(hash_eq(&before, &same));
    struct graph *branch = node_attr(&copy->graph->nodes.at[0], "then_branch")->g;
    node_set_int(copy, &branch->nodes.at[0], "extra", 1);
    copy->graph->values.at[0].shape.dims[0].value = 7;
    graph_add_value(copy, copy->graph, STR("new"));
    struct hash other = model_hash(copy), after = model_hash(f.m);
    assert_false(hash_eq(&before, &other));
    assert_true(hash_eq(&before, &after));
    assert_int_equal(graph_find_value(f.g, STR("new")), VALUE_NONE);
    arena_done(&b);
    arena_done(&f.a);
}

static void attributes_fall_back_to_the_standards_default(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f);
    add(&f, "LeakyRelu", add_input(&f, "x"));
    struct node *n = graph_last_node(f.g);
    assert_true(node_float(n, "alpha", 7) == (double)0.01f);
    node_set_float(f.m, n, "alpha", 0.5f);
    assert_true(node_float(n, "alpha", 7) == 0.5);
    node_set_float(f.m, n, "alpha", 0.25f);
    assert_int_equal(n->n_attrs, 1);
    node_remove_attr(f.m, n, "alpha");
    assert_null(node_attr(n, "alpha"));
    assert_int_equal(node_int(n, "nothing", 3), 3);
    arena_done(&f.a);
}

static void uses_are_indexed_by_value(void **state)
{
    struct fixture f;
    (void)state;
    open_model(&f);
    uint32_t x = add_input(&f, "x");
    uint32_t pair[] = {x, x};
    uint32_t y = graph_add_node(f.m, f.g, "Add", pair, 2, 1);
    add(&f, "Relu", y);
    add(&f, "Neg", y);
    struct graph_uses u = graph_uses(f.g, &f.a);
    assert_int_equal(u.uses_at[x + 1] - u.uses_at[x], 2);
    assert_int_equal(u.uses_at[y + 1] - u.uses_at[y], 2);
    assert_int_equal(u.nodes[u.uses_at[y]], 1);
    assert_int_equal(u.nodes[u.uses_at[y] + 1], 2);
    arena_done(&f.a);
}

/* Models that differ in one attribute have different hashes. */
static void each_kind_of_attribute_is_in_the_hash(void **state)
{
    static const char *const kinds[] = {"int", "ints", "float", "floats", "string"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        struct hash hashes[2];
        struct arena a;
        arena_init(&a);
        for (int k = 0; k < 2; k++) {
            static const int64_t dims[] = {2};
            const int64_t ints[] = {1, 2 + k};
            const float floats[] = {1, 2 + (float)k};
            struct model *m = model_new(&a, 21);
            uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 1);
            graph_add_output(m->graph, graph_add_node(m, m->graph, "Abs", &x, 1, 1));
            struct node *n = &m->graph->nodes.at[0];
            if (i == 0)
                node_set_int(m, n, "v", ints[1]);
            else if (i == 1)
                node_set_ints(m, n, "v", ints, 2);
            else if (i == 2)
                node_set_float(m, n, "v", floats[1]);
            else if (i == 3)
                node_set_floats(m, n, "v", floats, 2);
            else
                node_set_string(m, n, "v", k ? "a" : "b");
            hashes[k] = model_hash(m);
        }
        ASSERT_ROW(!hash_eq(&hashes[0], &hashes[1]), kinds[i]);
        arena_done(&a);
    }
}

TEST_SUITE(onnx_model, TEST(nodes_are_sorted_and_bound),
           TEST(each_kind_of_attribute_is_in_the_hash), TEST(cycles_and_double_producers_are_named),
           TEST(unused_values_go_and_names_stay_findable), TEST(taken_names_get_a_suffix),
           TEST(subgraphs_find_values_around_them),
           TEST(uses_inside_subgraphs_are_replaced_and_keep_nodes_alive),
           TEST(copies_are_independent), TEST(attributes_fall_back_to_the_standards_default),
           TEST(uses_are_indexed_by_value))
