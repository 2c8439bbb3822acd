/* The validity filter: spec gaps by node, zero-size dims. */
#include "generate/mutate/filter_p.h"
#include "onnx/gaps.h"
#include "onnx/infer.h"
#include "unit/test.h"

struct pool {
    const char *op_type;
    int64_t size, kernel, stride, begin, end, ceil_mode;
    const char *auto_pad;
};

static struct model *pool_model(const struct pool *p, struct arena *a)
{
    const int64_t dims[] = {1, 1, p->size}, pads[] = {p->begin, p->end};
    struct err e = {0};
    struct model *m = model_new(a, 19);
    uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 3);
    graph_add_output(m->graph, graph_add_node(m, m->graph, p->op_type, &x, 1, 1));
    struct node *n = graph_last_node(m->graph);
    node_set_ints(m, n, "kernel_shape", &p->kernel, 1);
    node_set_ints(m, n, "strides", &p->stride, 1);
    node_set_int(m, n, "ceil_mode", p->ceil_mode);
    if (p->auto_pad)
        node_set_string(m, n, "auto_pad", p->auto_pad);
    else
        node_set_ints(m, n, "pads", pads, 2);
    if (!model_finish(m, &e))
        fail_msg("%s", e.text);
    return m;
}

static void windows_that_begin_in_the_padding_are_spec_gaps(void **state)
{
    static const struct {
        const char *name;
        struct pool pool;
        bool unambiguous;
    } rows[] = {
        {"no ceil", {"MaxPool", 5, 2, 3, 0, 1, 0, NULL}, true},
        {"last window inside", {"MaxPool", 5, 2, 2, 0, 0, 1, NULL}, true},
        {"last window in the end padding", {"MaxPool", 4, 2, 2, 0, 1, 1, NULL}, false},
        {"the same for averages", {"AveragePool", 4, 2, 2, 0, 1, 1, NULL}, false},
        {"ceil with auto_pad", {"AveragePool", 4, 2, 2, 0, 0, 1, "SAME_UPPER"}, false},
        {"a window in the padding alone", {"MaxPool", 5, 2, 1, 2, 0, 0, NULL}, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        arena_init(&a);
        ASSERT_ROW(!model_has_gap(pool_model(&rows[i].pool, &a)) == rows[i].unambiguous,
                   rows[i].name);
        arena_done(&a);
    }
}

static void reflecting_beyond_the_data_is_a_spec_gap(void **state)
{
    static const struct {
        const char *name, *mode;
        int64_t pad;
        bool unambiguous;
    } rows[] = {
        {"constant", "constant", 9, true},
        {"edge", "edge", 9, true},
        {"reflect inside", "reflect", 2, true},
        {"reflect beyond", "reflect", 3, false},
    };
    static const int64_t dims[] = {3};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        uint32_t in[2];
        arena_init(&a);
        struct model *m = model_new(&a, 17);
        struct tensor pads = tensor_from_i64s((const int64_t[]){rows[i].pad, 0}, 2, &a);
        in[0] = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 1);
        in[1] = graph_add_initializer(m, m->graph, STR("pads"), &pads);
        graph_add_output(m->graph, graph_add_node(m, m->graph, "Pad", in, 2, 1));
        node_set_string(m, graph_last_node(m->graph), "mode", rows[i].mode);
        assert_true(model_finish(m, &e));
        ASSERT_ROW(!model_has_gap(m) == rows[i].unambiguous, rows[i].name);
        arena_done(&a);
    }
}

static void zero_dims_are_seen_in_inputs_and_results(void **state)
{
    static const int64_t full[] = {2, 3}, empty[] = {2, 0};
    struct arena a;
    struct err e = {0};
    (void)state;
    for (int zero = 0; zero < 2; zero++) {
        arena_init(&a);
        struct model *m = model_new(&a, 17);
        uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, zero ? empty : full, 2);
        graph_add_output(m->graph, graph_add_node(m, m->graph, "Relu", &x, 1, 1));
        assert_true(model_finish(m, &e) && infer_model(m, &e));
        assert_int_equal(filter__has_no_zero_dim(m), !zero);
        arena_done(&a);
    }
}

/* Reshape to a shape that is an input of unknown length: inference cannot tell the rank. */
static void outputs_get_a_shape(void **state)
{
    static const int64_t dims[] = {6}, n_to[] = {2};
    struct arena a;
    struct err e = {0};
    struct eval_result r;
    (void)state;
    arena_init(&a);
    struct model *m = model_new(&a, 17);
    uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 1);
    uint32_t to = graph_add_input(m, m->graph, STR("to"), DTYPE_INT64, n_to, 1);
    m->graph->values.at[to].shape.dims[0].value = -1;
    uint32_t y = graph_add_node(m, m->graph, "Reshape", (uint32_t[]){x, to}, 2, 1);
    uint32_t z = graph_add_node(m, m->graph, "Relu", &x, 1, 1);
    graph_add_output(m->graph, y);
    graph_add_output(m->graph, z);
    assert_true(model_finish(m, &e) && infer_model(m, &e));
    assert_false(m->graph->values.at[y].shape.known);
    struct named_tensor at[] = {{.name = m->graph->values.at[x].name},
                                {.name = m->graph->values.at[to].name}};
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 1, (double[6]){0}, &a, &at[0].tensor, &e));
    at[1].tensor = tensor_from_i64s((int64_t[]){2, 3}, 2, &a);
    const struct tensors inputs = {at, 2};
    if (!eval_run(m, &inputs, &(struct eval_options){0}, &a, &r, &e))
        fail_msg("%s", e.text);
    filter__declare_outputs(m, &r, &a);
    const struct shape *s = &m->graph->values.at[y].shape;
    assert_true(s->known && s->rank == 2 && s->dims[0].value < 0 && s->dims[1].value < 0);
    assert_int_equal(m->graph->values.at[z].shape.dims[0].value, 6); /* known: not changed */
    arena_done(&a);
}

static void attributes_that_do_not_apply_are_spec_gaps(void **state)
{
    static const struct {
        const char *name, *op_type, *attr;
        int64_t value;
        enum dtype to;
        uint32_t n_inputs;
        bool unambiguous;
    } rows[] = {
        {"saturate of float8", "Cast", "saturate", 0, DTYPE_FLOAT8E4M3FN, 1, true},
        {"saturate of integers", "Cast", "saturate", 0, DTYPE_INT32, 1, false},
        {"round_mode of float8e8m0", "Cast", "round_mode", 0, DTYPE_FLOAT8E8M0, 1, true},
        {"round_mode of another float8", "Cast", "round_mode", 0, DTYPE_FLOAT8E4M3FN, 1, false},
        {"a plain cast", "Cast", NULL, 0, DTYPE_INT32, 1, true},
        {"frames of unknown length", "STFT", NULL, 0, DTYPE_UNDEFINED, 2, false},
        {"frames of a window", "STFT", NULL, 0, DTYPE_UNDEFINED, 3, true},
        {"grams beyond the pool", "TfIdfVectorizer", "max_gram_length", 2, DTYPE_UNDEFINED, 1,
         false},
        {"grams of the pool", "TfIdfVectorizer", "max_gram_length", 1, DTYPE_UNDEFINED, 1, true},
    };
    static const int64_t dims[] = {1, 8, 1}, one = 0;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        uint32_t in[3];
        arena_init(&a);
        struct model *m = model_new(&a, 21);
        for (uint32_t k = 0; k < rows[i].n_inputs; k++)
            in[k] = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 3);
        uint32_t y = graph_add_node(m, m->graph, rows[i].op_type, in, rows[i].n_inputs, 1);
        struct node *n = graph_last_node(m->graph);
        graph_add_output(m->graph, y);
        if (rows[i].attr)
            node_set_int(m, n, rows[i].attr, rows[i].value);
        node_set_ints(m, n, "ngram_counts", &one, 1);
        assert_true(model_finish(m, &e));
        m->graph->values.at[m->graph->outputs.at[0]].dtype = rows[i].to;
        ASSERT_ROW(!model_has_gap(m) == rows[i].unambiguous, rows[i].name);
        arena_done(&a);
    }
}

TEST_SUITE(generate_filter, TEST(attributes_that_do_not_apply_are_spec_gaps),
           TEST(windows_that_begin_in_the_padding_are_spec_gaps),
           TEST(reflecting_beyond_the_data_is_a_spec_gap),
           TEST(zero_dims_are_seen_in_inputs_and_results), TEST(outputs_get_a_shape))
