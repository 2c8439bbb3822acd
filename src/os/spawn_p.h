/* Making a child (spawn.c), without the loop that watches it (process.c). */
#ifndef OS_SPAWN_P_H
#define OS_SPAWN_P_H

#include "os/process.h"

enum spawn_step {
#define SPAWN_STEP(id, what) SPAWN_##id,
#include "os/spawn_step.def"
#undef SPAWN_STEP
    SPAWN_N_STEPS
};

struct spawn_stdio {
    int fd[3]; /* descriptors that become 0, 1, 2 in the child */
};

struct spawn_child {
    int pid;
    int report_fd;  /* child with namespaces: how it ended is read here; -1: its wait status says
                       that */
    int scratch_fd; /* child with namespaces: its private folder; -1: none */
};

/* On success the child runs the program or the entry. The caller closes the descriptors in *out. */
bool spawn__child(const struct process_spec *spec, const struct spawn_stdio *stdio,
                  struct spawn_child *out, struct err *e);

int spawn__pidfd(int pid); /* -1 with errno */

#endif
