/*
 * Decides where short-lived files lie and which process may remove them. The owner holds a lock on
 * the folder as long as it runs, so a folder that another process can lock has lost its owner.
 */
#include "os/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/file.h"
#include "os/probe.h"

#define SCRATCH_PREFIX "assay-scratch-"
#define SCRATCH_ROOM ((uint64_t)256 << 20)

enum { PARTS_MAX = 64, ATTEMPTS_MAX = 100 };

struct scratch {
    int dir_fd;
    bool is_owner;
    char *path;
};

static const char *fallback_folder(void)
{
    const char *base = getenv("TMPDIR");
    return base && base[0] ? base : "/tmp";
}

const char *scratch_place(void)
{
    uint64_t n_free;
    bool has_room = probe_free_bytes("/dev/shm", &n_free) && n_free >= SCRATCH_ROOM &&
                    access("/dev/shm", W_OK) == 0;
    return has_room ? "/dev/shm" : fallback_folder();
}

/* Removes only our own: where all users may write, any of them can make a folder of such a name. */
static void remove_if_abandoned(int base, const char *name)
{
    struct err ignored;
    struct stat st;
    int fd = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    bool ours = fstat(fd, &st) == 0 && st.st_uid == geteuid();
    if (ours && flock(fd, LOCK_EX | LOCK_NB) == 0 && !file_remove_tree_at(base, name, &ignored))
        err_clear(&ignored);
    close(fd);
}

static void sweep(const char *base)
{
    struct arena a;
    struct file_list list;
    struct err ignored;
    arena_init(&a);
    int fd = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && file_list_at(fd, &a, &list, &ignored))
        for (size_t i = 0; i < list.n; i++)
            if (str_starts(str_of(list.names[i]), STR(SCRATCH_PREFIX)))
                remove_if_abandoned(fd, list.names[i]);
    if (fd >= 0)
        close(fd);
    arena_done(&a);
}

static struct scratch *new_scratch(int dir_fd, bool is_owner, const char *path)
{
    size_t n = strlen(path) + 1;
    struct scratch *s = mem_alloc(sizeof *s + n);
    *s = (struct scratch){dir_fd, is_owner, (char *)(s + 1)};
    memcpy(s->path, path, n);
    return s;
}

/* Makes a folder and locks it. -1 with errno 0: another process removed it before the lock, as it
 * looked abandoned. */
static int make_locked(char *path)
{
    struct stat st;
    if (fault_hit("mkdir") || !mkdtemp(path))
        return -1;
    int fd = fault_hit("open") ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        errno = errno == ENOENT ? 0 : errno;
        return -1;
    }
    if (flock(fd, LOCK_SH) == 0 && fstat(fd, &st) == 0 && st.st_nlink > 0)
        return fd;
    close(fd);
    errno = 0;
    return -1;
}

bool scratch_open(struct scratch **out, struct err *e)
{
    const char *base = scratch_place();
    char path[512];
    int fd = -1;
    sweep(base);
    for (int i = 0; fd < 0 && i < ATTEMPTS_MAX; i++) {
        snprintf(path, sizeof path, "%s/" SCRATCH_PREFIX "XXXXXX", base);
        fd = make_locked(path);
        if (fd < 0 && errno)
            break;
    }
    if (fd < 0)
        return err_errno(e, ERR_IO, "%s: cannot make a scratch folder", path);
    *out = new_scratch(fd, true, path);
    return true;
}

bool scratch_attach(const char *path, struct scratch **out, struct err *e)
{
    int fd = fault_hit("open") ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return err_errno(e, ERR_IO, "%s: cannot open the scratch folder", path);
    *out = new_scratch(fd, false, path);
    return true;
}

bool scratch_adopt(int dir_fd, const char *path, struct scratch **out, struct err *e)
{
    (void)e;
    *out = new_scratch(dir_fd, false, path);
    return true;
}

bool scratch_attach_dir(const struct scratch *s, const char *name, struct scratch **out,
                        struct err *e)
{
    char path[512];
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = fault_hit("open") ? -1 : openat(s->dir_fd, name, flags);
    snprintf(path, sizeof path, "%s/%s", s->path, name);
    if (fd < 0)
        return err_errno(e, ERR_IO, "%s: cannot open the scratch folder", path);
    *out = new_scratch(fd, false, path);
    return true;
}

void scratch_close(struct scratch *s)
{
    struct err ignored;
    if (!s)
        return;
    if (s->is_owner && !file_remove_tree(s->path, &ignored))
        err_clear(&ignored);
    close(s->dir_fd);
    free(s);
}

const char *scratch_path(const struct scratch *s)
{
    return s->path;
}

bool scratch_make_dir(const struct scratch *s, const char *name, struct err *e)
{
    /* A worker of another user may read it; scratch_let_pass decides who gets through s. */
    bool made = !fault_hit("mkdir") && mkdirat(s->dir_fd, name, 0700) == 0;
    if (made)
        made = fchmodat(s->dir_fd, name, 0755, 0) == 0;
    return made || errno == EEXIST ||
           err_errno(e, ERR_IO, "%s/%s: cannot make the folder", s->path, name);
}

bool scratch_give_dir(const struct scratch *s, const char *name, uint32_t uid, uint32_t gid,
                      struct err *e)
{
    return fchownat(s->dir_fd, name, uid, gid, AT_SYMLINK_NOFOLLOW) == 0 ||
           err_errno(e, ERR_IO, "%s/%s: cannot be given to another user", s->path, name);
}

bool scratch_let_pass(const struct scratch *s, struct err *e)
{
    return fchmod(s->dir_fd, 0711) == 0 ||
           err_errno(e, ERR_IO, "%s: cannot be opened to others", s->path);
}

static bool write_parts(int fd, struct iovec *parts, int n_parts)
{
    while (n_parts > 0) {
        ssize_t put = fault_hit("write") ? -1 : writev(fd, parts, n_parts);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        for (; n_parts > 0 && (size_t)put >= parts->iov_len; parts++, n_parts--)
            put -= (ssize_t)parts->iov_len;
        if (n_parts > 0) {
            parts->iov_base = (char *)parts->iov_base + put;
            parts->iov_len -= (size_t)put;
        }
    }
    return true;
}

static bool write_all(int fd, const struct str *parts, size_t n_parts)
{
    for (size_t from = 0; from < n_parts; from += PARTS_MAX) {
        struct iovec list[PARTS_MAX];
        size_t n = MIN(n_parts - from, (size_t)PARTS_MAX);
        for (size_t i = 0; i < n; i++) {
            const char *at = parts[from + i].at;
            memcpy(&list[i].iov_base, &at, sizeof at);
            list[i].iov_len = parts[from + i].n;
        }
        if (!write_parts(fd, list, (int)n))
            return false;
    }
    return true;
}

bool scratch_put(const struct scratch *s, const char *name, const struct str *parts, size_t n_parts,
                 struct err *e)
{
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
    int fd = fault_hit("open") ? -1 : openat(s->dir_fd, name, flags, 0600);
    if (fd < 0)
        return err_errno(e, ERR_IO, "%s/%s: cannot create", s->path, name);
    /* Refused in a sandbox, where no other user reads the file. */
    bool readable = fchmod(fd, 0644) == 0 || errno == EPERM;
    bool ok = (readable && write_all(fd, parts, n_parts)) ||
              err_errno(e, ERR_IO, "%s/%s: cannot write", s->path, name);
    close(fd);
    return ok;
}

/* Is the error the machine's? Errors that a process with access to the folder can cause are bad
 * data. */
static bool is_of_machine(void)
{
    return errno == EIO || errno == EMFILE || errno == ENFILE || errno == ENOMEM;
}

/* Reads n bytes. false with errno 0: the file has less. */
static bool read_whole(int fd, size_t n, char *to)
{
    for (size_t done = 0; done < n;) {
        errno = 0;
        ssize_t got = fault_hit("read") ? -1 : read(fd, to + done, n - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

bool scratch_get(const struct scratch *s, const char *name, size_t max_bytes, struct arena *a,
                 struct str *out, struct err *e)
{
    struct stat st;
    int fd = fault_hit("open")
                 ? -1
                 : openat(s->dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return err_errno(e, is_of_machine() ? ERR_IO : ERR_DATA, "%s/%s: cannot open", s->path,
                         name);
    bool ok = false;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        err_set(e, ERR_DATA, "%s/%s: no regular file", s->path, name);
    } else if ((uint64_t)st.st_size > max_bytes) {
        err_set(e, ERR_DATA, "%s/%s: %lld bytes, at most %zu are read", s->path, name,
                (long long)st.st_size, max_bytes);
    } else {
        char *bytes = arena_alloc(a, (size_t)st.st_size + 1);
        ok = read_whole(fd, (size_t)st.st_size, bytes) ||
             err_set(e, is_of_machine() ? ERR_IO : ERR_DATA, "%s/%s: cannot read all of it",
                     s->path, name);
        *out = (struct str){bytes, (size_t)st.st_size};
    }
    close(fd);
    return ok;
}

void scratch_remove(const struct scratch *s, const char *name)
{
    if (!fault_hit("unlink"))
        unlinkat(s->dir_fd, name, 0);
}

void scratch_remove_dir(const struct scratch *s, const char *name)
{
    struct arena a;
    struct err ignored;
    arena_init(&a);
    if (!file_remove_tree_at(s->dir_fd, name, &ignored))
        err_clear(&ignored);
    arena_done(&a);
}

void scratch_list(const struct scratch *s, struct arena *a, struct file_list *out)
{
    struct err ignored;
    if (!file_list_at(s->dir_fd, a, out, &ignored))
        *out = (struct file_list){0};
}

struct sum {
    uint64_t n;
};

static bool add_size(void *ctx, const char *path, struct err *e)
{
    struct stat st;
    (void)e;
    if (lstat(path, &st) == 0)
        ((struct sum *)ctx)->n += (uint64_t)st.st_blocks * 512;
    return true;
}

uint64_t scratch_n_bytes(const struct scratch *s)
{
    struct sum sum = {0};
    struct err ignored;
    const struct file_walk walk = {.visit = add_size, .ctx = &sum};
    if (!file_walk_tree(s->path, &walk, &ignored))
        err_clear(&ignored);
    return sum.n;
}

static bool is_listed(const struct file_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->names[i], name) == 0)
            return true;
    return false;
}

void scratch_remove_others(const struct scratch *s, const struct file_list *kept)
{
    struct arena a;
    struct file_list now;
    arena_init(&a);
    scratch_list(s, &a, &now);
    for (size_t i = 0; i < now.n; i++)
        if (!is_listed(kept, now.names[i]))
            scratch_remove_dir(s, now.names[i]);
    arena_done(&a);
}
