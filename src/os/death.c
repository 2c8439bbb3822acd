/* Decides which signals come from another process. */
#include "os/death.h"

#include <signal.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"
#include "os/probe.h"

uint64_t death_oom_kills(void)
{
    struct arena a;
    struct str rest, line;
    struct err ignored;
    uint64_t n = DEATH_OOM_UNKNOWN;
    arena_init(&a);
    if (file_read("/proc/vmstat", 64 << 10, &a, &rest, &ignored))
        while (str_split(&rest, '\n', &line))
            if (str_starts(line, STR("oom_kill ")))
                str_to_u64(str_sub(line, strlen("oom_kill "), line.n), &n);
    arena_done(&a);
    return n;
}

static bool held_much(uint64_t peak_bytes)
{
    struct arena a;
    struct probe_machine machine;
    struct err ignored;
    arena_init(&a);
    bool much = probe_machine(&a, &machine, &ignored) && peak_bytes >= machine.memory_bytes / 4;
    arena_done(&a);
    return much;
}

bool death_is_foreign(int signo, uint64_t oom_kills_before, uint64_t peak_bytes)
{
    if (signo == SIGTERM || signo == SIGINT || signo == SIGHUP || signo == SIGQUIT)
        return true;
    if (signo != SIGKILL)
        return false;
    uint64_t now = death_oom_kills();
    if (now == DEATH_OOM_UNKNOWN || oom_kills_before == DEATH_OOM_UNKNOWN)
        return !held_much(peak_bytes);
    return now == oom_kills_before;
}
