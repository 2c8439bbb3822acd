/* Decides when a process ends that no longer turns its loop. Must not know what it computes. */
#include "os/watchdog.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static void on_signal(int signo)
{
    static const char text[] = "a computation of ours did not end in time: it used up the CPU time "
                               "of one step\n";
    (void)signo;
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(WATCHDOG_EXIT);
}

bool watchdog_start(struct err *e)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    return sigaction(SIGPROF, &action, NULL) == 0 ||
           err_errno(e, ERR_INTERNAL, "cannot catch the watchdog's signal");
}

void watchdog_feed(unsigned seconds)
{
    const struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};
    setitimer(ITIMER_PROF, &timer, NULL);
}
