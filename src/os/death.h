/*
 * Was a process killed for what it did, or from outside? A user, a supervisor or a shutdown may end
 * any process at any time; that says nothing about its work.
 *
 *     uint64_t before = death_oom_kills();               // when the work begins
 *     ...
 *     if (death_is_foreign(signo, before, peak_bytes)) ... // try again: the work is not to blame
 */
#ifndef OS_DEATH_H
#define OS_DEATH_H

#include <stdbool.h>
#include <stdint.h>

#define DEATH_OOM_UNKNOWN UINT64_MAX

/* How many processes the kernel has killed for lack of memory since the machine started;
 * DEATH_OOM_UNKNOWN: it keeps no count. */
uint64_t death_oom_kills(void);

/* Did a signal that ended a process come from outside? SIGKILL did unless the kernel has killed
 * some process for lack of memory since oom_kills_before was read or, where it keeps no count, the
 * process held a quarter of the machine's memory. */
bool death_is_foreign(int signo, uint64_t oom_kills_before, uint64_t peak_bytes);

#endif
