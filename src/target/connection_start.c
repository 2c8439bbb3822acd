/*
 * Decides how a worker process is started, with which sandbox, environment and descriptor, and what
 * its end means to whoever waits for it. Must not know jobs: conn->events is told.
 */
#include "target/pool_p.h"

#include <signal.h>

#include "base/file.h"
#include "base/path.h"
#include "os/fork.h"
#include "target/launch_p.h"
#include "target/python_p.h"
#include "target/worker.h"

enum {
    HELLO_DEADLINE_MS = 300000, /* a cold disk, a crowded machine */
    WORKER_TEXT_MAX = 1 << 20,
    WORKER_FILES_MAX = 512,
    WORKER_TASKS_MAX = 512
};
#define WORKER_FILE_BYTES ((uint64_t)2 << 30)
#define WORKER_SCRATCH_BYTES ((uint64_t)1 << 30)

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

/* The folder of a virtual environment by the name that it was registered with, which may lead there
 * by links: Python looks for pyvenv.cfg beside the name that it was started by. */
static const char *environment_of(const struct target_installation *i, struct arena *a)
{
    const char *folder = str_dup(a, path_dir(path_dir(i->python)));
    bool is_venv = file_stat(path_join(a, folder, "pyvenv.cfg")).kind == FILE_REGULAR;
    return is_venv ? folder : str_dup(a, i->python);
}

static bool open_plan(struct connection *conn, const char *conn_folder, struct arena *a,
                      struct err *e)
{
    const struct target_installation *i = conn->installation;
    const struct pool *pool = conn->pool;
    bool native = str_is(i->description->worker, "native");
    const char **readable = arena_new_array(a, const char *, i->n_roots + 5);
    size_t n = 0;
    for (; n < i->n_roots; n++)
        readable[n] = i->roots[n];
    readable[n++] = native ? pool->self : pool->worker_path;
    if (str_ends(i->description->worker, STR(".py")))
        readable[n++] = str_dup(a, path_dir(i->description->worker));
    readable[n++] = native ? str_dup(a, i->library) : environment_of(i, a);
    readable[n++] = scratch_path(pool->scratch);
    struct sandbox_policy policy = sandbox_policy_default();
    if (!pool->options.best_effort)
        policy.required |= SANDBOX_BIT(SANDBOX_SECCOMP);
    policy.readable = readable;
    policy.n_readable = n;
    policy.private_folder = conn_folder;
    policy.accepts_root = pool->options.best_effort;
    policy.limits.memory_bytes = native && sandbox_is_sanitized() ? 0 : pool->options.memory_bytes;
    policy.limits.file_bytes = WORKER_FILE_BYTES;
    policy.limits.n_files = WORKER_FILES_MAX;
    policy.limits.n_processes = WORKER_TASKS_MAX;
    policy.limits.scratch_bytes = WORKER_SCRATCH_BYTES;
    policy.limits.tree_memory_bytes =
        pool->options.memory_bytes + pool->options.memory_bytes / 4 + WORKER_SCRATCH_BYTES;
    return sandbox_plan_open(&policy, &conn->plan, e) || err_wrap(e, "worker " STR_FMT,
                                                                  STR_ARG(i->description->engine));
}

/* The folder exists outside as well; a box puts a file system of its own in its place. */
static bool make_folder(struct connection *conn, const char **out, struct err *e)
{
    struct pool *pool = conn->pool;
    const char *name = arena_printf(&conn->arena, "w%llu", (unsigned long long)pool->next_worker++);
    *out = path_join(&conn->arena, scratch_path(pool->place), name);
    return scratch_make_dir(pool->place, name, e);
}

/* Where results are read: of a box by the descriptor that only it and we hold. */
static bool open_results(struct connection *conn, const char *folder, struct err *e)
{
    int fd = process_take_scratch(conn->process);
    return fd >= 0 ? scratch_adopt(fd, folder, &conn->results, e)
                   : scratch_attach(folder, &conn->results, e);
}

/* A worker with an identity of its own reaches its files by folders that others may pass. */
static bool hand_over(struct connection *conn, const char *folder, struct err *e)
{
    struct sandbox_facts facts = sandbox_plan_facts(conn->plan);
    if (facts.is_boxed || !facts.changes_id)
        return true;
    return scratch_let_pass(conn->pool->place, e) &&
           scratch_give_dir(conn->pool->place, str_dup(&conn->arena, path_base(str_of(folder))),
                            facts.uid, facts.gid, e);
}

static bool start(struct connection *conn, struct arena *a, struct err *e)
{
    int ends[2];
    struct pool *pool = conn->pool;
    bool native = str_is(conn->installation->description->worker, "native");
    if (!native && !python__files(pool, e))
        return false;
    const char *folder;
    if (!make_folder(conn, &folder, e) || !open_plan(conn, folder, a, e) ||
        !hand_over(conn, folder, e) || !stream_pair(ends, e))
        return false;
    const struct process_fd fd = {ends[1], WORKER_FD};
    bool as_user = pool->options.as_user;
    const struct process_spec spec = {
        .program = native ? pool->options.program : str_dup(a, conn->installation->python),
        .argv = launch__arguments(conn->installation, pool->worker_path, a),
        .env = as_user ? launch__user_environment()
                       : launch__environment(folder, a),
        .folder = as_user ? NULL : folder,
        .out = !as_user                ? PROCESS_CAPTURE
               : pool->options.is_mute ? PROCESS_NULL
                                       : PROCESS_INHERIT,
        .err = as_user ? PROCESS_INHERIT : PROCESS_CAPTURE,
        .output_max = WORKER_TEXT_MAX,
        .flood_kills = true,
        .fds = &fd,
        .n_fds = 1,
        .sandbox = as_user ? NULL : conn->plan,
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
    connection__set_timer(conn, HELLO_DEADLINE_MS, on_no_hello);
    *out = conn;
    return true;
}

static void remove_folder(struct connection *conn)
{
    if (!conn->results)
        return;
    struct str name = path_base(str_of(scratch_path(conn->results)));
    scratch_remove_dir(conn->pool->place, str_dup(&conn->arena, name));
    scratch_close(conn->results);
}

void connection__free(struct connection *conn)
{
    loop_timer_cancel(conn->pool->options.loop, conn->timer);
    history__clear(&conn->history);
    stream_close(conn->stream);
    process_close(conn->process);
    sandbox_plan_close(conn->plan);
    remove_folder(conn);
    arena_done(&conn->arena);
    strbuf_done(&conn->body);
    free(conn);
}
