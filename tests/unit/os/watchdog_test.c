/* A process that computes without end is ended; one that waits or feeds its watchdog is not. */
#include "os/fork.h"
#include "os/watchdog.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "unit/test.h"

enum work { WORK_SPINS, WORK_WAITS, WORK_IS_FED };

static void spin(double seconds)
{
    clock_t until = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (clock() < until) {
    }
}

static int run(enum work work)
{
    struct err e;
    if (!watchdog_start(&e))
        return 1;
    watchdog_feed(1);
    if (work == WORK_WAITS)
        poll(NULL, 0, 1500);
    for (int i = 0; i < 3 && work == WORK_IS_FED; i++) {
        spin(0.5);
        watchdog_feed(1);
    }
    if (work == WORK_SPINS)
        spin(30);
    return 0;
}

static void only_who_computes_without_end_is_ended(void **state)
{
    static const struct {
        const char *name;
        enum work work;
        int exit_code;
    } rows[] = {
        {"spins", WORK_SPINS, WATCHDOG_EXIT},
        {"waits", WORK_WAITS, 0},
        {"is fed", WORK_IS_FED, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct err e;
        struct process_end end;
        int pid = fork();
        if (pid == 0)
            _exit(run(rows[i].work));
        assert_true(fork_wait(pid, &end, &e));
        ASSERT_ROW(end.exited && end.exit_code == rows[i].exit_code, rows[i].name);
    }
}

TEST_SUITE(os_watchdog, TEST(only_who_computes_without_end_is_ended))
