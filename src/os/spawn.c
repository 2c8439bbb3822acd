/*
 * Decides how a child is made: vfork (fork for an entry function), the set-up steps of
 * spawn_step.def in the child, exec. Must not know about loops, pools or what the child does.
 * Invariant: between vfork and exec the child makes system calls and writes to its own stack only,
 * for it shares our memory; whatever fails is written to a pipe that exec closes, so the parent
 * reads either nothing (it runs) or the step and its errno. Order as in reproc and libuv.
 */
#include "os/spawn_p.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fault.h"
#include "os/sandbox.h"

enum spawn_step {
#define SPAWN_STEP(id, what) STEP_##id,
#include "os/spawn_step.def"
#undef SPAWN_STEP
    N_STEPS
};

static const char *const step_what[N_STEPS] = {
#define SPAWN_STEP(id, what) what,
#include "os/spawn_step.def"
#undef SPAWN_STEP
};

enum { FD_HIGH = 200, FDS_MAX = 8, CLOSE_RANGE_CLOEXEC_FLAG = 4 };

static char *const no_variables[] = {NULL};

struct failure {
    enum spawn_step step;
    int error;
    enum sandbox_layer layer;
};

struct child {
    const struct process_spec *spec;
    const char *program;
    char *const *argv;
    char *const *env;
    int stdio[3];
    int report_fd;
    int parent_pid;
    bool exec_must_fail;
};

static bool start_session(struct child *c)
{
    (void)c;
    return setsid() >= 0;
}

/* The parent may have died before prctl took effect. */
static bool ask_death_signal(struct child *c)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        return false;
    if (getppid() != c->parent_pid)
        _exit(127);
    return true;
}

static bool reset_signals(struct child *c)
{
    sigset_t none;
    (void)c;
    for (int signo = 1; signo < SIGRTMAX; signo++)
        if (signo != SIGKILL && signo != SIGSTOP)
            signal(signo, SIG_DFL); /* refused for the two that the C library keeps */
    sigemptyset(&none);
    return sigprocmask(SIG_SETMASK, &none, NULL) == 0;
}

/* All sources go high first, so that placing one cannot overwrite another. */
static bool place_descriptors(struct child *c)
{
    int high[3 + FDS_MAX];
    size_t n = 3 + c->spec->n_fds;
    for (size_t i = 0; i < n; i++) {
        high[i] =
            fcntl(i < 3 ? c->stdio[i] : c->spec->fds[i - 3].from, F_DUPFD_CLOEXEC, (int)FD_HIGH);
        if (high[i] < 0)
            return false;
    }
    int report = fcntl(c->report_fd, F_DUPFD_CLOEXEC, (int)FD_HIGH);
    if (report < 0)
        return false;
    c->report_fd = report;
    if (syscall(SYS_close_range, 3, ~0u, CLOSE_RANGE_CLOEXEC_FLAG) != 0)
        return false;
    for (size_t i = 0; i < n; i++)
        if (dup2(high[i], i < 3 ? (int)i : c->spec->fds[i - 3].to) < 0)
            return false;
    return true;
}

static bool enter_folder(struct child *c)
{
    return !c->spec->folder || chdir(c->spec->folder) == 0;
}

/* An entry has no exec that would close the rest. */
static void close_all_but_passed(const struct child *c)
{
    unsigned low = 3;
    for (;;) {
        unsigned next = ~0u;
        for (size_t i = 0; i < c->spec->n_fds; i++)
            if ((unsigned)c->spec->fds[i].to >= low && (unsigned)c->spec->fds[i].to < next)
                next = (unsigned)c->spec->fds[i].to;
        if (next == ~0u)
            break;
        if (next > low)
            syscall(SYS_close_range, low, next - 1, 0);
        low = next + 1;
    }
    syscall(SYS_close_range, low, ~0u, 0);
}

static bool become_program(struct child *c)
{
    if (c->exec_must_fail) {
        errno = EIO;
        return false;
    }
    if (c->spec->entry) {
        memcpy(&environ, &c->env, sizeof environ);
        close_all_but_passed(c);
        _exit(c->spec->entry(c->spec->entry_ctx));
    }
    execve(c->program, c->argv, c->env);
    return false;
}

NORETURN static void report_and_exit(const struct child *c, struct failure f)
{
    ssize_t put = write(c->report_fd, &f, sizeof f);
    _exit(put == (ssize_t)sizeof f ? 127 : 126);
}

NORETURN static void run_child(struct child *c)
{
    static bool (*const before_sandbox[])(struct child *) = {
        [STEP_SESSION] = start_session, [STEP_DEATH_SIGNAL] = ask_death_signal,
        [STEP_SIGNALS] = reset_signals, [STEP_DESCRIPTORS] = place_descriptors,
        [STEP_FOLDER] = enter_folder,
    };
    struct failure f = {0};
    for (f.step = 0; f.step < STEP_SANDBOX; f.step++)
        if (!before_sandbox[f.step](c)) {
            f.error = errno;
            report_and_exit(c, f);
        }
    f.error = c->spec->sandbox ? sandbox_apply(c->spec->sandbox, &f.layer) : 0;
    if (f.error)
        report_and_exit(c, f);
    f.step = STEP_EXEC;
    become_program(c);
    f.error = errno;
    report_and_exit(c, f);
}

static bool failure_message(const struct child *c, const struct failure *f, struct err *e)
{
    errno = f->error;
    if (f->step == STEP_SANDBOX)
        return err_errno(e, ERR_ENVIRONMENT, "%s: cannot put on the sandbox: layer %s", c->program,
                         sandbox_layer_name(f->layer));
    return err_errno(e, ERR_ENVIRONMENT, "%s: cannot %s", c->program, step_what[f->step]);
}

/* vfork lends the child this frame's memory, so nothing after it may be changed by the child. */
static pid_t fork_child(struct child *c, bool copy_memory)
{
    struct child *volatile kept = c;
    pid_t pid = copy_memory ? fork() : vfork();
    if (pid == 0)
        run_child(kept);
    return pid;
}

/* A report that cannot be read is a failure too: nobody would know whether the child runs. */
static bool read_report(int fd, struct failure *f)
{
    ssize_t got;
    do
        got = fault_hit("read") ? -1 : read(fd, f, sizeof *f);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        *f = (struct failure){.step = STEP_EXEC, .error = errno};
    return got < 0 || got == (ssize_t)sizeof *f;
}

/* Of a child that has reported a failure, or may run though nothing is known of it. */
static void end_child(int pid)
{
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

static bool check_spec(const struct process_spec *spec, struct err *e)
{
    if (spec->n_fds > FDS_MAX)
        return err_set(e, ERR_INTERNAL, "%zu descriptors passed to a child, at most %d are",
                       spec->n_fds, FDS_MAX);
    for (size_t i = 0; i < spec->n_fds; i++)
        if (spec->fds[i].to < 3 || spec->fds[i].to >= FD_HIGH)
            return err_set(e, ERR_INTERNAL, "descriptor %d of a child is not in 3..%d",
                           spec->fds[i].to, FD_HIGH - 1);
    return true;
}

/* exec's prototype predates const: it changes neither strings nor list. */
static char *const *as_exec_list(const char *const *list)
{
    char *const *plain;
    memcpy(&plain, &list, sizeof plain);
    return plain;
}

bool spawn__child(const struct process_spec *spec, const struct spawn_stdio *stdio, int *pid,
                  struct err *e)
{
    int report[2];
    if (!check_spec(spec, e))
        return false;
    if (fault_hit("pipe") || pipe2(report, O_CLOEXEC) != 0)
        return err_errno(e, ERR_IO, "cannot make a pipe for a child");
    struct child c = {
        .spec = spec,
        .program = spec->program ? spec->program : "/proc/self/exe",
        .argv = as_exec_list(spec->argv),
        .env = spec->env ? as_exec_list(spec->env) : no_variables,
        .stdio = {stdio->fd[0], stdio->fd[1], stdio->fd[2]},
        .report_fd = report[1],
        .parent_pid = getpid(),
        .exec_must_fail = fault_hit("exec"),
    };
    /* A handler of ours must not run in the child while it shares our memory. */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    *pid = fault_hit("fork") ? -1 : fork_child(&c, spec->entry != NULL);
    int fork_error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    struct failure f;
    bool ok = false;
    if (*pid < 0) {
        errno = fork_error;
        err_errno(e, ERR_IO, "%s: cannot make a process", c.program);
    } else if (read_report(report[0], &f)) {
        end_child(*pid);
        failure_message(&c, &f, e);
    } else {
        ok = true;
    }
    close(report[0]);
    return ok;
}

int spawn__pidfd(int pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}
