/*
 * Processes on the worker's side: fork, wait, and the report of a deadly signal. Invariant: the
 * handler runs on its own stack and ends in the signal's default action, so the parent sees the
 * same end as without it.
 */
#include "os/fork.h"

#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fault.h"
#include "os/orphan_p.h"

enum { FRAMES_MAX = 64, STACK_NEAR = 1 << 16, HANDLER_STACK = 1 << 16, SWEEPS_MAX = 10000 };

static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};

bool fork_child(int *pid, struct err *e)
{
    int parent = getpid();
    *pid = fault_hit("fork") ? -1 : fork();
    if (*pid < 0)
        return err_errno(e, ERR_IO, "cannot fork");
    if (*pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(127);
    }
    return true;
}

static bool nobody_is_known(void *ctx, int pid)
{
    (void)ctx, (void)pid;
    return false;
}

static struct process_usage usage_of(const struct rusage *r)
{
    return (struct process_usage){
        .cpu_ns = ((int64_t)r->ru_utime.tv_sec + r->ru_stime.tv_sec) * 1000000000 +
                  ((int64_t)r->ru_utime.tv_usec + r->ru_stime.tv_usec) * 1000,
        .peak_bytes = (uint64_t)r->ru_maxrss * 1024,
    };
}

bool fork_wait(int pid, struct process_end *out, struct err *e)
{
    int status;
    struct rusage usage;
    int64_t from = clock_now_ns();
    while (fault_hit("wait") || wait4(pid, &status, 0, &usage) < 0)
        if (errno != EINTR)
            return err_errno(e, ERR_INTERNAL, "cannot wait for process %d", pid);
    *out = (struct process_end){.exited = WIFEXITED(status), .usage = usage_of(&usage)};
    out->exit_code = out->exited ? WEXITSTATUS(status) : 0;
    out->signo = out->exited ? 0 : WTERMSIG(status);
    out->usage.wall_ns = clock_now_ns() - from;
    return true;
}

bool fork_adopt_orphans(struct err *e)
{
    return process_become_subreaper(e);
}

bool fork_end_orphans(struct err *e)
{
    for (int i = 0; i < SWEEPS_MAX; i++) {
        pid_t got = waitpid(-1, NULL, WNOHANG);
        if (got < 0 && errno == ECHILD) /* the usual end, after one system call */
            return true;
        if (got == 0)
            orphan__reap(nobody_is_known, NULL);
    }
    return err_set(e, ERR_IO, "processes that a case left behind cannot be ended");
}

void fork_exit(int code)
{
    _exit(code);
}

int fork_self(void)
{
    return getpid();
}

struct process_usage fork_usage(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage_of(&usage);
}

struct process_usage fork_children_usage(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return usage_of(&usage);
}

static uintptr_t stack_pointer(const void *context)
{
    const ucontext_t *at = context;
#if defined(__x86_64__)
    return (uintptr_t)at->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)at->uc_mcontext.sp;
#else
    (void)at;
    return 0;
#endif
}

static void on_deadly_signal(int signo, siginfo_t *info, void *context)
{
    void *frames[FRAMES_MAX];
    char line[128];
    uintptr_t address = (uintptr_t)info->si_addr, top = stack_pointer(context);
    bool overflow =
        signo == SIGSEGV && top != 0 && address + STACK_NEAR > top && address < top + STACK_NEAR;
    int n = snprintf(line, sizeof line, "\n" FORK_CRASH_LINE "%d (%s)%s\n", signo,
                     process_signal_name(signo), overflow ? FORK_CRASH_OVERFLOW : "");
    ssize_t put = write(2, line, (size_t)n);
    /* The first two are this handler and the trampoline that called it. */
    int n_frames = put == n ? backtrace(frames, FRAMES_MAX) : 0;
    if (n_frames > 2)
        backtrace_symbols_fd(frames + 2, n_frames - 2, 2);
    n = snprintf(line, sizeof line, FORK_CRASH_END "\n");
    put = write(2, line, (size_t)n);
    signal(signo, SIG_DFL);
    raise(signo);
}

bool fork_report_crashes(struct err *e)
{
    void *first[1];
    stack_t stack = {.ss_size = HANDLER_STACK};
    struct sigaction action = {.sa_sigaction = on_deadly_signal,
                               .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
    backtrace(first, 1); /* its first call loads a library, which a handler must not do */
    stack.ss_sp = mem_alloc(HANDLER_STACK);
    sigemptyset(&action.sa_mask);
    if (sigaltstack(&stack, NULL) != 0)
        return err_errno(e, ERR_INTERNAL, "cannot set a stack for signals");
    for (size_t i = 0; i < COUNT_OF(deadly); i++)
        if (sigaction(deadly[i], &action, NULL) != 0)
            return err_errno(e, ERR_INTERNAL, "cannot catch signal %d", deadly[i]);
    return true;
}
