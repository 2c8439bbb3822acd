/*
 * The first process of a process namespace: decides when it ends, with the process that it was made
 * for. Must not know what runs. Invariant: it holds no descriptor of the streams, so that their end
 * is seen outside.
 */
#include "os/init.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "os/child_report_p.h"
#include "os/spawn_p.h"

enum { WRONG_WORDS = 64, REST_MS = 20 };

void child_report__send(int fd, const struct child_report *m)
{
    ssize_t put = send(fd, m, sizeof *m, MSG_NOSIGNAL);
    (void)put; /* if the parent is gone, no answer is needed */
}

static void close_all_but(int fd)
{
    if (fd > 0)
        syscall(SYS_close_range, 0, fd - 1, 0);
    syscall(SYS_close_range, fd + 1, ~0u, 0);
}

/* Waits for the children of the process that ended, so that our usage includes theirs. */
static void wait_for_rest(void)
{
    for (int i = 0; i < REST_MS; i++) {
        pid_t got;
        while ((got = waitpid(-1, NULL, WNOHANG)) > 0) {
        }
        if (got < 0)
            return;
        usleep(1000);
    }
}

void init__wait(int report_fd, int pid)
{
    struct child_report m = {.word = CHILD_ENDED};
    child_report__send(report_fd, &(struct child_report){.word = CHILD_RUNS});
    close_all_but(report_fd);
    for (;;) {
        pid_t got = wait(&m.status);
        if (got < 0 && errno != EINTR)
            break;
        if (got == pid) {
            child_report__send(report_fd, &m);
            break;
        }
    }
    wait_for_rest();
    _exit(0);
}

int init_main(int argc, char *const *argv)
{
    int64_t number;
    if (argc < 3 || !str_to_i64(str_of(argv[0]), &number))
        return WRONG_WORDS;
    int report_fd = (int)number;
    volatile int error = 0;
    fcntl(report_fd, F_SETFD, FD_CLOEXEC);
    pid_t pid = vfork();
    if (pid == 0) {
        execve(argv[1], argv + 2, environ);
        error = errno;
        _exit(127);
    }
    if (pid < 0)
        error = errno;
    if (error) {
        child_report__send(
            report_fd,
            &(struct child_report){.word = CHILD_FAILED, .step = SPAWN_EXEC, .error = error});
        return 127;
    }
    init__wait(report_fd, pid);
}
