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

static struct tensor ramp(struct arena *a, enum dtype dtype, const int64_t *dims, uint32_t rank)
{
    struct tensor t;
    struct err e;
    size_t n;
    if (!tensor_count(dtype, dims, rank, &n))
        fail_msg("dims");
    if (dtype == DTYPE_STRING) {
        struct str *strings = arena_new_array(a, struct str, n);
        for (size_t i = 0; i < n; i++)
            strings[i] = str_of(arena_printf(a, "%.*s", (int)i, "abcdefgh"));
        return (struct tensor){dtype, rank, dims, n, NULL, strings};
    }
    double *values = arena_new_array(a, double, n);
    for (size_t i = 0; i < n; i++)
        values[i] = (double)(i % 2);
    if (!tensor_from_doubles(dtype, dims, rank, values, a, &t, &e))
        fail_msg("%s", e.text);
    return t;
}

/* Every dtype that the engine takes comes back with its bits; the others are refused. */
static void each_dtype_and_shape_comes_back_with_its_bits(void **state)
{
    static const struct {
        const char *name;
        int64_t dims[4];
        uint32_t rank;
    } shapes[] = {
        {"scalar", {0}, 0}, {"odd", {7}, 1}, {"empty", {3, 0, 2}, 3}, {"matrix", {2, 3}, 2}};
    struct fixture f;
    struct target_list targets = {0};
    struct err e;
    uint32_t taken = 0;
    (void)state;
    fixture_open(&f, NULL, 0, 0);
    f.opset = 25;
    if (!fixture_target(&f, "ort/off", &targets))
        skip();
    for (int t = 1; t < DTYPE_COUNT; t++)
        for (size_t i = 0; i < COUNT_OF(shapes); i++) {
            enum dtype dtype = (enum dtype)t;
            struct pool_result got;
            if (dtype == DTYPE_COMPLEX64 || dtype == DTYPE_COMPLEX128)
                continue;
            struct tensor x = ramp(&f.arena, dtype, shapes[i].dims, shapes[i].rank);
            struct pool_request request = {.c = fixture_typed_case(&f, "Identity", dtype,
                                                                   shapes[i].dims, shapes[i].rank,
                                                                   &x, 1),
                                           .targets = targets.at,
                                           .n_targets = 1,
                                           .arena = &f.arena};
            assert_true(pool_run(f.pool, &request, &got, &e));
            const struct observation *o = &got.observations[0];
            if (o->outcome == OUTCOME_OK && tensor_same_bits(&x, &o->outputs.at[0].tensor))
                taken |= dtype_bit(dtype);
            else if (o->outcome != OUTCOME_UNSUPPORTED && o->outcome != OUTCOME_EXCEPTION)
                fail_msg("%s %s: %s", dtype_name(dtype), shapes[i].name, outcome_name(o->outcome));
            else if (o->outcome == OUTCOME_EXCEPTION)
                print_message("%s %s: " STR_FMT "\n", dtype_name(dtype), shapes[i].name,
                              STR_ARG(str_sub(o->message.raw, 0, 200)));
        }
    for (int t = 1; t < DTYPE_COUNT; t++)
        if (taken & dtype_bit((enum dtype)t))
            print_message("%s ", dtype_name((enum dtype)t));
    print_message("come back\n");
    for (int t = DTYPE_FLOAT; t <= DTYPE_UINT64; t++)
        ASSERT_ROW(taken & dtype_bit((enum dtype)t), dtype_name((enum dtype)t));
    fixture_close(&f);
}

/* INT_MIN / -1 traps in this engine: the process is lost, its frames are in the message. */
static void a_crash_of_the_engine_is_an_observation_with_its_frames(void **state)
{
    static const int64_t dims[] = {1};
    static const double smallest = -2147483648.0, minus_one = -1;
    struct fixture f;
    struct target_list targets = {0};
    struct tensor values[2];
    struct pool_result got;
    struct err e;
    (void)state;
    fixture_open(&f, NULL, 0, 0);
    if (!fixture_target(&f, "ort", &targets))
        skip();
    assert_true(tensor_from_doubles(DTYPE_INT32, dims, 1, &smallest, &f.arena, &values[0], &e) &&
                tensor_from_doubles(DTYPE_INT32, dims, 1, &minus_one, &f.arena, &values[1], &e));
    struct pool_request request = {
        .c = fixture_typed_case(&f, "Div", DTYPE_INT32, dims, 1, values, 2),
        .targets = targets.at,
        .n_targets = targets.n,
        .arena = &f.arena};
    assert_true(pool_run(f.pool, &request, &got, &e));
    for (size_t i = 0; i < got.n_observations; i++) {
        const struct observation *o = &got.observations[i];
        if (o->outcome == OUTCOME_OK) /* a version that does not trap */
            continue;
        assert_int_equal(o->outcome, OUTCOME_SIGNAL);
        assert_int_equal(o->signal, 8);
        assert_non_null(strstr(o->message.stack.at, "libonnxruntime.so"));
        assert_true(str_is(o->message.type, "SIGFPE"));
    }
    request.c = fixture_case(&f, "Abs", 7);
    assert_true(pool_run(f.pool, &request, &got, &e));
    assert_int_equal(got.observations[0].outcome, OUTCOME_OK);
    fixture_close(&f);
}

static void intermediates_come_behind_the_outputs(void **state)
{
    struct fixture f;
    struct target_list targets = {0};
    struct pool_result got;
    struct err e;
    (void)state;
    fixture_open(&f, NULL, 0, 0);
    if (!fixture_target(&f, "ort", &targets))
        skip();
    struct tcase *c = fixture_case(&f, "Neg", 1);
    struct model *m = model_copy(c->graph, &f.arena);
    uint32_t middle = m->graph->outputs.at[0];
    uint32_t y = graph_add_node(m, m->graph, "Abs", &middle, 1, 1);
    m->graph->values.at[y].dtype = DTYPE_FLOAT;
    m->graph->outputs.at[0] = y;
    m->graph->values.at[y].is_output = true;
    m->graph->values.at[middle].is_output = false;
    assert_true(model_finish(m, &e));
    c->graph = m;
    struct pool_request request = {.c = c,
                                   .targets = targets.at,
                                   .n_targets = targets.n,
                                   .arena = &f.arena,
                                   .variant = VARIANT_EXPOSED};
    assert_true(pool_run(f.pool, &request, &got, &e));
    for (size_t i = 0; i < got.n_observations; i++) {
        const struct observation *o = &got.observations[i];
        assert_int_equal(o->outcome, OUTCOME_OK);
        assert_int_equal(o->variant, VARIANT_EXPOSED);
        assert_true(o->outputs.n == 1 && o->inner.n == 1);
        assert_true(tensor_get_double(&o->outputs.at[0].tensor, 3) == 4);
        assert_true(tensor_get_double(&o->inner.at[0].tensor, 3) == -4);
    }
    assert_int_equal(m->graph->outputs.n, 1);
    fixture_close(&f);
}

TEST_SUITE(target_ort, TEST(each_dtype_and_shape_comes_back_with_its_bits),
           TEST(a_crash_of_the_engine_is_an_observation_with_its_frames),
           TEST(intermediates_come_behind_the_outputs), TEST(an_operator_runs_at_every_level),
           TEST(what_the_engine_refuses_is_an_observation), TEST(fresh_processes_run_it_too),
           TEST(batches_end_and_go_on), TEST(a_missing_library_is_an_import_failure))
