/*
 * One row per layer: the functions of limits.c, seccomp.c, landlock.c, namespaces.c and cgroup.c
 * that sandbox.c calls. Layers are prepared in the reverse order of sandbox_layer.def, so that
 * seccomp and the limits know what groups and namespaces limit already.
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

/* The user inside. */
struct sandbox_identity {
    uint32_t uid, gid;        /* the process changes to them, or maps itself to them */
    bool changes;             /* true for root: setresuid before later layers */
    bool is_root_without_ids; /* uid 0, and no other id can be taken here */
    bool may_mount;           /* root with CAP_SYS_ADMIN: needs no user namespace */
};

/* One entry of the root folder that the process sees. */
enum root_entry_kind { ROOT_FOLDER, ROOT_FILE, ROOT_LINK };
struct root_entry {
    enum root_entry_kind kind;
    const char *from;                        /* path on the machine; of a link: its text */
    const char *to;                          /* without the leading slash */
    bool is_device, is_writable, is_private; /* private: the folder that may be filled */
    const char *parents; /* all parents of `to`, each ended by NUL, the last by two */
};

/* NAMESPACES: how the root folder of the process is made. */
struct sandbox_namespaces {
    unsigned long clone_flags; /* 0: the layer is off */
    struct root_entry *entries;
    int *mounts; /* descriptors of entries; in the child only, like private_fd */
    int private_fd;
    size_t n_entries;
    char uid_map[48], gid_map[48]; /* "": no user namespace */
    char private_options[128];     /* of the tmpfs that may be written */
    bool has_proc;                 /* a fresh /proc can be mounted */
};

/* CGROUP: the groups that the process joins. */
enum { SANDBOX_GROUPS_MAX = 2 };
struct sandbox_group {
    const char *path;
    int procs_fd; /* of its cgroup.procs */
};

struct sandbox_plan {
    struct arena arena;
    struct sandbox_state state; /* of this plan: a layer that is not wanted is off */
    struct sandbox_identity identity;
    struct sandbox_namespaces namespaces;
    const char *private_folder; /* of the policy, or NULL */
    int scratch_fd;             /* of the private folder in the new root; in the child only */
    int init_fd;                /* the program of the namespace's first process, or -1 */
    struct sandbox_group groups[SANDBOX_GROUPS_MAX];
    size_t n_groups;
    bool counts_memory, counts_processes; /* a group counts them for the whole tree */
    struct sandbox_rlimit rlimits[SANDBOX_RLIMITS_MAX];
    size_t n_rlimits;
    void *filter; /* SECCOMP: struct sock_filter[n_filter] */
    uint16_t n_filter;
    int ruleset_fd; /* LANDLOCK, or -1 */
    uint64_t rights_to_read, rights_to_write;
};

struct sandbox_layer_ops {
    void (*probe)(struct sandbox_layer_state *out);
    bool (*prepare)(const struct sandbox_policy *policy, struct sandbox_plan *plan, struct err *e);
    int (*apply)(struct sandbox_plan *plan); /* 0 or errno; system calls only */
};

void sandbox__find_identity(struct sandbox_identity *out);
int sandbox__take_identity(const struct sandbox_identity *who); /* in the child; 0 or errno */

/* Moves a descriptor to a number above those that are passed to children; -1 stays. */
int sandbox__keep_high(int fd);

/* Folders and files of the system that every worker may read; may_lack. NULL ends the list. */
extern const char *const sandbox__system_readable[];
extern const char *const sandbox__system_devices[]; /* may be written too */

void sandbox__remove_groups(struct sandbox_plan *plan);

extern const struct sandbox_layer_ops sandbox__limits;
extern const struct sandbox_layer_ops sandbox__seccomp;
extern const struct sandbox_layer_ops sandbox__landlock;
extern const struct sandbox_layer_ops sandbox__namespaces;
extern const struct sandbox_layer_ops sandbox__cgroup;

void sandbox__set_state(struct sandbox_layer_state *out, enum sandbox_mode mode, const char *fmt,
                        ...) PRINTF_LIKE(3, 4);

#endif
