/*
 * Children of a worker: a warm process (library open, nothing run yet) forks one that runs cases,
 * waits for it and reports how it ended. For the worker's side only; programs that watch children
 * on a loop use process.h.
 */
#ifndef OS_FORK_H
#define OS_FORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "os/process.h"

/* Forks. *pid is 0 in the child, which dies with its parent. */
bool fork_child(int *pid, struct err *e);

/* Waits for the child's end; streams are not captured. */
bool fork_wait(int pid, struct process_end *out, struct err *e);

/* Ends a child without the exit handlers of its parent. */
NORETURN void fork_exit(int code);

/* Makes the worker the parent of processes that its children leave behind. */
bool fork_adopt_orphans(struct err *e);
/* Kills and reaps these and their descendants; ERR_IO: some keep making others. Called when no
 * child is needed any more. */
bool fork_end_orphans(struct err *e);

int fork_self(void); /* pid of this process */

/* CPU time of this process, and its largest resident set. */
struct process_usage fork_usage(void);
struct process_usage fork_children_usage(void); /* of children waited for, and their children */

/*
 * In a child: deadly signals first write to stderr what happened and where, then act as usual:
 *
 *     assay: signal 11 (SIGSEGV) stack overflow
 *     libonnxruntime.so.1.31.1(+0x3f8930)
 *
 * FORK_CRASH_LINE begins the first line; frames follow, one per line, until FORK_CRASH_END.
 */
#define FORK_CRASH_LINE "assay: signal "
#define FORK_CRASH_OVERFLOW " stack overflow"
#define FORK_CRASH_END "assay: end of frames"
bool fork_report_crashes(struct err *e);

#endif
