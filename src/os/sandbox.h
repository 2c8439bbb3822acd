/*
 * The sandbox: layers that a child applies to itself between fork and exec. Needs no setuid helper
 * and no root.
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
 * sandbox_plan_open does all that allocates or opens; sandbox_apply only makes system calls, so it
 * may run in a vfork child. Each layer is on, degraded or off, with a reason. A plan does without a
 * wanted layer that is off, but is refused without a required one. It is for one process and what
 * that starts, with its own counters and user.
 *
 * With NAMESPACES on, the process sees its own root folder: the system and what is readable,
 * read-only at the same paths, and the private folder as a file system in memory. It and what it
 * starts have the pids 2, 3, ... after a first process of ours (init.h).
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
    char reason[160]; /* what is missing; "" when on */
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
    uint64_t n_processes;   /* tasks of the whole tree; where neither a group nor an own user counts
                               them, so many more than the user has now */
    uint64_t stack_bytes;
    uint64_t tree_memory_bytes; /* of the whole tree, with files in memory: enforced by CGROUP */
    uint64_t scratch_bytes;     /* of all files in the private folder: enforced by NAMESPACES */
};

struct sandbox_policy {
    unsigned required;           /* SANDBOX_BIT: a plan without one of them is refused */
    unsigned wanted;             /* layers that are used if the machine offers them */
    const char *const *writable; /* folders (below them all) and files that may be written */
    size_t n_writable;
    const char *const *readable; /* besides the system's own: /usr, /lib, /etc, /proc, /sys, /dev */
    size_t n_readable;
    const char *private_folder; /* an empty folder that the process may write; NULL: none */
    bool read_anything;         /* reading is not confined, writing still is; without NAMESPACES */
    bool unix_sockets;          /* socket(AF_UNIX) is allowed; pairs of sockets always are */
    bool keeps_identity; /* root stays root, for a command that its user named; no NAMESPACES */
    bool accepts_root;   /* uid 0 inside where no other user can be taken */
    struct sandbox_limits limits;
};

/* Wants all layers, requires LIMITS; nothing is writable, only the system is readable, no core
 * files. */
struct sandbox_policy sandbox_policy_default(void);

/* Is this program built with a sanitizer that reserves terabytes of address space? A memory limit
 * would stop it at once. */
bool sandbox_is_sanitized(void);

/* What this machine offers, layer by layer. */
void sandbox_probe(struct sandbox_state *out);

const char *sandbox_layer_name(enum sandbox_layer layer);
const char *sandbox_mode_name(enum sandbox_mode mode);
/* Appends "full", "best effort (namespaces off, cgroup off)" or "off", for people. */
void sandbox_state_print(const struct sandbox_state *state, struct strbuf *out);

struct sandbox_plan;
bool sandbox_plan_open(const struct sandbox_policy *policy, struct sandbox_plan **out,
                       struct err *e);
void sandbox_plan_close(struct sandbox_plan *plan); /* NULL is allowed */
const struct sandbox_state *sandbox_plan_state(const struct sandbox_plan *plan);

/* The plan's process as seen from outside. */
struct sandbox_facts {
    bool has_namespaces;   /* it has its own process namespace and root folder */
    bool counts_memory;    /* the kernel bounds the memory of the whole tree */
    bool counts_processes; /* ... and the number of its tasks */
    uint32_t uid, gid;     /* of the process and of the files that it makes, seen from here */
    bool changes_id;       /* uid is not the user who starts it */
};
struct sandbox_facts sandbox_plan_facts(const struct sandbox_plan *plan);

/* For the parent: the flags of clone for the child; 0: none. */
unsigned long sandbox_clone_flags(const struct sandbox_plan *plan);
/* For the child: descriptors that it needs after sandbox_apply; -1: none. */
int sandbox_scratch_fd(const struct sandbox_plan *plan);
int sandbox_init_fd(const struct sandbox_plan *plan);

/* Called in the child; makes system calls only. 0, or the errno of what failed and its *layer. */
int sandbox_apply(struct sandbox_plan *plan, enum sandbox_layer *layer);

#endif
