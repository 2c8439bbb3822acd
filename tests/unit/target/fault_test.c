/* Containment: each fault of an engine or adapter costs one case, is classified, and the pool goes
 * on. The faults are those of tests/fake. */
#include <string.h>

#include "base/file.h"
#include "os/process.h"
#include "pool_fixture.h"
#include "unit/test.h"

/* Deadlines: of cases that must end, however slow the machine is, and of cases that never end. */
#define DEADLINE_MS 120000
#define SHORT_DEADLINE_MS 2000
#define MEMORY ((uint64_t)128 << 20)

/* One engine whose modes are the faults. */
struct fake {
    struct target_description description;
    struct target_installation installation;
    struct target_mode mode;
    struct target target;
};

static const struct target_words fake_words[] = {
    {TEXT("Could not find an implementation"), OUTCOME_UNSUPPORTED}};

static const struct target *make_fake(struct fixture *f, const char *worker, const char *fault,
                                      enum target_fork fork)
{
    static const struct target_opset opset = {TEXT("1"), 28};
    static const char *const roots[] = {"/usr"};
    struct arena *a = &f->arena;
    struct fake *fake = arena_new(a, struct fake);
    struct err e;
    const char *python;
    assert_true(process_find_program("/usr/bin/python3", a, &python, &e));
    char *options = arena_printf(
        a, "{\"fault\":\"%s\",\"text\":\"Could not find an implementation for X\"}", fault);
    assert_true(json_parse(str_of(options), "options", a, &fake->mode.options, &e));
    fake->mode.name = str_of(fault);
    fake->mode.n_threads = 1;
    fake->description = (struct target_description){.engine = STR("fake"),
                                                    .family = STR("fake"),
                                                    .worker = str_of(worker),
                                                    .accepts_graphs = true,
                                                    .fork = fork,
                                                    .n_tasks = 1,
                                                    .opsets = &opset,
                                                    .n_opsets = 1,
                                                    .words = fake_words,
                                                    .n_words = COUNT_OF(fake_words)};
    fake->installation = (struct target_installation){.description = &fake->description,
                                                      .version = STR("1"),
                                                      .python = str_of(python),
                                                      .roots = roots,
                                                      .n_roots = 1,
                                                      .traits = {.largest_opset = 28}};
    fake->target = (struct target){.id = {.engine = STR("fake"),
                                          .version = STR("1"),
                                          .mode = fake->mode.name,
                                          .family = STR("fake"),
                                          .n_threads = 1,
                                          .traits = &fake->installation.traits},
                                   .installation = &fake->installation,
                                   .mode = &fake->mode};
    return &fake->target;
}

/* Another mode of the same engine. */
static const struct target *other_mode(struct fixture *f, const struct target *of,
                                       const char *fault)
{
    const struct target *fresh = make_fake(f, "fake", fault, TARGET_FORK_BATCH);
    struct target *t = arena_dup(&f->arena, fresh, sizeof *fresh);
    t->installation = of->installation;
    return t;
}

static struct pool_result run_until(struct fixture *f, const struct target *target, uint64_t index,
                                    int64_t deadline_ms)
{
    struct pool_result got;
    struct err e;
    const struct target **list = arena_new(&f->arena, const struct target *);
    *list = target;
    struct pool_request request = {.c = fixture_case(f, "Identity", index),
                                   .targets = list,
                                   .n_targets = 1,
                                   .arena = &f->arena,
                                   .deadline_ms = deadline_ms};
    if (!pool_run(f->pool, &request, &got, &e))
        fail_msg("%s", e.text);
    return got;
}

static struct pool_result run(struct fixture *f, const struct target *target, uint64_t index)
{
    return run_until(f, target, index, DEADLINE_MS);
}

static void assert_good(struct fixture *f, const struct target *target, const char *row)
{
    struct pool_result got = run(f, target, 1000);
    ASSERT_ROW(got.n_observations == 1 && got.observations[0].outcome == OUTCOME_OK, row);
    ASSERT_ROW(tensor_get_double(&got.observations[0].outputs.at[0].tensor, 5) == 6, row);
}

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
    fixture_open(&f, ASSAY_SOURCE_DIR "/tests/fake", MEMORY, DEADLINE_MS);
    const struct target *good = make_fake(&f, "fake", "good", TARGET_FORK_BATCH);
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        struct pool_result got = run_until(&f, other_mode(&f, good, faults[i].fault), i,
                                           faults[i].never_ends ? SHORT_DEADLINE_MS : DEADLINE_MS);
        const struct observation *o = &got.observations[0];
        if (o->outcome != faults[i].outcome || o->signal != faults[i].signal)
            fail_msg("%s: %s, signal %d: " STR_FMT, faults[i].fault, outcome_name(o->outcome),
                     o->signal, STR_ARG(o->message.raw));
        if (faults[i].message &&
            str_find(o->message.raw, str_of(faults[i].message)) == o->message.raw.n)
            fail_msg("%s: \"" STR_FMT "\"", faults[i].fault, STR_ARG(o->message.raw));
        assert_good(&f, good, faults[i].fault);
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
    fixture_open(&f, ASSAY_SOURCE_DIR "/tests/fake", MEMORY, DEADLINE_MS);
    const struct target *good = make_fake(&f, "fake", "good", TARGET_FORK_NEVER);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bool never_ends = rows[i].outcome == OUTCOME_TIMEOUT_BLOCKED;
        struct pool_result got = run_until(&f, other_mode(&f, good, rows[i].fault), i,
                                           never_ends ? SHORT_DEADLINE_MS : DEADLINE_MS);
        ASSERT_ROW(got.observations[0].outcome == rows[i].outcome, rows[i].fault);
        assert_good(&f, good, rows[i].fault);
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
    fixture_open(&f, ASSAY_SOURCE_DIR "/tests/fake", MEMORY, DEADLINE_MS);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct target *t = make_fake(&f, rows[i].worker, "good", TARGET_FORK_BATCH);
        for (uint64_t index = 0; index < 2; index++) {
            struct pool_result got = run(&f, t, index);
            const struct observation *o = &got.observations[0];
            ASSERT_ROW(o->outcome == OUTCOME_IMPORT_FAILURE, rows[i].worker);
            ASSERT_ROW(str_find(o->message.raw, str_of(rows[i].message)) < o->message.raw.n,
                       rows[i].worker);
        }
    }
    assert_good(&f, make_fake(&f, "fake", "good", TARGET_FORK_BATCH), "good");
    fixture_close(&f);
}

/* A momentary shortage costs a second start, but no case. */
static void a_worker_that_starts_the_second_time_serves(void **state)
{
    struct fixture f;
    (void)state;
    fixture_open(&f, ASSAY_SOURCE_DIR "/tests/fake", MEMORY, DEADLINE_MS);
    assert_good(&f, make_fake(&f, "start-second", "good", TARGET_FORK_BATCH), "second");
    assert_int_equal(pool_statistics(f.pool).n_workers_started, 2);
    fixture_close(&f);
}

/* The case that dies is innocent: alone it passes, after the one that broke the heap it dies again.
 */
static void a_heap_broken_by_an_earlier_case_is_found_by_the_replay(void **state)
{
    struct fixture f;
    (void)state;
    fixture_open(&f, ASSAY_SOURCE_DIR "/tests/fake", MEMORY, DEADLINE_MS);
    const struct target *good = make_fake(&f, "fake", "good", TARGET_FORK_BATCH);
    assert_good(&f, good, "before");
    struct pool_result got = run(&f, other_mode(&f, good, "corrupt-then-die-later"), 1);
    assert_int_equal(got.observations[0].outcome, OUTCOME_OK);
    got = run(&f, good, 2);
    assert_int_equal(got.observations[0].outcome, OUTCOME_SIGNAL);
    assert_int_equal(got.observations[0].signal, 11);
    assert_non_null(strstr(got.observations[0].message.raw.at,
                           "after it had run 2 other cases, twice; alone the case passes"));
    assert_good(&f, good, "after");
    struct pool_statistics s = pool_statistics(f.pool);
    assert_true(s.n_replays == 1 && s.n_lost == 0 && s.n_children_lost == 2);
    fixture_close(&f);
}

static void a_death_that_does_not_come_again_costs_nothing(void **state)
{
    struct fixture f;
    (void)state;
    fixture_open(&f, ASSAY_SOURCE_DIR "/tests/fake", MEMORY, DEADLINE_MS);
    const struct target *good = make_fake(&f, "fake", "good", TARGET_FORK_BATCH);
    assert_good(&f, good, "before");
    struct pool_result got = run(&f, other_mode(&f, good, "lose-once"), 1);
    assert_int_equal(got.observations[0].outcome, OUTCOME_OK);
    struct pool_statistics s = pool_statistics(f.pool);
    assert_true(s.n_replays == 1 && s.n_lost == 1 && s.n_children_lost == 1);
    fixture_close(&f);
}

static void a_kill_from_outside_costs_nothing(void **state)
{
    struct fixture f;
    (void)state;
    fixture_open(&f, ASSAY_SOURCE_DIR "/tests/fake", MEMORY, DEADLINE_MS);
    const struct target *good = make_fake(&f, "fake", "good", TARGET_FORK_BATCH);
    assert_good(&f, good, "before");
    struct pool_result got = run(&f, other_mode(&f, good, "killed-once"), 1);
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
    fixture_open(&f, ASSAY_SOURCE_DIR "/tests/fake", MEMORY, DEADLINE_MS);
    const struct target *good = make_fake(&f, "fake", "good", TARGET_FORK_BATCH);
    const struct target *list[] = {good, other_mode(&f, good, "die-139"), good,
                                   other_mode(&f, good, "die-134"), good};
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
    fixture_open(&f, ASSAY_SOURCE_DIR "/tests/fake", MEMORY, 60000);
    const struct target *silent = make_fake(&f, "fake", "silent", TARGET_FORK_BATCH);
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
        fixture_open(&f, ASSAY_SOURCE_DIR "/tests/fake", MEMORY, 500);
        const struct target *target = make_fake(&f, "fake", ends[i], TARGET_FORK_BATCH);
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
        assert_good(&f, make_fake(&f, "fake", "good", TARGET_FORK_BATCH), ends[i]);
        while (pool_statistics(f.pool).n_busy > 0 || pool_statistics(f.pool).n_queued > 0)
            assert_true(loop_turn(f.loop, LOOP_FOREVER, &e));
        assert_int_equal(n_called, 0);
        fixture_close(&f);
    }
}

/* The successor says hello before the old worker ends, and cases go on meanwhile. */
static void a_worn_worker_gives_way_to_a_successor(void **state)
{
    struct fixture f;
    struct err e;
    (void)state;
    fixture_open_refreshing(&f, ASSAY_SOURCE_DIR "/tests/fake");
    const struct target *good = make_fake(&f, "fake", "good", TARGET_FORK_BATCH);
    for (uint64_t n = 1; n <= 3; n++) {
        assert_good(&f, good, "before");
        while (pool_statistics(f.pool).n_refreshes < n)
            assert_true(loop_turn(f.loop, LOOP_FOREVER, &e));
        assert_good(&f, good, "after");
    }
    struct pool_statistics s = pool_statistics(f.pool);
    assert_true(s.n_workers_started >= 4 && s.n_restarts == 0 && s.n_children_lost == 0);
    fixture_close(&f);
}

static void a_successor_that_does_not_start_changes_nothing(void **state)
{
    struct fixture f;
    struct err e;
    (void)state;
    fixture_open_refreshing(&f, ASSAY_SOURCE_DIR "/tests/fake");
    const struct target *good = make_fake(&f, "start-once", "good", TARGET_FORK_BATCH);
    assert_good(&f, good, "first");
    while (pool_statistics(f.pool).n_workers_started < 3) { /* two successors were tried */
        assert_true(loop_turn(f.loop, 20 * LOOP_MS, &e));
        assert_good(&f, good, "meanwhile");
    }
    assert_good(&f, good, "last");
    struct pool_statistics s = pool_statistics(f.pool);
    assert_true(s.n_refreshes == 0 && s.n_restarts == 0 && s.n_children_lost == 0);
    fixture_close(&f);
}

/* ---- canaries ---- */

enum { CANARY_CASES = 24, AGE = 8 };

/* An engine that runs cases well. After `after` children the fault `alone` occurs in each case that
 * runs alone, as the canary does. */
static const struct target *make_ageing(struct fixture *f, const char *alone, int after)
{
    struct err e;
    const struct target *good = make_fake(f, "fake", "good", TARGET_FORK_BATCH);
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
        .worker_path = ASSAY_SOURCE_DIR "/tests/fake", .batch = 1, .canary_children = 2};
    struct fixture f;
    fixture_open_pool(&f, &options);
    const struct target *t = make_ageing(&f, alone, after);
    for (uint64_t i = 0; i < CANARY_CASES; i++)
        ASSERT_ROW(run_until(&f, t, i, deadline_ms).observations[0].outcome == OUTCOME_OK, alone);
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
    struct pool_statistics s = run_with_canaries("good", 0, DEADLINE_MS);
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
        struct pool_statistics s = run_with_canaries(rows[i].alone, AGE, DEADLINE_MS);
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
    } rows[] = {{"exception", 0, DEADLINE_MS},
                {"die-139", 0, DEADLINE_MS},
                {"garbage", 1, DEADLINE_MS},
                {"kill-worker", 1, DEADLINE_MS},
                {"silent", 0, SHORT_DEADLINE_MS}};
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
    struct pool_statistics s = run_with_canaries("double-reply", 0, DEADLINE_MS);
    assert_true(s.n_canaries <= CANARY_CASES && s.n_canaries_changed == 0);
}

/* ---- hangs and the queue ---- */

enum { N_CASES = 320, N_INFLIGHT = 8, BUSY_MS = 600 };

/* One case in fifty hangs; the rate of the others is that of a pool in which none does. */
struct many {
    struct fixture f;
    const struct target *target;
    bool presumes;
    uint64_t n_sent;
    size_t n_back, n_hung, n_presumed, n_good_waiting;
    size_t n_hanging; /* how many of the cases in flight hang, known from their ids */
};

struct sent {
    struct many *m;
    bool hangs;
};

static bool does_hang(const struct tcase *c)
{
    return c->id.bytes[1] < 5; /* as in tests/fake */
}

static void submit_next(struct many *m);

static void on_one_back(void *ctx, const struct pool_result *result)
{
    const struct sent *s = ctx;
    struct many *m = s->m;
    const struct observation *o = &result->observations[0];
    assert_int_equal(o->outcome, s->hangs ? OUTCOME_TIMEOUT_CPU : OUTCOME_OK);
    m->n_back++;
    m->n_hung += s->hangs;
    m->n_hanging -= s->hangs;
    m->n_presumed += pool_is_presumed(o);
    m->n_good_waiting += !s->hangs && m->n_hanging > 0; /* it overtook one that hangs */
    submit_next(m);
}

static void submit_next(struct many *m)
{
    struct err e;
    if (m->n_sent == N_CASES)
        return;
    struct tcase *c = fixture_case(&m->f, "Identity", m->n_sent++);
    struct sent *s = arena_new(&m->f.arena, struct sent);
    *s = (struct sent){m, does_hang(c)};
    m->n_hanging += s->hangs;
    struct pool_request request = {.c = c,
                                   .targets = &m->target,
                                   .n_targets = 1,
                                   .arena = &m->f.arena,
                                   .deadline_ms = DEADLINE_MS,
                                   .busy_ms = BUSY_MS,
                                   .quarantines = true,
                                   .presumes = m->presumes};
    if (!pool_batch_submit(&m->f.batch, &request, on_one_back, s, &e))
        fail_msg("%s", e.text);
}

static struct pool_statistics run_many(struct many *m)
{
    struct err e;
    fixture_open(&m->f, ASSAY_SOURCE_DIR "/tests/fake", MEMORY, DEADLINE_MS);
    m->target = make_fake(&m->f, "fake", "busy-by-id", TARGET_FORK_BATCH);
    for (int i = 0; i < N_INFLIGHT; i++)
        submit_next(m);
    while (m->n_back < N_CASES)
        assert_true(loop_turn(m->f.loop, LOOP_FOREVER, &e));
    struct pool_statistics s = pool_statistics(m->f.pool);
    fixture_close(&m->f);
    return s;
}

/* Once a mode is known to hang, its other hangs take only the early limit. */
static void cases_go_on_beside_one_that_hangs(void **state)
{
    struct many m = {0}, known = {.presumes = true};
    (void)state;
    struct pool_statistics s = run_many(&m);
    assert_true(m.n_hung >= 3 && s.n_hangs == m.n_hung && s.n_presumed == 0 && m.n_presumed == 0);
    /* If the queue waited for a hang, only the cases in flight with it could overtake it. */
    if (m.n_good_waiting < N_INFLIGHT * m.n_hung)
        fail_msg("%zu cases overtook %zu hangs", m.n_good_waiting, m.n_hung);
    struct pool_statistics t = run_many(&known);
    assert_true(known.n_hung == m.n_hung && t.n_presumed == known.n_presumed);
    assert_true(t.n_hangs >= 1 && t.n_presumed >= 1 && t.n_hangs + t.n_presumed == m.n_hung);
    print_message("%zu hangs took %.2f s of workers, %.2f s where the mode was known\n", m.n_hung,
                  (double)s.hang_ns * 1e-9, (double)t.hang_ns * 1e-9);
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
           TEST(a_batch_that_ends_takes_its_requests_back),
           TEST(a_worn_worker_gives_way_to_a_successor),
           TEST(a_successor_that_does_not_start_changes_nothing),
           TEST(a_good_worker_is_not_replaced_for_its_canary),
           TEST(a_changed_canary_brings_a_successor),
           TEST(a_worker_that_cannot_run_the_canary_is_left_alone),
           TEST(a_worker_that_breaks_behind_its_canary_still_serves),
           TEST(cases_go_on_beside_one_that_hangs))
