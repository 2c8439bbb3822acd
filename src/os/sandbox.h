/*
 * The sandbox: layers that a child puts on between fork and exec. Needs no setuid helper and no
 * root.
 *
 *     struct sandbox_policy policy = sandbox_policy_default();
 *     policy.required = SANDBOX_BIT(SANDBOX_LIMITS) | SANDBOX_BIT(SANDBOX_SECCOMP);
 *     policy.writable = scratch_dirs, policy.n_writable = 1;
 *     struct sandbox_plan *plan;
 *     if (!sandbox_plan_open(&policy, &plan, e))   // ERR_ENVIRONMENT: a required layer is missing
 *         return false;
 *     spec.sandbox = plan;                         // process.h applies it in the child
 *     sandbox_plan_close(plan);
 *
 * All that allocates or opens happens in sandbox_plan_open; sandbox_apply only makes system calls,
 * so it may run in a vfork child. Each layer is on, degraded or off, with a reason; a wanted layer
 * that is off is left out, a required one refuses the plan. A plan is for one process and what it
 * starts: its counters and its identity are that process's own.
 *
 * With NAMESPACES on the process sees a root folder of its own: the system and what is readable,
 * read-only at the same paths, and the private folder as a file system of its own in memory. It
 * and what it starts are processes 2, 3, ... below a first process of ours (box.h).
 */
#ifndef OS_SANDBOX_H
#define OS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum sandbox_layer {
#define SANDBOX_LAYER(id, number, name, keeps) SANDBOX_##id = number,
#include "os/sandbox_layer.def"
#undef SANDBOX_LAYER
    SANDBOX_N_LAYERS
};
#define SANDBOX_BIT(layer) (1u << (layer))

enum sandbox_mode { SANDBOX_OFF, SANDBOX_DEGRADED, SANDBOX_ON };

struct sandbox_layer_state {
    enum sandbox_mode mode;
    char reason[160]; /* "" when on: else what is missing */
};
struct sandbox_state {
    struct sandbox_layer_state layer[SANDBOX_N_LAYERS];
};

struct sandbox_limits { /* 0: not limited */
    uint64_t cpu_seconds;
    uint64_t memory_bytes;  /* private writable memory (heap, stacks) of each process */
    uint64_t address_bytes; /* all mappings, shared ones too, of each process */
    uint64_t file_bytes;    /* largest file */
    uint64_t n_files;       /* open descriptors of each process */
    uint64_t n_processes;   /* tasks of the whole tree; where neither a group nor an identity of
                               its own counts them, that many more than the user has now */
    uint64_t stack_bytes;
    uint64_t tree_memory_bytes; /* of the whole tree, files in memory too: enforced by a group */
    uint64_t scratch_bytes;     /* of all files in the private folder: enforced by NAMESPACES */
};

struct sandbox_policy {
    unsigned required;           /* SANDBOX_BIT: refused without */
    unsigned wanted;             /* layers that are used if the machine offers them */
    const char *const *writable; /* folders (below them all) and files that may be written */
    size_t n_writable;
    const char *const *readable; /* besides the system's own: /usr, /lib, /etc, /proc, /sys, /dev */
    size_t n_readable;
    const char *private_folder; /* an empty folder that may be filled; NULL: none */
    bool read_anything;  /* reading is not confined; writing still is. Leaves NAMESPACES out */
    bool unix_sockets;   /* socket(AF_UNIX) is allowed; pairs of sockets always are */
    bool keeps_identity; /* root stays root: for a command that its user named; no NAMESPACES */
    bool accepts_root;   /* uid 0 inside where there is no other identity to take */
    struct sandbox_limits limits;
};

/* All layers wanted, LIMITS required, nothing writable, the system readable, no core files. */
struct sandbox_policy sandbox_policy_default(void);

/* This program is built with a checker that reserves address space by the terabyte: a memory limit
 * would stop it at once. */
bool sandbox_is_sanitized(void);

/* What this machine offers, layer by layer. */
void sandbox_probe(struct sandbox_state *out);

const char *sandbox_layer_name(enum sandbox_layer layer);
const char *sandbox_mode_name(enum sandbox_mode mode);
/* "full", "best effort (namespaces off, cgroup off)", "off": for reports and the screen. */
void sandbox_state_print(const struct sandbox_state *state, struct strbuf *out);

struct sandbox_plan;
bool sandbox_plan_open(const struct sandbox_policy *policy, struct sandbox_plan **out,
                       struct err *e);
void sandbox_plan_close(struct sandbox_plan *plan); /* NULL is allowed */
const struct sandbox_state *sandbox_plan_state(const struct sandbox_plan *plan);

/* What the plan's process is to the outside. */
struct sandbox_facts {
    bool is_boxed;         /* it has a process namespace and a root folder of its own */
    bool counts_memory;    /* the kernel bounds the memory of the whole tree */
    bool counts_processes; /* ... and the number of its tasks */
    uint32_t uid, gid;     /* as which it runs, seen from here; owner of what it makes */
    bool changes_id;       /* that is not the user who starts it */
};
struct sandbox_facts sandbox_plan_facts(const struct sandbox_plan *plan);

/* For the parent: flags of clone for the child, 0: none. */
unsigned long sandbox_clone_flags(const struct sandbox_plan *plan);
/* In the child: descriptors that it needs after sandbox_apply; -1: none. */
int sandbox_scratch_fd(const struct sandbox_plan *plan);
int sandbox_init_fd(const struct sandbox_plan *plan);

/* In the child. 0, or the errno of what failed, with *layer naming where. System calls only. */
int sandbox_apply(struct sandbox_plan *plan, enum sandbox_layer *layer);

#endif
