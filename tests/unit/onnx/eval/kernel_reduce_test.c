/* Reductions and what runs along an axis, row by row against the standard's text. */
#include "unit/onnx/eval/one_op_p.h"

static void reductions_follow_their_text(void **state)
{
    static const struct one_op_row rows[] = {
        {"sum over an axis",
         13,
         "ReduceSum",
         "keepdims=0",
         {"float[2,3] 1 2 3 4 5 6", "!int64[1] -1"},
         {"float[2] 6 15"}},
        {"axes by attribute",
         11,
         "ReduceSum",
         "axes=[0]",
         {"float[2,3] 1 2 3 4 5 6"},
         {"float[1,3] 5 7 9"}},
        {"axes in any order",
         18,
         "ReduceMax",
         "keepdims=0",
         {"float[2,1,2] 1 -2 3 4", "!int64[2] 2 0"},
         {"float[1] 4"}},
        {"no axes: all", 18, "ReduceMean", "", {"float[2,2] 1 2 3 6"}, {"float[1,1] 3"}},
        {"no axes, no-op",
         18,
         "ReduceMean",
         "noop_with_empty_axes=1",
         {"float[2] 1 2"},
         {"float[2] 1 2"}},
        {"no-op still squares",
         18,
         "ReduceSumSquare",
         "noop_with_empty_axes=1",
         {"float[2] 3 -2"},
         {"float[2] 9 4"}},
        {"no-op still takes the logarithm",
         18,
         "ReduceLogSum",
         "noop_with_empty_axes=1",
         {"float[1] 1"},
         {"float[1] 0"}},
        {"rank 0", 18, "ReduceL1", "", {"float[] -3"}, {"float[] 3"}},
        {"sum of nothing",
         18,
         "ReduceSum",
         "keepdims=0",
         {"float[0,2]", "!int64[1] 0"},
         {"float[2] 0 0"}},
        {"sum beside an empty axis",
         18,
         "ReduceSum",
         "keepdims=0",
         {"float[0,2,1]", "!int64[1] 1"},
         {"float[0,1]"}},
        {"product of nothing", 18, "ReduceProd", "", {"float[0]", "!int64[1] 0"}, {"float[1] 1"}},
        {"largest of nothing", 18, "ReduceMax", "", {"float[0]"}, {"float[1] -inf"}},
        {"least of no int8", 18, "ReduceMin", "", {"int8[0]"}, {"int8[1] 127"}},
        {"largest of no int8", 18, "ReduceMax", "", {"int8[0]"}, {"int8[1] -128"}},
        {"largest of no uint8", 18, "ReduceMax", "", {"uint8[0]"}, {"uint8[1] 0"}},
        {"mean of nothing", 18, "ReduceMean", "", {"float[0]"}, {"float[1] ?"}},
        {"logarithm of nothing", 18, "ReduceLogSumExp", "", {"float[0]"}, {"float[1] -inf"}},
        {"log of large exponentials",
         18,
         "ReduceLogSumExp",
         "",
         {"float[2] 1000 1000"},
         {"float[1] 1000.69314718"}},
        {"bool: False < True", 20, "ReduceMax", "", {"bool[3] 0 1 0"}, {"bool[1] 1"}},
        {"overflow is undefined",
         18,
         "ReduceProd",
         "keepdims=0",
         {"int32[2,2] 65536 65536 2 3", "!int64[1] 1"},
         {"int32[2] ? 6"}},
        {"mean of integers",
         18,
         "ReduceMean",
         "keepdims=0",
         {"int32[2,2] 1 2 1 3", "!int64[1] 1"},
         {"int32[2] ? 2"}},
        {"an axis twice", 18, "ReduceSum", "", {"float[2] 1 2", "!int64[2] 0 -1"}, {"data"}},
        {"an axis outside", 18, "ReduceSum", "", {"float[2] 1 2", "!int64[1] 1"}, {"data"}},
        {"NaN spreads", 18, "ReduceMax", "", {"float[3] 1 nan 2"}, {"float[1] nan"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

static void choices_follow_their_text(void **state)
{
    static const struct one_op_row rows[] = {
        {"first of equals", 13, "ArgMax", "keepdims=0", {"float[3] 2 5 5"}, {"int64[] 1"}},
        {"last of equals",
         13,
         "ArgMax",
         "keepdims=0 select_last_index=1",
         {"float[3] 2 5 5"},
         {"int64[] 2"}},
        {"least, by axis", 13, "ArgMin", "axis=-1", {"float[2,2] 2 1 3 4"}, {"int64[2,1] 1 0"}},
        {"no elements in the result",
         13,
         "ArgMax",
         "axis=1 keepdims=0",
         {"float[0,3]"},
         {"int64[0]"}},
        {"nothing to choose from", 13, "ArgMax", "axis=1", {"float[2,0]"}, {"data"}},
        {"NaN has no order", 13, "ArgMax", "axis=1", {"float[2,2] nan 1 2 3"}, {"int64[2,1] ? 1"}},
        {"ties by lower index",
         11,
         "TopK",
         "",
         {"float[4] 1 3 3 2", "!int64[1] 3"},
         {"float[3] 3 3 2", "int64[3] 1 2 3"}},
        {"smallest",
         11,
         "TopK",
         "largest=0 axis=0",
         {"int64[3] 5 -1 5", "!int64[1] 2"},
         {"int64[2] -1 5", "int64[2] 1 0"}},
        {"k by attribute",
         7,
         "TopK",
         "k=1",
         {"float[2,2] 1 2 4 3"},
         {"float[2,1] 2 4", "int64[2,1] 1 0"}},
        {"unsorted order is open",
         11,
         "TopK",
         "sorted=0",
         {"float[3] 1 3 2", "!int64[1] 2"},
         {"float[2] ? ?", "int64[2] ? ?"}},
        {"k too large", 11, "TopK", "", {"float[2] 1 2", "!int64[1] 3"}, {"data"}},
        {"sum with itself", 14, "CumSum", "", {"float[3] 1 2 3", "!int64[] 0"}, {"float[3] 1 3 6"}},
        {"sum without itself",
         14,
         "CumSum",
         "exclusive=1",
         {"float[3] 1 2 3", "!int64[] 0"},
         {"float[3] 0 1 3"}},
        {"backwards without itself",
         14,
         "CumSum",
         "exclusive=1 reverse=1",
         {"float[3] 1 2 3", "!int64[] -1"},
         {"float[3] 5 3 0"}},
        {"int32 overflow",
         14,
         "CumSum",
         "",
         {"int32[3] 2147483647 1 -5", "!int64[] 0"},
         {"int32[3] 2147483647 ? ?"}},
        {"products",
         26,
         "CumProd",
         "exclusive=1 reverse=1",
         {"float[3] 1 2 3", "!int64[] 0"},
         {"float[3] 6 3 1"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

static void margins_are_half_the_distance_to_the_rival(void **state)
{
    static const struct one_op_row row = {
        "margin", 13, "ArgMax", "axis=1 keepdims=0", {"float[2,3] 1 4 3 2 2 0"}, {"int64[2]"}};
    struct one_op_run run;
    (void)state;
    one_op_open(&run, &row, &(struct eval_options){.want_margins = true});
    assert_true(run.ok);
    const struct value *y = one_op_output(&run, 0);
    assert_non_null(y->margin);
    assert_true(y->margin[0] == 0.5 && y->margin[1] == 0);
    arena_done(&run.a);
}

static void sums_on_a_grid_are_exact(void **state)
{
    static const struct {
        struct one_op_row row;
        bool exact;
    } rows[] = {
        {{"quarters", 13, "ReduceSum", "", {"float[4] 0.25 1 -2.5 3"}, {"float[1]"}}, true},
        {{"too wide for float", 13, "ReduceSum", "", {"float[2] 16777216 0.25"}, {"float[1]"}},
         false},
        {{"a maximum", 18, "ReduceMax", "", {"float[2] 0.1 0.3"}, {"float[1]"}}, true},
        {{"a root", 18, "ReduceL2", "", {"float[2] 3 4"}, {"float[1]"}}, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct one_op_run run;
        one_op_open(&run, &rows[i].row, &(struct eval_options){0});
        ASSERT_ROW(run.ok, rows[i].row.name);
        ASSERT_ROW(one_op_output(&run, 0)->exact == rows[i].exact, rows[i].row.name);
        arena_done(&run.a);
    }
}

TEST_SUITE(onnx_kernel_reduce, TEST(reductions_follow_their_text), TEST(choices_follow_their_text),
           TEST(margins_are_half_the_distance_to_the_rival), TEST(sums_on_a_grid_are_exact))
