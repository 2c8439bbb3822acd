/*
 * Layer 0: rlimits, a user that is not root, no capabilities, no new privileges, no core files.
 * (spawn.c sets session, death signal, environment and descriptors of every child.) Memory is
 * limited by RLIMIT_DATA, private writable memory, since engines reserve far more addresses than
 * they use.
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "os/probe.h"
#include "os/sandbox_p.h"

enum { CAPABILITIES_LAST = 63 };

bool sandbox_is_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return true;
#else
    return false;
#endif
}

static void probe(struct sandbox_layer_state *out)
{
    struct sandbox_identity who;
    sandbox__find_identity(&who);
    if (who.is_root_without_ids)
        sandbox__set_state(out, SANDBOX_DEGRADED,
                           "root cannot take another identity here, so the kernel does not limit "
                           "the number of its processes: run as an ordinary user");
    else
        sandbox__set_state(out, SANDBOX_ON, "%s", "");
}

/* Counts the tasks of all processes of this user. */
static uint64_t count_tasks_of_user(void)
{
    struct arena a;
    struct file_list list;
    struct err ignored;
    struct stat st;
    uint64_t n = 0;
    arena_init(&a);
    bool listed = file_list_dir("/proc", &a, &list, &ignored);
    for (size_t i = 0; listed && i < list.n; i++) {
        int64_t pid;
        if (str_to_i64(str_of(list.names[i]), &pid) &&
            stat(arena_printf(&a, "/proc/%s", list.names[i]), &st) == 0 && st.st_uid == geteuid())
            n += probe_n_tasks((int)pid);
    }
    arena_done(&a);
    return n;
}

/* The limit on the user's tasks. With its own user or user namespace only the plan's tasks count;
 * else the limit must leave room for those that the user has now. */
static uint64_t most_tasks(const struct sandbox_policy *policy, const struct sandbox_plan *plan)
{
    uint64_t n = policy->limits.n_processes;
    if (!n || plan->counts_processes)
        return 0;
    bool alone = plan->identity.changes || plan->namespaces.uid_map[0];
    return alone ? n : n + count_tasks_of_user();
}

static void add_limit(struct sandbox_plan *plan, int resource, uint64_t value)
{
    plan->rlimits[plan->n_rlimits++] = (struct sandbox_rlimit){resource, value};
}

static bool prepare(const struct sandbox_policy *policy, struct sandbox_plan *plan, struct err *e)
{
    const struct sandbox_limits *l = &policy->limits;
    const struct sandbox_rlimit wanted[] = {
        {RLIMIT_CPU, l->cpu_seconds},   {RLIMIT_DATA, l->memory_bytes},
        {RLIMIT_AS, l->address_bytes},  {RLIMIT_FSIZE, l->file_bytes},
        {RLIMIT_NOFILE, l->n_files},    {RLIMIT_NPROC, most_tasks(policy, plan)},
        {RLIMIT_STACK, l->stack_bytes},
    };
    (void)e;
    add_limit(plan, RLIMIT_CORE, 0);
    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        if (wanted[i].value)
            add_limit(plan, wanted[i].resource, wanted[i].value);
    return true;
}

/* Drops root's capabilities, for exec too; an ordinary user has at most those of the user
 * namespace. */
static int drop_privileges(const struct sandbox_identity *who)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    if (geteuid() == 0) {
        prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                                     SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED);
        for (unsigned long c = 0; c <= CAPABILITIES_LAST; c++)
            prctl(PR_CAPBSET_DROP, c, 0, 0, 0);
    }
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    int error = sandbox__take_identity(who);
    if (error)
        return error;
    return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

static int apply(struct sandbox_plan *plan)
{
    for (size_t i = 0; i < plan->n_rlimits; i++) {
        struct rlimit now;
        rlim_t value = (rlim_t)plan->rlimits[i].value;
        if (getrlimit((__rlimit_resource_t)plan->rlimits[i].resource, &now) != 0)
            return errno;
        /* A limit that is lower already stays. */
        struct rlimit limit = {MIN(value, now.rlim_max), MIN(value, now.rlim_max)};
        if (setrlimit((__rlimit_resource_t)plan->rlimits[i].resource, &limit) != 0)
            return errno;
    }
    int error = drop_privileges(&plan->identity);
    if (error)
        return error;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

const struct sandbox_layer_ops sandbox__limits = {probe, prepare, apply};
