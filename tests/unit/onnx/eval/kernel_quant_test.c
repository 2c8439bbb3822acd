/* Quantisation and products of quantised tensors. */
#include "unit/onnx/eval/one_op_p.h"

static void quantisation_follows_its_text(void **state)
{
    static const struct one_op_row rows[] = {
        {"half to even, saturated",
         21,
         "QuantizeLinear",
         "",
         {"float[6] 1 3 -1 1000 -1000 5", "!float[] 2", "!uint8[] 128"},
         {"uint8[6] 128 130 128 255 0 130"}},
        {"signed",
         21,
         "QuantizeLinear",
         "",
         {"float[3] -1.5 300 0.5", "!float[] 1", "!int8[] 0"},
         {"int8[3] -2 127 0"}},
        {"division by zero",
         21,
         "QuantizeLinear",
         "axis=0",
         {"float[2,1] 1 1", "!float[2] 0 1", "!uint8[2] 0 0"},
         {"uint8[2,1] ? 1"}},
        {"by axis",
         21,
         "QuantizeLinear",
         "axis=0",
         {"float[2,2] 2 4 2 4", "!float[2] 1 2", "!uint8[2] 0 1"},
         {"uint8[2,2] 2 4 2 3"}},
        {"by block",
         21,
         "QuantizeLinear",
         "axis=0 block_size=2",
         {"float[3,1] 2 4 8", "!float[2,1] 2 4", "!int8[2,1] 0 0"},
         {"int8[3,1] 1 2 2"}},
        {"blocks that do not fit",
         21,
         "QuantizeLinear",
         "axis=0 block_size=1",
         {"float[3,1] 2 4 8", "!float[2,1] 2 4"},
         {"data"}},
        {"dtype by attribute",
         21,
         "QuantizeLinear",
         "output_dtype=22",
         {"float[2] 20 -20", "!float[] 1"},
         {"int4[2] 7 -8"}},
        {"default is uint8",
         21,
         "QuantizeLinear",
         "",
         {"float[1] 3", "!float[] 1"},
         {"uint8[1] 3"}},
        {"float8 saturates",
         21,
         "QuantizeLinear",
         "",
         {"float[2] 1000 1.0625", "!float[] 1", "!float8e4m3fn[] 0"},
         {"float8e4m3fn[2] 448 1"}},
        {"NaN", 21, "QuantizeLinear", "", {"float[2] nan 1", "!float[] 1"}, {"uint8[2] ? 1"}},
        {"back",
         21,
         "DequantizeLinear",
         "",
         {"uint8[2] 0 255", "!float[] 0.5", "!uint8[] 128"},
         {"float[2] -64 63.5"}},
        {"back by block",
         21,
         "DequantizeLinear",
         "axis=1 block_size=2",
         {"int8[1,3] 1 2 3", "!float[1,2] 1 10"},
         {"float[1,3] 1 2 30"}},
        {"back, of another dtype",
         23,
         "DequantizeLinear",
         "output_dtype=1",
         {"int8[1] 3", "!float16[] 2"},
         {"float[1] 6"}},
        {"no scale for infinity",
         11,
         "DynamicQuantizeLinear",
         "",
         {"float[2] inf 1"},
         {"uint8[2] ? ?", "float[] ?", "uint8[] ?"}},
        {"one scale for all",
         11,
         "DynamicQuantizeLinear",
         "",
         {"float[3] 0 255 100.25"},
         {"uint8[3] 0 255 100", "float[] 1", "uint8[] 0"}},
        {"nothing but zeros",
         11,
         "DynamicQuantizeLinear",
         "",
         {"float[1] 0"},
         {"uint8[1] ?", "float[] ?", "uint8[] ?"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

static void a_zero_point_of_a_float_defines_nothing(void **state)
{
    static const struct one_op_row rows[] = {
        {"there",
         21,
         "QuantizeLinear",
         "axis=0",
         {"float[2] 2 2", "!float[2] 1 1", "!float8e4m3fn[2] 1 0"},
         {"float8e4m3fn[2] ? 2"}},
        {"back",
         21,
         "DequantizeLinear",
         "axis=0",
         {"float8e4m3fn[2] 2 2", "!float[2] 1 1", "!float8e4m3fn[2] 1 0"},
         {"float[2] ? 2"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

static void products_follow_their_text(void **state)
{
    static const struct one_op_row rows[] = {
        {"integer product",
         10,
         "MatMulInteger",
         "",
         {"uint8[1,2] 3 5", "uint8[2,1] 4 6", "uint8[] 1", "uint8[] 2"},
         {"int32[1,1] 20"}},
        {"zero points by row and column",
         10,
         "MatMulInteger",
         "",
         {"uint8[2,1] 3 5", "int8[1,2] 4 6", "uint8[2] 1 2", "int8[2] 0 1"},
         {"int32[2,2] 8 10 12 15"}},
        {"requantised product",
         21,
         "QLinearMatMul",
         "",
         {"uint8[1,2] 3 5", "!float[] 0.5", "!uint8[] 1", "uint8[2,1] 4 6", "!float[] 0.5",
          "!uint8[] 2", "!float[] 2", "!uint8[] 7"},
         {"uint8[1,1] 9"}},
        {"padding is the zero point",
         10,
         "ConvInteger",
         "pads=[1,1,1,1]",
         {"uint8[1,1,1,1] 5", "uint8[1,1,3,3] 1 1 1 1 2 1 1 1 1", "uint8[] 2"},
         {"int32[1,1,1,1] 6"}},
        {"pads beside auto_pad",
         10,
         "ConvInteger",
         "auto_pad='SAME_UPPER' pads=[0,0,0,0]",
         {"uint8[1,1,1,1] 5", "uint8[1,1,1,1] 1", "uint8[] 2"},
         {"data"}},
        {"an output without positions",
         10,
         "ConvInteger",
         "auto_pad='SAME_UPPER'",
         {"uint8[1,1,0,1]", "uint8[1,1,1,1] 1", "uint8[] 2"},
         {"int32[1,1,0,1]"}},
        {"bias and channels",
         10,
         "QLinearConv",
         "",
         {"uint8[1,1,1,2] 3 4", "!float[] 0.5", "!uint8[] 1", "uint8[2,1,1,1] 2 5",
          "!float[2] 0.5 1", "!uint8[2] 1 1", "!float[] 0.25", "!uint8[] 0", "int32[2] 1 -1"},
         {"uint8[1,2,1,2] 3 4 14 22"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

static void margins_are_in_the_inputs_units(void **state)
{
    static const struct one_op_row row = {
        "margin",    21, "QuantizeLinear", "", {"float[2] 2.5 100", "!float[] 2", "!uint8[] 250"},
        {"uint8[2]"}};
    struct one_op_run run;
    (void)state;
    one_op_open(&run, &row, &(struct eval_options){.want_margins = true});
    assert_true(run.ok);
    const struct value *y = one_op_output(&run, 0);
    assert_true(fabs(y->margin[0] - 0.5) <
                1e-12);              /* 1.25 levels: a quarter from 1.5, times the scale */
    assert_true(y->margin[1] == 91); /* saturated: the margin is the distance to the last level */
    arena_done(&run.a);
}

static void ties_are_forced_both_ways(void **state)
{
    static const struct one_op_row row = {
        "tie",       21, "QuantizeLinear", "", {"float[2] 3 100", "!float[] 2", "!uint8[] 0"},
        {"uint8[2]"}};
    (void)state;
    for (int up = 0; up < 2; up++) {
        struct one_op_run run;
        struct eval_options o = {.ties = up ? EVAL_TIES_UP : EVAL_TIES_DOWN, .margin_limit = 1e-6};
        one_op_open(&run, &row, &o);
        assert_true(run.ok);
        assert_int_equal(one_op_output(&run, 0)->i[0], up ? 2 : 1);
        assert_int_equal(one_op_output(&run, 0)->i[1], 50);
        arena_done(&run.a);
    }
}

static void ties_are_exact_where_the_division_is(void **state)
{
    static const struct one_op_row rows[] = {
        {"precision decides",
         21,
         "QuantizeLinear",
         "",
         {"float[2] 0.25 0.27", "!float[] 0.1"},
         {"uint8[2] ? 3"}},
        {"beside a tie, exactly divided",
         21,
         "QuantizeLinear",
         "",
         {"float[4] 1.00000012 0.99999994 3.00000024 -1.00000012", "!float[] 2", "!int8[] 0"},
         {"int8[4] 1 0 2 -1"}},
        {"beside a tie, in a coarser precision",
         23,
         "QuantizeLinear",
         "precision=10",
         {"float[2] 1.00000012 1", "!float[] 2", "!int8[] 0"},
         {"int8[2] ? 0"}},
        {"beside a tie, by a scale that rounds",
         21,
         "QuantizeLinear",
         "",
         {"float[2] 7.5 9", "!float[] 3", "!int8[] 0"},
         {"int8[2] ? 3"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

/* y = low + x (high - low) / levels is as valid as (x - zero) scale. */
static void a_dequantised_level_is_exact_where_its_range_is(void **state)
{
    static const struct {
        struct one_op_row row;
        bool exact;
    } rows[] = {
        {{"a power of two",
          21,
          "DequantizeLinear",
          "",
          {"!uint16[1] 128", "!float[] 0.5", "!uint16[] 128"},
          {"float[1] 0"}},
         true},
        {{"few bits",
          21,
          "DequantizeLinear",
          "",
          {"!int8[2] -3 5", "!float[] 0.75", "!int8[] 2"},
          {"float[2] -3.75 2.25"}},
         true},
        {{"level 0 of a range that rounds",
          21,
          "DequantizeLinear",
          "",
          {"!uint16[1] 128", "!float[] 0.02", "!uint16[] 128"},
          {"float[1] 0"}},
         false},
        {{"of one of two channels",
          21,
          "DequantizeLinear",
          "axis=0",
          {"!int8[2] 0 0", "!float[2] 0.5 0.1", "!int8[2] 0 0"},
          {"float[2] 0 0"}},
         false},
        {{"a sum has no range of levels",
          21,
          "DequantizeLinear",
          "",
          {"!int32[1] 3", "!float[] 0.75"},
          {"float[1] 2.25"}},
         true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct one_op_run run;
        one_op_open(&run, &rows[i].row, &(struct eval_options){0});
        ASSERT_ROW(run.ok && one_op_output(&run, 0)->exact == rows[i].exact, rows[i].row.name);
        arena_done(&run.a);
    }
}

TEST_SUITE(onnx_kernel_quant, TEST(a_dequantised_level_is_exact_where_its_range_is),
           TEST(quantisation_follows_its_text), TEST(a_zero_point_of_a_float_defines_nothing),
           TEST(ties_are_exact_where_the_division_is), TEST(products_follow_their_text),
           TEST(margins_are_in_the_inputs_units), TEST(ties_are_forced_both_ways))
