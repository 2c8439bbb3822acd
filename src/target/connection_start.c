/*
 * Decides how a worker process is started, with which sandbox, environment and descriptor, and what
 * its end means to whoever waits for it. Must not know jobs: it reports to conn->events.
 */
#include "target/pool_p.h"

#include <signal.h>

#include "base/path.h"
#include "os/fork.h"
#include "target/launch_p.h"
#include "target/python_p.h"
#include "target/worker.h"
#include "target/worker_sandbox_p.h"

enum {
    HELLO_DEADLINE_MS = 300000, /* a cold disk, a crowded machine */
    WORKER_TEXT_MAX = 1 << 20,
    USE_INTERVAL_MS = 250
};

#define RESULTS "results" /* in the worker's folder */

static struct str start_text(const struct connection *conn, const struct process_end *end)
{
    struct strbuf how = {0};
    struct str said = str_trim(end->err);
    process_end_print(end, &how);
    const char *text = conn->death.note ? conn->death.note
                       : said.n         ? str_dup(&conn->pool->arena, said)
                                        : arena_printf(&conn->pool->arena,
                                                       "the worker ended before its hello: %s", how.at);
    strbuf_done(&how);
    return str_of(text);
}

static void on_worker_end(void *ctx, struct process *p, const struct process_end *end)
{
    struct connection *conn = ctx;
    (void)p;
    stream_drain(conn->stream); /* its last output may still be in the pipe */
    conn->worker_died = true;
    stream_close(conn->stream);
    conn->stream = NULL;
    process_reap_orphans(conn->pool->options.loop);
    if (conn->state == CONNECTION_STARTING) {
        conn->events->not_started(conn, start_text(conn, end));
        return;
    }
    conn->pool->statistics.n_restarts++;
    if (conn->state == CONNECTION_BUSY) {
        conn->death.flooded = end->flooded;
        conn->death.code = end->exit_code;
        conn->death.signo = end->signo;
        conn->death.peak_bytes = MAX(conn->death.peak_bytes, end->usage.peak_bytes);
        connection__process_lost(conn);
    } else if (conn->state != CONNECTION_SETTLING && conn->state != CONNECTION_LOST) {
        conn->events->worker_ended(conn);
    }
}

static void on_peer_closed(void *ctx)
{
    struct connection *conn = ctx;
    process_signal(conn->process, SIGKILL);
}

static void on_no_hello(void *ctx)
{
    struct connection *conn = ctx;
    conn->timer = 0;
    conn->death.note = "the worker did not say hello in time";
    process_signal(conn->process, SIGKILL);
}

/* Opens the folder from which results are read: where the worker has namespaces, by a descriptor
 * that only it and we hold. It lies beside what cases may leave behind, which the worker removes.
 */
static bool open_results(struct connection *conn, const char *folder, struct err *e)
{
    int fd = process_take_scratch(conn->process);
    bool changes_id = conn->plan && sandbox_plan_facts(conn->plan).changes_id;
    if (!(fd >= 0 ? scratch_adopt(fd, folder, &conn->own, e)
                  : scratch_attach(folder, &conn->own, e)) ||
        !scratch_make_dir(conn->own, RESULTS, e))
        return false;
    struct sandbox_facts facts =
        changes_id ? sandbox_plan_facts(conn->plan) : (struct sandbox_facts){0};
    return (!changes_id || scratch_give_dir(conn->own, RESULTS, facts.uid, facts.gid, e)) &&
           scratch_attach_dir(conn->own, RESULTS, &conn->results, e);
}

static void watch_use(struct connection *conn);

static bool open_plan(struct connection *conn, const char *folder, struct arena *a, struct err *e)
{
    const struct pool *pool = conn->pool;
    const struct worker_sandbox w = {.installation = conn->installation,
                                     .program = pool->self,
                                     .worker_path = pool->worker_path,
                                     .place = pool->place,
                                     .cases = scratch_path(pool->scratch),
                                     .folder = folder,
                                     .memory_bytes = pool->options.memory_bytes,
                                     .best_effort = pool->options.best_effort,
                                     .left_out = pool->options.left_out};
    return pool->options.as_user || worker_sandbox__plan(&w, a, &conn->plan, e);
}

static bool start(struct connection *conn, struct arena *a, struct err *e)
{
    int ends[2];
    struct pool *pool = conn->pool;
    bool native = str_is(conn->installation->description->worker, "native");
    if (!native && !python__files(pool, e))
        return false;
    const char *folder;
    if (!worker_sandbox__folder(pool->place, pool->next_worker++, &conn->arena, &folder, e) ||
        !open_plan(conn, folder, a, e) || !stream_pair(ends, e))
        return false;
    const struct process_fd fd = {ends[1], WORKER_FD};
    bool as_user = pool->options.as_user;
    const struct process_spec spec = {
        .program = launch__program(conn->installation, pool->options.program, a),
        .argv = launch__arguments(conn->installation, pool->self, pool->worker_path, a),
        .env = as_user ? launch__user_environment() : launch__environment(folder, a),
        .folder = as_user ? NULL : folder,
        .out = !as_user                ? PROCESS_CAPTURE
               : pool->options.is_mute ? PROCESS_NULL
                                       : PROCESS_INHERIT,
        .err = as_user ? PROCESS_INHERIT : PROCESS_CAPTURE,
        .output_max = WORKER_TEXT_MAX,
        .flood_kills = true,
        .fds = &fd,
        .n_fds = 1,
        .sandbox = conn->plan, /* as_user: none */
    };
    bool ok = process_open(pool->options.loop, &spec, on_worker_end, conn, &conn->process, e);
    stream_close_fd(ends[1]);
    if (!ok) {
        stream_close_fd(ends[0]);
        return false;
    }
    if (!open_results(conn, folder, e)) {
        stream_close_fd(ends[0]);
        return false;
    }
    return stream_open(pool->options.loop, ends[0], connection__on_bytes, on_peer_closed, conn,
                       &conn->stream, e);
}

/* Measures what no layer here limits. It is called every USE_INTERVAL_MS; in between a worker can
 * take as much as it gets. */
static bool uses_too_much(const struct connection *conn, struct sandbox_facts facts)
{
    const struct sandbox_limits limits = worker_sandbox__limits(conn->pool->options.memory_bytes);
    struct process_tree tree = {0};
    if (!facts.counts_memory || !facts.counts_processes)
        process_look_at_tree(conn->process, &tree);
    return (!facts.counts_memory && tree.memory_bytes > limits.tree_memory_bytes) ||
           (!facts.counts_processes && tree.n_tasks > limits.n_processes) ||
           (!facts.has_namespaces && scratch_n_bytes(conn->own) > limits.scratch_bytes);
}

static void on_look(void *ctx)
{
    struct connection *conn = ctx;
    conn->use_timer = 0;
    if (conn->worker_died)
        return;
    if (uses_too_much(conn, sandbox_plan_facts(conn->plan))) {
        conn->death.note = "ended: with its processes and files it used more than a worker may";
        process_signal(conn->process, SIGKILL);
        return;
    }
    watch_use(conn);
}

static void watch_use(struct connection *conn)
{
    struct sandbox_facts facts;
    if (!conn->plan)
        return;
    facts = sandbox_plan_facts(conn->plan);
    if (!facts.has_namespaces || !facts.counts_memory || !facts.counts_processes)
        conn->use_timer =
            loop_timer_add(conn->pool->options.loop, USE_INTERVAL_MS * LOOP_MS, on_look, conn);
}

bool connection__new(struct pool *pool, const struct target_installation *installation,
                     bool is_quarantined, struct connection **out, struct err *e)
{
    struct arena a;
    struct connection *conn = mem_alloc(sizeof *conn);
    *conn = (struct connection){.pool = pool,
                                .events = pool->events,
                                .installation = installation,
                                .is_quarantined = is_quarantined};
    arena_init(&a);
    arena_init(&conn->arena);
    bool ok = start(conn, &a, e);
    arena_done(&a);
    if (!ok) {
        connection__free(conn);
        return false;
    }
    pool->statistics.n_workers_started++;
    watch_use(conn);
    connection__set_timer(conn, HELLO_DEADLINE_MS, on_no_hello);
    *out = conn;
    return true;
}

static void remove_folder(struct connection *conn)
{
    scratch_close(conn->results);
    if (!conn->own)
        return;
    struct str name = path_base(str_of(scratch_path(conn->own)));
    scratch_remove_dir(conn->pool->place, str_dup(&conn->arena, name));
    scratch_close(conn->own);
}

void connection__free(struct connection *conn)
{
    loop_timer_cancel(conn->pool->options.loop, conn->timer);
    loop_timer_cancel(conn->pool->options.loop, conn->use_timer);
    history__clear(&conn->history);
    stream_close(conn->stream);
    process_close(conn->process);
    sandbox_plan_close(conn->plan);
    remove_folder(conn);
    arena_done(&conn->arena);
    strbuf_done(&conn->body);
    free(conn);
}
