/* Finds in texts of /proc where a process may make control groups, for cgroup.c and its test. */
#ifndef OS_CGROUP_P_H
#define OS_CGROUP_P_H

#include "os/sandbox_p.h"

enum cgroup_controller { CGROUP_MEMORY, CGROUP_PIDS, CGROUP_N_CONTROLLERS };

/* Folders of the process's own groups; NULL: not mounted. */
struct cgroup_places {
    const char *v2;
    const char *v1[CGROUP_N_CONTROLLERS];
};

/* mounts: the text of /proc/self/mountinfo; self: of /proc/self/cgroup. */
void cgroup__find(struct str mounts, struct str self, struct arena *a, struct cgroup_places *out);

#endif
