/*
 * The escape attempts of escape.def, each one system call or two, as a hostile program would make
 * them. Must not know how they are stopped. Invariant: harmless when it succeeds: signals are 0,
 * devices are opened and closed, bombs are bounded and end with the child.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <linux/reboot.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "os/escape_p.h"
#include "os/sandbox.h"

enum { PATH_SIZE = 1024, BOMB_STEPS = 4096 };

void escape__say(int fd, int number)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%d", number);
    if (write(fd, text, (size_t)n) != n)
        _exit(1);
}

static int held_by(long result)
{
    return result < 0 ? errno : 0;
}

static const char *below(char path[static PATH_SIZE], const char *dir, const char *name)
{
    snprintf(path, PATH_SIZE, "%s/%s", dir, name);
    return path;
}

static const char *proc_file(char path[static PATH_SIZE], int pid, const char *name)
{
    snprintf(path, PATH_SIZE, "/proc/%d/%s", pid, name);
    return path;
}

static int try_open(const char *path, int flags)
{
    return held_by(open(path, flags | O_CLOEXEC, 0600));
}

#define SOCKET_ATTEMPT(name, family, type, protocol)                                               \
    static int name(const struct escape_scene *s)                                                  \
    {                                                                                              \
        (void)s;                                                                                   \
        return held_by(socket(family, type, protocol));                                            \
    }
SOCKET_ATTEMPT(tcp_socket, AF_INET, SOCK_STREAM, 0)
SOCKET_ATTEMPT(tcp6_socket, AF_INET6, SOCK_STREAM, 0)
SOCKET_ATTEMPT(udp_socket, AF_INET, SOCK_DGRAM, 0)
SOCKET_ATTEMPT(raw_socket, AF_INET, SOCK_RAW, 1)
SOCKET_ATTEMPT(packet_socket, AF_PACKET, SOCK_RAW, 0)
SOCKET_ATTEMPT(netlink_socket, AF_NETLINK, SOCK_RAW, 0)
SOCKET_ATTEMPT(unix_socket, AF_UNIX, SOCK_STREAM, 0)

/* Calls that a filter stops whatever their arguments. The arguments used here are harmless. */
#define CALL_ATTEMPT(name, ...)                                                                    \
    static int name(const struct escape_scene *s)                                                  \
    {                                                                                              \
        (void)s;                                                                                   \
        return held_by(syscall(__VA_ARGS__));                                                      \
    }
CALL_ATTEMPT(unshare_user, SYS_unshare, CLONE_NEWUSER)
CALL_ATTEMPT(clone3_call, SYS_clone3, NULL, 0)
CALL_ATTEMPT(open_file_system, SYS_fsopen, "tmpfs", 0)
CALL_ATTEMPT(bpf_program, SYS_bpf, 0, NULL, 0)
CALL_ATTEMPT(io_uring, SYS_io_uring_setup, 1, NULL)
CALL_ATTEMPT(fault_handler, SYS_userfaultfd, 0)
CALL_ATTEMPT(keyring, SYS_add_key, "user", "assay", "x", 1, -3)
CALL_ATTEMPT(kernel_module, SYS_init_module, NULL, 0, "")
CALL_ATTEMPT(kexec, SYS_kexec_load, 0, 0, NULL, 0)
CALL_ATTEMPT(file_by_handle, SYS_open_by_handle_at, AT_FDCWD, NULL, O_RDONLY)
CALL_ATTEMPT(reboot_machine, SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2,
             LINUX_REBOOT_CMD_CAD_OFF, NULL)
CALL_ATTEMPT(swap_off, SYS_swapoff, "/nonexistent")

static int inherited_descriptor(const struct escape_scene *s)
{
    return held_by(fcntl(s->open_fd, F_GETFD));
}

static int inherited_variables(const struct escape_scene *s)
{
    (void)s;
    return environ[0] ? 0 : ESCAPE_HELD;
}

static int write_home(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    return try_open(below(path, s->home, ".assay-escape"), O_WRONLY | O_CREAT | O_EXCL);
}

static int write_system(const struct escape_scene *s)
{
    (void)s;
    return try_open("/usr/lib/assay-escape", O_WRONLY | O_CREAT | O_EXCL);
}

static int write_outside(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    return try_open(below(path, s->outside, "new"), O_WRONLY | O_CREAT);
}

static int truncate_outside(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    return held_by(truncate(below(path, s->outside, "canary"), 0));
}

static int remove_outside(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    return held_by(unlink(below(path, s->outside, "canary")));
}

static int make_own_file(const struct escape_scene *s, char path[static PATH_SIZE])
{
    int fd = open(below(path, s->scratch, "own"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return fd;
}

static int rename_out(const struct escape_scene *s)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    return make_own_file(s, from) < 0 ? errno : held_by(rename(from, below(to, s->outside, "x")));
}

static int link_out(const struct escape_scene *s)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    return make_own_file(s, from) < 0 ? errno : held_by(link(from, below(to, s->outside, "x")));
}

static int symlink_out(const struct escape_scene *s)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    below(from, s->scratch, "way-out");
    if (symlink(below(to, s->outside, "canary"), from) != 0)
        return errno;
    return try_open(from, O_WRONLY);
}

static int read_canary(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    return try_open(below(path, s->outside, "canary"), O_RDONLY);
}

static int list_outside(const struct escape_scene *s)
{
    return try_open(s->outside, O_RDONLY | O_DIRECTORY);
}

static int parent_environ(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    return try_open(proc_file(path, s->parent_pid, "environ"), O_RDONLY);
}

static int parent_memory(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    return try_open(proc_file(path, s->parent_pid, "mem"), O_RDWR);
}

static int try_ptrace(int pid)
{
    return held_by(ptrace(PTRACE_SEIZE, pid, NULL, NULL));
}

static int ptrace_parent(const struct escape_scene *s)
{
    return try_ptrace(s->parent_pid);
}

static int ptrace_sibling(const struct escape_scene *s)
{
    return try_ptrace(s->sibling_pid);
}

static int ptrace_init(const struct escape_scene *s)
{
    (void)s;
    return try_ptrace(1);
}

static int vm_read_parent(const struct escape_scene *s)
{
    struct escape_scene copy;
    struct iovec local = {&copy, sizeof copy}, remote;
    const void *at = s;
    memcpy(&remote.iov_base, &at, sizeof at);
    remote.iov_len = sizeof copy;
    return held_by(process_vm_readv(s->parent_pid, &local, 1, &remote, 1, 0));
}

static int vm_write_parent(const struct escape_scene *s)
{
    struct iovec none = {NULL, 0};
    return held_by(process_vm_writev(s->parent_pid, &none, 1, &none, 1, 0));
}

static int take_descriptor(const struct escape_scene *s)
{
    long pidfd = syscall(SYS_pidfd_open, s->parent_pid, 0);
    return pidfd < 0 ? errno : held_by(syscall(SYS_pidfd_getfd, pidfd, 0, 0));
}

static int limit_parent(const struct escape_scene *s)
{
    struct rlimit limit;
    return held_by(syscall(SYS_prlimit64, s->parent_pid, RLIMIT_NOFILE, NULL, &limit));
}

static int signal_parent(const struct escape_scene *s)
{
    return held_by(kill(s->parent_pid, 0));
}

static int signal_sibling(const struct escape_scene *s)
{
    return held_by(kill(s->sibling_pid, 0));
}

static int signal_init(const struct escape_scene *s)
{
    (void)s;
    return held_by(kill(1, 0));
}

static int signal_all(const struct escape_scene *s)
{
    (void)s;
    return held_by(kill(-1, 0));
}

/* Address space only; no page is touched. */
static int try_map(int flags, size_t n_bytes)
{
    void *at =
        mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? errno : 0;
}

static int memory_bomb(const struct escape_scene *s)
{
    (void)s;
    return try_map(MAP_PRIVATE, (size_t)ESCAPE_MEMORY_BYTES + (1 << 20));
}

static int shared_memory_bomb(const struct escape_scene *s)
{
    (void)s;
    return try_map(MAP_SHARED, (size_t)1 << 46);
}

static int grow_beyond_limit(int fd, int64_t n_bytes)
{
    signal(SIGXFSZ, SIG_IGN);
    return fd < 0 ? errno : held_by(ftruncate(fd, n_bytes));
}

static int memory_file_bomb(const struct escape_scene *s)
{
    (void)s;
    return grow_beyond_limit(memfd_create("bomb", MFD_CLOEXEC), (int64_t)ESCAPE_FILE_BYTES + 1);
}

static int sparse_file(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    return grow_beyond_limit(make_own_file(s, path), INT64_C(1) << 40);
}

static int disk_bomb(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    static const char block[1 << 16];
    int fd = make_own_file(s, path);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t n = 0; n <= ESCAPE_FILE_BYTES; n += sizeof block)
        if (write(fd, block, sizeof block) < 0)
            return errno;
    return 0;
}

static int inode_bomb(const struct escape_scene *s)
{
    char path[PATH_SIZE], name[32];
    for (int i = 0; i < BOMB_STEPS; i++) {
        snprintf(name, sizeof name, "inode%d", i);
        if (mkdir(below(path, s->scratch, name), 0700) != 0)
            return errno;
    }
    return 0;
}

static int fork_bomb(const struct escape_scene *s)
{
    (void)s;
    for (int i = 0; i < BOMB_STEPS; i++) {
        pid_t pid = fork();
        if (pid < 0)
            return errno;
        if (pid == 0) {
            pause();
            _exit(0);
        }
    }
    return 0;
}

static int descriptor_bomb(const struct escape_scene *s)
{
    (void)s;
    for (int i = 0; i < BOMB_STEPS; i++)
        if (dup(0) < 0)
            return errno;
    return 0;
}

static int raise_limit(const struct escape_scene *s)
{
    struct rlimit limit;
    (void)s;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return errno;
    limit.rlim_max++;
    return held_by(setrlimit(RLIMIT_NOFILE, &limit));
}

static int core_dump(const struct escape_scene *s)
{
    struct rlimit limit;
    (void)s;
    return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0 ? ESCAPE_HELD : 0;
}

static int clone_namespace(const struct escape_scene *s)
{
    (void)s;
    long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0)
        _exit(0);
    return held_by(pid);
}

static int enter_namespace(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    (void)s;
    int fd = open(proc_file(path, getpid(), "ns/net"), O_RDONLY | O_CLOEXEC);
    return fd < 0 ? errno : held_by(setns(fd, 0));
}

static int mount_tmpfs(const struct escape_scene *s)
{
    return held_by(mount("none", s->scratch, "tmpfs", 0, NULL));
}

static int pivot(const struct escape_scene *s)
{
    return held_by(syscall(SYS_pivot_root, s->scratch, s->scratch));
}

static int chroot_away(const struct escape_scene *s)
{
    return held_by(chroot(s->scratch));
}

static int perf_event(const struct escape_scene *s)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attr};
    (void)s;
    return held_by(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
}

static int set_clock(const struct escape_scene *s)
{
    struct timespec now;
    (void)s;
    clock_gettime(CLOCK_REALTIME, &now);
    return held_by(syscall(SYS_clock_settime, CLOCK_REALTIME, &now));
}

static int device_node(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    return held_by(mknod(below(path, s->scratch, "disk"), S_IFBLK | 0600, 0xfe00));
}

static int foreign_device(const struct escape_scene *s)
{
    (void)s;
    return try_open("/dev/ptmx", O_RDWR | O_NOCTTY);
}

static int type_into_terminal(const struct escape_scene *s)
{
    (void)s;
    return held_by(ioctl(0, TIOCSTI, "x"));
}

static int new_privileges(const struct escape_scene *s)
{
    (void)s;
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? ESCAPE_HELD : 0;
}

static int regain_capabilities(const struct escape_scene *s)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct all[2] = {{UINT32_MAX, UINT32_MAX, 0}, {0x1ff, 0x1ff, 0}};
    (void)s;
    return held_by(syscall(SYS_capset, &header, all));
}

static int ignore_sigterm(const struct escape_scene *s)
{
    (void)s;
    signal(SIGTERM, SIG_IGN);
    escape__say(1, 0);
    while (pause() != 0) {
    }
    return 0;
}

static int stop_itself(const struct escape_scene *s)
{
    sigset_t ends;
    (void)s;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM); /* the child may be killed before that */
    sigprocmask(SIG_BLOCK, &ends, NULL);
    escape__say(1, 0);
    raise(SIGSTOP);
    return 0;
}

/* The grandchild leaves the session; its number is the child's output. */
static int double_fork(const struct escape_scene *s)
{
    int numbers[2];
    (void)s;
    if (pipe(numbers) != 0)
        return errno;
    if (fork() == 0) {
        setsid();
        pid_t grandchild = fork();
        if (grandchild == 0) {
            close(1);
            for (;;)
                pause();
        }
        ssize_t put = write(numbers[1], &grandchild, sizeof grandchild);
        _exit(put != (ssize_t)sizeof grandchild);
    }
    pid_t grandchild = 0;
    if (read(numbers[0], &grandchild, sizeof grandchild) != (ssize_t)sizeof grandchild)
        return errno;
    escape__say(1, (int)grandchild);
    return 0;
}

#define LIMITS SANDBOX_BIT(SANDBOX_LIMITS)
#define SECCOMP SANDBOX_BIT(SANDBOX_SECCOMP)
#define LANDLOCK SANDBOX_BIT(SANDBOX_LANDLOCK)
#define NAMESPACES SANDBOX_BIT(SANDBOX_NAMESPACES)
#define CGROUP SANDBOX_BIT(SANDBOX_CGROUP)

const struct escape_row escape__rows[] = {
#define ESCAPE(name, stopped_by, expected, proof, attempt)                                         \
    {name, stopped_by, expected, ESCAPE_BY_##proof, attempt},
#include "os/escape.def"
#undef ESCAPE
};
const size_t escape__n_rows = COUNT_OF(escape__rows);
