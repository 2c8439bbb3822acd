/* Reaping descendants that were not opened by process_open (orphan.c), for process.c, which knows
 * those that were. */
#ifndef OS_ORPHAN_P_H
#define OS_ORPHAN_P_H

#include <stdbool.h>
#include <stddef.h>

#include "os/process.h"

int orphan__parent(int pid); /* the parent's pid; 0: there is no such process */
/* The child of `parent` with the pid inner_pid in its own namespace; 0: there is none. */
int orphan__find(int parent, int inner_pid);
void orphan__look_at_tree(int root, struct process_tree *out);
size_t orphan__reap(bool (*is_known)(void *ctx, int pid), void *ctx);

#endif
