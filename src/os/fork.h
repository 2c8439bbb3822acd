/*
 * Children of a worker: a warm process (library open, nothing run yet) forks one that runs cases,
 * waits for it and tells how it ended. For the worker's side only; programs that watch children on
 * a loop use process.h.
 */
#ifndef OS_FORK_H
#define OS_FORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "os/process.h"

/* *pid is 0 in the child, which dies with its parent. */
bool fork_child(int *pid, struct err *e);

/* Waits for its end; streams are not captured. */
bool fork_wait(int pid, struct process_end *out, struct err *e);

/* Ends a child without running what its parent registered for exit. */
NORETURN void fork_exit(int code);

/* The worker inherits what its children leave behind. */
bool fork_adopt_orphans(struct err *e);
/* Kills and reaps them, and theirs; ERR_IO: some go on making others. To be called when no child is
 * wanted any more. */
bool fork_end_orphans(struct err *e);

int fork_self(void); /* pid of this process */

/* CPU time of this process, and its largest resident set. */
struct process_usage fork_usage(void);
struct process_usage fork_children_usage(void); /* of those that were waited for, and theirs */

/*
 * In a child: deadly signals first write to stderr what happened and where, then act as usual:
 *
 *     assay: signal 11 (SIGSEGV) stack overflow
 *     libonnxruntime.so.1.31.1(+0x3f8930)
 *
 * CRASH_LINE begins the first line; frames follow, one a line, until "assay: end of frames".
 */
#define FORK_CRASH_LINE "assay: signal "
#define FORK_CRASH_OVERFLOW " stack overflow"
#define FORK_CRASH_END "assay: end of frames"
bool fork_report_crashes(struct err *e);

#endif
