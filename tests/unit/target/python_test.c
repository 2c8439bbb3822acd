/* Python workers on the installed engines: OpenVINO runs models, the tools convert them. */
#include <string.h>

#include "pool_fixture.h"
#include "unit/test.h"

static void each_engine_gives_the_values(void **state)
{
    static const char *const names[] = {"openvino", "onnxsim", "onnxoptimizer", "onnxslim",
                                        "onnx-version-converter"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct fixture f;
        struct target_list targets = {0};
        struct pool_result got;
        struct err e;
        fixture_open(&f, NULL, 0, 0);
        if (!fixture_target(&f, names[i], &targets))
            skip();
        struct pool_request request = {.c = fixture_case(&f, "Abs", i),
                                       .targets = targets.at,
                                       .n_targets = targets.n,
                                       .arena = &f.arena};
        if (!pool_run(f.pool, &request, &got, &e))
            fail_msg("%s: %s", names[i], e.text);
        assert_int_equal(got.n_observations, targets.n);
        for (size_t k = 0; k < got.n_observations; k++) {
            const struct observation *o = &got.observations[k];
            if (o->outcome != OUTCOME_OK)
                fail_msg("%s: %s: " STR_FMT "\n" STR_FMT, names[i], outcome_name(o->outcome),
                         STR_ARG(o->message.raw), STR_ARG(o->message.stack));
            ASSERT_ROW(str_is(o->target.engine, names[i]), names[i]);
            ASSERT_ROW(tensor_get_double(&o->outputs.at[0].tensor, 5) == 6, names[i]);
            bool converts = strcmp(names[i], "openvino") != 0;
            ASSERT_ROW((o->converted.n > 0) == converts, names[i]);
        }
        fixture_close(&f);
    }
}

/* A tensor that is input and output at once has one name in OpenVINO; and inputs of dtypes that
 * NumPy lacks must live as long as the run. */
static void inputs_reach_openvino_whatever_their_names_and_dtypes(void **state)
{
    static const int64_t dims[] = {2, 8};
    static const double values[] = {1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12, 13, -14, 15, -16};
    static const struct {
        const char *op_type;
        enum dtype dtype;
        double sign;
    } rows[] = {{"Max", DTYPE_FLOAT, 1},         {"Neg", DTYPE_BFLOAT16, -1},
                {"Max", DTYPE_BFLOAT16, 1},      {"Neg", DTYPE_FLOAT16, -1},
                {"Identity", DTYPE_BFLOAT16, 1}, {"Neg", DTYPE_INT8, -1}};
    struct fixture f;
    struct target_list targets = {0};
    struct err e;
    (void)state;
    fixture_open(&f, NULL, 0, 0);
    if (!fixture_target(&f, "openvino", &targets))
        skip();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct tensor x;
        struct pool_result got;
        assert_true(tensor_from_doubles(rows[i].dtype, dims, 2, values, &f.arena, &x, &e));
        struct pool_request request = {
            .c = fixture_typed_case(&f, rows[i].op_type, rows[i].dtype, dims, 2, &x, 1),
            .targets = targets.at,
            .n_targets = targets.n,
            .arena = &f.arena};
        assert_true(pool_run(f.pool, &request, &got, &e));
        const struct observation *o = &got.observations[0];
        if (o->outcome != OUTCOME_OK)
            fail_msg("row %zu: " STR_FMT, i, STR_ARG(o->message.raw));
        for (size_t k = 0; k < 16; k++)
            if (tensor_get_double(&o->outputs.at[0].tensor, k) != rows[i].sign * values[k])
                fail_msg("row %zu: element %zu", i, k);
    }
    fixture_close(&f);
}

static void equal_models_of_single_passes_are_run_once(void **state)
{
    struct fixture f;
    struct target_list targets = {0};
    struct pool_result got;
    struct err e;
    (void)state;
    fixture_open(&f, NULL, 0, 0);
    if (!fixture_target(&f, "onnxoptimizer/*", &targets))
        skip();
    assert_true(targets.n > 40);
    struct pool_request request = {.c = fixture_case(&f, "Abs", 1),
                                   .targets = targets.at,
                                   .n_targets = targets.n,
                                   .arena = &f.arena};
    assert_true(pool_run(f.pool, &request, &got, &e));
    for (size_t k = 0; k < got.n_observations; k++)
        if (got.observations[k].outcome != OUTCOME_OK)
            fail_msg(STR_FMT ": " STR_FMT, STR_ARG(got.observations[k].target.mode),
                     STR_ARG(got.observations[k].message.raw));
    fixture_close(&f);
}

static void a_tools_error_is_its_observation(void **state)
{
    struct fixture f;
    struct target_list targets = {0};
    struct pool_result got;
    struct err e;
    (void)state;
    fixture_open(&f, NULL, 0, 0);
    if (!fixture_target(&f, "onnxslim", &targets))
        skip();
    struct pool_request request = {.c = fixture_case(&f, "Abs", 1),
                                   .targets = targets.at,
                                   .n_targets = targets.n,
                                   .arena = &f.arena,
                                   .model_bytes = STR("not a model")};
    assert_true(pool_run(f.pool, &request, &got, &e));
    const struct observation *o = &got.observations[0];
    assert_int_equal(o->outcome, OUTCOME_EXCEPTION);
    assert_true(str_is(o->message.type, "DecodeError"));
    assert_true(o->message.stack.n > 0);
    fixture_close(&f);
}

TEST_SUITE(target_python, TEST(each_engine_gives_the_values),
           TEST(inputs_reach_openvino_whatever_their_names_and_dtypes),
           TEST(equal_models_of_single_passes_are_run_once), TEST(a_tools_error_is_its_observation))
