/* The event loop: order of timers, changes of watches during a turn, signals. */
#include "os/loop.h"

#include <signal.h>
#include <unistd.h>

#include "unit/test.h"

struct scene {
    struct loop *loop;
    char order[16];
    size_t n;
    int fds[2][2];
    int n_calls;
};

static void note(struct scene *s, char c)
{
    s->order[s->n++] = c;
}

static void on_a(void *ctx)
{
    note(ctx, 'a');
}

static void on_b(void *ctx)
{
    note(ctx, 'b');
}

static void on_c(void *ctx)
{
    struct scene *s = ctx;
    note(s, 'c');
    loop_timer_add(s->loop, 0, on_a, s);
}

static void timers_fire_by_time_then_by_order_of_adding(void **state)
{
    struct scene s = {0};
    struct err e;
    (void)state;
    assert_true(loop_open(&s.loop, &e));
    loop_timer_add(s.loop, 3 * LOOP_MS, on_c, &s);
    loop_timer_add(s.loop, 1 * LOOP_MS, on_a, &s);
    loop_timer_add(s.loop, 1 * LOOP_MS, on_b, &s);
    uint64_t cancelled = loop_timer_add(s.loop, 2 * LOOP_MS, on_b, &s);
    loop_timer_cancel(s.loop, cancelled);
    loop_timer_cancel(s.loop, 0);
    assert_int_equal(loop_n_timers(s.loop), 3);
    assert_true(loop_run(s.loop, &e));
    assert_string_equal(s.order, "abca");
    loop_close(s.loop);
}

static void many_timers_stay_in_order(void **state)
{
    enum { N = 200 };
    struct scene s = {0};
    struct err e;
    uint64_t ids[N];
    (void)state;
    assert_true(loop_open(&s.loop, &e));
    for (int i = 0; i < N; i++)
        ids[i] = loop_timer_add(s.loop, LOOP_SECOND * (1 + (i * 37) % N), on_a, &s);
    for (int i = 0; i < N; i += 2)
        loop_timer_cancel(s.loop, ids[i]);
    assert_int_equal(loop_n_timers(s.loop), N / 2);
    loop_timer_add(s.loop, 0, on_b, &s);
    assert_true(loop_turn(s.loop, LOOP_FOREVER, &e));
    assert_string_equal(s.order, "b");
    loop_close(s.loop);
}

static void on_first_ready(void *ctx, int fd, unsigned ready)
{
    struct scene *s = ctx;
    (void)ready;
    s->n_calls++;
    loop_unwatch(s->loop, fd);
    loop_unwatch(s->loop, s->fds[fd == s->fds[0][0]][0]);
}

static void a_watch_removed_in_a_turn_is_not_called_in_it(void **state)
{
    struct scene s = {0};
    struct err e;
    (void)state;
    assert_true(loop_open(&s.loop, &e));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pipe(s.fds[i]), 0);
        assert_int_equal(write(s.fds[i][1], "x", 1), 1);
        assert_true(loop_watch(s.loop, s.fds[i][0], LOOP_READ, on_first_ready, &s, &e));
    }
    assert_int_equal(loop_n_watches(s.loop), 2);
    assert_true(loop_run(s.loop, &e));
    assert_int_equal(s.n_calls, 1);
    for (int i = 0; i < 2; i++) {
        close(s.fds[i][0]);
        close(s.fds[i][1]);
    }
    loop_close(s.loop);
}

static void on_hangup(void *ctx, int fd, unsigned ready)
{
    struct scene *s = ctx;
    s->n_calls += (ready & LOOP_HANGUP) != 0;
    loop_unwatch(s->loop, fd);
}

static void a_hangup_is_reported_without_being_asked_for(void **state)
{
    struct scene s = {0};
    struct err e;
    (void)state;
    assert_true(loop_open(&s.loop, &e));
    assert_int_equal(pipe(s.fds[0]), 0);
    assert_true(loop_watch(s.loop, s.fds[0][0], 0, on_hangup, &s, &e));
    close(s.fds[0][1]);
    assert_true(loop_run(s.loop, &e));
    assert_int_equal(s.n_calls, 1);
    close(s.fds[0][0]);
    loop_close(s.loop);
}

static void on_signal(void *ctx, int signo)
{
    struct scene *s = ctx;
    s->n_calls += signo == SIGUSR1;
    loop_stop(s->loop);
}

static void signals_arrive_as_callbacks(void **state)
{
    struct scene s = {0};
    struct err e;
    (void)state;
    assert_true(loop_open(&s.loop, &e));
    assert_true(loop_watch_signal(s.loop, SIGUSR1, on_signal, &s, &e));
    assert_int_equal(raise(SIGUSR1), 0);
    assert_true(loop_run(s.loop, &e));
    assert_int_equal(s.n_calls, 1);
    assert_false(loop_watch_signal(s.loop, 0, on_signal, &s, &e));
    loop_close(s.loop);
}

static void an_unusable_descriptor_is_an_error(void **state)
{
    struct loop *loop;
    struct err e;
    (void)state;
    assert_true(loop_open(&loop, &e));
    assert_false(loop_watch(loop, -1, LOOP_READ, on_hangup, NULL, &e));
    loop_unwatch(loop, -1);
    loop_unwatch(loop, 7);
    assert_int_equal(loop_n_watches(loop), 0);
    loop_close(loop);
}

TEST_SUITE(os_loop, TEST(timers_fire_by_time_then_by_order_of_adding),
           TEST(many_timers_stay_in_order), TEST(a_watch_removed_in_a_turn_is_not_called_in_it),
           TEST(a_hangup_is_reported_without_being_asked_for), TEST(signals_arrive_as_callbacks),
           TEST(an_unusable_descriptor_is_an_error))
