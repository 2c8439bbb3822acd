/*
 * The escape attempts of escape.def, each one or two system calls that a hostile program would
 * make. Must not know how they are stopped. Invariant: an attempt that succeeds is harmless:
 * signals are 0, devices are opened and closed, bombs are bounded and end with the child.
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
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "os/escape_p.h"
#include "os/sandbox.h"

enum {
    PATH_SIZE = 1024,
    BOMB_STEPS = 4096, /* bounds of attempts: one that reaches them has escaped */
    INODES_MAX = 400000,
    MIB_MAX = 4096,
    FILE_MIB = 64,
    FIGURE_STEP = 8
};
#define MIB ((size_t)1 << 20)

void escape__say(int fd, int number)
{
    char text[16];
    int n = snprintf(text, sizeof text, "%d\n", number);
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

/* Calls that a filter stops whatever their arguments; those used here are harmless. */
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
CALL_ATTEMPT(system_v_memory, SYS_shmget, 0, 4096, 0600)
CALL_ATTEMPT(system_v_semaphores, SYS_semget, 0, 1, 0600)
CALL_ATTEMPT(message_queue, SYS_mq_open, "assay", O_RDONLY, 0, NULL)
CALL_ATTEMPT(open_tree_attributes, 467, AT_FDCWD, "/", 0, NULL, 0)
CALL_ATTEMPT(newer_call, 999, 0, 0, 0)
CALL_ATTEMPT(swap_off, SYS_swapoff, "/nonexistent")

static int inherited_descriptor(const struct escape_scene *s)
{
    return held_by(fcntl(s->open_fd, F_GETFD));
}

static int inherited_variables(const struct escape_scene *s)
{
    (void)s;
    return getenv(ESCAPE_VARIABLE) ? ESCAPE_OUT : ESCAPE_HELD;
}

static int run_as_root(const struct escape_scene *s)
{
    (void)s;
    return getuid() == 0 || geteuid() == 0 ? ESCAPE_OUT : ESCAPE_HELD;
}

/* A file that all users may read; the calls on it would change nothing. */
static const char foreign_file[] = "/usr/bin/env";

static int change_mode(const struct escape_scene *s)
{
    struct stat st;
    (void)s;
    return stat(foreign_file, &st) != 0 ? errno : held_by(chmod(foreign_file, st.st_mode & 07777));
}

static int change_owner(const struct escape_scene *s)
{
    (void)s;
    return held_by(chown(foreign_file, (uid_t)-1, (gid_t)-1));
}

static int change_times(const struct escape_scene *s)
{
    struct stat st;
    (void)s;
    if (stat(foreign_file, &st) != 0)
        return errno;
    const struct timespec times[] = {st.st_atim, st.st_mtim};
    return held_by(utimensat(AT_FDCWD, foreign_file, times, 0));
}

static int change_attributes(const struct escape_scene *s)
{
    (void)s;
    return held_by(setxattr(foreign_file, "user.assay", "", 0, XATTR_REPLACE));
}

static int write_home(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    return try_open(below(path, s->home, ESCAPE_TRACE), O_WRONLY | O_CREAT);
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

static int parent_command(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    return try_open(proc_file(path, s->parent_pid, "cmdline"), O_RDONLY);
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
    /* In a process namespace this is its first process, which no signal from inside can end. */
    static const char own[] = "assay\0worker\0init";
    char words[sizeof own];
    (void)s;
    int fd = open("/proc/1/cmdline", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && read(fd, words, sizeof words) == (ssize_t)sizeof words &&
        memcmp(words, own, sizeof own) == 0)
        return kill(1, SIGKILL) == 0 && kill(1, 0) == 0 ? ESCAPE_HELD : ESCAPE_OUT;
    return held_by(kill(1, 0));
}

static int signal_all(const struct escape_scene *s)
{
    (void)s;
    return held_by(kill(-1, 0));
}

/* Maps address space without touching a page. */
static int try_map(size_t n_bytes)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    return mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED ? errno : 0;
}

static size_t limit_of(__rlimit_resource_t resource)
{
    struct rlimit limit;
    const size_t most = (size_t)1 << 46;
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur < most ? limit.rlim_cur : most;
}

/* Maps and touches MiB after MiB, up to the attempt's own bound. */
static int touch(int flags, size_t n_most)
{
    for (size_t n = 1; n <= n_most; n++) {
        char *at = mmap(NULL, MIB, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED)
            return errno;
        memset(at, 1, MIB);
        if (n % FIGURE_STEP == 0)
            escape__say(1, (int)n);
    }
    return ESCAPE_OUT;
}

static int memory_bomb(const struct escape_scene *s)
{
    (void)s;
    return touch(MAP_PRIVATE, MIN(limit_of(RLIMIT_DATA) / MIB + FIGURE_STEP, MIB_MAX));
}

static int unreserved(const struct escape_scene *s)
{
    (void)s;
    return try_map((size_t)100 << 30);
}

static int shared_memory(const struct escape_scene *s)
{
    (void)s;
    return touch(MAP_SHARED, MIB_MAX);
}

/* Starts many processes, each of which stays below its own limit. */
static int memory_of_many(const struct escape_scene *s)
{
    size_t each = MIN(limit_of(RLIMIT_DATA) / MIB / 2, MIB_MAX);
    (void)s;
    for (size_t n = 0; n < MIB_MAX; n += each) {
        int status;
        int numbers[2];
        if (pipe(numbers) != 0)
            return errno;
        pid_t pid = fork();
        if (pid < 0)
            return errno;
        if (pid == 0) {
            dup2(open("/dev/null", O_WRONLY), 1);
            escape__say(numbers[1], touch(MAP_PRIVATE, each));
            for (;;)
                pause();
        }
        close(numbers[1]);
        char got;
        bool filled = read(numbers[0], &got, 1) == 1;
        close(numbers[0]);
        /* One of them is killed, not always the last. */
        if (waitpid(-1, &status, filled ? WNOHANG : 0) > 0)
            return WIFSIGNALED(status) ? ESCAPE_KILLED : ESCAPE_OUT;
        escape__say(1, (int)(n + each));
    }
    return ESCAPE_OUT;
}

/* Writes until a write is refused or n_most bytes are written. */
static int fill(int fd, size_t n_most, size_t *n)
{
    static const char block[1 << 16];
    signal(SIGXFSZ, SIG_IGN);
    if (fd < 0)
        return errno;
    for (size_t i = 0; i < n_most * MIB / sizeof block; i++) {
        if (write(fd, block, sizeof block) != (ssize_t)sizeof block)
            return errno ? errno : ENOSPC;
        if (i % (MIB / sizeof block) == 0 && ++*n % FIGURE_STEP == 0)
            escape__say(1, (int)*n);
    }
    return ESCAPE_OUT;
}

static size_t file_mib(void)
{
    return MIN(limit_of(RLIMIT_FSIZE) / MIB, (size_t)FILE_MIB);
}

static int memory_files(const struct escape_scene *s)
{
    size_t n = 0;
    int error = ESCAPE_OUT;
    (void)s;
    while (error == ESCAPE_OUT && n < MIB_MAX)
        error = fill(memfd_create("bomb", MFD_CLOEXEC), file_mib(), &n);
    return error;
}

static int fill_folder(const char *folder)
{
    char path[PATH_SIZE], name[32];
    size_t n = 0;
    int error = ESCAPE_OUT;
    for (int i = 0; error == ESCAPE_OUT && n < MIB_MAX; i++) {
        snprintf(name, sizeof name, "bomb%d", i);
        int fd = open(below(path, folder, name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        error = fill(fd, file_mib(), &n);
        if (fd >= 0)
            close(fd);
    }
    return error;
}

static int many_files(const struct escape_scene *s)
{
    return fill_folder(s->scratch);
}

static int shared_files(const struct escape_scene *s)
{
    (void)s;
    return fill_folder("/dev/shm");
}

static int sparse_file(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    int fd = make_own_file(s, path);
    signal(SIGXFSZ, SIG_IGN);
    return fd < 0 ? errno : held_by(ftruncate(fd, (off_t)limit_of(RLIMIT_FSIZE) + 1));
}

static int disk_bomb(const struct escape_scene *s)
{
    char path[PATH_SIZE];
    size_t n = 0;
    return fill(make_own_file(s, path), MIB_MAX, &n);
}

static int inode_bomb(const struct escape_scene *s)
{
    char path[PATH_SIZE], name[32];
    for (int i = 1; i <= INODES_MAX; i++) {
        snprintf(name, sizeof name, "inode%d", i);
        if (mkdir(below(path, s->scratch, name), 0700) != 0)
            return errno;
        if (i % 1000 == 0)
            escape__say(1, i);
    }
    return ESCAPE_OUT;
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
        escape__say(1, i + 1);
    }
    return ESCAPE_OUT;
}

static int descriptor_bomb(const struct escape_scene *s)
{
    (void)s;
    for (int i = 0; i < BOMB_STEPS; i++) {
        if (dup(0) < 0)
            return errno;
        escape__say(1, i + 1);
    }
    return ESCAPE_OUT;
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
    sigaddset(&ends, SIGTERM); /* the child may be killed before it ignores the signal */
    sigprocmask(SIG_BLOCK, &ends, NULL);
    escape__say(1, 0);
    raise(SIGSTOP);
    return 0;
}

/* The case ends well, but its grandchild, which has left session and group, goes on. */
static int double_fork(const struct escape_scene *s)
{
    int ready[2];
    char byte = 0;
    (void)s;
    if (pipe(ready) != 0)
        return errno;
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            setsid();
            for (int fd = 0; fd < 3; fd++)
                close(fd);
            while (write(ready[1], &byte, 1) == 1)
                pause();
        }
        _exit(0);
    }
    return read(ready[0], &byte, 1) == 1 ? ESCAPE_HELD : errno;
}

#define BY(layer, error) {SANDBOX_##layer, STOP_##error, false},
#define BY_COMPLETE(layer, error) {SANDBOX_##layer, STOP_##error, true},
enum {
    STOP_HELD = ESCAPE_HELD,
    STOP_KILLED = ESCAPE_KILLED,
    STOP_EPERM = EPERM,
    STOP_EACCES = EACCES,
    STOP_ENOENT = ENOENT,
    STOP_EROFS = EROFS,
    STOP_EBADF = EBADF,
    STOP_ESRCH = ESRCH,
    STOP_ENOMEM = ENOMEM,
    STOP_EAGAIN = EAGAIN,
    STOP_EFBIG = EFBIG,
    STOP_ENOSPC = ENOSPC,
    STOP_EMFILE = EMFILE,
    STOP_ENOSYS = ENOSYS
};

const struct escape_row escape__rows[] = {
#define ESCAPE(name, proof, attempt, stops) {name, ESCAPE_BY_##proof, attempt, {stops}},
#include "os/escape.def"
#undef ESCAPE
};
const size_t escape__n_rows = COUNT_OF(escape__rows);
