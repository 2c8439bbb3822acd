/*
 * struct loop: the event loop of a process. It calls back for descriptors, timers and signals;
 * nothing runs in parallel. Children are watched through their pidfd (process.h).
 *
 *     struct loop *loop;
 *     if (!loop_open(&loop, e)) return false;
 *     loop_watch(loop, fd, LOOP_READ, on_ready, ctx, e);
 *     loop_timer_add(loop, 200 * LOOP_MS, on_tick, ctx);     // fires once
 *     loop_run(loop, e);                                     // until loop_stop or nothing is left
 *     loop_close(loop);
 *
 * A callback may add, change and remove any watch or timer, its own and others: a watch removed
 * during a turn is no longer called in it. Timers fire in order of their time, those of equal time
 * in order of adding. The loop never owns the descriptors it watches.
 */
#ifndef OS_LOOP_H
#define OS_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define LOOP_MS INT64_C(1000000)
#define LOOP_SECOND INT64_C(1000000000)
#define LOOP_FOREVER INT64_MAX

enum loop_ready {
    LOOP_READ = 1,
    LOOP_WRITE = 2,
    LOOP_HANGUP = 4 /* always reported, in no interest: the other end closed, or an error */
};

struct loop;

typedef void (*loop_fd_fn)(void *ctx, int fd, unsigned ready);
typedef void (*loop_timer_fn)(void *ctx);
typedef void (*loop_signal_fn)(void *ctx, int signo);

bool loop_open(struct loop **out, struct err *e);
void loop_close(struct loop *loop); /* NULL is allowed */

/* Begins to watch fd, or changes interest and callback of its watch. interest 0 reports LOOP_HANGUP
 * only. */
bool loop_watch(struct loop *loop, int fd, unsigned interest, loop_fd_fn fn, void *ctx,
                struct err *e);
void loop_unwatch(struct loop *loop, int fd); /* call before closing fd; no watch is fine */

/* Calls fn once, after_ns from now (<= 0: in the next turn). The id is never 0. */
uint64_t loop_timer_add(struct loop *loop, int64_t after_ns, loop_timer_fn fn, void *ctx);
void loop_timer_cancel(struct loop *loop, uint64_t id); /* 0 and fired ids are fine */

/* From now on the signal is blocked and arrives as a callback. */
bool loop_watch_signal(struct loop *loop, int signo, loop_signal_fn fn, void *ctx, struct err *e);

/* Waits at most max_wait_ns for something to do and does it. A caught signal ends the wait. */
bool loop_turn(struct loop *loop, int64_t max_wait_ns, struct err *e);

/* Turns until loop_stop, or until no watch, timer or watched signal is left. */
bool loop_run(struct loop *loop, struct err *e);
void loop_stop(struct loop *loop);

size_t loop_n_watches(const struct loop *loop);
size_t loop_n_timers(const struct loop *loop);

#endif
