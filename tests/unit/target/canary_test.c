/* A worker that is worn, or answers its canary otherwise than at its start, gives way to a
 * successor. */
#include "fake_engine.h"
#include "unit/test.h"

/* The successor says hello before the old worker ends, and cases go on meanwhile. */
static void a_worn_worker_gives_way_to_a_successor(void **state)
{
    struct fixture f;
    struct err e;
    (void)state;
    fixture_open_refreshing(&f, FAKE_WORKERS);
    const struct target *good = fake_engine(&f, "fake", "good", TARGET_FORK_BATCH);
    for (uint64_t n = 1; n <= 3; n++) {
        fake_engine_assert_good(&f, good, "before");
        while (pool_statistics(f.pool).n_refreshes < n)
            assert_true(loop_turn(f.loop, LOOP_FOREVER, &e));
        fake_engine_assert_good(&f, good, "after");
    }
    struct pool_statistics s = pool_statistics(f.pool);
    assert_true(s.n_workers_started >= 4 && s.n_restarts == 0 && s.n_children_lost == 0);
    fixture_close(&f);
}

static void memory_that_it_prepared_does_not_wear_a_worker(void **state)
{
    static const struct {
        const char *worker;
        uint64_t n_refreshes;
    } rows[] = {{"fake", 0}, {"grows", 1}, {"grows-prepared", 0}};
    const struct pool_options options = {.worker_path = FAKE_WORKERS, .batch = 1};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fixture f;
        struct err e;
        fixture_open_pool(&f, &options);
        const struct target *good = fake_engine(&f, rows[i].worker, "good", TARGET_FORK_BATCH);
        for (int n = 0; n < 3; n++)
            fake_engine_assert_good(&f, good, rows[i].worker);
        while (pool_statistics(f.pool).n_refreshes < rows[i].n_refreshes)
            assert_true(loop_turn(f.loop, LOOP_FOREVER, &e));
        for (int n = 0; n < 3; n++)
            fake_engine_assert_good(&f, good, rows[i].worker);
        struct pool_statistics s = pool_statistics(f.pool);
        ASSERT_ROW(s.n_workers_started >= 1 + rows[i].n_refreshes, rows[i].worker);
        ASSERT_ROW(rows[i].n_refreshes || s.n_workers_started == 1, rows[i].worker);
        fixture_close(&f);
    }
}

static void a_successor_that_does_not_start_changes_nothing(void **state)
{
    struct fixture f;
    struct err e;
    (void)state;
    fixture_open_refreshing(&f, FAKE_WORKERS);
    const struct target *good = fake_engine(&f, "start-once", "good", TARGET_FORK_BATCH);
    fake_engine_assert_good(&f, good, "first");
    while (pool_statistics(f.pool).n_workers_started < 3) { /* two successors were tried */
        assert_true(loop_turn(f.loop, 20 * LOOP_MS, &e));
        fake_engine_assert_good(&f, good, "meanwhile");
    }
    fake_engine_assert_good(&f, good, "last");
    struct pool_statistics s = pool_statistics(f.pool);
    assert_true(s.n_refreshes == 0 && s.n_restarts == 0 && s.n_children_lost == 0);
    fixture_close(&f);
}

enum { CANARY_CASES = 24, AGE = 8 };

/* An engine that runs cases well. After `after` children the fault `alone` occurs in each case that
 * runs alone, as the canary does. */
static const struct target *make_ageing(struct fixture *f, const char *alone, int after)
{
    struct err e;
    const struct target *good = fake_engine(f, "fake", "good", TARGET_FORK_BATCH);
    struct target_mode *mode = arena_dup(&f->arena, good->mode, sizeof *mode);
    struct target *t = arena_dup(&f->arena, good, sizeof *t);
    char *options = arena_printf(
        &f->arena, "{\"fault\":\"good\",\"alone\":\"%s\",\"after\":%d,\"text\":\"no\"}", alone,
        after);
    assert_true(json_parse(str_of(options), "options", &f->arena, &mode->options, &e));
    t->mode = mode;
    return t;
}

/* Runs cases one by one in a pool that runs a canary about every second child. */
static struct pool_statistics run_with_canaries(const char *alone, int after, int64_t deadline_ms)
{
    const struct pool_options options = {
        .worker_path = FAKE_WORKERS, .batch = 1, .canary_children = 2};
    struct fixture f;
    fixture_open_pool(&f, &options);
    const struct target *t = make_ageing(&f, alone, after);
    for (uint64_t i = 0; i < CANARY_CASES; i++)
        ASSERT_ROW(fake_engine_run_until(&f, t, i, deadline_ms).observations[0].outcome ==
                       OUTCOME_OK,
                   alone);
    struct pool_statistics s = pool_statistics(f.pool);
    ASSERT_ROW(s.n_cases == CANARY_CASES && s.n_runs == CANARY_CASES, alone);
    ASSERT_ROW(s.n_replays == 0 && s.n_lost == 0 && s.n_hangs == 0 && pool_n_pending(f.pool) == 0,
               alone);
    fixture_close(&f);
    return s;
}

static void a_good_worker_is_not_replaced_for_its_canary(void **state)
{
    (void)state;
    struct pool_statistics s = run_with_canaries("good", 0, FAKE_DEADLINE_MS);
    assert_true(s.n_canaries >= CANARY_CASES / 4 && s.n_canaries_changed == 0);
    assert_true(s.n_workers_started == 1 && s.n_refreshes == 0 && s.n_restarts == 0 &&
                s.n_children_lost == 0);
}

static void a_changed_canary_brings_a_successor(void **state)
{
    static const struct {
        const char *alone;
        bool kills; /* the worker itself: the next one is no successor */
    } rows[] = {{"other-answer", false}, {"exception", false}, {"die-139", false},
                {"leave", false},        {"garbage", true},    {"kill-worker", true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct pool_statistics s = run_with_canaries(rows[i].alone, AGE, FAKE_DEADLINE_MS);
        ASSERT_ROW(s.n_children_lost == 0, rows[i].alone);
        ASSERT_ROW(s.n_canaries_changed >= 1 && s.n_canaries > s.n_canaries_changed, rows[i].alone);
        ASSERT_ROW(s.n_workers_started >= 2, rows[i].alone);
        ASSERT_ROW((s.n_restarts > 0) == rows[i].kills, rows[i].alone);
    }
}

static void a_worker_that_cannot_run_the_canary_is_left_alone(void **state)
{
    static const struct {
        const char *alone;
        uint64_t n_restarts; /* it broke with the canary, once */
        int64_t deadline_ms;
    } rows[] = {{"exception", 0, FAKE_DEADLINE_MS},
                {"die-139", 0, FAKE_DEADLINE_MS},
                {"garbage", 1, FAKE_DEADLINE_MS},
                {"kill-worker", 1, FAKE_DEADLINE_MS},
                {"silent", 0, FAKE_SHORT_DEADLINE_MS}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct pool_statistics s = run_with_canaries(rows[i].alone, 0, rows[i].deadline_ms);
        ASSERT_ROW(s.n_children_lost == 0, rows[i].alone);
        ASSERT_ROW(s.n_canaries == 1 && s.n_canaries_changed == 0, rows[i].alone);
        ASSERT_ROW(s.n_refreshes == 0 && s.n_restarts == rows[i].n_restarts, rows[i].alone);
        ASSERT_ROW(s.n_workers_started == 1 + rows[i].n_restarts, rows[i].alone);
    }
}

/* Each worker dies after its first canary, and cases still run. */
static void a_worker_that_breaks_behind_its_canary_still_serves(void **state)
{
    (void)state;
    struct pool_statistics s = run_with_canaries("double-reply", 0, FAKE_DEADLINE_MS);
    assert_true(s.n_canaries <= CANARY_CASES && s.n_canaries_changed == 0);
}

TEST_SUITE(target_canary, TEST(a_worn_worker_gives_way_to_a_successor),
           TEST(memory_that_it_prepared_does_not_wear_a_worker),
           TEST(a_successor_that_does_not_start_changes_nothing),
           TEST(a_good_worker_is_not_replaced_for_its_canary),
           TEST(a_changed_canary_brings_a_successor),
           TEST(a_worker_that_cannot_run_the_canary_is_left_alone),
           TEST(a_worker_that_breaks_behind_its_canary_still_serves))
