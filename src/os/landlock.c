/*
 * Layer 2: Landlock (Linux 5.13, documented in the kernel's userspace-api/landlock) confines files
 * by path and, depending on the kernel's ABI, TCP, device ioctls, signals and abstract sockets. The
 * parent makes the ruleset; the child only restricts itself by it. The installed kernel header may
 * be older than the kernel, so the numbers are repeated here.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/sandbox_p.h"

enum { CREATE_RULESET_VERSION = 1, RULE_PATH_BENEATH = 1, ABI_SCOPES = 6, ABI_TRUNCATE = 3 };

/* The rights that each ABI added. */
static const struct {
    int abi;
    uint64_t fs, net, scoped;
} rights[] = {
    {1, 0x1fff, 0, 0},            /* execute .. make_sym */
    {2, UINT64_C(1) << 13, 0, 0}, /* refer */
    {3, UINT64_C(1) << 14, 0, 0}, /* truncate */
    {4, 0, 3, 0},                 /* bind and connect of TCP */
    {5, UINT64_C(1) << 15, 0, 0}, /* ioctl of devices */
    {6, 0, 0, 3},                 /* abstract sockets, signals */
};

enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_TRUNCATE = 1 << 14,
    FS_IOCTL_DEV = 1 << 15,
};
#define FS_READING ((uint64_t)(FS_EXECUTE | FS_READ_FILE | FS_READ_DIR))
#define FS_OF_FILES                                                                                \
    ((uint64_t)(FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV))

struct ruleset {
    uint64_t fs, net, scoped;
};

struct path_rule {
    uint64_t allowed;
    int32_t parent_fd;
} __attribute__((packed));

static int abi_version(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    return abi < 0 ? 0 : (int)abi;
}

static void probe(struct sandbox_layer_state *out)
{
    int abi = abi_version();
    if (abi == 0)
        sandbox__set_state(out, SANDBOX_OFF,
                           "needs Linux 5.13 or later with Landlock among its security modules");
    else if (abi < ABI_TRUNCATE)
        sandbox__set_state(out, SANDBOX_DEGRADED,
                           "ABI %d: truncating, TCP, signals and abstract sockets are not confined",
                           abi);
    else if (abi < ABI_SCOPES)
        sandbox__set_state(out, SANDBOX_DEGRADED,
                           "ABI %d: signals and abstract sockets are not confined", abi);
    else
        sandbox__set_state(out, SANDBOX_ON, "%s", "");
}

static struct ruleset handled_by(int abi, bool read_anything)
{
    struct ruleset all = {0};
    for (size_t i = 0; i < COUNT_OF(rights); i++)
        if (rights[i].abi <= abi) {
            all.fs |= rights[i].fs;
            all.net |= rights[i].net;
            all.scoped |= rights[i].scoped;
        }
    if (read_anything)
        all.fs &= ~FS_READING;
    return all;
}

static bool allow(int ruleset, const char *path, uint64_t allowed, bool may_lack, struct err *e)
{
    struct stat st;
    struct path_rule rule = {.parent_fd = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0)
        return may_lack || err_errno(e, ERR_ENVIRONMENT, "%s: cannot open", path);
    bool is_dir = fstat(rule.parent_fd, &st) == 0 && S_ISDIR(st.st_mode);
    rule.allowed = is_dir ? allowed : allowed & FS_OF_FILES;
    bool ok = rule.allowed == 0 ||
              syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0 ||
              err_errno(e, ERR_ENVIRONMENT, "%s: cannot be allowed", path);
    close(rule.parent_fd);
    return ok;
}

static bool allow_all(int ruleset, const char *const *paths, size_t n, uint64_t allowed,
                      bool may_lack, struct err *e)
{
    for (size_t i = 0; i < n && paths[i]; i++)
        if (!allow(ruleset, paths[i], allowed, may_lack, e))
            return false;
    return true;
}

static bool prepare(const struct sandbox_policy *policy, struct sandbox_plan *plan, struct err *e)
{
    static const char *const proc[] = {"/proc"};
    struct ruleset all = handled_by(abi_version(), policy->read_anything);
    const uint64_t reading = FS_READING & all.fs;
    const uint64_t device = (FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE) & all.fs;
    plan->rights_to_write = all.fs & ~(uint64_t)FS_IOCTL_DEV;
    plan->rights_to_read = reading;
    /* Kernels accept a longer structure if the fields that they do not know are zero. */
    plan->ruleset_fd =
        sandbox__keep_high((int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0));
    if (plan->ruleset_fd < 0)
        return err_errno(e, ERR_ENVIRONMENT, "cannot make a ruleset");
    int fd = plan->ruleset_fd;
    bool has_namespaces = plan->namespaces.clone_flags != 0;
    return allow_all(fd, sandbox__system_readable, SIZE_MAX, reading, true, e) &&
           allow_all(fd, sandbox__system_devices, SIZE_MAX, device, true, e) &&
           (has_namespaces || allow_all(fd, proc, 1, reading, true, e)) &&
           allow_all(fd, policy->readable, policy->n_readable, reading, false, e) &&
           allow_all(fd, policy->writable, policy->n_writable, plan->rights_to_write, false, e) &&
           allow_all(fd, &policy->private_folder, 1, plan->rights_to_write, false, e) &&
           (plan->init_fd < 0 ||
            allow(fd, arena_printf(&plan->arena, "/proc/self/fd/%d", plan->init_fd), reading, false,
                  e));
}

/* Allows what the child has mounted: only the child can open it. */
static bool allow_mounted(int ruleset, const char *path, uint64_t allowed)
{
    struct path_rule rule = {allowed, open(path, O_PATH | O_CLOEXEC)};
    bool ok = rule.parent_fd >= 0 && (allowed == 0 || syscall(SYS_landlock_add_rule, ruleset,
                                                              RULE_PATH_BENEATH, &rule, 0) == 0);
    if (rule.parent_fd >= 0)
        close(rule.parent_fd);
    return ok;
}

static int apply(struct sandbox_plan *plan)
{
    int fd = plan->ruleset_fd;
    bool ok = !plan->namespaces.clone_flags ||
              (allow_mounted(fd, "/proc", plan->rights_to_read) &&
               allow_mounted(fd, "/tmp", plan->rights_to_write) &&
               (!plan->private_folder ||
                (allow_mounted(fd, plan->private_folder, plan->rights_to_write) &&
                 allow_mounted(fd, "/dev/shm", plan->rights_to_write))));
    return ok && syscall(SYS_landlock_restrict_self, fd, 0) == 0 ? 0 : errno;
}

const struct sandbox_layer_ops sandbox__landlock = {probe, prepare, apply};
