/*
 * One row per layer: what sandbox.c asks of limits.c, seccomp.c, landlock.c, namespaces.c,
 * cgroup.c.
 */
#ifndef OS_SANDBOX_P_H
#define OS_SANDBOX_P_H

#include <stdint.h>

#include "os/sandbox.h"

enum { SANDBOX_RLIMITS_MAX = 8 };

struct sandbox_rlimit {
    int resource;
    uint64_t value;
};

struct sandbox_plan {
    struct arena arena;
    struct sandbox_state state; /* of this plan: a layer not asked for is off */
    struct sandbox_rlimit rlimits[SANDBOX_RLIMITS_MAX];
    size_t n_rlimits;
    void *filter; /* SECCOMP: struct sock_filter[n_filter] */
    uint16_t n_filter;
    int ruleset_fd; /* LANDLOCK, or -1 */
};

struct sandbox_layer_ops {
    void (*probe)(struct sandbox_layer_state *out);
    bool (*prepare)(const struct sandbox_policy *policy, struct sandbox_plan *plan, struct err *e);
    int (*apply)(const struct sandbox_plan *plan); /* 0 or errno; system calls only */
};

extern const struct sandbox_layer_ops sandbox__limits;
extern const struct sandbox_layer_ops sandbox__seccomp;
extern const struct sandbox_layer_ops sandbox__landlock;
extern const struct sandbox_layer_ops sandbox__namespaces;
extern const struct sandbox_layer_ops sandbox__cgroup;

void sandbox__set_state(struct sandbox_layer_state *out, enum sandbox_mode mode, const char *fmt,
                        ...) PRINTF_LIKE(3, 4);

#endif
