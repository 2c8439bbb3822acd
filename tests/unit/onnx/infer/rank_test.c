/* Every input whose rank the standard fixes: the ranks around it are refused, and the message says
 * so. */
#include "onnx/infer.h"
#include "onnx/op.h"
#include "unit/test.h"

enum { INPUTS_MAX = 6, ANY = TENSOR_RANK_MAX };

struct input {
    enum dtype dtype; /* UNDEFINED: left out */
    uint32_t rank;    /* an accepted one */
    uint32_t low, high;
    int64_t last; /* the last dim; 0: 1, as all others */
};

struct row {
    const char *op_type;
    int opset;
    const char *attribute; /* one that is required; NULL: none */
    struct input inputs[INPUTS_MAX];
};

#define INPUT(dtype, rank, low, high, last)                                                        \
    {                                                                                              \
        DTYPE_##dtype, rank, low, high, last                                                       \
    }
#define F(rank, low, high) INPUT(FLOAT, rank, low, high, 0)
#define I(rank, low, high) INPUT(INT64, rank, low, high, 0)
#define B(rank, low, high) INPUT(BOOL, rank, low, high, 0)
#define ENDING(rank, low, high, last) INPUT(FLOAT, rank, low, high, last)
#define NONE INPUT(UNDEFINED, 1, 0, ANY, 0)

static const struct row rows[] = {
    {"MaxPool", 22, "kernel_shape", {F(3, 3, ANY)}},
    {"LpPool", 22, "kernel_shape", {F(3, 3, ANY)}},
    {"GlobalMaxPool", 22, NULL, {F(3, 2, ANY)}},
    {"Gemm", 13, NULL, {F(2, 2, 2), F(2, 2, 2), F(2, 0, 2)}},
    {"RoiAlign", 16, NULL, {F(4, 4, 4), ENDING(2, 2, 2, 4), I(1, 1, 1)}},
    {"NonMaxSuppression", 11, NULL, {ENDING(3, 3, 3, 4), F(3, 3, 3), I(1, 0, 1), F(1, 0, 1)}},
    {"ReverseSequence", 10, NULL, {F(2, 2, ANY), I(1, 1, 1)}},
    {"Trilu", 14, NULL, {F(2, 2, ANY), I(0, 0, 1)}},
    {"EyeLike", 9, NULL, {F(2, 2, 2)}},
    {"ConstantOfShape", 9, NULL, {I(1, 1, 1)}},
    {"CenterCropPad", 18, NULL, {F(1, 0, ANY), I(1, 1, 1)}},
    {"Col2Im", 18, NULL, {F(3, 3, 3), I(1, 1, 1), I(1, 1, 1)}},
    {"InstanceNormalization", 22, NULL, {F(3, 3, ANY), F(1, 1, 1), F(1, 1, 1)}},
    {"BatchNormalization",
     15,
     NULL,
     {F(2, 1, ANY), F(1, 1, 1), F(1, 1, 1), F(1, 1, 1), F(1, 1, 1)}},
    {"RNN", 22, "hidden_size", {F(3, 3, 3), F(3, 3, 3), F(3, 3, 3), ENDING(2, 2, 2, 2)}},
    {"DepthToSpace", 13, "blocksize", {F(4, 4, 4)}},
    {"SpaceToDepth", 13, "blocksize", {F(4, 4, 4)}},
    {"AffineGrid", 20, NULL, {F(3, 3, 3), I(1, 1, 1)}},
    {"STFT", 17, NULL, {F(3, 3, 3), I(0, 0, 1), F(1, 1, 1), I(0, 0, 1)}},
    {"DFT", 20, NULL, {F(3, 2, ANY)}},
    {"Reshape", 14, NULL, {F(1, 0, ANY), I(1, 1, 1)}},
    {"Expand", 13, NULL, {F(1, 0, ANY), I(1, 1, 1)}},
    {"Tile", 13, NULL, {F(1, 0, ANY), I(1, 1, 1)}},
    {"TopK", 11, NULL, {F(1, 1, ANY), I(1, 0, 1)}},
    {"CumSum", 14, NULL, {F(1, 0, ANY), I(0, 0, 1)}},
    {"HannWindow", 17, NULL, {I(0, 0, 1)}},
    {"Gather", 13, NULL, {F(1, 1, ANY), I(1, 0, ANY)}},
    {"GatherND", 13, NULL, {F(1, 1, ANY), I(1, 1, ANY)}},
    {"GatherElements", 13, NULL, {F(2, 1, ANY), I(2, 2, 2)}},
    {"ScatterElements", 18, NULL, {F(2, 1, ANY), I(2, 2, 2), F(2, 2, 2)}},
    {"ScatterND", 18, NULL, {F(1, 1, ANY), I(1, 1, ANY), F(0, 0, 0)}},
    {"Compress", 11, NULL, {F(1, 1, ANY), B(1, 1, 1)}},
    {"OneHot", 11, NULL, {I(1, 0, ANY), I(0, 0, 1), ENDING(1, 1, 1, 2)}},
    {"Concat", 13, "axis", {F(2, 2, 2), F(2, 2, 2)}},
    {"Split", 13, NULL, {F(1, 1, ANY), I(1, 1, 1)}},
    {"CausalConvWithState", 27, NULL, {F(3, 3, 3), F(3, 3, 3), NONE, F(3, 3, 3)}},
    {"NegativeLogLikelihoodLoss", 13, NULL, {F(2, 2, ANY), I(1, 1, 1)}},
    {"GridSample", 22, NULL, {F(4, 3, ANY), ENDING(4, 4, 4, 2)}},
};

static bool is_given(const struct row *r, size_t k)
{
    return k < INPUTS_MAX && (r->inputs[k].high || r->inputs[k].dtype != DTYPE_UNDEFINED);
}

/* Infers the row's node with input `other` of another rank; the message is in e. */
static bool infers(const struct row *r, size_t other, uint32_t rank, struct err *e)
{
    static const int64_t ones[TENSOR_RANK_MAX] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const char *const names[INPUTS_MAX] = {"a", "b", "c", "d", "e", "f"};
    struct arena a;
    uint32_t inputs[INPUTS_MAX], n = 0;
    arena_init(&a);
    struct model *m = model_new(&a, r->opset);
    for (; is_given(r, n); n++) {
        const struct input *in = &r->inputs[n];
        uint32_t own = n == other ? rank : in->rank;
        int64_t dims[TENSOR_RANK_MAX + 1] = {0};
        memcpy(dims, ones, sizeof ones);
        if (own && in->last)
            dims[own - 1] = in->last;
        inputs[n] = VALUE_NONE;
        if (in->dtype != DTYPE_UNDEFINED)
            inputs[n] = graph_add_input(m, m->graph, str_of(names[n]), in->dtype, dims, own);
    }
    const struct op_fact *fact = op_fact_find(STR(""), str_of(r->op_type), r->opset);
    uint32_t y =
        graph_add_node(m, m->graph, r->op_type, inputs, n, (uint32_t)MAX(fact->min_outputs, 1));
    if (r->attribute && strcmp(r->attribute, "kernel_shape") == 0)
        node_set_ints(m, graph_last_node(m->graph), r->attribute, ones, 1);
    else if (r->attribute)
        node_set_int(m, graph_last_node(m->graph), r->attribute, strcmp(r->attribute, "axis") != 0);
    graph_add_output(m->graph, y);
    bool ok = model_finish(m, e) && infer_model(m, e);
    arena_done(&a);
    return ok;
}

static void ranks_outside_the_standard_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct row *r = &rows[i];
        struct err e = {0};
        if (!infers(r, INPUTS_MAX, 0, &e))
            fail_msg("%s: %s", r->op_type, e.text);
        for (size_t k = 0; is_given(r, k); k++) {
            const struct input *in = &r->inputs[k];
            for (int way = 0; way < 2; way++) {
                uint32_t rank = way ? in->high + 1 : in->low - 1;
                if (way ? in->high == ANY : in->low == 0)
                    continue;
                e = (struct err){0};
                if (infers(r, k, rank, &e))
                    fail_msg("%s: input %zu of rank %u is accepted", r->op_type, k, rank);
                else if (!strstr(e.text, "rank"))
                    fail_msg("%s: input %zu of rank %u: %s", r->op_type, k, rank, e.text);
            }
            for (uint32_t rank = in->low; rank <= in->high && in->high < ANY; rank++)
                if (in->dtype && !infers(r, k, rank, &e))
                    fail_msg("%s: input %zu of rank %u: %s", r->op_type, k, rank, e.text);
        }
    }
}

TEST_SUITE(onnx_rank, TEST(ranks_outside_the_standard_are_refused))
