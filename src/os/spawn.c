/*
 * Decides how a child is made: vfork (fork for an entry function), the set-up steps of
 * spawn_step.def in the child, exec. Must not know about loops, pools or what the child does.
 * Invariant: between vfork and exec the child only makes system calls and writes to its own stack,
 * since it shares our memory. A failure is sent through a pair of sockets that exec closes, so the
 * parent reads either nothing (the child runs) or the step and its errno. The order is that of
 * reproc and libuv. A child with a process namespace of its own is made by clone. It becomes the
 * namespace's first process, which makes the wanted one, and keeps its end of the pair to report
 * how that ended.
 */
#include "os/spawn_p.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fault.h"
#include "os/child_report_p.h"
#include "os/sandbox.h"

static const char *const step_what[SPAWN_N_STEPS] = {
#define SPAWN_STEP(id, what) what,
#include "os/spawn_step.def"
#undef SPAWN_STEP
};

enum {
    FD_HIGH = 200,
    FDS_MAX = 8,
    CLOSE_RANGE_CLOEXEC_FLAG = 4,
    REPORT_TEXT_SIZE = 16,
    INIT_WORDS = 5 /* before the child's own arguments */
};

static char *const no_variables[] = {NULL};

struct child {
    const struct process_spec *spec;
    const char *program;
    char *const *argv;
    char *const *env;
    int stdio[3];
    int report_fd;
    int parent_pid;
    bool exec_must_fail;
    bool has_namespaces;
    char *const *init_argv; /* argv of the first process; the child fills in report_fd */
    char *report_text;
};

static bool start_session(struct child *c)
{
    (void)c;
    return setsid() >= 0;
}

/* The parent may have died before prctl took effect. In a namespace the first process cannot see
 * its parent's pid; there the end of the report socket shows it. */
static bool ask_death_signal(struct child *c)
{
    struct pollfd report = {.fd = c->report_fd};
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        return false;
    if (c->has_namespaces ? poll(&report, 1, 0) > 0 : getppid() != c->parent_pid)
        _exit(127);
    return true;
}

static bool reset_signals(struct child *c)
{
    sigset_t none;
    (void)c;
    for (int signo = 1; signo < SIGRTMAX; signo++)
        if (signo != SIGKILL && signo != SIGSTOP)
            signal(signo, SIG_DFL); /* fails for the two signals of the C library */
    sigemptyset(&none);
    return sigprocmask(SIG_SETMASK, &none, NULL) == 0;
}

/* Copies all descriptors to high numbers first, so that placing one cannot overwrite another. */
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

/* For an entry function, which has no exec that would close the rest. */
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

NORETURN static void run_entry(struct child *c)
{
    memcpy(&environ, &c->env, sizeof environ);
    close_all_but_passed(c);
    _exit(c->spec->entry(c->spec->entry_ctx));
}

/* The first process of a namespace runs a fresh program, since a copy of this one would hold our
 * memory. With an entry function, which is for tests, it may be a copy. */
static bool become_first(struct child *c)
{
    if (c->spec->entry) {
        pid_t pid = fork();
        if (pid == 0)
            run_entry(c);
        if (pid > 0)
            init__wait(c->report_fd, pid);
        return false;
    }
    fcntl(c->report_fd, F_SETFD, 0);
    snprintf(c->report_text, REPORT_TEXT_SIZE, "%d", c->report_fd);
    syscall(SYS_execveat, sandbox_init_fd(c->spec->sandbox), "", c->init_argv, c->env,
            AT_EMPTY_PATH);
    return false;
}

static bool become_program(struct child *c)
{
    if (c->exec_must_fail) {
        errno = EIO;
        return false;
    }
    if (c->has_namespaces)
        return become_first(c);
    if (c->spec->entry)
        run_entry(c);
    execve(c->program, c->argv, c->env);
    return false;
}

NORETURN static void report_and_exit(const struct child *c, enum spawn_step step, int error,
                                     enum sandbox_layer layer)
{
    child_report__send(c->report_fd, &(struct child_report){.word = CHILD_FAILED,
                                                            .step = (int)step,
                                                            .error = error,
                                                            .layer = (int)layer});
    _exit(127);
}

/* Sends the descriptor of the private folder as an ancillary message (unix(7)). */
static bool send_scratch(const struct child *c)
{
    int fd = sandbox_scratch_fd(c->spec->sandbox);
    struct child_report m = {.word = CHILD_SCRATCH};
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {&m, sizeof m};
    struct msghdr all = {.msg_iov = &part,
                         .msg_iovlen = 1,
                         .msg_control = control.bytes,
                         .msg_controllen = sizeof control.bytes};
    if (fd < 0)
        return true;
    control.head = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    return sendmsg(c->report_fd, &all, MSG_NOSIGNAL) == (ssize_t)sizeof m && close(fd) == 0;
}

/* Makes the kernel kill the child first when memory is short. */
static void prefer_as_victim(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    ssize_t put = fd >= 0 ? write(fd, "1000", 4) : 0;
    (void)put; /* a kernel without it, or a masked /proc */
    if (fd >= 0)
        close(fd);
}

/* Repeats the steps that the sandbox undoes by changing root folder and user. */
static bool settle_in(struct child *c)
{
    return ask_death_signal(c) && (!c->has_namespaces || (enter_folder(c) && send_scratch(c)));
}

NORETURN static void run_child(struct child *c)
{
    static bool (*const before_sandbox[])(struct child *) = {
        [SPAWN_SESSION] = start_session, [SPAWN_DEATH_SIGNAL] = ask_death_signal,
        [SPAWN_SIGNALS] = reset_signals, [SPAWN_DESCRIPTORS] = place_descriptors,
        [SPAWN_FOLDER] = enter_folder,
    };
    enum sandbox_layer layer = SANDBOX_LIMITS;
    for (enum spawn_step step = 0; step < SPAWN_SANDBOX; step++)
        if (!before_sandbox[step](c))
            report_and_exit(c, step, errno, layer);
    if (c->spec->sandbox) {
        prefer_as_victim();
        int error = sandbox_apply(c->spec->sandbox, &layer);
        if (error)
            report_and_exit(c, SPAWN_SANDBOX, error, layer);
        if (!settle_in(c))
            report_and_exit(c, SPAWN_FOLDER, errno, layer);
    }
    become_program(c);
    report_and_exit(c, SPAWN_EXEC, errno, layer);
}

/* The first folder of the file's path that only its owner may enter; "": none. */
static void find_closed_folder(const char *file, char out[static PATH_MAX])
{
    char way[PATH_MAX];
    struct stat st;
    out[0] = 0;
    if (!realpath(file, way))
        return;
    for (char *slash = strchr(way + 1, '/'); slash && !out[0]; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (stat(way, &st) == 0 && !(st.st_mode & S_IXOTH))
            memcpy(out, way, strlen(way) + 1);
        *slash = '/';
    }
}

static bool failure_message(const struct child *c, const struct child_report *f, struct err *e)
{
    char closed[PATH_MAX] = "";
    if (f->step == SPAWN_EXEC && f->error == EACCES && c->spec->sandbox &&
        sandbox_plan_facts(c->spec->sandbox).changes_id)
        find_closed_folder(c->program, closed);
    if (closed[0])
        return err_set(e, ERR_ENVIRONMENT,
                       "%s: a worker never runs as root, and %s lets only its owner in: use a "
                       "program outside of it, or let others pass (chmod o+x %s)",
                       c->program, closed, closed);
    errno = f->error;
    if (f->step == SPAWN_SANDBOX)
        return err_errno(e, ERR_ENVIRONMENT, "%s: cannot put on the sandbox: layer %s", c->program,
                         sandbox_layer_name((enum sandbox_layer)f->layer));
    return err_errno(e, ERR_ENVIRONMENT, "%s: cannot %s", c->program, step_what[f->step]);
}

/* With vfork the child runs in this frame's memory, so it must change nothing that the parent still
 * uses. A child with namespaces gets a copy, as by fork. */
static pid_t fork_child(struct child *c, bool copy_memory)
{
    struct child *volatile kept = c;
    unsigned long flags = c->has_namespaces ? sandbox_clone_flags(c->spec->sandbox) : 0;
    pid_t pid = flags         ? (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL)
                : copy_memory ? fork()
                              : vfork();
    if (pid == 0)
        run_child(kept);
    return pid;
}

/* Receives a message; 0: the report has ended; -1 with errno. *scratch_fd: a descriptor in it. */
static ssize_t receive(int fd, struct child_report *m, int *scratch_fd)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {m, sizeof *m};
    struct msghdr all = {.msg_iov = &part,
                         .msg_iovlen = 1,
                         .msg_control = control.bytes,
                         .msg_controllen = sizeof control.bytes};
    ssize_t got;
    do
        got = fault_hit("read") ? -1 : recvmsg(fd, &all, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got > 0 && all.msg_controllen >= CMSG_LEN(sizeof(int)) && *scratch_fd < 0)
        memcpy(scratch_fd, CMSG_DATA(&control.head), sizeof *scratch_fd);
    return got;
}

/* true: the child has failed, and *f says how. A report that cannot be read and the end of a child
 * with namespaces before its process runs are failures too, since it is unknown whether that runs.
 */
static bool read_report(int fd, bool has_namespaces, struct child_report *f, int *scratch_fd)
{
    for (;;) {
        ssize_t got = receive(fd, f, scratch_fd);
        if (got == (ssize_t)sizeof *f && f->word == CHILD_SCRATCH)
            continue;
        if (got == (ssize_t)sizeof *f)
            return f->word == CHILD_FAILED;
        bool ok = got == 0 && !has_namespaces;
        *f = (struct child_report){
            .word = CHILD_FAILED, .step = SPAWN_EXEC, .error = got < 0 ? errno : EPIPE};
        return !ok;
    }
}

/* Ends a child that has reported a failure, or of which it is unknown whether it runs. */
static void end_child(int pid)
{
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

static bool check_spec(const struct process_spec *spec, struct err *e)
{
    if (spec->n_fds > FDS_MAX)
        return err_set(e, ERR_INTERNAL, "%zu descriptors for a child, at most %d can be passed",
                       spec->n_fds, FDS_MAX);
    for (size_t i = 0; i < spec->n_fds; i++)
        if (spec->fds[i].to < 3 || spec->fds[i].to >= FD_HIGH)
            return err_set(e, ERR_INTERNAL, "descriptor %d of a child is not in 3..%d",
                           spec->fds[i].to, FD_HIGH - 1);
    return true;
}

/* exec changes neither strings nor list; its prototype is older than const. */
static char *const *as_exec_list(const char *const *list)
{
    char *const *plain;
    memcpy(&plain, &list, sizeof plain);
    return plain;
}

/* Fills in the argv of the first process, which holds the child's program and arguments. */
static void fill_init_argv(struct child *c, const char **to, size_t n_arguments)
{
    const char *const before[] = {"assay", "worker", "init", c->report_text, c->program};
    memcpy(to, before, sizeof before);
    for (size_t i = 0; i <= n_arguments; i++) /* and the NULL */
        to[COUNT_OF(before) + i] = c->argv[i];
    c->init_argv = as_exec_list(to);
}

static size_t count_arguments(char *const *argv)
{
    size_t n = 0;
    while (argv && argv[n])
        n++;
    return n;
}

static bool start_child(struct child *c, const int report[2], struct spawn_child *out,
                        struct err *e)
{
    /* A handler of ours must not run in the child while it shares our memory. */
    sigset_t all, before;
    struct child_report f;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    out->pid = fault_hit("fork") ? -1 : fork_child(c, c->spec->entry != NULL);
    int fork_error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(report[1]); /* not c->report_fd, which a vfork child has changed */
    if (out->pid < 0) {
        errno = fork_error;
        return err_errno(e, ERR_IO, "%s: cannot make a process", c->program);
    }
    if (!read_report(report[0], c->has_namespaces, &f, &out->scratch_fd))
        return true;
    end_child(out->pid);
    return failure_message(c, &f, e);
}

bool spawn__child(const struct process_spec *spec, const struct spawn_stdio *stdio,
                  struct spawn_child *out, struct err *e)
{
    int report[2];
    char report_text[REPORT_TEXT_SIZE];
    *out = (struct spawn_child){-1, -1, -1};
    if (!check_spec(spec, e))
        return false;
    if (fault_hit("pipe") || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, report) != 0)
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
        .has_namespaces = spec->sandbox && sandbox_plan_facts(spec->sandbox).has_namespaces,
        .report_text = report_text,
    };
    size_t n_arguments = count_arguments(c.argv);
    const char **init_argv = mem_alloc((INIT_WORDS + n_arguments + 1) * sizeof *init_argv);
    if (c.argv)
        fill_init_argv(&c, init_argv, n_arguments);
    bool ok = start_child(&c, report, out, e);
    free(init_argv);
    if (ok && c.has_namespaces) {
        out->report_fd = report[0];
        return true;
    }
    close(report[0]);
    if (out->scratch_fd >= 0)
        close(out->scratch_fd);
    out->scratch_fd = -1;
    return ok;
}

int spawn__pidfd(int pid)
{
    return (int)syscall(SYS_pidfd_open, pid, 0);
}
