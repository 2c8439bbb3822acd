/*
 * Layer 4: control groups for the whole tree of a process (cgroups(7)): its memory with
 * files in memory, and its tasks. Version 2 has one group for both, version 1 one for each.
 * Groups are made below our own, or in version 2 beside it, where the system allows that to this
 * user; existing groups are not changed. A group's name holds the process that made it, so that
 * groups of a killed one are found and removed.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "os/cgroup_p.h"

enum { TEXT_MAX = 1 << 18, REMOVE_TRIES = 500, MOUNT_FIELDS = 5 };
#define GROUP_PREFIX "assay-"

static const struct {
    const char *name;
    const char *file[2]; /* with its limit, in version 1 and 2 */
} controllers[CGROUP_N_CONTROLLERS] = {
    [CGROUP_MEMORY] = {"memory", {"memory.limit_in_bytes", "memory.max"}},
    [CGROUP_PIDS] = {"pids", {"pids.max", "pids.max"}},
};

/* Where our own groups are ----------------------------------------------------------------------*/

static bool list_has(struct str list, char separator, const char *word)
{
    struct str item;
    while (str_split(&list, separator, &item))
        if (str_is(str_trim(item), word))
            return true;
    return false;
}

/* Finds our group of a controller: "/a/b" in a line "4:memory:/a/b", of version 2 in "0::/a/b". */
static bool own_group(struct str self, const char *controller, struct str *out)
{
    struct str line;
    while (str_split(&self, '\n', &line)) {
        struct str rest = line, number, names;
        if (!str_split(&rest, ':', &number) || !str_split(&rest, ':', &names))
            continue;
        if (controller ? list_has(names, ',', controller) : names.n == 0) {
            *out = rest;
            return true;
        }
    }
    return false;
}

/* Reads a line "36 35 98:0 /root /where options - cgroup source memory,...". */
static bool read_mount(struct str line, struct str fields[MOUNT_FIELDS], struct str *type,
                       struct str *options)
{
    struct str word;
    for (int i = 0; i < MOUNT_FIELDS; i++)
        if (!str_split(&line, ' ', &fields[i]))
            return false;
    while (str_split(&line, ' ', &word) && !str_is(word, "-")) {
    }
    return str_split(&line, ' ', type) && str_split(&line, ' ', &word) &&
           str_split(&line, ' ', options);
}

static const char *folder_of(struct str mounts, struct str self, const char *controller,
                             struct arena *a)
{
    struct str line, fields[MOUNT_FIELDS], type, options, group;
    if (!own_group(self, controller, &group))
        return NULL;
    while (str_split(&mounts, '\n', &line)) {
        if (!read_mount(line, fields, &type, &options))
            continue;
        bool right = controller ? str_is(type, "cgroup") && list_has(options, ',', controller)
                                : str_is(type, "cgroup2");
        if (!right)
            continue;
        struct str root = fields[3]; /* the group of the hierarchy that this mount shows as root */
        if (root.n > 1 && str_starts(group, root))
            group = str_sub(group, root.n, group.n);
        return path_normalise(
            a, str_of(arena_printf(a, STR_FMT "/" STR_FMT, STR_ARG(fields[4]), STR_ARG(group))));
    }
    return NULL;
}

void cgroup__find(struct str mounts, struct str self, struct arena *a, struct cgroup_places *out)
{
    *out = (struct cgroup_places){.v2 = folder_of(mounts, self, NULL, a)};
    for (int i = 0; i < CGROUP_N_CONTROLLERS; i++)
        out->v1[i] = folder_of(mounts, self, controllers[i].name, a);
}

static void find_own(struct arena *a, struct cgroup_places *out)
{
    struct str mounts, self;
    struct err ignored;
    *out = (struct cgroup_places){0};
    if (file_read("/proc/self/mountinfo", TEXT_MAX, a, &mounts, &ignored) &&
        file_read("/proc/self/cgroup", TEXT_MAX, a, &self, &ignored))
        cgroup__find(mounts, self, a, out);
}

/* Making and removing groups --------------------------------------------------------------------*/

static bool write_file(const char *folder, const char *name, uint64_t value)
{
    char path[512], text[32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int n = snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write(fd, text, (size_t)n) == n;
    if (fd >= 0)
        close(fd);
    return ok;
}

static bool make_group(const char *parent, struct arena *a, const char **out)
{
    uint32_t r = 0;
    ssize_t got = getrandom(&r, sizeof r, 0);
    (void)got;
    *out = arena_printf(a, "%s/" GROUP_PREFIX "%d-%08x", parent, (int)getpid(), r);
    return mkdir(*out, 0755) == 0;
}

/* Tries for a while, since a killed member may take a moment to leave. */
static void remove_group(const char *path)
{
    struct arena a;
    struct str members, line;
    struct err ignored;
    int64_t pid;
    arena_init(&a);
    for (int i = 0; i < REMOVE_TRIES && rmdir(path) != 0 && errno == EBUSY; i++) {
        struct arena_mark mark = arena_mark(&a);
        if (file_read(path_join(&a, path, "cgroup.procs"), TEXT_MAX, &a, &members, &ignored))
            while (str_split(&members, '\n', &line))
                if (str_to_i64(line, &pid) && pid > 1)
                    kill((pid_t)pid, SIGKILL);
        arena_return(&a, mark);
        clock_sleep_ms(1);
    }
    arena_done(&a);
}

/* Is it a name like "assay-123-0a1b2c3d", and process 123 gone? */
static bool is_abandoned(const char *name)
{
    struct str rest = str_of(name), number;
    int64_t pid;
    if (!str_starts(rest, STR(GROUP_PREFIX)))
        return false;
    rest = str_sub(rest, strlen(GROUP_PREFIX), rest.n);
    return str_split(&rest, '-', &number) && str_to_i64(number, &pid) && kill((pid_t)pid, 0) != 0 &&
           errno == ESRCH;
}

static void sweep(const char *parent)
{
    struct arena a;
    struct file_list list;
    struct err ignored;
    arena_init(&a);
    if (file_list_dir(parent, &a, &list, &ignored))
        for (size_t i = 0; i < list.n; i++)
            if (is_abandoned(list.names[i]))
                remove_group(path_join(&a, parent, list.names[i]));
    arena_done(&a);
}

static bool add_group(struct sandbox_plan *plan, const char *path)
{
    int fd = sandbox__keep_high(
        open(arena_printf(&plan->arena, "%s/cgroup.procs", path), O_WRONLY | O_CLOEXEC));
    if (fd < 0) {
        rmdir(path);
        return false;
    }
    plan->groups[plan->n_groups++] = (struct sandbox_group){path, fd};
    return true;
}

void sandbox__remove_groups(struct sandbox_plan *plan)
{
    for (size_t i = 0; i < plan->n_groups; i++) {
        close(plan->groups[i].procs_fd);
        remove_group(plan->groups[i].path);
    }
    plan->n_groups = 0;
}

struct bounds {
    uint64_t value[CGROUP_N_CONTROLLERS]; /* 0: none */
    bool set[CGROUP_N_CONTROLLERS];
};

static void set_bound(const char *group, int version, int controller, struct bounds *b)
{
    if (!b->value[controller] || b->set[controller])
        return;
    b->set[controller] =
        write_file(group, controllers[controller].file[version - 1], b->value[controller]);
    if (!b->set[controller] || controller != CGROUP_MEMORY)
        return;
    /* Else the tree could go on in swap space; a kernel without swap has no such file. */
    if (version == 2)
        write_file(group, "memory.swap.max", 0);
    else
        write_file(group, "memory.memsw.limit_in_bytes", b->value[controller]);
}

/* Does the group give its children a controller? In version 2 subtree_control names these. */
static bool passes_on_any(const char *parent, struct arena *a)
{
    struct str text;
    struct err ignored;
    return file_read(path_join(a, parent, "cgroup.subtree_control"), TEXT_MAX, a, &text,
                     &ignored) &&
           (list_has(text, ' ', controllers[CGROUP_MEMORY].name) ||
            list_has(text, ' ', controllers[CGROUP_PIDS].name));
}

static void join_v2(struct sandbox_plan *plan, const char *own, struct bounds *b)
{
    const char *const parents[] = {own, str_dup(&plan->arena, path_dir(str_of(own)))};
    for (size_t i = 0; i < COUNT_OF(parents); i++) {
        const char *group;
        if (!passes_on_any(parents[i], &plan->arena))
            continue;
        sweep(parents[i]);
        if (!make_group(parents[i], &plan->arena, &group))
            continue;
        for (int c = 0; c < CGROUP_N_CONTROLLERS; c++)
            set_bound(group, 2, c, b);
        if (add_group(plan, group))
            return;
    }
}

static void join_v1(struct sandbox_plan *plan, const char *parent, int controller, struct bounds *b)
{
    const char *group;
    if (!parent || b->set[controller] || !b->value[controller])
        return;
    sweep(parent);
    if (!make_group(parent, &plan->arena, &group))
        return;
    set_bound(group, 1, controller, b);
    if (!b->set[controller])
        rmdir(group);
    else if (!add_group(plan, group))
        b->set[controller] = false;
}

static void join_all(struct sandbox_plan *plan, struct bounds *b)
{
    struct cgroup_places places;
    find_own(&plan->arena, &places);
    if (places.v2)
        join_v2(plan, places.v2, b);
    for (int c = 0; c < CGROUP_N_CONTROLLERS; c++)
        join_v1(plan, places.v1[c], c, b);
}

/* The layer -------------------------------------------------------------------------------------*/

static void set_state(const struct bounds *b, struct sandbox_layer_state *out)
{
    if (b->set[CGROUP_MEMORY] && b->set[CGROUP_PIDS])
        sandbox__set_state(out, SANDBOX_ON, "%s", "");
    else if (b->set[CGROUP_MEMORY] || b->set[CGROUP_PIDS])
        sandbox__set_state(out, SANDBOX_DEGRADED,
                           "%s is not counted: no group for it may be made here",
                           b->set[CGROUP_MEMORY] ? "the number of tasks" : "memory");
    else
        sandbox__set_state(out, SANDBOX_OFF, "no control group may be made here by this user");
}

/* Makes groups and removes them again. */
static void probe(struct sandbox_layer_state *out)
{
    struct bounds b = {.value = {[CGROUP_MEMORY] = UINT64_C(1) << 30, [CGROUP_PIDS] = 64}};
    struct sandbox_plan plan = {0};
    arena_init(&plan.arena);
    join_all(&plan, &b);
    set_state(&b, out);
    sandbox__remove_groups(&plan);
    arena_done(&plan.arena);
}

static bool prepare(const struct sandbox_policy *policy, struct sandbox_plan *plan, struct err *e)
{
    struct bounds b = {.value = {[CGROUP_MEMORY] = policy->limits.tree_memory_bytes,
                                 [CGROUP_PIDS] = policy->limits.n_processes}};
    (void)e;
    join_all(plan, &b);
    plan->counts_memory = b.set[CGROUP_MEMORY];
    plan->counts_processes = b.set[CGROUP_PIDS];
    return true;
}

static int apply(struct sandbox_plan *plan)
{
    for (size_t i = 0; i < plan->n_groups; i++)
        if (write(plan->groups[i].procs_fd, "0", 1) != 1)
            return errno;
    return 0;
}

const struct sandbox_layer_ops sandbox__cgroup = {probe, prepare, apply};
