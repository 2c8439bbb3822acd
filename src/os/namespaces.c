/*
 * Layer 3: namespaces of users, mounts, processes, network, System V objects and host name, and an
 * own root folder (user_namespaces(7), mount_namespaces(7), pivot_root(2)). The parent decides what
 * that root holds; the child, made by clone with the flags of the plan, mounts it:
 *
 *     /usr /lib /etc/... and what is readable   bound read-only at their own paths
 *     the private folder     a tmpfs of limited size, with /tmp and /dev/shm in it
 *     /proc                  of the new process namespace, read-only
 *     /dev                   null, zero, full, random, urandom
 *
 * Root needs no user namespace: the child mounts as root and then changes to the plan's user. An
 * ordinary user is mapped to the same id. Needs Linux 5.12 (mount_setattr). The installed headers
 * may be older than the kernel, so the numbers are repeated here.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/vec.h"
#include "os/sandbox_p.h"

enum {
    CALL_OPEN_TREE = 428,
    CALL_MOVE_MOUNT = 429,
    CALL_MOUNT_SETATTR = 442,
    TREE_CLONE = 1,
    MOVE_FROM_EMPTY_PATH = 4,
    AT_WHOLE_TREE = 0x8000,
    ATTRIBUTE_READ_ONLY = 1,
    ATTRIBUTE_NO_SUID = 2,
    ATTRIBUTE_NO_DEVICES = 4,
};

#define SCRATCH_BYTES ((uint64_t)1 << 30)
static const unsigned long namespace_flags =
    CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

/* The new root is built here before it replaces the old one. Sources are opened first, so it does
 * not matter that a mount here hides some. */
static const char base[] = "/usr";

struct mount_attributes {
    uint64_t set, clear, propagation, user_namespace;
};

/* In the child ---------------------------------------------------------------------------------*/

static bool write_text(const char *path, const char *text)
{
    size_t n = strlen(text);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write(fd, text, n) == (ssize_t)n;
    if (fd >= 0)
        close(fd);
    return ok;
}

static bool map_ids(const struct sandbox_namespaces *ns)
{
    return !ns->uid_map[0] || (write_text("/proc/self/setgroups", "deny") &&
                               write_text("/proc/self/uid_map", ns->uid_map) &&
                               write_text("/proc/self/gid_map", ns->gid_map));
}

static bool set_attributes(int fd, const char *path, uint64_t set, unsigned flags)
{
    struct mount_attributes attributes = {.set = set};
    return syscall(CALL_MOUNT_SETATTR, fd, path, flags, &attributes, sizeof attributes) == 0;
}

static int hold_tree(const char *path)
{
    return (int)syscall(CALL_OPEN_TREE, AT_FDCWD, path, TREE_CLONE | AT_WHOLE_TREE | O_CLOEXEC);
}

/* Opens the sources. One that has vanished since the plan was made is left out: a program that
 * needs it says so. */
static bool hold_sources(struct sandbox_namespaces *ns)
{
    for (size_t i = 0; i < ns->n_entries; i++) {
        const struct root_entry *entry = &ns->entries[i];
        ns->mounts[i] = -1;
        if (!entry->from || entry->kind == ROOT_LINK)
            continue;
        uint64_t set = ATTRIBUTE_NO_SUID;
        set |= entry->is_device ? 0 : ATTRIBUTE_NO_DEVICES;
        set |= entry->is_writable || entry->is_device ? 0 : ATTRIBUTE_READ_ONLY;
        int fd = ns->mounts[i] = hold_tree(entry->from);
        if (fd >= 0 && !set_attributes(fd, "", set, AT_EMPTY_PATH | AT_WHOLE_TREE))
            return false;
    }
    return true;
}

static bool make_folders(const char *parents)
{
    for (; *parents; parents += strlen(parents) + 1)
        if (mkdir(parents, 0755) != 0 && errno != EEXIST)
            return false;
    return true;
}

static bool move_to(int mount_fd, const char *to)
{
    return syscall(CALL_MOVE_MOUNT, mount_fd, "", AT_FDCWD, to, MOVE_FROM_EMPTY_PATH) == 0;
}

static bool make_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool place(const struct root_entry *entry, int mount_fd)
{
    if (!make_folders(entry->parents))
        return false;
    if (entry->kind == ROOT_LINK)
        return symlink(entry->from, entry->to) == 0 || errno == EEXIST;
    bool made = entry->kind == ROOT_FOLDER ? mkdir(entry->to, 0755) == 0 || errno == EEXIST
                                           : make_file(entry->to);
    return made && (mount_fd < 0 || move_to(mount_fd, entry->to));
}

/* Binds a folder of the private file system to a second path, so that one size limits all. */
static bool share_private(const char *name, const char *to, const struct sandbox_identity *who)
{
    if (mkdir(name, 0700) != 0 || (who->changes && chown(name, who->uid, who->gid) != 0) ||
        mkdir(to, 0755) != 0)
        return false;
    int fd = hold_tree(name);
    bool ok = fd >= 0 && move_to(fd, to);
    if (fd >= 0)
        close(fd);
    return ok;
}

/* Comes before the entries, some of which lie below /tmp or /dev/shm. The file system itself is
 * seen only as the private folder, which is an entry. */
static bool mount_private(struct sandbox_plan *plan)
{
    const unsigned long flags = MS_NOSUID | MS_NODEV;
    if (mkdir("private", 0755) != 0 ||
        mount("tmpfs", "private", "tmpfs", flags, plan->namespaces.private_options) != 0 ||
        !share_private("private/.tmp", "tmp", &plan->identity) ||
        !share_private("private/.shm", "dev/shm", &plan->identity))
        return false;
    plan->namespaces.private_fd = hold_tree("private");
    plan->scratch_fd = plan->private_folder ? openat(plan->namespaces.private_fd, ".",
                                                     O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                                            : -1;
    return plan->namespaces.private_fd >= 0 && umount2("private", MNT_DETACH) == 0 &&
           rmdir("private") == 0;
}

/* Where no new /proc can be mounted it stays empty: the machine's would show other processes. */
static bool mount_proc(const struct sandbox_namespaces *ns)
{
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
    return mkdir("proc", 0755) == 0 &&
           (!ns->has_proc || mount("proc", "proc", "proc", flags, NULL) == 0);
}

static bool enter_root(void)
{
    return set_attributes(AT_FDCWD, ".",
                          ATTRIBUTE_READ_ONLY | ATTRIBUTE_NO_SUID | ATTRIBUTE_NO_DEVICES, 0) &&
           syscall(SYS_pivot_root, ".", ".") == 0 && umount2(".", MNT_DETACH) == 0 &&
           chdir("/") == 0;
}

static bool mount_all(struct sandbox_plan *plan)
{
    struct sandbox_namespaces *ns = &plan->namespaces;
    if (!map_ids(ns) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        !hold_sources(ns) || mount("tmpfs", base, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") ||
        chdir(base) != 0)
        return false;
    umask(0);
    if (mkdir("dev", 0755) != 0 || !mount_private(plan))
        return false;
    for (size_t i = 0; i < ns->n_entries; i++)
        if (!place(&ns->entries[i], ns->entries[i].is_private ? ns->private_fd : ns->mounts[i]))
            return false;
    return mount_proc(ns) && enter_root() && sethostname("sandbox", 7) == 0;
}

static int apply(struct sandbox_plan *plan)
{
    if (!mount_all(plan))
        return errno;
    umask(022);
    return 0;
}

/* In the parent --------------------------------------------------------------------------------*/

/* The parents of a path: "/a/b/c" gives "a\0a/b\0\0". */
static const char *parents_of(const char *to, struct arena *a)
{
    size_t n = strlen(to);
    struct strbuf all = {0};
    for (size_t i = 1; i < n; i++)
        if (to[i] == '/') {
            strbuf_add(&all, to, i);
            strbuf_addc(&all, '\0');
        }
    strbuf_addc(&all, '\0');
    char *kept = arena_alloc(a, all.n);
    memcpy(kept, all.at, all.n);
    strbuf_done(&all);
    return kept;
}

struct entries {
    VEC(struct root_entry) list;
};

/* Is the path shown already, by itself or in a folder that was added whole? */
static bool is_shown(const struct entries *all, const char *path)
{
    for (size_t i = 0; i < all->list.n; i++) {
        const struct root_entry *e = &all->list.at[i];
        size_t n = strlen(e->to);
        if (e->kind == ROOT_FILE && strcmp(path + 1, e->to) == 0)
            return true;
        if (e->kind == ROOT_FOLDER && !e->is_writable && strncmp(path + 1, e->to, n) == 0 &&
            (path[1 + n] == '/' || path[1 + n] == '\0'))
            return true;
    }
    return false;
}

static const char *read_link(const char *path, struct arena *a)
{
    char to[512];
    ssize_t n = readlink(path, to, sizeof to - 1);
    if (n <= 0)
        return NULL;
    to[n] = '\0';
    return arena_strdup(a, to);
}

static void add_entry(struct entries *all, struct arena *a, struct root_entry entry,
                      const char *path)
{
    entry.to = arena_strdup(a, path + 1);
    entry.parents = parents_of(entry.to, a);
    vec_push(&all->list, a, entry);
}

/* Adds the first part of the path that is a link, as a link. Returns where it takes the path; NULL:
 * there is no link in it. */
static const char *follow(struct entries *all, struct arena *a, const char *path)
{
    for (size_t n = 1; path[n]; n++) {
        if (path[n + 1] != '/' && path[n + 1] != '\0')
            continue;
        char *head = str_dup(a, (struct str){path, n + 1});
        const char *link = read_link(head, a);
        if (!link)
            continue;
        add_entry(all, a, (struct root_entry){.kind = ROOT_LINK, .from = link}, head);
        const char *to = path_join(a, str_dup(a, path_dir(str_of(head))), link);
        return path_normalise(a, str_of(arena_printf(a, "%s%s", to, path + n + 1)));
    }
    return NULL;
}

/* Adds a path as it is on the machine: its links stay links, and their targets are shown too. */
static void show(struct entries *all, struct arena *a, const char *path, bool is_device,
                 bool is_writable)
{
    enum { LINKS_MAX = 16 };
    for (int i = 0; i < LINKS_MAX && path[0] == '/' && path[1] && !is_shown(all, path); i++) {
        const char *next = follow(all, a, path);
        enum file_kind kind = file_stat(path).kind;
        if (!next && kind == FILE_MISSING)
            return;
        if (!next) {
            struct root_entry entry = {.kind = kind == FILE_DIRECTORY ? ROOT_FOLDER : ROOT_FILE,
                                       .from = arena_strdup(a, path),
                                       .is_device = is_device,
                                       .is_writable = is_writable};
            add_entry(all, a, entry, path);
            return;
        }
        path = next;
    }
}

/* Adds the private folder, an empty one to mount on. */
static void add_private(struct entries *all, struct arena *a, const char *folder)
{
    if (folder)
        add_entry(all, a, (struct root_entry){.is_private = true, .is_writable = true}, folder);
}

static void choose_flags(const struct sandbox_identity *who, struct sandbox_namespaces *out)
{
    out->clone_flags = namespace_flags;
    if (who->may_mount)
        return;
    /* Whoever is root here is an ordinary user inside. */
    unsigned inner_uid = who->uid ? who->uid : 1000, inner_gid = who->gid ? who->gid : 1000;
    out->clone_flags |= CLONE_NEWUSER;
    snprintf(out->uid_map, sizeof out->uid_map, "%u %u 1", inner_uid, geteuid());
    snprintf(out->gid_map, sizeof out->gid_map, "%u %u 1", inner_gid, getegid());
}

static void set_options(const struct sandbox_policy *policy, const struct sandbox_identity *who,
                        struct sandbox_namespaces *out)
{
    enum { FILES_MAX = 200000 };
    uint64_t n_bytes = policy->limits.scratch_bytes ? policy->limits.scratch_bytes : SCRATCH_BYTES;
    int n = snprintf(out->private_options, sizeof out->private_options,
                     "mode=0700,size=%llu,nr_inodes=%d", (unsigned long long)n_bytes, FILES_MAX);
    if (who->changes)
        snprintf(out->private_options + n, sizeof out->private_options - (size_t)n,
                 ",uid=%u,gid=%u", who->uid, who->gid);
}

/* The probe: a child does what the child of a plan does, with only the system in its root. */
enum trial { TRIAL_OK, TRIAL_NO_CLONE, TRIAL_NO_MOUNT, TRIAL_NO_PROC };

static enum trial try_box(struct sandbox_plan *plan, int *error)
{
    int status;
    *error = 0;
    long pid = syscall(SYS_clone, plan->namespaces.clone_flags | SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid < 0) {
        *error = errno;
        return TRIAL_NO_CLONE;
    }
    if (pid == 0) {
        if (!mount_all(plan))
            _exit(errno & 127);
        _exit(0);
    }
    while (waitpid((pid_t)pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return TRIAL_OK;
    *error = WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
    if (!plan->namespaces.has_proc)
        return TRIAL_NO_MOUNT;
    plan->namespaces.has_proc = false;
    int with_proc = *error;
    if (try_box(plan, error) == TRIAL_OK)
        return TRIAL_NO_PROC;
    *error = with_proc;
    return TRIAL_NO_MOUNT;
}

static enum trial try_empty_box(int *error)
{
    struct sandbox_policy policy = {0};
    struct sandbox_plan plan = {.scratch_fd = -1, .namespaces.has_proc = true};
    sandbox__find_identity(&plan.identity);
    choose_flags(&plan.identity, &plan.namespaces);
    set_options(&policy, &plan.identity, &plan.namespaces);
    return try_box(&plan, error);
}

static void probe(struct sandbox_layer_state *out)
{
    int error;
    switch (try_empty_box(&error)) {
    case TRIAL_OK:
        sandbox__set_state(out, SANDBOX_ON, "%s", "");
        break;
    case TRIAL_NO_PROC:
        sandbox__set_state(out, SANDBOX_DEGRADED,
                           "no /proc inside: this container masks its own, so a fresh one is "
                           "refused");
        break;
    case TRIAL_NO_CLONE:
        sandbox__set_state(out, SANDBOX_OFF, "this kernel or container refuses namespaces (%s)",
                           strerror(error));
        break;
    default:
        sandbox__set_state(out, SANDBOX_OFF,
                           "namespaces are there, but nothing can be mounted inside (%s)",
                           strerror(error));
    }
}

static bool prepare(const struct sandbox_policy *policy, struct sandbox_plan *plan, struct err *e)
{
    struct entries all = {0};
    struct arena *a = &plan->arena;
    struct sandbox_namespaces *ns = &plan->namespaces;
    (void)e;
    for (const char *const *path = sandbox__system_readable; *path; path++)
        show(&all, a, *path, false, false);
    for (const char *const *path = sandbox__system_devices; *path; path++)
        show(&all, a, *path, true, true);
    for (size_t i = 0; i < policy->n_readable; i++)
        show(&all, a, policy->readable[i], false, false);
    for (size_t i = 0; i < policy->n_writable; i++)
        show(&all, a, policy->writable[i], false, true);
    add_private(&all, a, policy->private_folder);
    choose_flags(&plan->identity, ns);
    set_options(policy, &plan->identity, ns);
    ns->has_proc = plan->state.layer[SANDBOX_NAMESPACES].mode == SANDBOX_ON;
    ns->entries = all.list.at;
    ns->n_entries = all.list.n;
    ns->mounts = arena_new_array(a, int, MAX(all.list.n, (size_t)1));
    return true;
}

const struct sandbox_layer_ops sandbox__namespaces = {probe, prepare, apply};
