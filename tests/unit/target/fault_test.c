/* Containment: each fault of an engine or adapter costs one case, is classified, and the pool goes
 * on. */
#include <string.h>

#include "fake_engine.h"
#include "unit/test.h"

static const struct {
    const char *fault;
    enum outcome outcome;
    int signal;
    const char *message; /* part of the text; NULL: any */
    bool never_ends;
} faults[] = {
    {"good", OUTCOME_OK, 0, NULL, false},
    {"slow", OUTCOME_OK, 0, NULL, false},
    {"silent", OUTCOME_TIMEOUT_BLOCKED, 0, NULL, true},
    {"busy", OUTCOME_TIMEOUT_CPU, 0, NULL, true},
    {"half-frame", OUTCOME_EARLY_EXIT, 0, NULL, true},
    {"half-frame-and-wait", OUTCOME_TIMEOUT_BLOCKED, 0, NULL, true},
    {"huge-frame", OUTCOME_EARLY_EXIT, 0, "a frame of 2147483647 bytes", false},
    {"garbage", OUTCOME_EARLY_EXIT, 0, "broke the protocol", false},
    {"not-json", OUTCOME_EARLY_EXIT, 0, "broke the protocol", false},
    {"other-seq", OUTCOME_EARLY_EXIT, 0, "was not requested", false},
    {"other-kind", OUTCOME_EARLY_EXIT, 0, "only the pool sends", false},
    {"wrong-outputs", OUTCOME_EARLY_EXIT, 0, "3 outputs instead of 1", false},
    {"outside-file", OUTCOME_EARLY_EXIT, 0, "outside its file", false},
    {"linked-file", OUTCOME_EARLY_EXIT, 0, "outside its file", false},
    {"double-reply", OUTCOME_OK, 0, NULL, false},
    {"die-9", OUTCOME_LOST_WORKER, 0, "killed from outside each time", false},
    {"die-139", OUTCOME_SIGNAL, 11, NULL, false},
    {"die-136", OUTCOME_SIGNAL, 8, NULL, false},
    {"die-134", OUTCOME_ABORT, 6, "Check failed: x > 0", false},
    {"overflow", OUTCOME_STACK_OVERFLOW, 11, NULL, false},
    {"leave", OUTCOME_EARLY_EXIT, 0, NULL, false},
    {"oom", OUTCOME_OOM_LIMIT, 0, "MemoryError", false},
    {"flood", OUTCOME_OUTPUT_FLOOD, 0, NULL, false},
    {"exception", OUTCOME_UNSUPPORTED, 0, "Could not find an implementation for X", false},
};

static void each_fault_is_contained_and_classified(void **state)
{
    struct fixture f;
    size_t n = 0;
    (void)state;
    fixture_open(&f, FAKE_WORKERS, FAKE_MEMORY, FAKE_DEADLINE_MS);
    const struct target *good = fake_engine(&f, "fake", "good", TARGET_FORK_BATCH);
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        struct pool_result got =
            fake_engine_run_until(&f, fake_engine_mode(&f, good, faults[i].fault), i,
                                  faults[i].never_ends ? FAKE_SHORT_DEADLINE_MS : FAKE_DEADLINE_MS);
        const struct observation *o = &got.observations[0];
        if (o->outcome != faults[i].outcome || o->signal != faults[i].signal)
            fail_msg("%s: %s, signal %d: " STR_FMT, faults[i].fault, outcome_name(o->outcome),
                     o->signal, STR_ARG(o->message.raw));
        if (faults[i].message &&
            str_find(o->message.raw, str_of(faults[i].message)) == o->message.raw.n)
            fail_msg("%s: \"" STR_FMT "\"", faults[i].fault, STR_ARG(o->message.raw));
        fake_engine_assert_good(&f, good, faults[i].fault);
        n++;
    }
    print_message("%zu of %zu faults contained and classified\n", n, COUNT_OF(faults));
    fixture_close(&f);
}

static void a_worker_that_does_not_fork_is_contained_too(void **state)
{
    static const struct {
        const char *fault;
        enum outcome outcome;
    } rows[] = {{"die-139", OUTCOME_SIGNAL},
                {"silent", OUTCOME_TIMEOUT_BLOCKED},
                {"leave", OUTCOME_EARLY_EXIT},
                {"good", OUTCOME_OK}};
    struct fixture f;
    (void)state;
    fixture_open(&f, FAKE_WORKERS, FAKE_MEMORY, FAKE_DEADLINE_MS);
    const struct target *good = fake_engine(&f, "fake", "good", TARGET_FORK_NEVER);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bool never_ends = rows[i].outcome == OUTCOME_TIMEOUT_BLOCKED;
        struct pool_result got =
            fake_engine_run_until(&f, fake_engine_mode(&f, good, rows[i].fault), i,
                                  never_ends ? FAKE_SHORT_DEADLINE_MS : FAKE_DEADLINE_MS);
        ASSERT_ROW(got.observations[0].outcome == rows[i].outcome, rows[i].fault);
        fake_engine_assert_good(&f, good, rows[i].fault);
    }
    fixture_close(&f);
}

static void a_worker_that_does_not_start_is_an_import_failure(void **state)
{
    static const struct {
        const char *worker, *message;
    } rows[] = {
        {"wrong-version", "it speaks another protocol"},
        {"no-hello", "cannot load the engine"},
        {"error-hello", "ImportError: no engine here"},
    };
    struct fixture f;
    (void)state;
    fixture_open(&f, FAKE_WORKERS, FAKE_MEMORY, FAKE_DEADLINE_MS);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct target *t = fake_engine(&f, rows[i].worker, "good", TARGET_FORK_BATCH);
        for (uint64_t index = 0; index < 2; index++) {
            struct pool_result got = fake_engine_run(&f, t, index);
            const struct observation *o = &got.observations[0];
            ASSERT_ROW(o->outcome == OUTCOME_IMPORT_FAILURE, rows[i].worker);
            ASSERT_ROW(str_find(o->message.raw, str_of(rows[i].message)) < o->message.raw.n,
                       rows[i].worker);
        }
    }
    fake_engine_assert_good(&f, fake_engine(&f, "fake", "good", TARGET_FORK_BATCH), "good");
    fixture_close(&f);
}

/* A momentary shortage costs a second start, but no case. */
static void a_worker_that_starts_the_second_time_serves(void **state)
{
    struct fixture f;
    (void)state;
    fixture_open(&f, FAKE_WORKERS, FAKE_MEMORY, FAKE_DEADLINE_MS);
    fake_engine_assert_good(&f, fake_engine(&f, "start-second", "good", TARGET_FORK_BATCH),
                            "second");
    assert_int_equal(pool_statistics(f.pool).n_workers_started, 2);
    fixture_close(&f);
}

/* The case that dies is innocent: alone it passes, after the one that broke the heap it dies again.
 */
static void a_heap_broken_by_an_earlier_case_is_found_by_the_replay(void **state)
{
    struct fixture f;
    (void)state;
    fixture_open(&f, FAKE_WORKERS, FAKE_MEMORY, FAKE_DEADLINE_MS);
    const struct target *good = fake_engine(&f, "fake", "good", TARGET_FORK_BATCH);
    fake_engine_assert_good(&f, good, "before");
    struct pool_result got =
        fake_engine_run(&f, fake_engine_mode(&f, good, "corrupt-then-die-later"), 1);
    assert_int_equal(got.observations[0].outcome, OUTCOME_OK);
    got = fake_engine_run(&f, good, 2);
    assert_int_equal(got.observations[0].outcome, OUTCOME_SIGNAL);
    assert_int_equal(got.observations[0].signal, 11);
    assert_non_null(strstr(got.observations[0].message.raw.at,
                           "after it had run 2 other cases, twice; alone the case passes"));
    fake_engine_assert_good(&f, good, "after");
    struct pool_statistics s = pool_statistics(f.pool);
    assert_true(s.n_replays == 1 && s.n_lost == 0 && s.n_children_lost == 2);
    fixture_close(&f);
}

static void a_death_that_does_not_come_again_costs_nothing(void **state)
{
    struct fixture f;
    (void)state;
    fixture_open(&f, FAKE_WORKERS, FAKE_MEMORY, FAKE_DEADLINE_MS);
    const struct target *good = fake_engine(&f, "fake", "good", TARGET_FORK_BATCH);
    fake_engine_assert_good(&f, good, "before");
    struct pool_result got = fake_engine_run(&f, fake_engine_mode(&f, good, "lose-once"), 1);
    assert_int_equal(got.observations[0].outcome, OUTCOME_OK);
    struct pool_statistics s = pool_statistics(f.pool);
    assert_true(s.n_replays == 1 && s.n_lost == 1 && s.n_children_lost == 1);
    fixture_close(&f);
}

static void a_kill_from_outside_costs_nothing(void **state)
{
    struct fixture f;
    (void)state;
    fixture_open(&f, FAKE_WORKERS, FAKE_MEMORY, FAKE_DEADLINE_MS);
    const struct target *good = fake_engine(&f, "fake", "good", TARGET_FORK_BATCH);
    fake_engine_assert_good(&f, good, "before");
    struct pool_result got = fake_engine_run(&f, fake_engine_mode(&f, good, "killed-once"), 1);
    assert_int_equal(got.observations[0].outcome, OUTCOME_OK);
    struct pool_statistics s = pool_statistics(f.pool);
    assert_true(s.n_replays == 0 && s.n_lost == 0); /* there is nothing to be settled */
    fixture_close(&f);
}

static void the_other_modes_of_a_lost_case_are_still_run(void **state)
{
    static const enum outcome expected[] = {OUTCOME_OK, OUTCOME_SIGNAL, OUTCOME_OK, OUTCOME_ABORT,
                                            OUTCOME_OK};
    struct fixture f;
    struct pool_result got;
    struct err e;
    (void)state;
    fixture_open(&f, FAKE_WORKERS, FAKE_MEMORY, FAKE_DEADLINE_MS);
    const struct target *good = fake_engine(&f, "fake", "good", TARGET_FORK_BATCH);
    const struct target *list[] = {good, fake_engine_mode(&f, good, "die-139"), good,
                                   fake_engine_mode(&f, good, "die-134"), good};
    struct pool_request request = {.c = fixture_case(&f, "Identity", 1),
                                   .targets = list,
                                   .n_targets = COUNT_OF(list),
                                   .arena = &f.arena,
                                   .n_repeats = 2};
    assert_true(pool_run(f.pool, &request, &got, &e));
    for (size_t i = 0; i < COUNT_OF(list); i++)
        for (size_t repeat = 0; repeat < 2; repeat++)
            assert_int_equal(got.observations[2 * i + repeat].outcome, expected[i]);
    fixture_close(&f);
}

static void count_call(void *ctx, const struct pool_result *result)
{
    (void)result;
    ++*(size_t *)ctx;
}

static void a_pool_closed_in_the_middle_leaves_nothing(void **state)
{
    struct fixture f;
    struct err e;
    size_t n_called = 0;
    (void)state;
    fixture_open(&f, FAKE_WORKERS, FAKE_MEMORY, 60000);
    const struct target *silent = fake_engine(&f, "fake", "silent", TARGET_FORK_BATCH);
    struct pool_request request = {.c = fixture_case(&f, "Identity", 1),
                                   .targets = &silent,
                                   .n_targets = 1,
                                   .arena = &f.arena};
    for (int i = 0; i < 3; i++)
        assert_true(pool_batch_submit(&f.batch, &request, count_call, &n_called, &e));
    while (pool_statistics(f.pool).n_busy == 0)
        assert_true(loop_turn(f.loop, LOOP_FOREVER, &e));
    assert_int_equal(pool_statistics(f.pool).n_busy, 1);
    fixture_close(&f);
    assert_int_equal(n_called, 0);
}

/* A withdrawn request gets no callback, frees its files, and delays no other. */
static void a_batch_that_ends_takes_its_requests_back(void **state)
{
    static const char *const ends[] = {"good", "slow", "busy", "die-9"};
    struct err e;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        struct fixture f;
        struct arena short_lived;
        struct pool_batch batch;
        size_t n_called = 0;
        fixture_open(&f, FAKE_WORKERS, FAKE_MEMORY, 500);
        const struct target *target = fake_engine(&f, "fake", ends[i], TARGET_FORK_BATCH);
        arena_init(&short_lived);
        pool_batch_init(&batch, f.pool);
        struct tcase *c = fixture_case(&f, "Identity", 1);
        struct pool_request request = {.c = arena_dup(&short_lived, c, sizeof *c),
                                       .targets = &target,
                                       .n_targets = 1,
                                       .arena = &short_lived};
        for (int k = 0; k < 3; k++) /* one runs, two are in the queue */
            assert_true(pool_batch_submit(&batch, &request, count_call, &n_called, &e));
        while (pool_statistics(f.pool).n_busy == 0)
            assert_true(loop_turn(f.loop, LOOP_FOREVER, &e));
        pool_batch_done(&batch);
        arena_done(&short_lived);
        assert_int_equal(pool_n_pending(f.pool), 0);
        fake_engine_assert_good(&f, fake_engine(&f, "fake", "good", TARGET_FORK_BATCH), ends[i]);
        while (pool_statistics(f.pool).n_busy > 0 || pool_statistics(f.pool).n_queued > 0)
            assert_true(loop_turn(f.loop, LOOP_FOREVER, &e));
        assert_int_equal(n_called, 0);
        fixture_close(&f);
    }
}

TEST_SUITE(target_fault, TEST(each_fault_is_contained_and_classified),
           TEST(a_worker_that_does_not_fork_is_contained_too),
           TEST(a_worker_that_does_not_start_is_an_import_failure),
           TEST(a_worker_that_starts_the_second_time_serves),
           TEST(a_heap_broken_by_an_earlier_case_is_found_by_the_replay),
           TEST(a_death_that_does_not_come_again_costs_nothing),
           TEST(a_kill_from_outside_costs_nothing),
           TEST(the_other_modes_of_a_lost_case_are_still_run),
           TEST(a_pool_closed_in_the_middle_leaves_nothing),
           TEST(a_batch_that_ends_takes_its_requests_back))
