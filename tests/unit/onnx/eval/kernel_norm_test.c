/* Normalisations and the Softmax family. */
#include "unit/onnx/eval/one_op_p.h"

static const struct one_op_row norm_rows[] = {
    {"batch",
     15,
     "BatchNormalization",
     "epsilon=0.0",
     {"float[1,2,2] 1 2 3 4", "float[2] 2 1", "float[2] 1 0", "float[2] 1 2", "float[2] 4 1"},
     {"float[1,2,2] 1 2 1 2"}},
    {"batch of rank 1",
     15,
     "BatchNormalization",
     "epsilon=0.0",
     {"float[3] 1 2 3", "float[1] 1", "float[1] 0", "float[1] 1", "float[1] 4"},
     {"float[3] 0 0.5 1"}},
    {"training",
     15,
     "BatchNormalization",
     "training_mode=1 momentum=0.5 epsilon=0.0",
     {"float[1,1,2] 1 3", "float[1] 2", "float[1] 1", "float[1] 4", "float[1] 5"},
     {"float[1,1,2] -1 3", "float[1] 3", "float[1] 3"}},
    {"parameters of other channels",
     15,
     "BatchNormalization",
     "",
     {"float[1,2,2] 1 2 3 4", "float[1] 2", "float[1] 1", "float[1] 1", "float[1] 4"},
     {"data"}},
    {"instance",
     22,
     "InstanceNormalization",
     "epsilon=0.0",
     {"float[1,2,2] 1 3 10 30", "float[2] 1 2", "float[2] 0 1"},
     {"float[1,2,2] -1 1 -1 3"}},
    {"groups of nothing: the function body's Reshape cannot",
     21,
     "GroupNormalization",
     "num_groups=1",
     {"float[0,2,3]", "float[2] 1 1", "float[2] 0 0"},
     {"unsupported"}},
    {"group, scale by channel",
     21,
     "GroupNormalization",
     "num_groups=1 epsilon=0.0",
     {"float[1,2,1] 1 3", "float[2] 1 2", "float[2] 0 1"},
     {"float[1,2,1] -1 3"}},
    {"group, scale by group: deprecated in the first opset that had it",
     18,
     "GroupNormalization",
     "num_groups=2 epsilon=0.0",
     {"float[1,4,1] 1 3 10 30", "float[2] 1 2", "float[2] 0 1"},
     {"data"}},
    {"to the last before 21",
     20,
     "GroupNormalization",
     "num_groups=2 epsilon=0.0",
     {"float[1,4,1] 1 3 10 30", "float[2] 1 2", "float[2] 0 1"},
     {"data"}},
    {"a scale by group where it is by channel",
     21,
     "GroupNormalization",
     "num_groups=2",
     {"float[1,4,1] 1 3 10 30", "float[2] 1 2", "float[2] 0 1"},
     {"data"}},
    {"two groups of two channels",
     21,
     "GroupNormalization",
     "num_groups=2 epsilon=0.0",
     {"float[1,4,1] 1 3 10 30", "float[4] 1 2 3 4", "float[4] 0 0 1 1"},
     {"float[1,4,1] -1 2 -2 5"}},
    {"groups must divide",
     21,
     "GroupNormalization",
     "num_groups=2",
     {"float[1,3,1] 1 3 2", "float[3] 1 2 1", "float[3] 0 1 1"},
     {"data"}},
    {"layer with statistics",
     17,
     "LayerNormalization",
     "epsilon=0.0",
     {"float[2,2] 1 3 2 6", "float[2] 1 2"},
     {"float[2,2] -1 2 -1 2", "float[2,1] 2 4", "float[2,1] 1 0.5"}},
    {"layer over all axes",
     17,
     "LayerNormalization",
     "axis=0 epsilon=0.0",
     {"float[2,2] 1 1 3 3", "float[2] 1 2", "float[] 1"},
     {"float[2,2] 0 -1 2 3"}},
    {"rms",
     23,
     "RMSNormalization",
     "epsilon=0.0",
     {"float[2] 3 3", "float[2] 1 2"},
     {"float[2] 1 2"}},
    {"rms of another dtype",
     23,
     "RMSNormalization",
     "epsilon=0.0",
     {"float16[2] 3 3", "float[2] 1 2"},
     {"float[2] 1 2"}},
    {"lrn of even size leans forward",
     13,
     "LRN",
     "size=2 alpha=2.0 beta=1.0 bias=1.0",
     {"float[1,3,1] 1 2 3"},
     {"float[1,3,1] 0.166666667 0.142857143 0.3"}},
    {"lp of zeros",
     22,
     "LpNormalization",
     "p=2 axis=1",
     {"float[2,2] 3 4 0 0"},
     {"float[2,2] 0.6 0.8 0 0"}},
    {"lp 1", 22, "LpNormalization", "p=1 axis=0", {"float[2,1] 3 -1"}, {"float[2,1] 0.75 -0.25"}},
    {"mean and variance",
     13,
     "MeanVarianceNormalization",
     "axes=[1]",
     {"float[2,2] 1 3 5 5"},
     {"float[2,2] -1 1 ? ?"}},
};

static void norms_follow_their_text(void **state)
{
    (void)state;
    ONE_OP_CHECK_ALL(norm_rows);
}

static void softmax_changed_at_opset_13(void **state)
{
    static const struct one_op_row rows[] = {
        {"one axis",
         13,
         "Softmax",
         "axis=0",
         {"float[2,2] 0 1 0 1"},
         {"float[2,2] 0.5 0.5 0.5 0.5"}},
        {"two dims",
         11,
         "Softmax",
         "axis=0",
         {"float[2,2] 0 0 0 0"},
         {"float[2,2] 0.25 0.25 0.25 0.25"}},
        {"logarithm",
         13,
         "LogSoftmax",
         "",
         {"float[2] 1000 1000"},
         {"float[2] -0.693147181 -0.693147181"}},
        {"beside infinity", 13, "Softmax", "", {"float[2] 1 inf"}, {"float[2] ? nan"}},
        {"nothing but -infinity", 13, "Softmax", "", {"float[2] -inf -inf"}, {"float[2] nan nan"}},
        {"first maximum",
         13,
         "Hardmax",
         "axis=1",
         {"float[2,3] 1 3 3 2 1 0"},
         {"float[2,3] 0 1 0 1 0 0"}},
        {"one winner in all",
         11,
         "Hardmax",
         "axis=0",
         {"float[2,2] 1 2 3 4"},
         {"float[2,2] 0 0 0 1"}},
        {"axis outside", 13, "Softmax", "axis=2", {"float[2,2] 0 0 0 0"}, {"data"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

static void noise_of_a_norm_grows_with_its_mean(void **state)
{
    static const struct one_op_row row = {"noise",
                                          17,
                                          "LayerNormalization",
                                          "epsilon=0.0",
                                          {"float[2,2] 999 1001 -1 1", "float[2] 1 1"},
                                          {"float[2,2]"}};
    struct one_op_run run;
    (void)state;
    one_op_open(&run, &row, &(struct eval_options){.perturb_seed = 7});
    assert_true(run.ok);
    const struct value *y = one_op_output(&run, 0);
    assert_non_null(y->scales);
    assert_true(y->scales[0] > 900 && y->scales[2] < 2);
    arena_done(&run.a);
}

/* Elements near 0.64 with nearly no spread: E[x^2] - E[x]^2 in float keeps four digits of the
 * result. */
static void one_pass_variances_are_priced(void **state)
{
    static const struct one_op_row row = {
        "one pass",
        21,
        "GroupNormalization",
        "num_groups=1",
        {"float[1,1,4] 0.6419491 0.6419923 0.6420084 0.6397608", "float[1] 1", "float[1] 0"},
        {"float[1,1,4]"}};
    struct one_op_run run;
    (void)state;
    one_op_open(&run, &row, &(struct eval_options){.perturb_seed = 7});
    assert_true(run.ok);
    const struct value *y = one_op_output(&run, 0);
    assert_true(y->scales[3] * 0x1p-24 > 5e-4);
    arena_done(&run.a);
}

static void a_norm_has_the_unit_of_its_stash_type(void **state)
{
    static const struct one_op_row rows[] = {
        {"float unless said otherwise",
         17,
         "LayerNormalization",
         "",
         {"double[1,2] 0 1", "double[2] 1 1"},
         {"double[1,2]"}},
        {"no stash_type",
         6,
         "InstanceNormalization",
         "",
         {"double[1,1,2] 0 1", "double[1] 1", "double[1] 0"},
         {"double[1,1,2]"}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct one_op_run run;
        one_op_open(&run, &rows[i], &(struct eval_options){.perturb_seed = 7});
        assert_true(run.ok);
        assert_true(one_op_output(&run, 0)->unit == (i == 0 ? 0x1p-24 : 0x1p-53));
        arena_done(&run.a);
    }
}

static void squares_beyond_the_range_are_undefined(void **state)
{
    static const struct one_op_row row = {
        "too large for squares",
        6,
        "InstanceNormalization",
        "",
        {"float[1,2,2] 0 3e38 1 2", "float[2] 1 1", "float[2] 0 0"},
        {"float[1,2,2] ? ? -0.99998 0.99998"}};
    struct one_op_run run;
    (void)state;
    one_op_open(&run, &row, &(struct eval_options){0});
    assert_true(run.ok);
    const struct value *y = one_op_output(&run, 0);
    assert_true(y->undefined && y->undefined[0] && y->undefined[1] && !y->undefined[2]);
    arena_done(&run.a);
}

TEST_SUITE(onnx_kernel_norm, TEST(norms_follow_their_text), TEST(softmax_changed_at_opset_13),
           TEST(noise_of_a_norm_grows_with_its_mean), TEST(one_pass_variances_are_priced),
           TEST(a_norm_has_the_unit_of_its_stash_type),
           TEST(squares_beyond_the_range_are_undefined))
