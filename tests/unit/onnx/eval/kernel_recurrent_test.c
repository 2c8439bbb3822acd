/* RNN, GRU, LSTM, Attention, RotaryEmbedding, losses. */
#include "unit/onnx/eval/one_op_p.h"

static void recurrences_follow_their_equations(void **state)
{
    static const struct one_op_row rows[] = {
        {"clipped to nothing",
         14,
         "RNN",
         "hidden_size=1 clip=0.0",
         {"float[2,1,1] 1 2", "float[1,1,1] 3", "float[1,1,1] 0.5"},
         {"float[2,1,1,1] 0 0", "float[1,1,1] 0"}},
        {"tanh",
         14,
         "RNN",
         "hidden_size=1",
         {"float[2,1,1] 0.5 0.25", "float[1,1,1] 1", "float[1,1,1] 2", "float[1,2] 0.25 -0.25"},
         {"float[2,1,1,1] 0.462117157 0.825624858", "float[1,1,1] 0.825624858"}},
        {"backwards",
         14,
         "RNN",
         "hidden_size=1 direction='reverse'",
         {"float[2,1,1] 0.25 0.5", "float[1,1,1] 1", "float[1,1,1] 2"},
         {"float[2,1,1,1] 0.825624858 0.462117157", "float[1,1,1] 0.825624858"}},
        {"a shorter sequence",
         14,
         "RNN",
         "hidden_size=1",
         {"float[2,1,1] 0.5 0.25", "float[1,1,1] 1", "float[1,1,1] 2", "", "int32[1] 1"},
         {"float[2,1,1,1] 0.462117157 ?", "float[1,1,1] 0.462117157"}},
        {"batch first",
         14,
         "RNN",
         "hidden_size=1 layout=1",
         {"float[1,2,1] 0.5 0.25", "float[1,1,1] 1", "float[1,1,1] 2"},
         {"float[1,2,1,1] 0.462117157 0.825624858", "float[1,1,1] 0.825624858"}},
        {"gru, reset before",
         14,
         "GRU",
         "hidden_size=1",
         {"float[1,1,1] 0", "float[1,3,1] 1 1 1", "float[1,3,1] 0 0 2", "", "", "float[1,1,1] 0.5"},
         {"float[1,1,1,1] 0.481058579", "float[1,1,1] 0.481058579"}},
        {"gru, reset after",
         14,
         "GRU",
         "hidden_size=1 linear_before_reset=1",
         {"float[1,1,1] 0", "float[1,3,1] 1 1 1", "float[1,3,1] 0 0 2", "float[1,6] 0 0 0 0 0 1",
          "", "float[1,1,1] 0.5"},
         {"float[1,1,1,1] 0.630797078", "float[1,1,1] 0.630797078"}},
        {"lstm at rest",
         14,
         "LSTM",
         "hidden_size=1",
         {"float[1,1,1] 0", "float[1,4,1] 1 1 1 1", "float[1,4,1] 0 0 0 0", "", "", "",
          "float[1,1,1] 2"},
         {"float[1,1,1,1] 0.380797078", "float[1,1,1] 0.380797078", "float[1,1,1] 1"}},
        {"lstm with coupled gates",
         14,
         "LSTM",
         "hidden_size=1 input_forget=1",
         {"float[1,1,1] 0", "float[1,4,1] 1 1 1 1", "float[1,4,1] 0 0 0 0",
          "float[1,8] 0.5 0 9 0 0.5 0 9 0", "", "", "float[1,1,1] 2"},
         {"float[1,1,1,1] 0.245691843", "float[1,1,1] 0.245691843", "float[1,1,1] 0.537882843"}},
        {"a cell beyond the clip",
         14,
         "LSTM",
         "hidden_size=1 clip=0.5",
         {"float[1,1,1] 0", "float[1,4,1] 1 1 1 1", "float[1,4,1] 0 0 0 0", "", "", "",
          "float[1,1,1] 2"},
         {"float[1,1,1,1] ?", "float[1,1,1] ?", "float[1,1,1] ?"}},
        {"no such direction",
         14,
         "RNN",
         "hidden_size=1 direction='sideways'",
         {"float[1,1,1] 0", "float[1,1,1] 1", "float[1,1,1] 2"},
         {"data", ""}},
        {"weights that do not fit",
         14,
         "GRU",
         "hidden_size=1",
         {"float[1,1,1] 0", "float[1,2,1] 1 1", "float[1,3,1] 0 0 2"},
         {"data", ""}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

static void attention_follows_its_text(void **state)
{
    static const struct one_op_row rows[] = {
        {"heads of size 0",
         23,
         "Attention",
         "",
         {"float[1,1,1,0]", "float[1,1,1,0]", "float[1,1,1,2] 1 2"},
         {"unsupported"}},
        {"equal keys average",
         23,
         "Attention",
         "",
         {"float[1,1,1,1] 1", "float[1,1,2,1] 1 1", "float[1,1,2,1] 2 4"},
         {"float[1,1,1,1] 3"}},
        {"causal",
         23,
         "Attention",
         "is_causal=1",
         {"float[1,1,2,1] 0 0", "float[1,1,2,1] 1 1", "float[1,1,2,1] 2 4"},
         {"float[1,1,2,1] 2 3"}},
        {"causal after a past",
         23,
         "Attention",
         "is_causal=1",
         {"float[1,1,1,1] 0", "float[1,1,2,1] 1 1", "float[1,1,2,1] 2 100", "", "float[1,1,1,1] 1",
          "float[1,1,1,1] 6"},
         {"float[1,1,1,1] 4", "float[1,1,3,1] 1 1 1", "float[1,1,3,1] 6 2 100"}},
        {"the cap comes before the mask",
         23,
         "Attention",
         "is_causal=1 softcap=1.0",
         {"float[1,1,1,1] 0", "float[1,1,2,1] 1 1", "float[1,1,2,1] 2 100"},
         {"float[1,1,1,1] 2"}},
        {"a row that attends nothing",
         23,
         "Attention",
         "qk_matmul_output_mode=3",
         {"float[1,1,1,1] 1", "float[1,1,2,1] 1 1", "float[1,1,2,1] 2 4", "bool[1,2] 0 0"},
         {"float[1,1,1,1] 0", "float[1,1,2,1] 1 1", "float[1,1,2,1] 2 4", "float[1,1,1,2] 0 0"}},
        {"a shorter mask is padded",
         24,
         "Attention",
         "",
         {"float[1,1,1,1] 1", "float[1,1,3,1] 1 1 1", "float[1,1,3,1] 2 4 90", "float[1,2] 0 0"},
         {"float[1,1,1,1] 3"}},
        {"valid keys",
         24,
         "Attention",
         "",
         {"float[1,1,1,1] 1", "float[1,1,3,1] 1 1 1", "float[1,1,3,1] 2 4 90", "", "", "",
          "int64[1] 2"},
         {"float[1,1,1,1] 3"}},
        {"shared heads",
         23,
         "Attention",
         "q_num_heads=2 kv_num_heads=1",
         {"float[1,1,2] 1 2", "float[1,1,1] 1", "float[1,1,1] 7"},
         {"float[1,1,2] 7 7"}},
        {"a window",
         25,
         "Attention",
         "left_window_size=0 right_window_size=0",
         {"float[1,1,2,1] 0 0", "float[1,1,2,1] 1 1", "float[1,1,2,1] 2 4"},
         {"float[1,1,2,1] 2 4"}},
        {"past key alone",
         23,
         "Attention",
         "",
         {"float[1,1,1,1] 0", "float[1,1,1,1] 1", "float[1,1,1,1] 2", "", "float[1,1,1,1] 1"},
         {"data"}},
        {"quarter turns of halves",
         23,
         "RotaryEmbedding",
         "",
         {"float[1,1,1,4] 1 2 3 4", "float[1,1,2] 0 1", "float[1,1,2] 1 0"},
         {"float[1,1,1,4] -3 2 1 4"}},
        {"quarter turns of neighbours",
         23,
         "RotaryEmbedding",
         "interleaved=1",
         {"float[1,1,1,4] 1 2 3 4", "float[2,2] 9 9 0 1", "float[2,2] 9 9 1 0", "int64[1,1] 1"},
         {"float[1,1,1,4] -2 1 3 4"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

static void states_are_handed_on(void **state)
{
    static const struct one_op_row rows[] = {
        {"swiglu", 28, "SwiGLU", "", {"float[2] 0 1", "float[2] 5 2"}, {"float[2] 0 1.46211716"}},
        {"causal",
         27,
         "CausalConvWithState",
         "",
         {"float[1,1,2] 1 2", "float[1,1,3] 1 10 100", "", "float[1,1,2] 3 4"},
         {"float[1,1,2] 143 214", "float[1,1,2] 1 2"}},
        {"a short input",
         27,
         "CausalConvWithState",
         "",
         {"float[1,1,1] 5", "float[1,1,3] 1 10 100"},
         {"float[1,1,1] 500", "float[1,1,2] 0 5"}},
        {"linear",
         27,
         "LinearAttention",
         "q_num_heads=1 kv_num_heads=1 update_rule='linear' scale=1.0",
         {"float[1,2,1] 1 1", "float[1,2,1] 2 3", "float[1,2,1] 5 7"},
         {"float[1,2,1] 10 31", "float[1,1,1,1] 31"}},
        {"delta",
         27,
         "LinearAttention",
         "q_num_heads=1 kv_num_heads=1 update_rule='delta' scale=1.0",
         {"float[1,2,1] 1 1", "float[1,2,1] 1 1", "float[1,2,1] 5 7", "", "",
          "float[1,2,1] 0.5 0.5"},
         {"float[1,2,1] 2.5 4.75", "float[1,1,1,1] 4.75"}},
        {"no decay",
         27,
         "LinearAttention",
         "q_num_heads=1 kv_num_heads=1 update_rule='gated'",
         {"float[1,1,1] 1", "float[1,1,1] 1", "float[1,1,1] 5"},
         {"data", ""}},
        {"periodic window", 17, "HannWindow", "", {"!int64[] 4"}, {"float[4] 0 0.5 1 0.5"}},
        {"Hann window of nothing", 17, "HannWindow", "", {"!int64[] 0"}, {"data"}},
        {"Hamming window of nothing", 17, "HammingWindow", "", {"!int32[] 0"}, {"data"}},
        {"Blackman window of nothing", 17, "BlackmanWindow", "", {"int64[] 0"}, {"data"}},
        {"spectrum",
         20,
         "DFT",
         "onesided=1",
         {"float[1,4,1] 1 2 3 4"},
         {"float[1,3,2] 10 0 -2 2 -2 0"}},
        {"two-sided inverse",
         20,
         "DFT",
         "inverse=1",
         {"float[1,2,2] 1 2 3 4"},
         {"float[1,2,2] 2 3 -1 -1"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

static void losses_follow_their_text(void **state)
{
    static const struct one_op_row rows[] = {
        {"weighted mean",
         13,
         "NegativeLogLikelihoodLoss",
         "",
         {"float[2,2] 1 2 3 4", "int64[2] 1 0", "float[2] 1 3"},
         {"float[] -2.25"}},
        {"ignored samples",
         13,
         "NegativeLogLikelihoodLoss",
         "ignore_index=7",
         {"float[2,2] 1 2 3 4", "int64[2] 7 0"},
         {"float[] -3"}},
        {"a class outside",
         13,
         "NegativeLogLikelihoodLoss",
         "",
         {"float[1,2] 1 2", "int64[1] 2"},
         {"data"}},
        {"cross entropy",
         13,
         "SoftmaxCrossEntropyLoss",
         "reduction='sum'",
         {"float[1,2] 5 5", "int64[1] 0"},
         {"float[] 0.693147181", "float[1,2] -0.693147181 -0.693147181"}},
        {"cross entropy of nothing: the function body's Reshape cannot",
         13,
         "SoftmaxCrossEntropyLoss",
         "",
         {"float[0,2]", "int64[0]"},
         {"unsupported", ""}},
        {"determinant", 22, "Det", "", {"float[2,2,2] 1 2 3 4 0 1 1 0"}, {"float[2] -2 -1"}},
        {"bits", 26, "BitCast", "to=6", {"float[2] 1 -2"}, {"int32[2] 1065353216 -1073741824"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

static void function_bodies_of_float_set_the_unit(void **state)
{
    static const struct {
        struct one_op_row row;
        double unit; /* of the last output */
    } rows[] = {
        {{"attention",
          23,
          "Attention",
          "",
          {"double[1,1,1,2] 1 2", "double[1,1,1,2] 1 2", "double[1,1,1,2] 1 2"},
          {""}},
         0x1p-24},
        {{"scores",
          23,
          "Attention",
          "",
          {"double[1,1,1,2] 1 2", "double[1,1,1,2] 1 2", "double[1,1,1,2] 1 2"},
          {"", "", "", ""}},
         0x1p-24},
        {{"keys and values only move",
          23,
          "Attention",
          "",
          {"double[1,1,1,2] 1 2", "double[1,1,1,2] 1 2", "double[1,1,1,2] 1 2"},
          {"", "", ""}},
         0x1p-53},
        {{"softmax of float16",
          23,
          "Attention",
          "softmax_precision=10",
          {"float[1,1,1,2] 1 2", "float[1,1,1,2] 1 2", "float[1,1,1,2] 1 2"},
          {""}},
         0x1p-11},
        {{"1 / 6", 14, "HardSwish", "", {"double[1] 1"}, {""}}, 0x1p-24},
        {{"tanh form", 20, "Gelu", "approximate='tanh'", {"double[1] 1"}, {""}}, 0x1p-24},
        {{"erf form", 20, "Gelu", "", {"double[1] 1"}, {""}}, 0x1p-53},
        {{"root", 18, "ReduceL2", "", {"double[2] 1 2"}, {""}}, 0x1p-24},
        {{"a root without a body", 13, "ReduceL2", "", {"double[2] 1 2"}, {""}}, 0x1p-53},
        {{"no root", 18, "ReduceL1", "", {"double[2] 1 2"}, {""}}, 0x1p-53},
        {{"window", 17, "HannWindow", "output_datatype=11", {"!int64[] 4"}, {""}}, 0x1p-24},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct one_op_run run;
        uint32_t last = 0;
        one_op_open(&run, &rows[i].row, &(struct eval_options){0});
        if (!run.ok)
            fail_msg("row \"%s\": %s", rows[i].row.name, run.e.text);
        while (last + 1 < ONE_OP_OUTPUTS_MAX && rows[i].row.outputs[last + 1])
            last++;
        ASSERT_ROW(one_op_output(&run, last)->unit == rows[i].unit, rows[i].row.name);
        arena_done(&run.a);
    }
}

/* Angles go up to n turns and carry the rounding of a number so large; the sum alone would give 2
 * |x|. */
static void transforms_price_their_angles(void **state)
{
    static const struct one_op_row rows[] = {
        {"one dft", 20, "DFT", "", {"float[1,4,1] 3 0 4 0"}, {"float[1,4,2]"}},
        {"its frames", 17, "STFT", "", {"float[1,4,1] 3 0 4 0", "!int64[] 4"}, {"float[1,1,3,2]"}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct one_op_run run;
        one_op_open(&run, &rows[i], &(struct eval_options){.perturb_seed = 7});
        if (!run.ok)
            fail_msg("row \"%s\": %s", rows[i].name, run.e.text);
        double turns = one_op_output(&run, 0)->scales[0] / 5 - 2;
        ASSERT_ROW(fabs(turns - 6.283185307 * 3) < 1e-4, rows[i].name);
        arena_done(&run.a);
    }
}

TEST_SUITE(onnx_kernel_recurrent, TEST(recurrences_follow_their_equations),
           TEST(attention_follows_its_text), TEST(states_are_handed_on),
           TEST(losses_follow_their_text), TEST(function_bodies_of_float_set_the_unit),
           TEST(transforms_price_their_angles))
