/* What kernels refuse when inference could not, since no shape was known: inputs and attributes
 * that the operator's text excludes ("data"), or gives no value for ("unsupported"). */
#include "unit/onnx/eval/one_op_p.h"

struct refusal {
    const char *says; /* found in the message */
    int opset;
    const char *op, *attrs, *inputs[ONE_OP_INPUTS_MAX];
    enum err_code code;
    int n_outputs;
};
#define DATA(says, opset, op, attrs, ...)                                                          \
    {                                                                                              \
        says, opset, op, attrs, {__VA_ARGS__}, ERR_DATA, 1                                         \
    }
#define UNSUPPORTED(says, opset, op, attrs, ...)                                                   \
    {                                                                                              \
        says, opset, op, attrs, {__VA_ARGS__}, ERR_UNSUPPORTED, 1                                  \
    }

static void check(const struct refusal *r)
{
    static const struct eval_options plain = {0};
    struct one_op_row row = {.name = r->says, .opset = r->opset, .op = r->op, .attrs = r->attrs};
    struct one_op_run run;
    memcpy(row.inputs, r->inputs, sizeof row.inputs);
    for (int o = 0; o < r->n_outputs; o++)
        row.outputs[o] = "";
    one_op_start(&run, &row, &plain, true);
    if (run.ok)
        fail_msg("%s: accepted, \"%s\" is expected", r->op, r->says);
    if (run.e.code != r->code || !strstr(run.e.text, r->says))
        fail_msg("%s: \"%s\" is expected, not \"%s\" (%d)", r->op, r->says, run.e.text, run.e.code);
    arena_done(&run.a);
    one_op_start(&run, &row, &plain, false);
    if (run.ok || run.e.code != r->code)
        fail_msg("%s, \"%s\": with known shapes %s", r->op, r->says,
                 run.ok ? "accepted" : run.e.text);
    arena_done(&run.a);
}

#define CHECK_ALL(rows)                                                                            \
    for (size_t i = 0; i < COUNT_OF(rows); i++)                                                    \
    check(&(rows)[i])

#define F2 "float[2] 1 2"
#define F22 "float[2,2] 1 2 3 4"
#define F112 "float[1,1,2] 1 2"
#define F121 "float[1,2,1] 1 2"
#define F1122 "float[1,1,2,2] 1 2 3 4"

static void arithmetic(void **state)
{
    static const struct refusal rows[] = {
        DATA("cannot be broadcast", 14, "Add", "", F2, "float[3] 1 2 3"),
        DATA("fmod must be 1 for floats", 13, "Mod", "", F2, F2),
        DATA("LEFT or RIGHT", 11, "BitShift", "direction='UP'", "uint8[1] 1", "uint8[1] 1"),
        DATA("batch dims 2 and 3", 13, "MatMul", "", "float[2,1,1] 1 2", "float[3,1,1] 1 2 3"),
        DATA("a scalar cannot", 13, "MatMul", "", "float[] 1", F2),
        DATA("inner dims 2 and 3", 13, "MatMul", "", F2, "float[3] 1 2 3"),
        DATA("matrices are expected", 13, "Gemm", "", F2, F22),
        DATA("inner dims 2 and 1", 13, "Gemm", "", F22, "float[1,2] 1 2"),
        DATA("C has 3 in a dim", 13, "Gemm", "", F22, F22, "float[3] 1 2 3"),
        UNSUPPORTED("integers with alpha", 13, "Gemm", "alpha=0.5", "int32[1,1] 1", "int32[1,1] 1"),
        DATA("no square", 22, "Det", "", "float[1,2] 1 2"),
        {"K has 2 elements", 11, "TopK", "", {F2, "int64[2] 1 1"}, ERR_DATA, 2},
        {"K is 3", 11, "TopK", "", {F2, "int64[1] 3"}, ERR_DATA, 2},
        DATA("axis has 2 elements", 14, "CumSum", "", F2, "int64[2] 0 0"),
        DATA("bound 1 has 2 elements", 13, "Clip", "", F2, F2),
        UNSUPPORTED("training_mode draws", 13, "Dropout", "", F2, "float[] 0.5", "bool[] 1"),
        DATA("ratio or training_mode", 13, "Dropout", "", F2, F2),
        DATA("outside of [0, 1)", 13, "Dropout", "", F2, "float[] 1"),
        UNSUPPORTED("ignored or forbidden", 24, "Cast", "to=17 round_mode='down'", F2),
    };
    (void)state;
    CHECK_ALL(rows);
}

static void shapes(void **state)
{
    static const struct refusal rows[] = {
        DATA("perm has 1 numbers", 21, "Transpose", "perm=[0]", F22),
        DATA("axes of rank 2", 13, "Unsqueeze", "", F2, "int64[1,1] 0"),
        DATA("blocksize is -1", 13, "DepthToSpace", "blocksize=-1", F1122),
        DATA("mode 'no'", 13, "DepthToSpace", "blocksize=1 mode='no'", F1122),
        DATA("blocksize is 0", 13, "DepthToSpace", "blocksize=0", F1122),
        DATA("rank 2", 13, "SpaceToDepth", "blocksize=2", F22),
        DATA("channels cannot be divided", 13, "DepthToSpace", "blocksize=2", F1122),
        DATA("pixels cannot be divided", 13, "SpaceToDepth", "blocksize=3", F1122),
        DATA("lengths for 1 outputs", 13, "Split", "", F2, "int64[2] 1 1"),
        DATA("the parts are longer", 13, "Split", "", F2, "int64[1] 3"),
        DATA("2 starts, 1 ends", 13, "Slice", "", F2, "int64[2] 0 0", "int64[1] 1"),
        DATA("axis 0 with step 0", 13, "Slice", "", F2, "int64[1] 0", "int64[1] 1", "int64[1] 0",
             "int64[1] 0"),
        DATA("named twice", 13, "Slice", "", F22, "int64[2] 0 0", "int64[2] 1 1", "int64[2] 0 -2"),
        DATA("2 repeats for a tensor of rank 1", 13, "Tile", "", F2, "int64[2] 1 1"),
        DATA("-1 repeats", 13, "Tile", "", F2, "int64[1] -1"),
        DATA("cannot be broadcast", 13, "Expand", "", F2, "int64[1] 3"),
        DATA("input of rank 1", 14, "Trilu", "", F2),
        DATA("do not fit the input", 10, "ReverseSequence", "", F22, "int64[1] 1"),
        DATA("a length of 3 in 2 steps", 10, "ReverseSequence", "", F22, "int64[2] 1 3"),
        DATA("does not exist", 13, "Pad", "mode='no'", F2, "int64[2] 1 1"),
        DATA("3 pads for 1 axes", 13, "Pad", "", F2, "int64[3] 1 1 1"),
        DATA("padded by -2 and -1", 13, "Pad", "", F2, "int64[2] -2 -1"),
        DATA("1 sizes for 2 axes", 18, "CenterCropPad", "", F22, "int64[1] 1"),
        DATA("dim 0 of the result is -1", 9, "ConstantOfShape", "", "int64[1] -1"),
        DATA("input 1 has 2 elements", 11, "Range", "", "int64[] 0", "int64[2] 1 1", "int64[] 1"),
        DATA("rank 1", 9, "EyeLike", "", F2),
        DATA("for each of 1 spatial axes", 18, "Col2Im", "dilations=[1,1]", "float[1,1,1] 1",
             "int64[1] 1", "int64[1] 1"),
        DATA("blocks of 2 do not fit an image of 1", 18, "Col2Im", "", "float[1,2,1] 1 2",
             "int64[1] 1", "int64[1] 2"),
        DATA("not a multiple of", 18, "Col2Im", "", "float[1,3,1] 1 2 3", "int64[1] 2",
             "int64[1] 2"),
    };
    (void)state;
    CHECK_ALL(rows);
}

/* Every operator with an axis refuses one beyond the rank, at either end. */
static void axes_outside(void **state)
{
    static const struct refusal rows[] = {
        DATA("axis", 13, "Flatten", "axis=3", F22),
        DATA("axis", 13, "Flatten", "axis=-3", F22),
        DATA("axis", 13, "Concat", "axis=2", F22, F22),
        DATA("axis", 13, "Concat", "axis=-3", F22, F22),
        DATA("axis", 13, "Split", "axis=2", F22),
        DATA("axis", 13, "Gather", "axis=2", F22, "int64[1] 0"),
        DATA("axis", 13, "Gather", "axis=-3", F22, "int64[1] 0"),
        DATA("axis", 13, "GatherElements", "axis=2", F22, "int64[2,2] 0 0 0 0"),
        DATA("axis", 18, "ScatterElements", "axis=2", F22, "int64[1,1] 0", "float[1,1] 1"),
        DATA("axis", 13, "ArgMax", "axis=2", F22),
        DATA("axis", 13, "ArgMin", "axis=-3", F22),
        DATA("axis", 13, "Softmax", "axis=2", F22),
        DATA("axis", 13, "LogSoftmax", "axis=-3", F22),
        DATA("axis", 13, "Hardmax", "axis=2", F22),
        DATA("axis", 11, "Hardmax", "axis=3", F22),
        DATA("axis", 14, "CumSum", "", F22, "int64[] 2"),
        DATA("axis", 14, "CumSum", "", F22, "int64[] -3"),
        DATA("axis", 11, "OneHot", "axis=2", "int64[1] 0", "int64[] 2", F2),
        DATA("axis", 11, "Compress", "axis=2", F22, "bool[1] 1"),
        DATA("axis", 13, "Squeeze", "", F22, "int64[1] -3"),
        DATA("axis", 13, "Unsqueeze", "", F22, "int64[1] 3"),
        DATA("axis", 13, "ReduceSum", "", F22, "int64[1] 2"),
        DATA("axis", 18, "ReduceMax", "", F22, "int64[1] -3"),
        DATA("axis", 22, "LpNormalization", "axis=2", F22),
        DATA("axis", 17, "LayerNormalization", "axis=2", F22, F2),
        DATA("axis", 21, "QuantizeLinear", "axis=2", F22, F2),
        DATA("axis", 13, "Slice", "", F22, "int64[1] 0", "int64[1] 1", "int64[1] 2"),
        DATA("axis", 18, "Pad", "", F22, "int64[2] 1 1", "", "int64[1] 2"),
        DATA("axis", 18, "CenterCropPad", "axes=[2]", F22, "int64[1] 1"),
    };
    (void)state;
    CHECK_ALL(rows);
}

static void indices(void **state)
{
    static const struct refusal rows[] = {
        DATA("indices of rank 1, data of rank 2", 13, "GatherElements", "", F22, "int64[1] 0"),
        DATA("indices have 3 elements on axis 1", 13, "GatherElements", "", F22,
             "int64[1,3] 0 0 0"),
        DATA("batch_dims 1", 13, "GatherND", "batch_dims=1", F2, "int64[1] 0"),
        DATA("index tuples have 2 elements", 13, "GatherND", "", F2, "int64[1,2] 0 0"),
        DATA("batch dim 0 of data", 13, "GatherND", "batch_dims=1", F22, "int64[1,1] 0"),
        DATA("depth has 2 elements", 11, "OneHot", "", "int64[1] 0", "int64[2] 1 1", F2),
        DATA("values 1", 11, "OneHot", "", "int64[1] 0", "int64[] 2", "float[1] 1"),
        DATA("no number of classes", 11, "OneHot", "", "int64[1] 0", "int64[] -1", F2),
        DATA("3 conditions for 2 slices", 11, "Compress", "axis=0", F2, "bool[3] 1 0 1"),
        DATA("do not fit data", 18, "ScatterElements", "", F22, "int64[1] 0", "float[1] 1"),
        DATA("index tuples have 2 elements", 18, "ScatterND", "", F2, "int64[1,2] 0 0",
             "float[1] 1"),
        DATA("reduction", 18, "ScatterND", "reduction='no'", F2, "int64[1,1] 0", "float[1] 1"),
        DATA("mode 'no'", 24, "TensorScatter", "mode='no'", F1122, F1122),
        DATA("do not fit past_cache", 24, "TensorScatter", "", F1122, "float[1,1,3,2] 1 2 3 4 5 6"),
    };
    (void)state;
    CHECK_ALL(rows);
}

static void layers(void **state)
{
    static const struct refusal rows[] = {
        DATA("X has rank 3, W has 4", 11, "Conv", "", F112, F1122),
        DATA("X has 2 channels", 11, "Conv", "", F121, "float[1,1,1] 1"),
        DATA("in 0 groups", 11, "Conv", "group=0", F112, "float[1,1,1] 1"),
        DATA("the bias has 2 elements", 11, "Conv", "", F112, "float[1,1,1] 1", F2),
        DATA("X has rank 2", 22, "MaxPool", "kernel_shape=[1]", F22),
        DATA("p is 0", 22, "LpPool", "kernel_shape=[1] p=0", F112),
        DATA("p is 0", 22, "GlobalLpPool", "p=0", F112),
        DATA("X has rank 1", 22, "GlobalAveragePool", "", F2),
        DATA("p is 3", 22, "LpNormalization", "p=3", F2),
        DATA("size is 0", 13, "LRN", "size=0", F1122),
        DATA("input of rank 2, at least 3", 22, "InstanceNormalization", "", F22, F2, F2),
        DATA("input 1 has 1 elements", 22, "InstanceNormalization", "", F121, "float[1] 1", F2),
        DATA("input of rank 1, at least 2", 21, "GroupNormalization", "num_groups=1", F2, F2, F2),
        DATA("which does not divide 2 channels", 21, "GroupNormalization", "num_groups=3", F121, F2,
             F2),
        DATA("cannot be broadcast", 17, "LayerNormalization", "", F22, "float[3] 1 2 3"),
        DATA("input of rank 0", 15, "BatchNormalization", "", "float[] 1", "float[1] 1",
             "float[1] 1", "float[1] 1", "float[1] 1"),
        UNSUPPORTED("spatial = 0", 7, "BatchNormalization", "spatial=0", F121, F2, F2, F2, F2),
        DATA("three outputs", 15, "BatchNormalization", "training_mode=1", F121, F2, F2, F2, F2),
        DATA("less than stride or dilation", 11, "ConvTranspose", "output_padding=[1,0]", F1122,
             "float[1,1,1,1] 1"),
        DATA("the target or the weights", 13, "NegativeLogLikelihoodLoss", "", F22, "int64[1] 0"),
        DATA("reduction 'no'", 13, "NegativeLogLikelihoodLoss", "reduction='no'", F22,
             "int64[2] 0 1"),
        DATA("class 2 of 2", 13, "SoftmaxCrossEntropyLoss", "", F22, "int64[2] 0 2"),
        DATA("the grid does not fit X", 20, "GridSample", "", F1122, "float[1,1,1,3] 0 0 0"),
        DATA("mode 'no'", 20, "GridSample", "mode='no'", F1122, "float[1,1,1,2] 0 0"),
        DATA("no pixels to sample", 20, "GridSample", "", "float[1,1,0,1]", "float[1,1,1,2] 0 0"),
        DATA("the shape of theta", 20, "AffineGrid", "", "float[1,2,2] 1 0 0 1",
             "int64[4] 1 1 1 1"),
        DATA("does not exist", 19, "Resize", "mode='no'", F112, "", "float[3] 1 1 1"),
        UNSUPPORTED("beside scales", 19, "Resize", "keep_aspect_ratio_policy='not_larger'", F112,
                    "", "float[3] 1 1 1"),
        DATA("X, regions and batch indices", 16, "RoiAlign", "", F1122, "float[1,3] 0 0 1",
             "int64[1] 0"),
        DATA("coordinates 'no'", 16, "RoiAlign", "coordinate_transformation_mode='no'", F1122,
             "float[1,4] 0 0 1 1", "int64[1] 0"),
        DATA("bins 0 x 1", 16, "RoiAlign", "output_height=0", F1122, "float[1,4] 0 0 1 1",
             "int64[1] 0"),
        UNSUPPORTED("X has no pixels", 16, "RoiAlign", "", "float[1,1,0,1]", "float[1,4] 0 0 1 1",
                    "int64[1] 0"),
        DATA("X has rank 4, W has 3", 22, "DeformConv", "", F1122, F112,
             "float[1,2,2,2] 0 0 0 0 0 0 0 0"),
        DATA("a bias of 2 for 1 channels", 22, "DeformConv", "", F1122, "float[1,1,1,1] 1",
             "float[1,2,2,2] 0 0 0 0 0 0 0 0", F2),
    };
    (void)state;
    CHECK_ALL(rows);
}

static void sequences_and_signals(void **state)
{
    static const struct refusal rows[] = {
        DATA("X of rank 2", 14, "RNN", "hidden_size=1", F22, "float[1,1,2] 1 2", "float[1,1,1] 1"),
        DATA("hidden_size differs", 14, "RNN", "hidden_size=2", "float[1,1,1] 1", "float[1,1,1] 1",
             "float[1,1,1] 1"),
        DATA("direction 'up'", 14, "RNN", "hidden_size=1 direction='up'", "float[1,1,1] 1",
             "float[1,1,1] 1", "float[1,1,1] 1"),
        DATA("a length of 2 in 1 steps", 14, "RNN", "hidden_size=1", "float[1,1,1] 1",
             "float[1,1,1] 1", "float[1,1,1] 1", "", "int32[1] 2"),
        DATA("the shape of input 3", 14, "RNN", "hidden_size=1", "float[1,1,1] 1", "float[1,1,1] 1",
             "float[1,1,1] 1", "float[1,3] 1 2 3"),
        DATA("Q, K, V of ranks 4, 3, 4", 23, "Attention", "", F1122, F112, F1122),
        DATA("heads of Q", 23, "Attention", "", F1122, "float[1,2,2,2] 1 2 3 4 5 6 7 8",
             "float[1,2,2,2] 1 2 3 4 5 6 7 8"),
        DATA("the shapes of Q, K and V", 23, "Attention", "", F1122, F1122, "float[1,1,1,2] 1 2"),
        DATA("the mask cannot be broadcast", 23, "Attention", "", F1122, F1122, F1122,
             "float[3,3] 0 0 0 0 0 0 0 0 0"),
        {"taken together", 23, "Attention", "", {F1122, F1122, F1122}, ERR_DATA, 2},
        DATA("qk_matmul_output_mode is 4", 23, "Attention", "qk_matmul_output_mode=4", F1122, F1122,
             F1122),
        DATA("an input of rank 2", 23, "RotaryEmbedding", "", F22, "float[1,1] 1", "float[1,1] 1"),
        DATA("rotary_embedding_dim is 4", 23, "RotaryEmbedding", "rotary_embedding_dim=4", F1122,
             "float[1,2,1] 1 1", "float[1,2,1] 1 1"),
        DATA("the caches or position_ids", 23, "RotaryEmbedding", "", F1122, "float[1,3,1] 1 1 1",
             "float[1,3,1] 1 1 1"),
        DATA("position 2 in caches of 2", 23, "RotaryEmbedding", "", F1122, "float[2,1] 1 1",
             "float[2,1] 1 1", "int64[1,2] 0 2"),
        DATA("axis 1 of a signal", 20, "DFT", "", F22, "", "int64[] 1"),
        DATA("a last dim of 3", 20, "DFT", "", "float[1,3] 1 2 3", "", "int64[] 0"),
        DATA("a length of 0", 20, "DFT", "", "float[1,2,1] 1 2", "int64[] 0"),
        DATA("not (batch, length, 1 or 2)", 17, "STFT", "", F22, "int64[] 1", "", "int64[] 1"),
        DATA("a window of 2 for frames of 1", 17, "STFT", "", "float[1,2,1] 1 2", "int64[] 1", F2,
             "int64[] 1"),
        DATA("boxes and scores do not fit", 11, "NonMaxSuppression", "", F112, F112),
        DATA("input 2 has 2 elements", 11, "NonMaxSuppression", "", "float[1,1,4] 0 0 1 1",
             "float[1,1,1] 1", "int64[2] 1 1"),
        DATA("X has rank 3", 9, "TfIdfVectorizer",
             "mode='TF' min_gram_length=1 max_gram_length=1 max_skip_count=0 ngram_counts=[0] "
             "ngram_indexes=[0] pool_int64s=[1]",
             "int64[1,1,1] 1"),
        DATA("mode is 'no'", 9, "TfIdfVectorizer",
             "mode='no' min_gram_length=1 max_gram_length=1 max_skip_count=0 ngram_counts=[0] "
             "ngram_indexes=[0] pool_int64s=[1]",
             "int64[1] 1"),
        DATA("the largest of ngram_indexes is -1", 9, "TfIdfVectorizer",
             "mode='TF' min_gram_length=1 max_gram_length=1 max_skip_count=0 ngram_counts=[0] "
             "ngram_indexes=[-1] pool_int64s=[1]",
             "int64[1] 1"),
        DATA("2 weights for 1 n-grams", 9, "TfIdfVectorizer",
             "mode='TFIDF' min_gram_length=1 max_gram_length=1 max_skip_count=0 ngram_counts=[0] "
             "ngram_indexes=[0] pool_int64s=[1] weights=(1,2)",
             "int64[1] 1"),
        DATA("n-grams of 2 to 1", 9, "TfIdfVectorizer",
             "mode='TF' min_gram_length=2 max_gram_length=1 max_skip_count=0 ngram_counts=[0] "
             "ngram_indexes=[0] pool_int64s=[1]",
             "int64[1] 1"),
    };
    (void)state;
    CHECK_ALL(rows);
}

static void quantisation(void **state)
{
    static const struct refusal rows[] = {
        DATA("scale and zero point have", 21, "QuantizeLinear", "", F2, F2, "uint8[1] 0"),
        DATA("the scale has 3 elements", 21, "QuantizeLinear", "axis=0", F2, "float[3] 1 1 1"),
        DATA("block_size is -1", 21, "QuantizeLinear", "axis=0 block_size=-1", F2, F2),
        DATA("output_dtype is 27", 21, "QuantizeLinear", "output_dtype=27", F2, "float[] 1"),
        {"the largest of no elements",
         11,
         "DynamicQuantizeLinear",
         "",
         {"float[0]"},
         ERR_UNSUPPORTED,
         3},
        DATA("inner dims differ", 10, "MatMulInteger", "", "uint8[1,2] 1 2", "uint8[1,2] 1 2"),
        DATA("a scalar cannot", 10, "MatMulInteger", "", "uint8[] 1", "uint8[1] 1"),
        DATA("batch dims 2 and 3", 10, "MatMulInteger", "", "uint8[2,1,1] 1 2",
             "uint8[3,1,1] 1 2 3"),
        DATA("x has rank 3, w has 4", 10, "ConvInteger", "", "uint8[1,1,1] 1", "uint8[1,1,1,1] 1"),
        DATA("2 channels, weights", 10, "ConvInteger", "", "uint8[1,2,1] 1 2", "uint8[1,1,1] 1"),
        DATA("2 zero points for 1 channels", 10, "ConvInteger", "", "uint8[1,1,1] 1",
             "uint8[1,1,1] 1", "uint8[] 0", "uint8[2] 0 0"),
        DATA("scales or bias do not fit 1 channels", 10, "QLinearConv", "", "uint8[1,1,1] 1",
             "float[] 1", "uint8[] 0", "uint8[1,1,1] 1", "float[] 1", "uint8[] 0", "float[] 1",
             "uint8[] 0", "int32[2] 0 0"),
    };
    (void)state;
    CHECK_ALL(rows);
}

TEST_SUITE(onnx_refusal, TEST(arithmetic), TEST(shapes), TEST(axes_outside), TEST(indices),
           TEST(layers), TEST(sequences_and_signals), TEST(quantisation))
