/*
 * Layer 1: refuses the system calls of a list (seccomp_deny.def), and a few by their arguments:
 * namespace flags of clone, all sockets, kill(-1), typing into a terminal, device nodes, other
 * processes' limits; without NAMESPACES also calls that change the metadata of files, and without a
 * group that counts memory those that take memory which no limit counts. A call newer than the list
 * gets ENOSYS, as on a kernel that lacks it. libseccomp makes the filter in the parent; the child
 * only installs it. Refusals give EPERM, so that they differ from a bad argument.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/sandbox_p.h"

enum { FILTER_BYTES_MAX = 1 << 16, NEWEST_KNOWN_CALL = 469 };

struct denial {
    const char *name;
    int number; /* 0: found by name. Newer calls have the same number on all architectures */
    int error;
};

#define SECCOMP_DENY(name, error) {#name, 0, error},
#define SECCOMP_DENY_NUMBER(name, number, error) {#name, number, error},
static const struct denial denied[] = {
#include "os/seccomp_deny.def"
};
static const struct denial denied_without_namespaces[] = {
#include "os/seccomp_deny_metadata.def"
};
#undef SECCOMP_DENY
#undef SECCOMP_DENY_NUMBER

static void probe(struct sandbox_layer_state *out)
{
    uint32_t action = SECCOMP_RET_ERRNO;
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0)
        sandbox__set_state(out, SANDBOX_ON, "%s", "");
    else
        sandbox__set_state(out, SANDBOX_OFF, "needs a kernel with seccomp filters");
}

/* Refuses a call. A name that libseccomp does not know is not of this architecture, or is newer
 * than FIRST_COMMON. */
static int deny(scmp_filter_ctx filter, int error, const char *name)
{
    int number = seccomp_syscall_resolve_name(name);
    return number < 0 ? 0 : seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t)error), number, 0);
}

static int deny_all(scmp_filter_ctx filter, const struct denial *list, size_t n)
{
    int failed = 0;
    for (size_t i = 0; i < n; i++)
        failed |= list[i].number ? seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t)list[i].error),
                                                    list[i].number, 0)
                                 : deny(filter, list[i].error, list[i].name);
    return failed;
}

/* Refuses the call when (argument & mask) == value. */
static int deny_when(scmp_filter_ctx filter, const char *name, unsigned argument, uint64_t mask,
                     uint64_t value)
{
    int number = seccomp_syscall_resolve_name(name);
    struct scmp_arg_cmp test = {argument, SCMP_CMP_MASKED_EQ, mask, value};
    return number < 0 ? 0 : seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), number, 1, &test);
}

static int deny_by_argument(scmp_filter_ctx filter)
{
    static const uint64_t namespace_flags[] = {
        CLONE_NEWNS,  CLONE_NEWUTS, CLONE_NEWIPC,    CLONE_NEWUSER,
        CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP,
    };
    static const uint64_t terminal_requests[] = {TIOCSTI, TIOCLINUX, TIOCSETD};
    static const uint64_t device_kinds[] = {S_IFCHR, S_IFBLK};
    const uint64_t low_word = UINT32_MAX;
    int failed = 0;
    for (size_t i = 0; i < COUNT_OF(namespace_flags); i++)
        failed |= deny_when(filter, "clone", 0, namespace_flags[i], namespace_flags[i]);
    for (size_t i = 0; i < COUNT_OF(terminal_requests); i++)
        failed |= deny_when(filter, "ioctl", 1, low_word, terminal_requests[i]);
    for (size_t i = 0; i < COUNT_OF(device_kinds); i++) {
        failed |= deny_when(filter, "mknod", 1, S_IFMT, device_kinds[i]);
        failed |= deny_when(filter, "mknodat", 2, S_IFMT, device_kinds[i]);
    }
    failed |= deny_when(filter, "kill", 0, low_word, UINT32_MAX);
    struct scmp_arg_cmp of_another = SCMP_A0_64(SCMP_CMP_NE, 0);
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 1, of_another);
    return failed;
}

/* socketpair stays allowed: it reaches no other process. */
static int deny_sockets(scmp_filter_ctx filter, bool allow_unix)
{
    struct scmp_arg_cmp other_family = SCMP_A0_64(SCMP_CMP_NE, AF_UNIX);
    if (allow_unix)
        return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1, other_family);
    return deny(filter, EPERM, "socket");
}

/* Refuses memory that no limit of a process counts: shared memory, and files without a folder. */
static int deny_uncounted_memory(scmp_filter_ctx filter)
{
    const uint64_t shared = MAP_SHARED | MAP_ANONYMOUS;
    return deny(filter, ENOSYS, "memfd_create") | deny_when(filter, "mmap", 3, shared, shared);
}

/* Comes before the instructions of libseccomp: calls newer than the newest in our list get ENOSYS.
 * All jumps of a filter are relative, so those that follow stay right. */
static const struct sock_filter newer_calls[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, NEWEST_KNOWN_CALL, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
};

/* libseccomp 2.5 writes a filter to descriptors only. */
static bool export_filter(scmp_filter_ctx filter, struct sandbox_plan *plan, struct err *e)
{
    const size_t n_before = COUNT_OF(newer_calls) * sizeof newer_calls[0];
    int fd = memfd_create("filter", MFD_CLOEXEC);
    if (fd < 0)
        return err_errno(e, ERR_ENVIRONMENT, "memfd_create");
    bool ok = seccomp_export_bpf(filter, fd) == 0;
    off_t size = ok ? lseek(fd, 0, SEEK_END) : 0;
    ok = ok && size > 0 && size <= FILTER_BYTES_MAX;
    if (ok) {
        char *bytes = arena_alloc(&plan->arena, n_before + (size_t)size);
        memcpy(bytes, newer_calls, n_before);
        ok = pread(fd, bytes + n_before, (size_t)size, 0) == (ssize_t)size;
        plan->filter = bytes;
        plan->n_filter = (uint16_t)((n_before + (size_t)size) / sizeof(struct sock_filter));
    }
    close(fd);
    return ok || err_set(e, ERR_INTERNAL, "the filter cannot be written out");
}

static bool prepare(const struct sandbox_policy *policy, struct sandbox_plan *plan, struct err *e)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter)
        return err_set(e, ERR_INTERNAL, "libseccomp cannot begin a filter");
    int failed = deny_by_argument(filter) | deny_sockets(filter, policy->unix_sockets);
    failed |= deny_all(filter, denied, COUNT_OF(denied));
    if (!plan->namespaces.clone_flags) /* NAMESPACES makes all foreign files read-only */
        failed |= deny_all(filter, denied_without_namespaces, COUNT_OF(denied_without_namespaces));
    if (!plan->counts_memory)
        failed |= deny_uncounted_memory(filter);
    bool ok = !failed ? export_filter(filter, plan, e)
                      : err_set(e, ERR_INTERNAL, "libseccomp refuses a rule");
    seccomp_release(filter);
    return ok;
}

static int apply(struct sandbox_plan *plan)
{
    struct sock_fprog program = {plan->n_filter, plan->filter};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
}

const struct sandbox_layer_ops sandbox__seccomp = {probe, prepare, apply};
