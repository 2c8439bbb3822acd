/* Where a process may make control groups, found in the texts of /proc; for cgroup.c and its test.
 */
#ifndef OS_CGROUP_P_H
#define OS_CGROUP_P_H

#include "os/sandbox_p.h"

enum cgroup_controller { CGROUP_MEMORY, CGROUP_PIDS, CGROUP_N_CONTROLLERS };

/* Folders of the process's own groups; NULL: not mounted. */
struct cgroup_places {
    const char *v2;
    const char *v1[CGROUP_N_CONTROLLERS];
};

/* The texts of /proc/self/mountinfo and /proc/self/cgroup. */
void cgroup__find(struct str mounts, struct str self, struct arena *a, struct cgroup_places *out);

#endif
