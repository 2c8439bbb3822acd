/* Forms with words that are computed from attributes, constants and shapes, one operator a row. */
#include "emit/emit.h"
#include "emit/emit_p.h"
#include "onnx/infer.h"
#include "unit/test.h"

enum { INPUTS_MAX = 4, LIST_MAX = 8 };

struct list {
    const char *name; /* of an attribute; NULL: the list ends before */
    int64_t at[LIST_MAX];
    size_t n;
};

/* x float[1,3,4,5], then the constants, then the attributes; a list of no element is a number. */
struct row {
    const char *op_type;
    int opset;
    struct list inputs[INPUTS_MAX - 1];
    struct list attributes[3];
    const char *expected; /* the line of y in torch */
};
#define INTS(...)                                                                                  \
    {                                                                                              \
        "i", {__VA_ARGS__}, COUNT_OF(((int64_t[]){__VA_ARGS__}))                                   \
    }
#define ATTR(name, ...)                                                                            \
    {                                                                                              \
        name, {__VA_ARGS__}, COUNT_OF(((int64_t[]){__VA_ARGS__}))                                  \
    }
#define NUMBER(name, value)                                                                        \
    {                                                                                              \
        name, {value}, 0                                                                           \
    }

static const struct row rows[] = {
    {"Transpose", 17, {{0}}, {ATTR("perm", 0, 2, 3, 1)}, "y = x.permute([0, 2, 3, 1])"},
    {"Unsqueeze", 13, {INTS(0, -1)}, {{0}}, "y = x.unsqueeze(0).unsqueeze(5)"},
    {"Unsqueeze", 13, {INTS(2, 1)}, {{0}}, "y = x.unsqueeze(1).unsqueeze(2)"},
    {"Unsqueeze", 11, {{0}}, {ATTR("axes", 4, 1)}, "y = x.unsqueeze(1).unsqueeze(4)"},
    {"Squeeze", 13, {INTS(0)}, {{0}}, "y = x.squeeze((0,))"},
    {"Squeeze", 13, {INTS(-4)}, {{0}}, "y = x.squeeze((-4,))"},
    {"Squeeze", 13, {{0}}, {{0}}, "y = x.squeeze()"},
    {"Reshape", 14, {INTS(0, -1, 5)}, {{0}}, "y = x.reshape([1, -1, 5])"},
    {"Slice", 13, {INTS(1), INTS(3), INTS(2)}, {{0}}, "y = x[:, :, 1:3]"},
    {"Slice", 13, {INTS(-3, 0), INTS(9, -1), INTS(-1, 1)}, {{0}}, "y = x[:, :-1, :, -3:9]"},
    {"Slice", 13, {INTS(0, 1), INTS(1, 2)}, {{0}}, "y = x[:1, 1:2]"},
    {"Pad", 13, {INTS(0, 0, 1, 2, 0, 0, 3, 4)}, {{0}}, "y = F.pad(x, [2, 4, 1, 3], value=0)"},
    {"Pad", 13, {INTS(0, 1, 0, 0, 0, 0, 0, 2)}, {{0}}, "y = F.pad(x, [0, 2, 0, 0, 1, 0], value=0)"},
    {"Split", 13, {INTS(2, 1)}, {NUMBER("axis", 1)}, "y, Split_3 = torch.split(x, [2, 1], 1)"},
    {"Split",
     18,
     {{0}},
     {NUMBER("axis", -1), NUMBER("num_outputs", 2)},
     "y, Split_2 = torch.split(x, [3, 2], -1)"},
    {"Split", 11, {{0}}, {NUMBER("axis", 2)}, "y, Split_2 = torch.split(x, [2, 2], 2)"},
    {"ReduceMean",
     17,
     {{0}},
     {ATTR("axes", 1, -1), NUMBER("keepdims", 0)},
     "y = torch.mean(x, (1, -1), keepdim=bool(0))"},
    {"ReduceSum", 17, {INTS(3)}, {{0}}, "y = torch.sum(x, (3,), keepdim=bool(1))"},
    {"ReduceSum",
     17,
     {INTS(3)},
     {NUMBER("noop_with_empty_axes", 1)},
     "y = torch.sum(x, (3,), keepdim=bool(1))"},
    {"MaxPool",
     12,
     {{0}},
     {ATTR("kernel_shape", 2, 3)},
     "y = F.max_pool2d(x, [2, 3], [1, 1], [0, 0], 1)"},
    {"MaxPool",
     12,
     {{0}},
     {ATTR("kernel_shape", 2, 3), ATTR("strides", 2, 1)},
     "y = F.max_pool2d(x, [2, 3], [2, 1], [0, 0], 1)"},
    {"MaxPool",
     12,
     {{0}},
     {ATTR("kernel_shape", 2, 3), ATTR("pads", 1, 0, 1, 0)},
     "y = F.max_pool2d(x, [2, 3], [1, 1], [1, 0], 1)"},
    {"MaxPool",
     12,
     {{0}},
     {ATTR("kernel_shape", 2, 3), ATTR("pads", 0, 1, 1, 1)},
     "y = max_pool(x, [2, 3], [1, 1], [0, 1, 1, 1], None, 0, 0, \"NOTSET\")[0]"},
    {"AveragePool",
     11,
     {{0}},
     {ATTR("kernel_shape", 2, 2), ATTR("pads", 1, 1, 1, 1)},
     "y = F.avg_pool2d(x, [2, 2], [1, 1], [1, 1], count_include_pad=bool(0))"},
    {"GlobalMaxPool", 13, {{0}}, {{0}}, "y = torch.amax(x, (2, 3,), keepdim=True)"},
    {"Gather", 13, {INTS(0, 1)}, {NUMBER("axis", 2)}, "y = x[:, :, self.i]"},
    {"Gather", 13, {INTS(2)}, {NUMBER("axis", -1)}, "y = x[:, :, :, self.i]"},
    {"Tile", 13, {INTS(1, 2, 1, 3)}, {{0}}, "y = x.repeat([1, 2, 1, 3])"},
    {"Expand", 13, {INTS(2, 3, 4, 5)}, {{0}}, "y = x.expand([2, 3, 4, 5])"},
    {"Trilu", 14, {{0}}, {NUMBER("upper", 0)}, "y = torch.tril(x)"},
    {"CumSum", 14, {INTS(2)}, {{0}}, "y = torch.cumsum(x, 2, dtype=torch.float32)"},
    {"LpNormalization",
     17,
     {{0}},
     {NUMBER("axis", 1), NUMBER("p", 1)},
     "y = lp_normalize(x, 1, 1)"},
    {"Shape",
     15,
     {{0}},
     {NUMBER("start", 1), NUMBER("end", -1)},
     "y = torch.tensor(x.shape[1:-1], dtype=torch.int64)"},
};

static const char *emitted(const struct row *r, struct arena *a, struct err *e)
{
    struct model *m = model_new(a, r->opset);
    uint32_t inputs[INPUTS_MAX], n = 1;
    struct program p;
    inputs[0] = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, (int64_t[]){1, 3, 4, 5}, 4);
    for (size_t i = 0; i < COUNT_OF(r->inputs) && r->inputs[i].name; i++) {
        struct tensor *t = arena_new(a, struct tensor);
        *t = tensor_from_i64s(r->inputs[i].at, r->inputs[i].n, a);
        inputs[n++] = graph_add_initializer(m, m->graph, STR("i"), t);
    }
    uint32_t n_outputs = strcmp(r->op_type, "Split") == 0 ? 2 : 1;
    uint32_t y = graph_add_node(m, m->graph, r->op_type, inputs, n, n_outputs);
    for (size_t i = 0; i < COUNT_OF(r->attributes) && r->attributes[i].name; i++) {
        const struct list *l = &r->attributes[i];
        if (l->n)
            node_set_ints(m, graph_last_node(m->graph), l->name, l->at, l->n);
        else
            node_set_int(m, graph_last_node(m->graph), l->name, l->at[0]);
    }
    m->graph->values.at[y].name = STR("y");
    graph_add_output(m->graph, y);
    if (!model_finish(m, e) || !infer_model(m, e) ||
        !emit_program(m, STR("torch"), EMIT_WEIGHTS_INLINE, a, &p, e))
        return NULL;
    size_t from = str_find(p.source, STR("    y = "));
    if (from == p.source.n)
        from = str_find(p.source, STR("    y, "));
    struct str line = str_sub(p.source, from, p.source.n);
    return str_dup(a, str_trim(str_sub(line, 0, str_find_byte(line, '\n'))));
}

static void words_follow_the_node(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        arena_init(&a);
        const char *line = emitted(&rows[i], &a, &e);
        if (!line || strcmp(line, rows[i].expected) != 0)
            fail_msg("%s of opset %d: \"%s\" is expected, not \"%s\"", rows[i].op_type,
                     rows[i].opset, rows[i].expected, line ? line : e.text);
        arena_done(&a);
    }
}

TEST_SUITE(emit_form, TEST(words_follow_the_node))
