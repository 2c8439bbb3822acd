/*
 * Signals that ask the program to stop (Ctrl-C and the like): the handler sets one flag, and loops
 * look at it where they can stop.
 *
 *     signal_catch_interrupts(e);
 *     while (work_left() && !signal_interrupted()) ...
 *
 * A second Ctrl-C ends the process at once, as by default. Waits (loop_turn) return early when the
 * flag is set.
 */
#ifndef OS_SIGNAL_H
#define OS_SIGNAL_H

#include <stdbool.h>

#include "base/err.h"

/* Catches SIGINT, SIGTERM and SIGHUP, and calls signal_ignore_failed_writes. */
bool signal_catch_interrupts(struct err *e);
/* Ignores SIGPIPE and SIGXFSZ: writes into closed pipes and beyond the file size limit then fail
 * with an error. */
bool signal_ignore_failed_writes(struct err *e);
int signal_interrupted(void); /* the signal's number, or 0 */
void signal_forget_interrupt(void);

#endif
