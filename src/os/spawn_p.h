/* Making a child (spawn.c), without the loop that watches it (process.c). */
#ifndef OS_SPAWN_P_H
#define OS_SPAWN_P_H

#include "os/process.h"

struct spawn_stdio {
    int fd[3]; /* what the child has as 0, 1, 2 */
};

/* On success the child runs the program (or the entry); its descriptors are the caller's to close.
 */
bool spawn__child(const struct process_spec *spec, const struct spawn_stdio *stdio, int *pid,
                  struct err *e);

int spawn__pidfd(int pid); /* -1 with errno */

#endif
