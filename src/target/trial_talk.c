/*
 * Decides how a trial's worker is started and waited for: like the pool's, in the same sandbox, but
 * one frame at a time. Must not know what is sent. Invariant: no wait is longer than the deadline.
 */
#include "os/sandbox.h"
#include "target/launch_p.h"
#include "target/trial_p.h"
#include "target/worker.h"

#include <signal.h>

enum { TEXT_MAX = 1 << 20, FILES_MAX = 512, WORDS_MAX = 300 };
#define FILE_BYTES ((uint64_t)2 << 30)

static void on_late(void *ctx)
{
    ((struct talk *)ctx)->is_late = true;
}

/* Nothing to do: wait_for also sees the end of the process. */
static void on_closed(void *ctx)
{
    (void)ctx;
}

static void take(struct talk *k, const struct frame *f)
{
    struct reply r = {.kind = f->kind, .seq = f->seq};
    if (!json_parse(f->body, frame_kind_name(f->kind), &k->arena, &r.body, &k->wrong))
        k->is_broken = true;
    else if (r.body->kind != JSON_KIND_OBJECT)
        k->is_broken = !err_set(&k->wrong, ERR_DATA, "the body of a frame is no object");
    else
        vec_push(&k->replies.list, &k->arena, r);
}

static size_t on_bytes(void *ctx, struct str bytes)
{
    struct talk *k = ctx;
    size_t used = 0;
    while (!k->is_broken) {
        struct frame f;
        size_t n = 0;
        enum frame_state state =
            frame_decode(str_sub(bytes, used, bytes.n), FRAME_KIND_COUNT, &f, &n, &k->wrong);
        k->is_broken = state == FRAME_BAD;
        if (state != FRAME_WHOLE)
            return used;
        used += n;
        take(k, &f);
    }
    return bytes.n;
}

static void on_end(void *ctx, struct process *p, const struct process_end *end)
{
    struct talk *k = ctx;
    (void)p;
    if (k->stream)
        stream_drain(k->stream);
    k->end = *end;
    k->is_over = true;
}

static bool open_plan(struct talk *k, struct err *e)
{
    struct sandbox_policy policy = sandbox_policy_default();
    const char *scratch = scratch_path(k->start->scratch);
    policy.read_anything = true; /* a foreign worker may lie in any folder */
    policy.keeps_identity = true;
    policy.writable = &scratch;
    policy.n_writable = 1;
    policy.limits.memory_bytes = k->start->memory_bytes;
    policy.limits.file_bytes = FILE_BYTES;
    policy.limits.n_files = FILES_MAX;
    return sandbox_plan_open(&policy, &k->plan, e);
}

static bool start(struct talk *k, struct err *e)
{
    int ends[2];
    const char *scratch = scratch_path(k->start->scratch);
    if (!loop_open(&k->loop, e) || !open_plan(k, e) || !stream_pair(ends, e))
        return false;
    const struct process_fd fd = {ends[1], WORKER_FD};
    const struct process_spec spec = {.program = k->start->program,
                                      .argv = k->start->argv,
                                      .env = launch__environment(scratch, &k->arena),
                                      .folder = scratch,
                                      .out = PROCESS_CAPTURE,
                                      .err = PROCESS_CAPTURE,
                                      .output_max = TEXT_MAX,
                                      .flood_kills = true,
                                      .fds = &fd,
                                      .n_fds = 1,
                                      .sandbox = k->plan};
    bool ok = process_open(k->loop, &spec, on_end, k, &k->process, e);
    stream_close_fd(ends[1]);
    if (ok)
        return stream_open(k->loop, ends[0], on_bytes, on_closed, k, &k->stream, e);
    stream_close_fd(ends[0]);
    return false;
}

bool talk__open(struct talk *k, const struct trial_start *how, struct err *e)
{
    *k = (struct talk){.start = how};
    arena_init(&k->arena);
    return start(k, e);
}

void talk__close(struct talk *k)
{
    stream_close(k->stream);
    process_close(k->process);
    sandbox_plan_close(k->plan);
    loop_close(k->loop);
    arena_done(&k->arena);
}

void talk__send_bytes(struct talk *k, const void *bytes, size_t n)
{
    if (k->stream && !k->is_over)
        stream_send(k->stream, bytes, n);
}

bool talk__send(struct talk *k, unsigned kind, uint32_t seq, struct str body, struct err *e)
{
    struct strbuf bytes = {0};
    bool ok = frame_encode(kind, seq, body, &bytes, e);
    if (ok)
        talk__send_bytes(k, bytes.at, bytes.n);
    strbuf_done(&bytes);
    return ok;
}

void talk__hang_up(struct talk *k)
{
    stream_close(k->stream);
    k->stream = NULL;
}

/* Says how the worker ended, and the end of what it wrote. */
static bool say_ended(const struct talk *k, const char *waited_for, struct err *e)
{
    struct strbuf how = {0};
    struct str words = str_trim(k->end.err);
    process_end_print(&k->end, &how);
    words = str_sub(words, words.n > WORDS_MAX ? words.n - WORDS_MAX : 0, words.n);
    err_set(e, ERR_DATA, "%s is expected, but the worker ended: %s%s%s" STR_FMT, waited_for, how.at,
            k->end.flooded ? " for its flood of output" : "", words.n ? ": " : "", STR_ARG(words));
    strbuf_done(&how);
    return false;
}

/* Waits for a frame, good or bad, the end of the worker, or the deadline. */
static bool wait_for(struct talk *k, struct err *e)
{
    uint64_t timer = loop_timer_add(k->loop, k->start->deadline_ms * LOOP_MS, on_late, k);
    bool ok = true;
    k->is_late = false;
    while (ok && !k->is_over && !k->is_late && !k->is_broken && k->n_taken == k->replies.list.n)
        ok = loop_turn(k->loop, LOOP_FOREVER, e);
    loop_timer_cancel(k->loop, timer);
    return ok;
}

/* Says what came instead, with its reason or the way a child ended. */
static bool say_other(const struct reply *r, const char *waited_for, struct err *e)
{
    struct str text = json_get_str(r->body, "message", STR(""));
    err_set(e, ERR_DATA, "%s is expected, %s came", waited_for, frame_kind_name(r->kind));
    size_t n = strlen(e->text);
    if (r->kind == FRAME_EXITED)
        snprintf(e->text + n, sizeof e->text - n, ": code %lld, signal %lld",
                 (long long)json_get_i64(r->body, "code", 0),
                 (long long)json_get_i64(r->body, "signal", 0));
    else if (text.n)
        snprintf(e->text + n, sizeof e->text - n, ": " STR_FMT,
                 STR_ARG(str_sub(text, 0, WORDS_MAX)));
    return false;
}

bool talk__next(struct talk *k, unsigned kind, struct reply *out, struct err *e)
{
    const char *name = frame_kind_name(kind);
    if (!wait_for(k, e))
        return false;
    if (k->n_taken < k->replies.list.n) {
        *out = k->replies.list.at[k->n_taken++];
        if (out->kind == kind)
            return true;
        return say_other(out, name, e);
    }
    if (k->is_broken)
        return err_set(e, ERR_DATA, "%s is expected, but %s", name, k->wrong.text);
    if (k->is_over)
        return say_ended(k, name, e);
    return err_set(e, ERR_DATA, "%s is expected, nothing came in %lld ms", name,
                   (long long)k->start->deadline_ms);
}

bool talk__ends(struct talk *k, struct err *e)
{
    do {
        if (!wait_for(k, e))
            return false;
        if (k->n_taken < k->replies.list.n && k->replies.list.at[k->n_taken].kind != FRAME_ERROR)
            return say_other(&k->replies.list.at[k->n_taken], "its end", e);
    } while (k->n_taken++ < k->replies.list.n);
    if (k->is_broken)
        return err_set(e, ERR_DATA, "the worker's end is expected, but %s", k->wrong.text);
    return k->is_over || err_set(e, ERR_DATA, "the worker still runs after %lld ms",
                                 (long long)k->start->deadline_ms);
}
