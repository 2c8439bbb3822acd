/*
 * Decides when a child has ended and what is reported about it: pidfd, captured streams, deadline,
 * group. Must not know what the child is for. Invariant: a leader is reaped only after its group
 * was killed, so the group's number cannot have been reused; done is called once, after the leader
 * is reaped and the streams are drained or the drain time is over.
 */
#include "os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/file.h"
#include "os/child_report_p.h"
#include "os/loop_p.h"
#include "os/orphan_p.h"
#include "os/spawn_p.h"

#define DRAIN_NS (200 * LOOP_MS)

enum {
    READ_CHUNK = 1 << 16,
    INPUT_MAX = 1 << 16,
    INIT_END_MS = 1000,
    BOX_MAIN_PID = 2 /* in a process namespace, the first child of its first process */
};

struct capture {
    int fd; /* -1: not captured, or read to its end */
    struct strbuf kept;
    uint64_t n_seen;
};

struct process {
    struct loop *loop;
    struct process *next;
    process_end_fn done;
    void *ctx;
    int pid, pidfd, main_pid;
    int report_fd, scratch_fd, main_pidfd; /* -1 without a process namespace */
    bool reaped;
    size_t output_max;
    bool flood_kills;
    int64_t grace_ms;
    struct capture stream[2]; /* stdout, stderr */
    uint64_t deadline_timer, drain_timer;
    int64_t started_ns;
    struct process_end end;
};

int process_pid(const struct process *p)
{
    return p->pid;
}

bool process_is_alive(const struct process *p)
{
    return !p->reaped;
}

void process_signal(struct process *p, int signo)
{
    if (p->reaped)
        return;
    if (p->main_pidfd >=
        0) { /* the rest of its namespace ends with it; the first process reports how it ended */
        syscall(SYS_pidfd_send_signal, p->main_pidfd, signo, NULL, 0);
        return;
    }
    kill(p->pid, signo);
    kill(-p->pid, signo);
}

int process_main_pid(const struct process *p)
{
    return p->reaped ? 0 : p->main_pid;
}

int process_find(const struct process *p, int inner_pid)
{
    if (p->reaped)
        return 0;
    if (p->report_fd < 0)
        return inner_pid == p->pid || orphan__parent(inner_pid) == p->pid ? inner_pid : 0;
    return inner_pid == BOX_MAIN_PID ? p->main_pid : orphan__find(p->main_pid, inner_pid);
}

void process_look_at_tree(const struct process *p, struct process_tree *out)
{
    *out = (struct process_tree){0};
    if (!p->reaped)
        orphan__look_at_tree(p->pid, out);
}

int process_take_scratch(struct process *p)
{
    int fd = p->scratch_fd;
    p->scratch_fd = -1;
    return fd;
}

void process_signal_child(const struct process *p, int pid, int signo)
{
    if (!p->reaped && pid > 1 && orphan__parent(pid) == process_main_pid(p))
        kill(pid, signo);
}

struct str process_output(const struct process *p, bool of_stderr)
{
    return strbuf_str(&p->stream[of_stderr].kept);
}

bool process_is_flooded(const struct process *p)
{
    return p->stream[0].n_seen > p->output_max || p->stream[1].n_seen > p->output_max;
}

void process_output_clear(struct process *p)
{
    for (int i = 0; i < 2; i++) {
        strbuf_clear(&p->stream[i].kept);
        p->stream[i].n_seen = 0;
    }
}

static void finish_if_over(struct process *p)
{
    if (!p->reaped || p->stream[0].fd >= 0 || p->stream[1].fd >= 0)
        return;
    loop_timer_cancel(p->loop, p->drain_timer);
    p->drain_timer = 0;
    p->end.flooded |= process_is_flooded(p);
    p->end.out = process_output(p, false);
    p->end.err = process_output(p, true);
    process_end_fn done = p->done;
    p->done = NULL;
    if (done)
        done(p->ctx, p, &p->end);
}

static void close_stream(struct process *p, struct capture *c)
{
    if (c->fd < 0)
        return;
    loop_unwatch(p->loop, c->fd);
    close(c->fd);
    c->fd = -1;
}

static void on_drained_long_enough(void *ctx)
{
    struct process *p = ctx;
    p->drain_timer = 0;
    close_stream(p, &p->stream[0]);
    close_stream(p, &p->stream[1]);
    finish_if_over(p);
}

/* Reads once; false: nothing more is there now. */
static bool read_chunk(struct process *p, struct capture *c)
{
    char chunk[READ_CHUNK];
    ssize_t got = fault_hit("read") ? -1 : read(c->fd, chunk, sizeof chunk);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return false;
    if (got <= 0) {
        close_stream(p, c);
        return false;
    }
    c->n_seen += (uint64_t)got;
    strbuf_add(&c->kept, chunk, MIN((size_t)got, p->output_max - c->kept.n));
    if (p->flood_kills && process_is_flooded(p) && !p->reaped && !p->end.flooded) {
        p->end.flooded = true;
        process_signal(p, SIGKILL);
    }
    return true;
}

/* Reads one chunk per turn, so that a flood cannot starve the loop. */
static void on_output(void *ctx, int fd, unsigned ready)
{
    struct process *p = ctx;
    (void)ready;
    if (!read_chunk(p, &p->stream[fd != p->stream[0].fd]))
        finish_if_over(p);
}

void process_output_drain(struct process *p)
{
    for (int i = 0; i < 2; i++) {
        struct capture *c = &p->stream[i];
        while (c->fd >= 0 && c->n_seen <= p->output_max && read_chunk(p, c)) {
        }
    }
}

static void set_end(struct process *p, int status, const struct rusage *usage)
{
    struct process_end *end = &p->end;
    end->exited = WIFEXITED(status);
    end->exit_code = end->exited ? WEXITSTATUS(status) : 0;
    end->signo = end->exited ? 0 : WTERMSIG(status);
    end->core_dumped = !end->exited && WCOREDUMP(status);
    end->usage = (struct process_usage){
        .wall_ns = clock_now_ns() - p->started_ns,
        .cpu_ns = ((int64_t)usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000000 +
                  ((int64_t)usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1000,
        .peak_bytes = (uint64_t)usage->ru_maxrss * 1024,
    };
}

static void unlink_process(struct process *p)
{
    for (struct process **at = loop__processes(p->loop); *at; at = &(*at)->next)
        if (*at == p) {
            *at = p->next;
            return;
        }
}

/* Waits for the process; false: how it ended cannot be found out. */
static bool wait_for(int pid, int *status, struct rusage *usage)
{
    int got;
    do
        got = fault_hit("wait") ? -1 : wait4(pid, status, 0, usage);
    while (got < 0 && errno == EINTR);
    return got == pid;
}

/* How the wanted process in a namespace ended: by the first process's report, or else by that
 * process's own status, which only we or a lack of memory kill. */
static int status_from_box(const struct process *p, int status)
{
    struct child_report m;
    bool told = recv(p->report_fd, &m, sizeof m, MSG_DONTWAIT) == (ssize_t)sizeof m;
    return told && m.word == CHILD_ENDED ? m.status : WIFSIGNALED(status) ? status : SIGKILL;
}

/* A process that cannot be waited for counts as killed, never as done. */
static void reap(struct process *p)
{
    struct rusage usage = {0};
    int status = SIGKILL;
    kill(-p->pid, SIGKILL);
    if (!wait_for(p->pid, &status, &usage))
        status = SIGKILL;
    if (p->report_fd >= 0)
        status = status_from_box(p, status);
    set_end(p, status, &usage);
    p->reaped = true;
    unlink_process(p);
    loop_timer_cancel(p->loop, p->deadline_timer);
    p->deadline_timer = 0;
    loop_unwatch(p->loop, p->pidfd);
    close(p->pidfd);
    p->pidfd = -1;
}

static void on_end(void *ctx, int fd, unsigned ready)
{
    struct process *p = ctx;
    (void)fd, (void)ready;
    reap(p);
    if (p->stream[0].fd >= 0 || p->stream[1].fd >= 0)
        p->drain_timer = loop_timer_add(p->loop, DRAIN_NS, on_drained_long_enough, p);
    finish_if_over(p);
}

static void on_grace_over(void *ctx)
{
    struct process *p = ctx;
    p->deadline_timer = 0;
    process_signal(p, SIGKILL);
}

static void on_deadline(void *ctx)
{
    struct process *p = ctx;
    p->end.timed_out = true;
    process_signal(p, p->grace_ms ? SIGTERM : SIGKILL);
    p->deadline_timer =
        p->grace_ms ? loop_timer_add(p->loop, p->grace_ms * LOOP_MS, on_grace_over, p) : 0;
}

void process_set_deadline(struct process *p, int64_t after_ms)
{
    if (p->reaped || p->end.timed_out)
        return;
    loop_timer_cancel(p->loop, p->deadline_timer);
    p->deadline_timer = after_ms ? loop_timer_add(p->loop, after_ms * LOOP_MS, on_deadline, p) : 0;
}

/* The child's ends of its three streams; ours go into p->stream. */
struct plumbing {
    struct spawn_stdio child;
    int input; /* our end of stdin, or -1 */
};

static void close_plumbing(struct plumbing *pipes)
{
    for (int i = 0; i < 3; i++)
        if (pipes->child.fd[i] > 2)
            close(pipes->child.fd[i]);
    if (pipes->input >= 0)
        close(pipes->input);
}

static bool make_pipe(int ends[2], struct err *e)
{
    if (fault_hit("pipe") || pipe2(ends, O_CLOEXEC) != 0)
        return err_errno(e, ERR_IO, "cannot make a pipe for a child");
    return true;
}

static bool plumb_output(struct process *p, int which, enum process_stream to,
                         struct plumbing *pipes, struct err *e)
{
    int ends[2];
    if (to == PROCESS_INHERIT) {
        pipes->child.fd[which] = which;
        return true;
    }
    if (to == PROCESS_NULL) {
        pipes->child.fd[which] = fault_hit("open") ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
        return pipes->child.fd[which] >= 0 || err_errno(e, ERR_IO, "/dev/null: cannot open");
    }
    if (!make_pipe(ends, e))
        return false;
    p->stream[which - 1].fd = ends[0];
    pipes->child.fd[which] = ends[1];
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return loop_watch(p->loop, ends[0], LOOP_READ, on_output, p, e);
}

static bool plumb_input(struct str input, struct plumbing *pipes, struct err *e)
{
    int ends[2];
    if (!input.n) {
        pipes->child.fd[0] = fault_hit("open") ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);
        return pipes->child.fd[0] >= 0 || err_errno(e, ERR_IO, "/dev/null: cannot open");
    }
    if (input.n > INPUT_MAX)
        return err_set(e, ERR_LIMIT, "%zu bytes for a child's stdin, at most %d", input.n,
                       INPUT_MAX);
    if (!make_pipe(ends, e))
        return false;
    pipes->child.fd[0] = ends[0];
    pipes->input = ends[1];
    return (!fault_hit("write") && write(ends[1], input.at, input.n) == (ssize_t)input.n) ||
           err_errno(e, ERR_IO, "cannot write a child's stdin");
}

static bool start(struct process *p, const struct process_spec *spec, struct err *e)
{
    struct plumbing pipes = {{{-1, -1, -1}}, -1};
    bool ok = plumb_input(spec->input, &pipes, e) && plumb_output(p, 1, spec->out, &pipes, e) &&
              plumb_output(p, 2, spec->err, &pipes, e);
    p->started_ns = clock_now_ns();
    struct spawn_child child;
    ok = ok && spawn__child(spec, &pipes.child, &child, e);
    close_plumbing(&pipes);
    if (!ok)
        return false;
    p->pid = child.pid;
    p->report_fd = child.report_fd;
    p->scratch_fd = child.scratch_fd;
    p->main_pid = child.report_fd < 0 ? child.pid : orphan__find(child.pid, BOX_MAIN_PID);
    if (child.report_fd >= 0 && p->main_pid)
        p->main_pidfd = spawn__pidfd(p->main_pid);
    p->reaped = false;
    p->pidfd = spawn__pidfd(p->pid);
    if (p->pidfd < 0)
        return err_errno(e, ERR_ENVIRONMENT, "pidfd_open: Linux 5.3 or later is needed");
    return loop_watch(p->loop, p->pidfd, LOOP_READ, on_end, p, e);
}

bool process_open(struct loop *loop, const struct process_spec *spec, process_end_fn done,
                  void *ctx, struct process **out, struct err *e)
{
    struct process *p = mem_alloc(sizeof *p);
    *p = (struct process){
        .loop = loop,
        .done = done,
        .ctx = ctx,
        .pidfd = -1,
        .report_fd = -1,
        .scratch_fd = -1,
        .main_pidfd = -1,
        .reaped = true,
        .output_max = spec->output_max,
        .flood_kills = spec->flood_kills,
        .grace_ms = spec->grace_ms,
        .stream = {{.fd = -1}, {.fd = -1}},
    };
    bool ok = start(p, spec, e);
    if (!p->reaped) {
        p->next = *loop__processes(loop);
        *loop__processes(loop) = p;
    }
    if (!ok) {
        process_close(p);
        return false;
    }
    process_set_deadline(p, spec->deadline_ms);
    *out = p;
    return true;
}

/* When the wanted process is killed, the first of its namespace ends and has then its usage. */
static void await_box(const struct process *p)
{
    struct pollfd end = {.fd = p->pidfd, .events = POLLIN};
    if (p->main_pidfd < 0 || p->pidfd < 0 || poll(&end, 1, INIT_END_MS) != 1)
        kill(p->pid, SIGKILL);
}

void process_close(struct process *p)
{
    if (!p)
        return;
    if (!p->reaped) {
        process_signal(p, SIGKILL);
        await_box(p);
        reap(p);
    }
    loop_timer_cancel(p->loop, p->drain_timer);
    for (int i = 0; i < 2; i++) {
        close_stream(p, &p->stream[i]);
        strbuf_done(&p->stream[i].kept);
    }
    const int of_box[] = {p->report_fd, p->scratch_fd, p->main_pidfd};
    for (size_t i = 0; i < COUNT_OF(of_box); i++)
        if (of_box[i] >= 0)
            close(of_box[i]);
    free(p);
}

struct awaited {
    struct arena *a;
    struct process_end *out;
};

static void on_awaited(void *ctx, struct process *p, const struct process_end *end)
{
    struct awaited *w = ctx;
    (void)p;
    *w->out = *end;
    w->out->out = (struct str){str_dup(w->a, end->out), end->out.n};
    w->out->err = (struct str){str_dup(w->a, end->err), end->err.n};
}

bool process_run(const struct process_spec *spec, struct arena *a, struct process_end *out,
                 struct err *e)
{
    struct loop *loop;
    struct process *p = NULL;
    struct awaited w = {a, out};
    if (!loop_open(&loop, e))
        return false;
    bool ok = process_open(loop, spec, on_awaited, &w, &p, e) && loop_run(loop, e);
    process_close(p);
    loop_close(loop);
    return ok;
}

const char *const *process_environment(void)
{
    return (const char *const *)environ;
}

bool process_find_program(const char *name, struct arena *a, const char **out, struct err *e)
{
    struct str rest = str_of(getenv("PATH")), dir;
    if (strchr(name, '/')) {
        *out = arena_strdup(a, name);
        return access(name, X_OK) == 0 || err_errno(e, ERR_ENVIRONMENT, "%s: cannot be run", name);
    }
    while (str_split(&rest, ':', &dir)) {
        char *path = arena_printf(a, STR_FMT "/%s", STR_ARG(dir), name);
        if (dir.n && file_stat(path).kind == FILE_REGULAR && access(path, X_OK) == 0) {
            *out = path;
            return true;
        }
    }
    return err_set(e, ERR_ENVIRONMENT, "%s: no such program on the PATH", name);
}

static bool is_open(void *ctx, int pid)
{
    for (const struct process *p = *loop__processes(ctx); p; p = p->next)
        if (p->pid == pid)
            return true;
    return false;
}

size_t process_reap_orphans(struct loop *loop)
{
    return orphan__reap(is_open, loop);
}

/* The signals that end a process in practice. */
static const struct {
    int signo;
    const char *name;
} signal_names[] = {
    {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},
    {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGKILL, "SIGKILL"}, {SIGUSR1, "SIGUSR1"}, {SIGSEGV, "SIGSEGV"}, {SIGUSR2, "SIGUSR2"},
    {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}, {SIGTERM, "SIGTERM"}, {SIGXCPU, "SIGXCPU"},
    {SIGXFSZ, "SIGXFSZ"}, {SIGSYS, "SIGSYS"},
};

const char *process_signal_name(int signo)
{
    for (size_t i = 0; i < COUNT_OF(signal_names); i++)
        if (signal_names[i].signo == signo)
            return signal_names[i].name;
    return "?";
}

void process_end_print(const struct process_end *end, struct strbuf *out)
{
    if (end->exited)
        strbuf_printf(out, "exit %d", end->exit_code);
    else
        strbuf_printf(out, "signal %d (%s)", end->signo, process_signal_name(end->signo));
}
