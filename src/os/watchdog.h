/*
 * A deadline for code of our own that computes without returning to its event loop: the process
 * ends itself when it has used so much CPU time since it was last fed. Time that it sleeps or waits
 * does not count, so a crowded machine ends nothing.
 *
 *     watchdog_feed(120);                 // each time round the loop; 0 puts it away
 */
#ifndef OS_WATCHDOG_H
#define OS_WATCHDOG_H

#include <stdbool.h>

#include "base/err.h"

enum { WATCHDOG_EXIT = 70 };

/* Catches the timer's signal: one line on stderr, then exit status WATCHDOG_EXIT. Once. */
bool watchdog_start(struct err *e);
void watchdog_feed(unsigned seconds);

#endif
