/* Hangs and the queue: other cases go on beside one that hangs. */
#include "fake_engine.h"
#include "unit/test.h"

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
                                   .deadline_ms = FAKE_DEADLINE_MS,
                                   .busy_ms = BUSY_MS,
                                   .quarantines = true,
                                   .presumes = m->presumes};
    if (!pool_batch_submit(&m->f.batch, &request, on_one_back, s, &e))
        fail_msg("%s", e.text);
}

static struct pool_statistics run_many(struct many *m)
{
    struct err e;
    fixture_open(&m->f, FAKE_WORKERS, FAKE_MEMORY, FAKE_DEADLINE_MS);
    m->target = fake_engine(&m->f, "fake", "busy-by-id", TARGET_FORK_BATCH);
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

TEST_SUITE(target_hang, TEST(cases_go_on_beside_one_that_hangs))
