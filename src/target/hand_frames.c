/*
 * Decides what a frame from a worker does to its hand. Each kind has a row; a frame that is not
 * expected in the hand's state breaks the worker. Must not know how processes are watched.
 */
#include "target/pool_p.h"

static void say_welcome(struct hand *h)
{
    struct strbuf body = {0}, bytes = {0};
    struct err e;
    struct json_out w = json_open(&body, JSON_COMPACT);
    enum target_fork fork = h->installation->description->fork;
    json_begin_object(&w);
    json_pair_i64(&w, "protocol", PROTOCOL_NUMBER);
    json_pair_cstr(&w, "scratch", scratch_path(h->pool->scratch));
    json_pair_i64(&w, "batch",
                  fork == TARGET_FORK_NEVER  ? 0
                  : fork == TARGET_FORK_CASE ? 1
                                             : h->pool->options.batch);
    json_pair_i64(&w, "tasks", h->installation->description->n_tasks);
    json_end_object(&w);
    if (frame_encode(FRAME_WELCOME, 0, strbuf_str(&body), &bytes, &e))
        stream_send(h->stream, bytes.at, bytes.n);
    else
        hand__break(h, e.text);
    strbuf_done(&body);
    strbuf_done(&bytes);
}

static void on_hello(struct hand *h, const struct frame *f, const struct json *j)
{
    struct err e;
    int64_t protocol;
    (void)f;
    if (h->state != HAND_STARTING || !json_need_i64(j, "protocol", &protocol, &e)) {
        hand__break(h, "hello at a wrong time, or without its protocol");
        return;
    }
    if (protocol != PROTOCOL_NUMBER) {
        hand__break(h, "it speaks another protocol");
        return;
    }
    const struct json *list = json_get(j, "capabilities");
    for (size_t i = 0; list && i < list->n; i++)
        h->can_dump_stacks |= str_is(list->items[i].string, "stacks");
    hand__set_timer(h, 0, NULL);
    h->state = HAND_IDLE;
    say_welcome(h);
    refresh__said_hello(h);
    pool__wake(h->pool);
}

static void on_started(struct hand *h, const struct frame *f, const struct json *j)
{
    int64_t pid = json_get_i64(j, "pid", 0);
    if (h->state != HAND_BUSY || f->seq != h->seq || h->started || pid <= 1) {
        hand__break(h, "started without a case to start");
        return;
    }
    h->started = true;
    h->child = pid == process_pid(h->process) ? 0 : (int)pid;
    watch__begin_step(h);
}

/* Kept for a replay, with the files of its case. */
static void remember(struct hand *h)
{
    struct memory m = {strbuf_take(&h->body), h->n_modes, h->job->ticket};
    ticket__hold(m.ticket);
    vec_push(&h->memories.list, NULL, m);
}

static void on_result(struct hand *h, const struct frame *f, const struct json *j)
{
    struct err e;
    struct job *job = h->job;
    int64_t mode;
    if (h->state != HAND_BUSY || f->seq != h->seq || !h->started ||
        !json_need_i64(j, "mode", &mode, &e) || mode != (int64_t)h->n_answers ||
        h->n_answers == h->n_modes) {
        hand__break(h, "a result that nobody asked for");
        return;
    }
    if (h->death.timed_out) /* it came too late: the process is being killed */
        return;
    h->n_answers++;
    watch__step_ended(h);
    if (job->settling != SETTLE_NOT) {
        hand__passed(h, j);
        return;
    }
    if (!job__take_result(job, &job->steps[job->step_at], j, &e)) {
        hand__break(h, e.text);
        return;
    }
    job->step_at++;
    if (h->n_answers < h->n_modes) {
        watch__begin_step(h);
        return;
    }
    if (job->ticket->request.fresh == POOL_ANY)
        remember(h);
    hand__go_on(h);
}

static void on_exited(struct hand *h, const struct frame *f, const struct json *j)
{
    int64_t pid = json_get_i64(j, "pid", 0);
    (void)f;
    if (pid <= 1 || (h->child && pid != h->child)) {
        hand__break(h, "a process ended that it does not have");
        return;
    }
    bool was_running = h->state == HAND_BUSY && h->started && pid == h->child;
    h->child = 0;
    refresh__child_ended(h);
    if (was_running) {
        h->death.code = (int)json_get_i64(j, "code", 0);
        h->death.signo = (int)json_get_i64(j, "signal", 0);
        h->death.peak_bytes = (uint64_t)json_get_i64(j, "peak_bytes", 0);
        hand__process_lost(h);
        return;
    }
    h->pool->statistics.n_children_lost +=
        json_get_i64(j, "signal", 0) != 0 || json_get_i64(j, "code", 0) != 0;
    memories__clear(&h->memories);
    if (h->state == HAND_ENDING)
        hand__go_on(h);
}

/* The worker says why it cannot serve, and ends. */
static void on_error(struct hand *h, const struct frame *f, const struct json *j)
{
    struct str text = json_get_str(j, "message", STR("it gives no reason"));
    (void)f;
    h->death.note = str_dup(h->job ? &h->job->ticket->arena : &h->pool->arena,
                            str_sub(text, 0, POOL_MESSAGE_MAX));
}

static void on_wrong_sender(struct hand *h, const struct frame *f, const struct json *j)
{
    (void)f, (void)j;
    hand__break(h, "a frame that only the pool sends");
}

static void (*const rows[FRAME_KIND_COUNT])(struct hand *, const struct frame *,
                                            const struct json *) = {
    [FRAME_HELLO] = on_hello,     [FRAME_WELCOME] = on_wrong_sender, [FRAME_RUN] = on_wrong_sender,
    [FRAME_STARTED] = on_started, [FRAME_RESULT] = on_result,        [FRAME_EXITED] = on_exited,
    [FRAME_ERROR] = on_error,     [FRAME_BYE] = on_wrong_sender,
};

static void take_frame(struct hand *h, const struct frame *f)
{
    struct arena a;
    struct err e;
    const struct json *j;
    arena_init(&a);
    if (!json_parse(f->body, frame_kind_name(f->kind), &a, &j, &e))
        hand__break(h, e.text);
    else if (j->kind != JSON_KIND_OBJECT)
        hand__break(h, "a frame that is no object");
    else
        rows[f->kind](h, f, j);
    arena_done(&a);
}

size_t hand__on_bytes(void *ctx, struct str bytes)
{
    struct hand *h = ctx;
    size_t used = 0;
    while (!h->death.by_protocol && !h->worker_died && h->state != HAND_LOST) {
        struct frame f;
        struct err e;
        size_t n = 0;
        enum frame_state state = frame_decode(str_sub(bytes, used, bytes.n), &f, &n, &e);
        if (state == FRAME_BAD)
            hand__break(h, e.text);
        if (state != FRAME_WHOLE)
            return used;
        used += n;
        take_frame(h, &f);
    }
    return bytes.n;
}
