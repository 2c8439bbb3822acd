/*
 * Decides how a worker process gets its frames, is asked to end and is ended by force. Must not
 * know jobs: it reports what happens to conn->events. Invariant: at most one frame is out per
 * worker, and while one is out a timer runs.
 */
#include "target/pool_p.h"

#include <signal.h>

#include "os/death.h"
#include "os/probe.h"

enum {
    BEGIN_DEADLINE_MS =
        60000, /* from sending a frame to the message that a process has begun to run it */
    ENDING_DEADLINE_MS = 20000,
    PATIENCE_MS = 20000, /* from killing a child to the worker's message about its end */
    SAMPLE_MS = 60,      /* of CPU time, when the deadline has passed */
    STACKS_MS = 300      /* for a child to write its stacks */
};

void connection__set_timer(struct connection *conn, int64_t after_ms, loop_timer_fn fn)
{
    loop_timer_cancel(conn->pool->options.loop, conn->timer);
    conn->timer = fn ? loop_timer_add(conn->pool->options.loop, after_ms * LOOP_MS, fn, conn) : 0;
}

void connection__send(struct connection *conn, unsigned kind, struct str body)
{
    struct strbuf bytes = {0};
    struct err e;
    if (frame_encode(kind, conn->seq, body, &bytes, &e))
        stream_send(conn->stream, bytes.at, bytes.n);
    else
        connection__break(conn, e.text);
    strbuf_done(&bytes);
}

void connection__retire(struct connection *conn)
{
    connection__set_timer(conn, 0, NULL);
    conn->state = CONNECTION_LOST;
    conn->job = NULL;
    pool__wake(conn->pool);
}

/* The worker itself cannot be used any more; what it was running is settled when it has ended. */
void connection__break(struct connection *conn, const char *why)
{
    if (conn->worker_died || conn->death.by_protocol)
        return;
    conn->death.by_protocol = true;
    conn->death.note = arena_printf(conn->job ? &conn->job->ticket->arena : &conn->pool->arena,
                                    "the worker broke the protocol: %s", why);
    process_signal(conn->process, SIGKILL);
}

static void on_settled(void *ctx)
{
    struct connection *conn = ctx;
    conn->timer = 0;
    conn->child = 0;
    process_output_drain(conn->process);
    conn->death.text = process_output(conn->process, true);
    conn->death.memory_limit = conn->pool->options.memory_bytes;
    conn->death.is_foreign =
        !conn->death.timed_out && !conn->death.flooded && !conn->death.by_protocol &&
        death_is_foreign(conn->death.signo, conn->oom_kills, conn->death.peak_bytes);
    conn->events->lost(conn);
    conn->death = (struct death){0};
    conn->is_suspect = false;
}

void connection__process_lost(struct connection *conn)
{
    if (conn->state == CONNECTION_SETTLING)
        return;
    conn->state = CONNECTION_SETTLING;
    conn->pool->statistics.n_children_lost += !conn->job->is_canary;
    connection__set_timer(conn, 0, on_settled);
}

static void on_patience_over(void *ctx)
{
    struct connection *conn = ctx;
    conn->timer = 0;
    process_signal(conn->process, SIGKILL);
}

static void kill_child(struct connection *conn)
{
    if (conn->child)
        process_signal_child(conn->process, conn->child, SIGKILL);
    else
        process_signal(conn->process, SIGKILL);
    connection__set_timer(conn, PATIENCE_MS, on_patience_over);
}

static void on_stacks_written(void *ctx)
{
    struct connection *conn = ctx;
    conn->timer = 0;
    kill_child(conn);
}

static int running_pid(const struct connection *conn)
{
    return conn->child ? conn->child : process_main_pid(conn->process);
}

static void on_sampled(void *ctx)
{
    struct connection *conn = ctx;
    conn->timer = 0;
    /* On a crowded machine a busy process may get no CPU time in so short an interval. */
    conn->death.cpu_bound = probe_cpu_ns(running_pid(conn)) > conn->began_cpu_ns ||
                            probe_is_runnable(running_pid(conn));
    if (!conn->can_dump_stacks) {
        kill_child(conn);
        return;
    }
    if (conn->child)
        process_signal_child(conn->process, conn->child, SIGUSR1);
    else
        process_signal(conn->process, SIGUSR1);
    connection__set_timer(conn, STACKS_MS, on_stacks_written);
}

void connection__time_out(struct connection *conn)
{
    if (conn->child &&
        probe_n_tasks(conn->child) ==
            0) { /* the message about its end was read as part of an unfinished frame */
        connection__break(conn, "a process ended within a frame");
        return;
    }
    conn->death.timed_out = true;
    if (conn->is_suspect) { /* it was seen to compute */
        conn->death.cpu_bound = true;
        kill_child(conn);
        return;
    }
    conn->began_cpu_ns = probe_cpu_ns(running_pid(conn));
    connection__set_timer(conn, SAMPLE_MS, on_sampled);
}

static void on_not_begun(void *ctx)
{
    struct connection *conn = ctx;
    conn->timer = 0;
    connection__time_out(conn);
}

static void on_ending_too_long(void *ctx)
{
    struct connection *conn = ctx;
    conn->timer = 0;
    process_signal(conn->process, SIGKILL);
}

void connection__run(struct connection *conn)
{
    process_output_clear(conn->process);
    if (!conn->child)
        conn->oom_kills = death_oom_kills();
    conn->state = CONNECTION_BUSY;
    conn->started = false;
    conn->n_answers = 0;
    conn->n_cases++;
    conn->seq++;
    connection__set_timer(conn, BEGIN_DEADLINE_MS,
                          on_not_begun); /* the case's deadline begins with started */
    connection__send(conn, FRAME_RUN, strbuf_str(&conn->body));
}

void connection__end_child(struct connection *conn)
{
    conn->state = CONNECTION_ENDING;
    connection__set_timer(conn, ENDING_DEADLINE_MS, on_ending_too_long);
    connection__send(conn, FRAME_BYE, STR("{\"child\":true}"));
}

void connection__set_idle(struct connection *conn)
{
    connection__set_timer(conn, 0, NULL);
    conn->job = NULL;
    conn->death.note = NULL; /* the ticket owns it */
    conn->state = CONNECTION_IDLE;
}
