/*
 * A deadline for code of our own that computes without returning to its event loop: the process
 * ends itself when it has used the given CPU time since the last watchdog_feed. Time in which it
 * sleeps or waits does not count, so a busy machine ends nothing.
 *
 *     watchdog_feed(120);                 // in seconds, each turn of the loop; 0 switches it off
 */
#ifndef OS_WATCHDOG_H
#define OS_WATCHDOG_H

#include <stdbool.h>

#include "base/err.h"

enum { WATCHDOG_EXIT = 70 };

/* Call it once. When the time is used up it writes a line to stderr and exits: WATCHDOG_EXIT. */
bool watchdog_start(struct err *e);
void watchdog_feed(unsigned seconds);

#endif
