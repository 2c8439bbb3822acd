/* Whole-file functions over POSIX; each failure names the path. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/path.h"
#include "base/vec.h"

struct file_info file_stat(const char *path)
{
    struct stat st;
    struct file_info info = {.kind = FILE_MISSING};
    if (stat(path, &st) != 0)
        return info;
    info.kind = S_ISREG(st.st_mode)   ? FILE_REGULAR
                : S_ISDIR(st.st_mode) ? FILE_DIRECTORY
                                      : FILE_OTHER;
    info.size = (uint64_t)st.st_size;
    info.device = (uint64_t)st.st_dev;
    info.inode = (uint64_t)st.st_ino;
    info.n_names = (uint64_t)st.st_nlink;
    info.modified_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    return info;
}

bool file_is_link(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* A missing file or one that may not be read is bad input; other failures are the machine's. */
static enum err_code code_of_missing(void)
{
    return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP ||
                   errno == ENAMETOOLONG
               ? ERR_DATA
               : ERR_IO;
}

static bool is_stdin(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Without O_NONBLOCK, opening a pipe would wait until another process writes to it. */
static bool open_to_read(const char *path, int *fd, struct err *e)
{
    if (is_stdin(path)) {
        *fd = dup(STDIN_FILENO);
    } else {
        *fd = fault_hit("open") ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    }
    return *fd >= 0 || err_errno(e, code_of_missing(), "%s: cannot open", path);
}

static bool read_all(int fd, const char *path, size_t max_bytes, struct strbuf *buffer,
                     struct err *e)
{
    char chunk[1 << 16];
    for (;;) {
        ssize_t got = fault_hit("read") ? -1 : read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_errno(e, ERR_IO, "%s: cannot read", path);
        if (got == 0)
            return true;
        if ((size_t)got > max_bytes - buffer->n)
            return err_set(e, ERR_LIMIT, "%s: over %zu bytes, the most that is read", path,
                           max_bytes);
        strbuf_add(buffer, chunk, (size_t)got);
    }
}

/* Reads a regular file straight into the arena, since its size is known. */
static bool read_sized(int fd, const char *path, size_t size, struct arena *a, struct str *out,
                       struct err *e)
{
    char *bytes = arena_alloc(a, size + 1);
    size_t n = 0;
    while (n < size) {
        ssize_t got = fault_hit("read") ? -1 : read(fd, bytes + n, size - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_errno(e, ERR_IO, "%s: cannot read", path);
        if (got == 0)
            break;
        n += (size_t)got;
    }
    *out = (struct str){bytes, n};
    return true;
}

bool file_read(const char *path, size_t max_bytes, struct arena *a, struct str *out, struct err *e)
{
    int fd;
    struct stat st;
    if (!open_to_read(path, &fd, e))
        return false;
    bool ok;
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        ok = err_set(e, ERR_DATA, "%s: is a folder, a file is expected", path);
    } else if (!is_stdin(path) && !S_ISREG(st.st_mode)) {
        ok = err_set(e, ERR_DATA, "%s: is a pipe, socket or device, a file is expected", path);
    } else if (S_ISREG(st.st_mode) && st.st_size > 0) {
        ok = (uint64_t)st.st_size <= max_bytes
                 ? read_sized(fd, path, (size_t)st.st_size, a, out, e)
                 : err_set(e, ERR_LIMIT, "%s: %lld bytes, at most %zu are read", path,
                           (long long)st.st_size, max_bytes);
    } else {
        struct strbuf buffer = {0};
        ok = read_all(fd, path, max_bytes, &buffer, e);
        if (ok)
            *out = strbuf_dup(&buffer, a);
        strbuf_done(&buffer);
    }
    close(fd);
    return ok;
}

struct mapping {
    void *at;
    size_t n;
};

static void unmap(void *ctx)
{
    struct mapping *m = ctx;
    munmap(m->at, m->n);
}

bool file_map(const char *path, size_t max_bytes, struct arena *a, struct str *out, struct err *e)
{
    int fd;
    struct stat st;
    if (!open_to_read(path, &fd, e))
        return false;
    bool ok = false;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        err_set(e, ERR_DATA, "%s: is a folder, pipe, socket or device, a file is expected", path);
    } else if ((uint64_t)st.st_size > max_bytes) {
        err_set(e, ERR_LIMIT, "%s: %lld bytes, at most %zu are read", path, (long long)st.st_size,
                max_bytes);
    } else if (st.st_size == 0) {
        *out = STR("");
        ok = true;
    } else {
        struct mapping m = {NULL, (size_t)st.st_size};
        m.at = fault_hit("mmap") ? MAP_FAILED : mmap(NULL, m.n, PROT_READ, MAP_PRIVATE, fd, 0);
        ok = m.at != MAP_FAILED || err_errno(e, ERR_IO, "%s: cannot map", path);
        if (ok) {
            arena_on_done(a, unmap, arena_dup(a, &m, sizeof m));
            *out = (struct str){m.at, m.n};
        }
    }
    close(fd);
    return ok;
}

static bool write_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n) {
        ssize_t put = fault_hit("write") ? -1 : write(fd, at, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        at += put;
        n -= (size_t)put;
    }
    return true;
}

bool file_write(const char *path, const void *bytes, size_t n, struct err *e)
{
    struct strbuf temp = {0};
    strbuf_printf(&temp, "%s.XXXXXX", path);
    int fd = fault_hit("open") ? -1 : mkstemp(temp.at);
    bool ok = fd >= 0 || err_errno(e, ERR_IO, "%s: cannot create a file there", path);
    if (fd >= 0) {
        struct stat old;
        mode_t mode = stat(path, &old) == 0 ? old.st_mode & 07777 : 0644;
        ok = (write_all(fd, bytes, n) && fchmod(fd, mode) == 0 && !fault_hit("fsync") &&
              fsync(fd) == 0) ||
             err_errno(e, ERR_IO, "%s: cannot write", path);
        close(fd);
        if (ok && (fault_hit("rename") || rename(temp.at, path) != 0))
            ok = err_errno(e, ERR_IO, "%s: cannot rename the new file into place", path);
        if (!ok)
            unlink(temp.at);
    }
    strbuf_done(&temp);
    return ok;
}

bool file_link(const char *from, const char *to, struct err *e)
{
    return link(from, to) == 0 || errno == EEXIST ||
           err_errno(e, ERR_IO, "%s: cannot be linked to %s", from, to);
}

bool file_rename(const char *from, const char *to, struct err *e)
{
    return (!fault_hit("rename") && rename(from, to) == 0) ||
           err_errno(e, ERR_IO, "%s: cannot rename it to %s", from, to);
}

bool file_append(const char *path, const void *bytes, size_t n, struct err *e)
{
    int fd = fault_hit("open") ? -1 : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        return err_errno(e, ERR_IO, "%s: cannot open to add to it", path);
    bool ok = write_all(fd, bytes, n) || err_errno(e, ERR_IO, "%s: cannot write", path);
    close(fd);
    return ok;
}

bool file_make_dirs(const char *path, struct err *e)
{
    char partial[PATH_MAX];
    size_t n = strlen(path);
    if (n >= sizeof partial)
        return err_set(e, ERR_IO, "%s: path too long", path);
    memcpy(partial, path, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (partial[i] != '/' && partial[i] != '\0')
            continue;
        char kept = partial[i];
        partial[i] = '\0';
        if ((fault_hit("mkdir") || mkdir(partial, 0755) != 0) && errno != EEXIST)
            return err_errno(e, ERR_IO, "%s: cannot make the folder", partial);
        partial[i] = kept;
    }
    if (file_stat(path).kind != FILE_DIRECTORY)
        return err_set(e, ERR_IO, "%s: a folder is expected, something else is there", path);
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The next entry; NULL with errno 0: the end; NULL with another errno: it cannot be read. */
static const struct dirent *next_entry(DIR *dir)
{
    errno = 0;
    return fault_hit("readdir") ? NULL : readdir(dir);
}

bool file_list_dir(const char *path, struct arena *a, struct file_list *out, struct err *e)
{
    DIR *dir = fault_hit("open") ? NULL : opendir(path);
    if (!dir)
        return err_errno(e, code_of_missing(), "%s: cannot list", path);
    VEC(const char *) names = {0};
    for (const struct dirent *entry; (entry = next_entry(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            vec_push(&names, a, arena_strdup(a, entry->d_name));
    bool ok = errno == 0 || err_errno(e, ERR_IO, "%s: cannot read the folder", path);
    closedir(dir);
    if (!ok)
        return false;
    if (names.n)
        qsort(names.at, names.n, sizeof *names.at, compare_names);
    *out = (struct file_list){names.at, names.n};
    return true;
}

/* Folders still to visit are a stack in the arena: a deep tree makes no deep calls. */
bool file_walk_tree(const char *root, const struct file_walk *walk, struct err *e)
{
    struct arena a;
    VEC(const char *) open = {0};
    bool ok = true;
    arena_init(&a);
    vec_push(&open, &a, root);
    while (ok && open.n) {
        const char *path = vec_pop(&open);
        struct stat st;
        if (lstat(path, &st) != 0 ||
            (S_ISLNK(st.st_mode) && stat(path, &st) == 0 && S_ISDIR(st.st_mode) && path != root))
            continue;
        if (S_ISREG(st.st_mode)) {
            ok = walk->visit(walk->ctx, path, e);
            continue;
        }
        struct file_list list;
        if (path != root &&
            (!S_ISDIR(st.st_mode) || (walk->enter && !walk->enter(walk->ctx, path))))
            continue;
        ok = file_list_dir(path, &a, &list, e);
        for (size_t i = ok ? list.n : 0; i > 0; i--)
            vec_push(&open, &a, path_join(&a, path, list.names[i - 1]));
    }
    arena_done(&a);
    return ok;
}

bool file_copy(const char *from, const char *to, struct err *e)
{
    struct arena a;
    struct str bytes;
    arena_init(&a);
    bool ok = file_map(from, SIZE_MAX, &a, &bytes, e) && file_write(to, bytes.at, bytes.n, e);
    arena_done(&a);
    return ok;
}

bool file_make_temp_dir(struct arena *a, const char *prefix, const char **out, struct err *e)
{
    const char *base = getenv("TMPDIR");
    char *path = arena_printf(a, "%s/%s-XXXXXX", base && base[0] ? base : "/tmp", prefix);
    if (fault_hit("mkdir") || !mkdtemp(path))
        return err_errno(e, ERR_IO, "%s: cannot make a temporary folder", path);
    *out = path;
    return true;
}

bool file_real_path(const char *path, struct arena *a, const char **out, struct err *e)
{
    char *real = realpath(path, NULL);
    if (!real)
        return err_errno(e, ERR_IO, "%s: no such path", path);
    *out = arena_strdup(a, real);
    free(real);
    return true;
}

bool file_current_dir(struct arena *a, const char **out, struct err *e)
{
    char path[PATH_MAX];
    if (!getcwd(path, sizeof path))
        return err_errno(e, ERR_IO, "cannot tell the current folder");
    *out = arena_strdup(a, path);
    return true;
}

bool file_absolute(struct arena *a, const char *path, const char **out, struct err *e)
{
    const char *here;
    if (!file_current_dir(a, &here, e))
        return false;
    *out = path_absolute(a, here, path);
    return true;
}
