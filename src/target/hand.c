/*
 * Decides how a worker process is started, fed and ended. Must not know what results mean (job.c)
 * nor how a lost process is settled (settle.c). Invariant: at most one frame is out per worker, and
 * while one is out a timer runs.
 */
#include "target/pool_p.h"

#include <signal.h>

#include "base/path.h"
#include "os/fork.h"
#include "os/probe.h"
#include "target/launch_p.h"
#include "target/python_p.h"
#include "target/worker.h"

enum {
    HELLO_DEADLINE_MS = 300000, /* a cold disk, a crowded machine */
    BEGIN_DEADLINE_MS = 60000,  /* from a frame to the word that a process has begun with it */
    ENDING_DEADLINE_MS = 20000,
    PATIENCE_MS = 20000, /* from the kill of a child to the worker's word about it */
    SAMPLE_MS = 60,      /* of CPU time, when the deadline has passed */
    STACKS_MS = 300,     /* for a child to write its stacks */
    WORKER_TEXT_MAX = 1 << 20,
    WORKER_FILES_MAX = 512
};
#define WORKER_FILE_BYTES ((uint64_t)2 << 30)

void hand__set_timer(struct hand *h, int64_t after_ms, loop_timer_fn fn)
{
    loop_timer_cancel(h->pool->options.loop, h->timer);
    h->timer = fn ? loop_timer_add(h->pool->options.loop, after_ms * LOOP_MS, fn, h) : 0;
}

static void send_frame(struct hand *h, enum frame_kind kind, struct str body)
{
    struct strbuf bytes = {0};
    struct err e;
    if (frame_encode(kind, h->seq, body, &bytes, &e))
        stream_send(h->stream, bytes.at, bytes.n);
    else
        hand__break(h, e.text);
    strbuf_done(&bytes);
}

void hand__retire(struct hand *h)
{
    hand__set_timer(h, 0, NULL);
    h->state = HAND_LOST;
    h->job = NULL;
    pool__wake(h->pool);
}

/* The worker itself cannot be used any more; what it had in hand is settled when it has ended. */
void hand__break(struct hand *h, const char *why)
{
    if (h->worker_died || h->death.by_protocol)
        return;
    h->death.by_protocol = true;
    h->death.note = arena_printf(h->job ? &h->job->ticket->arena : &h->pool->arena,
                                 "the worker broke the protocol: %s", why);
    process_signal(h->process, SIGKILL);
}

static void on_settled(void *ctx)
{
    struct hand *h = ctx;
    h->timer = 0;
    h->child = 0;
    process_output_drain(h->process);
    h->death.text = process_output(h->process, true);
    h->death.memory_limit = h->pool->options.memory_bytes;
    hand__settle(h);
    h->death = (struct death){0};
    h->is_suspect = false;
}

void hand__process_lost(struct hand *h)
{
    if (h->state == HAND_SETTLING)
        return;
    h->state = HAND_SETTLING;
    h->pool->statistics.n_children_lost += !h->job->is_canary;
    hand__set_timer(h, 0, on_settled);
}

static void on_patience_over(void *ctx)
{
    struct hand *h = ctx;
    h->timer = 0;
    process_signal(h->process, SIGKILL);
}

static void kill_child(struct hand *h)
{
    if (h->child)
        process_signal_child(h->process, h->child, SIGKILL);
    else
        process_signal(h->process, SIGKILL);
    hand__set_timer(h, PATIENCE_MS, on_patience_over);
}

static void on_stacks_written(void *ctx)
{
    struct hand *h = ctx;
    h->timer = 0;
    kill_child(h);
}

static int running_pid(const struct hand *h)
{
    return h->child ? h->child : process_pid(h->process);
}

static void on_sampled(void *ctx)
{
    struct hand *h = ctx;
    h->timer = 0;
    /* A crowded machine may give a busy process nothing in so short a time. */
    h->death.cpu_bound =
        probe_cpu_ns(running_pid(h)) > h->began_cpu_ns || probe_is_runnable(running_pid(h));
    if (!h->can_dump_stacks) {
        kill_child(h);
        return;
    }
    if (h->child)
        process_signal_child(h->process, h->child, SIGUSR1);
    else
        process_signal(h->process, SIGUSR1);
    hand__set_timer(h, STACKS_MS, on_stacks_written);
}

void hand__time_out(struct hand *h)
{
    if (h->child &&
        probe_n_tasks(h->child) == 0) { /* its last frame swallowed the word of its end */
        hand__break(h, "a process ended within a frame");
        return;
    }
    h->death.timed_out = true;
    if (h->is_suspect) { /* it was seen to compute */
        h->death.cpu_bound = true;
        kill_child(h);
        return;
    }
    h->began_cpu_ns = probe_cpu_ns(running_pid(h));
    hand__set_timer(h, SAMPLE_MS, on_sampled);
}

static void on_not_begun(void *ctx)
{
    struct hand *h = ctx;
    h->timer = 0;
    hand__time_out(h);
}

static bool wants_fresh_child(const struct hand *h)
{
    const struct job *job = h->job;
    if (job->settling == SETTLE_NOT)
        return job->ticket->request.fresh != POOL_ANY;
    return job->settling == SETTLE_ALONE || job->prefix_at == 0;
}

/* A worker that does not fork is fresh only before its first case. */
static bool wants_other_worker(const struct hand *h)
{
    const struct job *job = h->job;
    if (!h->n_cases)
        return false;
    if (job->ticket->request.fresh == POOL_FRESH_WORKER && !job->had_fresh_worker)
        return true;
    return h->installation->description->fork == TARGET_FORK_NEVER && wants_fresh_child(h);
}

static void compose(struct hand *h)
{
    struct job *job = h->job;
    strbuf_clear(&h->body);
    if (job->settling == SETTLE_REPLAY && job->prefix_at < job->prefix.list.n) {
        const struct memory *m = &job->prefix.list.at[job->prefix_at];
        strbuf_adds(&h->body, m->body);
        h->n_modes = m->n_modes;
        return;
    }
    bool alone = job->settling != SETTLE_NOT || job->ticket->request.fresh != POOL_ANY;
    h->n_modes = job->settling != SETTLE_NOT ? 1 : job->n_steps - job->step_at;
    job__write_body(job, h->n_modes, alone, &h->body);
}

static void on_ending_too_long(void *ctx)
{
    struct hand *h = ctx;
    h->timer = 0;
    process_signal(h->process, SIGKILL);
}

static void send_run(struct hand *h)
{
    compose(h);
    process_output_clear(h->process);
    h->state = HAND_BUSY;
    h->started = false;
    h->n_answers = 0;
    h->n_cases++;
    h->seq++;
    h->job->had_fresh_worker = true;
    hand__set_timer(h, BEGIN_DEADLINE_MS, on_not_begun); /* the case's own begins with it */
    send_frame(h, FRAME_RUN, strbuf_str(&h->body));
}

static void job_over(struct hand *h, struct job *job)
{
    if (job->is_canary)
        canary__ended(h, job);
    else
        ticket__job_done(job);
}

void hand__go_on(struct hand *h)
{
    struct job *job = h->job;
    if (job->step_at == job->n_steps) {
        hand__set_timer(h, 0, NULL);
        h->job = NULL;
        h->death.note = NULL; /* it lies with the ticket */
        h->state = HAND_IDLE;
        bool is_spent = h->installation->description->fork == TARGET_FORK_NEVER &&
                        h->memories.list.n >= h->pool->options.batch;
        if (is_spent || h->is_replaced)
            hand__retire(h);
        job_over(h, job);
        pool__wake(h->pool);
    } else if (wants_other_worker(h)) {
        hand__retire(h);
        pool__enqueue(h->pool, job, true);
    } else if (h->child && wants_fresh_child(h)) {
        h->state = HAND_ENDING;
        hand__set_timer(h, ENDING_DEADLINE_MS, on_ending_too_long);
        send_frame(h, FRAME_BYE, STR("{\"child\":true}"));
    } else {
        send_run(h);
    }
}

void hand__give(struct hand *h, struct job *job)
{
    h->job = job;
    hand__go_on(h);
}

/* The job goes on with another worker, or is over. */
static void leave_job(struct hand *h)
{
    struct job *job = h->job;
    hand__retire(h);
    if (!job)
        return;
    if (job->step_at == job->n_steps || job->is_canary)
        job_over(h, job);
    else
        pool__enqueue(h->pool, job, true);
}

void hand__proceed(struct hand *h)
{
    if (h->worker_died)
        leave_job(h);
    else
        hand__go_on(h);
}

static struct str start_text(const struct hand *h, const struct process_end *end)
{
    struct strbuf how = {0};
    struct str said = str_trim(end->err);
    process_end_print(end, &how);
    const char *text =
        h->death.note ? h->death.note
        : said.n      ? str_dup(&h->pool->arena, said)
                 : arena_printf(&h->pool->arena, "the worker ended before its hello: %s", how.at);
    strbuf_done(&how);
    return str_of(text);
}

static void on_worker_end(void *ctx, struct process *p, const struct process_end *end)
{
    struct hand *h = ctx;
    (void)p;
    stream_drain(h->stream); /* its last words may still be under way */
    h->worker_died = true;
    stream_close(h->stream);
    h->stream = NULL;
    process_reap_orphans(h->pool->options.loop);
    if (h->state == HAND_STARTING && h->is_successor) {
        refresh__did_not_start(h);
        hand__retire(h);
        return;
    }
    if (h->state == HAND_STARTING) {
        pool__start_failed(h->pool, h->installation, start_text(h, end));
        hand__retire(h);
        return;
    }
    h->pool->statistics.n_restarts++;
    if (h->state == HAND_BUSY) {
        h->death.flooded = end->flooded;
        h->death.code = end->exit_code;
        h->death.signo = end->signo;
        h->death.peak_bytes = MAX(h->death.peak_bytes, end->usage.peak_bytes);
        hand__process_lost(h);
    } else if (h->state != HAND_SETTLING && h->state != HAND_LOST) {
        leave_job(h);
    }
}

static void on_peer_closed(void *ctx)
{
    struct hand *h = ctx;
    process_signal(h->process, SIGKILL);
}

static void on_no_hello(void *ctx)
{
    struct hand *h = ctx;
    h->timer = 0;
    h->death.note = "the worker did not say hello in time";
    process_signal(h->process, SIGKILL);
}

static bool open_plan(struct hand *h, struct arena *a, struct err *e)
{
    const struct target_installation *i = h->installation;
    const struct pool *pool = h->pool;
    bool native = str_is(i->description->worker, "native");
    const char **readable = arena_new_array(a, const char *, i->n_roots + 3);
    const char *scratch = scratch_path(pool->scratch);
    size_t n = 0;
    for (; n < i->n_roots; n++)
        readable[n] = i->roots[n];
    readable[n++] = native ? pool->self : pool->worker_path;
    if (native)
        readable[n++] = str_dup(a, i->library);
    struct sandbox_policy policy = sandbox_policy_default();
    if (!pool->options.best_effort)
        policy.required |= SANDBOX_BIT(SANDBOX_SECCOMP);
    policy.readable = readable;
    policy.n_readable = n;
    policy.writable = &scratch;
    policy.n_writable = 1;
    policy.limits.memory_bytes = native && sandbox_is_sanitized() ? 0 : pool->options.memory_bytes;
    policy.limits.file_bytes = WORKER_FILE_BYTES;
    policy.limits.n_files = WORKER_FILES_MAX;
    return sandbox_plan_open(&policy, &h->plan, e);
}

static bool start(struct hand *h, struct arena *a, struct err *e)
{
    int ends[2];
    struct pool *pool = h->pool;
    bool native = str_is(h->installation->description->worker, "native");
    if (!native && !python__files(pool, e))
        return false;
    if (!open_plan(h, a, e) || !stream_pair(ends, e))
        return false;
    const struct process_fd fd = {ends[1], WORKER_FD};
    const struct process_spec spec = {
        .program = native ? pool->options.program : str_dup(a, h->installation->python),
        .argv = launch__arguments(h->installation, pool->worker_path, a),
        .env = launch__environment(scratch_path(pool->scratch), a),
        .folder = scratch_path(pool->scratch),
        .out = PROCESS_CAPTURE,
        .err = PROCESS_CAPTURE,
        .output_max = WORKER_TEXT_MAX,
        .flood_kills = true,
        .fds = &fd,
        .n_fds = 1,
        .sandbox = h->plan,
    };
    bool ok = process_open(pool->options.loop, &spec, on_worker_end, h, &h->process, e);
    stream_close_fd(ends[1]);
    if (!ok) {
        stream_close_fd(ends[0]);
        return false;
    }
    return stream_open(pool->options.loop, ends[0], hand__on_bytes, on_peer_closed, h, &h->stream,
                       e);
}

bool hand__new(struct pool *pool, const struct target_installation *installation, bool is_aside,
               struct hand **out, struct err *e)
{
    struct arena a;
    struct hand *h = mem_alloc(sizeof *h);
    *h = (struct hand){.pool = pool, .installation = installation, .is_aside = is_aside};
    arena_init(&a);
    bool ok = start(h, &a, e);
    arena_done(&a);
    if (!ok) {
        hand__free(h);
        return false;
    }
    pool->statistics.n_workers_started++;
    hand__set_timer(h, HELLO_DEADLINE_MS, on_no_hello);
    *out = h;
    return true;
}

void hand__free(struct hand *h)
{
    loop_timer_cancel(h->pool->options.loop, h->timer);
    memories__clear(&h->memories);
    stream_close(h->stream);
    process_close(h->process);
    sandbox_plan_close(h->plan);
    strbuf_done(&h->body);
    free(h);
}
