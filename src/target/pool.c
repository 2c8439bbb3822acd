/*
 * Decides which worker gets which job, and when workers are started. Must not know what workers
 * say. Invariant: every job in the queue is some day given to a worker or refused (queue.c says
 * what wakes the pool).
 */
#include "target/pool.h"

#include "base/path.h"
#include "os/probe.h"
#include "target/pool_p.h"

#define DEFAULT_MEMORY ((uint64_t)4 << 30)

enum {
    DEFAULT_REFRESH_CHILDREN = 512,
    DEFAULT_REFRESH_MS = 30 * 60 * 1000,
    DEFAULT_CANARY_CHILDREN = 64
};

static struct connection *find_idle(const struct pool *pool, const struct job *job,
                                    uint32_t *n_connections)
{
    struct connection *idle = NULL;
    *n_connections = 0;
    for (struct connection *conn = pool->connections; conn; conn = conn->next) {
        if (conn->installation != job->installation || conn->state == CONNECTION_LOST ||
            conn->is_quarantined != job->is_quarantined)
            continue;
        *n_connections += !conn->is_ageing; /* its successor counts */
        if (conn->state == CONNECTION_IDLE && !conn->worker_died && (!idle || idle->is_ageing))
            idle = conn;
    }
    return idle;
}

static void start_connection(struct pool *pool, const struct job *job)
{
    struct connection *conn;
    struct err e;
    if (connection__new(pool, job->installation, job->is_quarantined, &conn, &e)) {
        conn->next = pool->connections;
        pool->connections = conn;
    } else {
        pool__start_failed(pool, job->installation, str_of(arena_strdup(&pool->arena, e.text)));
    }
}

static void refuse(struct job *job, struct str text)
{
    for (; job->step_at < job->n_steps; job->step_at++)
        job__refuse(job, &job->steps[job->step_at], OUTCOME_IMPORT_FAILURE, "worker", text);
    ticket__job_done(job);
}

/* Gives the job to a worker or answers it. true: it has left the queue. */
static bool place(struct pool *pool, struct job *job)
{
    uint32_t n_connections;
    if (job->ticket->is_cancelled) {
        pool->statistics.n_queued--;
        ticket__job_done(job);
        return true;
    }
    struct connection *idle = find_idle(pool, job, &n_connections);
    uint32_t n_most = job->is_quarantined ? 1 : pool->options.n_workers;
    if (!idle && n_connections < n_most && !pool__start_failure(pool, job->installation))
        start_connection(pool, job);
    const struct str *failure = pool__start_failure(pool, job->installation);
    struct job *canary = idle ? canary__next(idle, job) : NULL;
    if (canary)
        serve__job(idle, canary);
    if (canary || (!idle && !failure))
        return false;
    pool->statistics.n_queued--;
    if (idle)
        serve__job(idle, job);
    else
        refuse(job, *failure);
    return true;
}

static void free_lost_connections(struct pool *pool)
{
    bool any = false;
    for (struct connection **at = &pool->connections; *at;) {
        struct connection *conn = *at;
        any |= conn->state == CONNECTION_LOST;
        if (conn->state != CONNECTION_LOST) {
            at = &conn->next;
            continue;
        }
        *at = conn->next;
        connection__free(conn);
    }
    if (any) /* the children that it left are ours now */
        process_reap_orphans(pool->options.loop);
}

/* A callback may submit further requests; their jobs go to the end of the queue, which is looked at
 * again in the next turn. */
static void on_wake(void *ctx)
{
    struct pool *pool = ctx;
    pool->wake_timer = 0;
    free_lost_connections(pool);
    refresh__start_successors(pool);
    struct job *queued = pool->queue;
    pool->queue = NULL;
    struct job *waiting = NULL, **waiting_end = &waiting;
    while (queued) {
        struct job *job = queued;
        queued = job->next;
        job->next = NULL;
        if (place(pool, job))
            continue;
        *waiting_end = job;
        waiting_end = &job->next;
    }
    *waiting_end = pool->queue;
    pool->queue = waiting;
}

/* Finds the sandbox layers that workers will have; an error when a required one is missing. */
static bool check_sandbox(struct pool *pool, struct err *e)
{
    struct sandbox_policy policy = sandbox_policy_default();
    struct sandbox_plan *plan;
    if (pool->options.as_user) /* no sandbox */
        return true;
    policy.wanted &= ~pool->options.left_out;
    policy.accepts_root = pool->options.best_effort;
    policy.limits.n_processes = 1; /* any limit: asks for control groups */
    policy.limits.tree_memory_bytes = pool->options.memory_bytes;
    if (!pool->options.best_effort)
        policy.required |= SANDBOX_BIT(SANDBOX_SECCOMP);
    if (!sandbox_plan_open(&policy, &plan, e))
        return false;
    pool->sandbox = *sandbox_plan_state(plan);
    sandbox_plan_close(plan);
    return true;
}

bool pool_open(const struct pool_options *options, struct pool **out, struct err *e)
{
    struct pool *pool = mem_alloc(sizeof *pool);
    *pool = (struct pool){.options = *options, .events = &serve__events, .on_wake = on_wake};
    arena_init(&pool->arena);
    struct pool_options *o = &pool->options;
    o->memory_bytes = o->memory_bytes ? o->memory_bytes : DEFAULT_MEMORY;
    o->deadline_ms = o->deadline_ms ? o->deadline_ms : POOL_DEADLINE_MS;
    o->n_workers = o->n_workers ? o->n_workers : 1;
    o->batch = o->batch ? o->batch : POOL_BATCH;
    o->refresh_children = o->refresh_children ? o->refresh_children : DEFAULT_REFRESH_CHILDREN;
    o->refresh_ms = o->refresh_ms ? o->refresh_ms : DEFAULT_REFRESH_MS;
    o->canary_children = o->canary_children ? o->canary_children : DEFAULT_CANARY_CHILDREN;
    o->home = o->home ? arena_strdup(&pool->arena, o->home) : NULL;
    pool->worker_path = o->worker_path;
    pool->self = o->program;
    bool ok = process_become_subreaper(e) && check_sandbox(pool, e) &&
              (pool->self || probe_self(&pool->arena, &pool->self, e)) &&
              scratch_open(&pool->place, e) && scratch_make_dir(pool->place, "cases", e) &&
              scratch_attach(path_join(&pool->arena, scratch_path(pool->place), "cases"),
                             &pool->scratch, e);
    if (!ok) {
        pool_close(pool);
        return false;
    }
    *out = pool;
    return true;
}

void pool_close(struct pool *pool)
{
    if (!pool)
        return;
    loop_timer_cancel(pool->options.loop, pool->wake_timer);
    for (struct connection *conn = pool->connections, *next; conn; conn = next) {
        next = conn->next;
        if (conn->job)
            history__clear(&conn->job->prefix);
        connection__free(conn);
    }
    for (struct job *job = pool->queue; job; job = job->next)
        history__clear(&job->prefix);
    while (pool->tickets) {
        batch__drop(pool->tickets);
        pool->tickets->n_users = 1;
        ticket__release(pool->tickets);
    }
    scratch_close(pool->scratch);
    scratch_close(pool->place);
    arena_done(&pool->arena);
    free(pool);
}

size_t pool_n_pending(const struct pool *pool)
{
    size_t n = 0;
    for (const struct ticket *t = pool->tickets; t; t = t->next)
        n += t->done != NULL;
    return n;
}

struct pool_statistics pool_statistics(const struct pool *pool)
{
    struct pool_statistics s = pool->statistics;
    s.n_workers = s.n_busy = 0;
    for (const struct connection *conn = pool->connections; conn; conn = conn->next) {
        s.n_workers += conn->state != CONNECTION_LOST;
        s.n_busy += conn->job != NULL;
    }
    return s;
}

bool pool_is_presumed(const struct observation *o)
{
    return o->outcome == OUTCOME_TIMEOUT_CPU && str_is(o->message.type, POOL_PRESUMED);
}

const struct sandbox_state *pool_sandbox(const struct pool *pool)
{
    return &pool->sandbox;
}
