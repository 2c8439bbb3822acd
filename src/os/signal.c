/* The one mutable flag that a signal handler may set. */
#include "os/signal.h"

#include <signal.h>

static volatile sig_atomic_t interrupted;

/* SA_RESETHAND: a second signal has the default action. */
static void on_interrupt(int signo)
{
    interrupted = signo;
}

bool signal_catch_interrupts(struct err *e)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < COUNT_OF(signals); i++)
        if (sigaction(signals[i], &action, NULL) != 0)
            return err_errno(e, ERR_INTERNAL, "cannot catch signal %d", signals[i]);
    return signal_ignore_failed_writes(e);
}

bool signal_ignore_failed_writes(struct err *e)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    return (sigaction(SIGPIPE, &ignore, NULL) == 0 && sigaction(SIGXFSZ, &ignore, NULL) == 0) ||
           err_errno(e, ERR_INTERNAL, "cannot ignore the signals of failed writes");
}

int signal_interrupted(void)
{
    return interrupted;
}

void signal_forget_interrupt(void)
{
    interrupted = 0;
}
