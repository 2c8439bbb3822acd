/*
 * Decides what a frame from a worker does to its connection. Each kind has a row; a frame that is
 * not expected in the connection's state breaks the worker. Must not know how processes are
 * watched.
 */
#include "target/pool_p.h"

#include <limits.h>

/* In the user's environment OpenBLAS starts one thread per core when NumPy is imported; it stops
 * and restarts them around a fork. */
enum { OWN_TASKS_MAX = 256 };

/* No process has this number: signals to it reach none. */
enum { CHILD_IS_GONE = INT_MAX };

static void say_welcome(struct connection *conn)
{
    struct strbuf body = {0}, bytes = {0};
    struct err e;
    struct json_out w = json_open(&body, JSON_COMPACT);
    enum target_fork fork = conn->installation->description->fork;
    json_begin_object(&w);
    json_pair_i64(&w, "protocol", PROTOCOL_NUMBER);
    json_pair_cstr(&w, "scratch", scratch_path(conn->pool->scratch));
    json_pair_cstr(&w, "results", scratch_path(conn->results));
    json_pair_i64(&w, "batch",
                  fork == TARGET_FORK_NEVER  ? 0
                  : fork == TARGET_FORK_CASE ? 1
                                             : conn->pool->options.batch);
    json_pair_i64(&w, "tasks",
                  conn->pool->options.as_user ? OWN_TASKS_MAX : target_n_tasks(conn->installation));
    json_end_object(&w);
    if (frame_encode(FRAME_WELCOME, 0, strbuf_str(&body), &bytes, &e))
        stream_send(conn->stream, bytes.at, bytes.n);
    else
        connection__break(conn, e.text);
    strbuf_done(&body);
    strbuf_done(&bytes);
}

static void on_hello(struct connection *conn, const struct frame *f, const struct json *j)
{
    struct err e;
    int64_t protocol;
    (void)f;
    if (conn->state != CONNECTION_STARTING || !json_need_i64(j, "protocol", &protocol, &e)) {
        connection__break(conn, "hello at a wrong time, or without its protocol's number");
        return;
    }
    if (protocol != PROTOCOL_NUMBER) {
        connection__break(conn, "it speaks another protocol");
        return;
    }
    const struct json *list = json_get(j, "capabilities");
    for (size_t i = 0; list && i < list->n; i++)
        conn->can_dump_stacks |= str_is(list->items[i].string, "stacks");
    connection__set_timer(conn, 0, NULL);
    conn->state = CONNECTION_IDLE;
    say_welcome(conn);
    conn->events->ready(conn);
}

/* Our number of the process that the worker knows by `pid`; 0: it is the worker itself. */
static int our_number(const struct connection *conn, int pid)
{
    int ours = process_find(conn->process, pid);
    return ours == process_main_pid(conn->process) ? 0 : ours ? ours : CHILD_IS_GONE;
}

static void on_started(struct connection *conn, const struct frame *f, const struct json *j)
{
    int64_t pid = json_get_i64(j, "pid", 0);
    if (conn->state != CONNECTION_BUSY || f->seq != conn->seq || conn->started || pid <= 1) {
        connection__break(conn, "started without a case to start");
        return;
    }
    conn->started = true;
    conn->child_named = (int)pid;
    conn->child = our_number(conn, (int)pid);
    conn->events->started(conn);
}

static void on_result(struct connection *conn, const struct frame *f, const struct json *j)
{
    struct err e;
    int64_t mode;
    if (conn->state != CONNECTION_BUSY || f->seq != conn->seq || !conn->started ||
        !json_need_i64(j, "mode", &mode, &e) || mode != (int64_t)conn->n_answers ||
        conn->n_answers == conn->n_modes) {
        connection__break(conn, "a result that was not requested");
        return;
    }
    if (conn->death.timed_out) /* the answer came too late: the process is being killed */
        return;
    conn->n_answers++;
    conn->events->result(conn, j);
}

static void on_exited(struct connection *conn, const struct frame *f, const struct json *j)
{
    int64_t pid = json_get_i64(j, "pid", 0);
    (void)f;
    if (pid <= 1 || (conn->child && pid != conn->child_named)) {
        connection__break(conn, "exited of a process that it does not have");
        return;
    }
    bool was_running =
        conn->state == CONNECTION_BUSY && conn->started && conn->child && pid == conn->child_named;
    conn->child = 0;
    if (!was_running)
        conn->pool->statistics.n_children_lost +=
            json_get_i64(j, "signal", 0) != 0 || json_get_i64(j, "code", 0) != 0;
    if (json_get_bool(j, "prepared", false))
        conn->events->prepared(conn);
    conn->events->child_ended(conn, was_running);
    if (was_running) {
        conn->death.code = (int)json_get_i64(j, "code", 0);
        conn->death.signo = (int)json_get_i64(j, "signal", 0);
        conn->death.peak_bytes = (uint64_t)json_get_i64(j, "peak_bytes", 0);
        connection__process_lost(conn);
    }
}

/* The worker says why it cannot serve, and ends. */
static void on_error(struct connection *conn, const struct frame *f, const struct json *j)
{
    struct str text = json_get_str(j, "message", STR("it gives no reason"));
    (void)f;
    conn->death.note = str_dup(conn->job ? &conn->job->ticket->arena : &conn->pool->arena,
                               str_sub(text, 0, POOL_MESSAGE_MAX));
}

static void on_wrong_sender(struct connection *conn, const struct frame *f, const struct json *j)
{
    (void)f, (void)j;
    connection__break(conn, "a frame that only the pool sends");
}

static void (*const rows[FRAME_KIND_COUNT])(struct connection *, const struct frame *,
                                            const struct json *) = {
    [FRAME_HELLO] = on_hello,     [FRAME_WELCOME] = on_wrong_sender, [FRAME_RUN] = on_wrong_sender,
    [FRAME_STARTED] = on_started, [FRAME_RESULT] = on_result,        [FRAME_EXITED] = on_exited,
    [FRAME_ERROR] = on_error,     [FRAME_BYE] = on_wrong_sender,
};

static void take_frame(struct connection *conn, const struct frame *f)
{
    struct arena a;
    struct err e;
    const struct json *j;
    arena_init(&a);
    if (!json_parse(f->body, frame_kind_name(f->kind), &a, &j, &e))
        connection__break(conn, e.text);
    else if (j->kind != JSON_KIND_OBJECT)
        connection__break(conn, "a frame that is no object");
    else
        rows[f->kind](conn, f, j);
    arena_done(&a);
}

size_t connection__on_bytes(void *ctx, struct str bytes)
{
    struct connection *conn = ctx;
    size_t used = 0;
    while (!conn->death.by_protocol && !conn->worker_died && conn->state != CONNECTION_LOST) {
        struct frame f;
        struct err e;
        size_t n = 0;
        enum frame_state state =
            frame_decode(str_sub(bytes, used, bytes.n), FRAME_KIND_COUNT, &f, &n, &e);
        if (state == FRAME_BAD)
            connection__break(conn, e.text);
        if (state != FRAME_WHOLE)
            return used;
        used += n;
        take_frame(conn, &f);
    }
    return bytes.n;
}
