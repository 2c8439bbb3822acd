/* The native worker on the installed ONNX Runtime: values, levels, errors, repeats, dumps. */
#include <string.h>

#include "pool_fixture.h"
#include "unit/test.h"

static void an_operator_runs_at_every_level(void **state)
{
    static const double expected[] = {-1, -2, -3, -4, -5, -6};
    struct fixture f;
    struct target_list targets = {0};
    struct pool_result got;
    struct err e;
    (void)state;
    fixture_open(&f, NULL, 0, 0);
    if (!fixture_target(&f, "ort/*", &targets))
        skip();
    assert_true(targets.n >= 6);
    struct pool_request request = {.c = fixture_case(&f, "Neg", 1),
                                   .targets = targets.at,
                                   .n_targets = targets.n,
                                   .arena = &f.arena,
                                   .n_repeats = 2,
                                   .dump_rewrites = true};
    if (!pool_run(f.pool, &request, &got, &e))
        fail_msg("%s", e.text);
    assert_int_equal(got.n_observations, 2 * targets.n);
    for (size_t i = 0; i < got.n_observations; i++) {
        const struct observation *o = &got.observations[i];
        if (o->outcome != OUTCOME_OK)
            fail_msg("%s: %.*s", outcome_name(o->outcome), STR_ARG(o->message.raw));
        assert_true(o->repeat == i % 2 && o->target.mode.at == targets.at[i / 2]->id.mode.at);
        assert_int_equal(o->outputs.n, 1);
        const struct tensor *t = &o->outputs.at[0].tensor;
        assert_true(t->dtype == DTYPE_FLOAT && t->rank == 2 && t->n == 6);
        for (size_t k = 0; k < 6; k++)
            assert_true(tensor_get_double(t, k) == expected[k]);
        assert_true(o->usage.wall_ns > 0 && o->usage.peak_bytes > 0);
        assert_string_equal(o->rewrites.at, "Neg 1\n");
    }
    assert_int_equal(pool_statistics(f.pool).n_workers_started, 1);
    fixture_close(&f);
}

static void what_the_engine_refuses_is_an_observation(void **state)
{
    struct fixture f;
    struct target_list targets = {0};
    struct pool_result got;
    struct err e;
    (void)state;
    fixture_open(&f, NULL, 0, 0);
    if (!fixture_target(&f, "ort/all", &targets))
        skip();
    struct pool_request request = {.c = fixture_case(&f, "NoSuchOperator", 1),
                                   .targets = targets.at,
                                   .n_targets = 1,
                                   .arena = &f.arena};
    assert_true(pool_run(f.pool, &request, &got, &e));
    assert_int_equal(got.observations[0].outcome, OUTCOME_UNSUPPORTED);
    assert_non_null(strstr(got.observations[0].message.raw.at, "NoSuchOperator"));
    assert_int_equal(got.observations[0].message.raised_by, RAISED_BY_NATIVE);
    request.model_bytes = STR("not a model");
    assert_true(pool_run(f.pool, &request, &got, &e));
    assert_int_equal(got.observations[0].outcome, OUTCOME_EXCEPTION);
    assert_true(str_is(got.observations[0].message.type, "INVALID_PROTOBUF"));
    fixture_close(&f);
}

static void fresh_processes_run_it_too(void **state)
{
    static const enum pool_fresh fresh[] = {POOL_ANY,          POOL_FRESH_FORK, POOL_FRESH_FORK,
                                            POOL_FRESH_WORKER, POOL_ANY,        POOL_FRESH_WORKER};
    struct fixture f;
    struct target_list targets = {0};
    struct err e;
    (void)state;
    fixture_open(&f, NULL, 0, 0);
    if (!fixture_target(&f, "ort", &targets))
        skip();
    for (size_t i = 0; i < COUNT_OF(fresh); i++) {
        struct pool_result got;
        struct pool_request request = {.c = fixture_case(&f, "Relu", i),
                                       .targets = targets.at,
                                       .n_targets = targets.n,
                                       .arena = &f.arena,
                                       .fresh = fresh[i]};
        assert_true(pool_run(f.pool, &request, &got, &e));
        for (size_t k = 0; k < got.n_observations; k++)
            assert_int_equal(got.observations[k].outcome, OUTCOME_OK);
    }
    struct pool_statistics s = pool_statistics(f.pool);
    assert_int_equal(s.n_workers_started, 3);
    assert_int_equal(s.n_children_lost, 0);
    fixture_close(&f);
}

static void batches_end_and_go_on(void **state)
{
    enum { N = 2 * POOL_BATCH + 3 };
    struct fixture f;
    struct target_list targets = {0};
    struct err e;
    (void)state;
    fixture_open(&f, NULL, 0, 0);
    if (!fixture_target(&f, "ort", &targets))
        skip();
    for (size_t i = 0; i < N; i++) {
        struct pool_result got;
        struct pool_request request = {.c = fixture_case(&f, "Abs", i),
                                       .targets = targets.at,
                                       .n_targets = targets.n,
                                       .arena = &f.arena};
        assert_true(pool_run(f.pool, &request, &got, &e));
        assert_int_equal(got.observations[0].outcome, OUTCOME_OK);
    }
    struct pool_statistics s = pool_statistics(f.pool);
    assert_int_equal(s.n_workers_started, 1);
    assert_int_equal(s.n_children_lost, 0);
    assert_int_equal(s.n_cases, N);
    fixture_close(&f);
}

static void a_missing_library_is_an_import_failure(void **state)
{
    struct fixture f;
    struct target_list targets = {0};
    struct pool_result got;
    struct err e;
    (void)state;
    fixture_open(&f, NULL, 0, 0);
    if (!fixture_target(&f, "ort/off", &targets))
        skip();
    struct target_installation broken = *targets.at[0]->installation;
    broken.library = STR("/usr/lib/x86_64-linux-gnu/libm.so.6");
    struct target target = *targets.at[0];
    target.installation = &broken;
    const struct target *list[] = {&target};
    struct pool_request request = {
        .c = fixture_case(&f, "Abs", 1), .targets = list, .n_targets = 1, .arena = &f.arena};
    assert_true(pool_run(f.pool, &request, &got, &e));
    assert_int_equal(got.observations[0].outcome, OUTCOME_IMPORT_FAILURE);
    assert_non_null(strstr(got.observations[0].message.raw.at, "OrtGetApiBase"));
    fixture_close(&f);
}

TEST_SUITE(target_ort, TEST(an_operator_runs_at_every_level),
           TEST(what_the_engine_refuses_is_an_observation), TEST(fresh_processes_run_it_too),
           TEST(batches_end_and_go_on), TEST(a_missing_library_is_an_import_failure))
