/*
 * Removes a tree that other processes may have filled and may change meanwhile: all names are
 * relative to a descriptor and no link is followed, so all that is removed is in the folder that
 * was opened. A deep tree needs neither stack nor descriptors: nested folders are moved up to the
 * top folder until none is left.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/file.h"
#include "base/vec.h"

struct removal {
    int top;
    dev_t device;
    unsigned n_moved; /* folders moved up so far: part of their names */
    struct err *e;
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool file_list_at(int dir_fd, struct arena *a, struct file_list *out, struct err *e)
{
    int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    VEC(const char *) names = {0};
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return err_errno(e, ERR_IO, "a folder cannot be listed");
    }
    for (errno = 0; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            vec_push(&names, a, arena_strdup(a, entry->d_name));
    bool ok = errno == 0 || err_errno(e, ERR_IO, "a folder cannot be read");
    closedir(dir);
    if (names.n)
        qsort(names.at, names.n, sizeof *names.at, compare_names);
    *out = (struct file_list){names.at, names.n};
    return ok;
}

/* Opens a folder; one whose owner has no right to read it gets that right first. */
static int open_folder(int dir_fd, const char *name)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = fault_hit("open") ? -1 : openat(dir_fd, name, flags);
    if (fd >= 0 || errno != EACCES || fchmodat(dir_fd, name, 0700, 0) != 0)
        return fd;
    return openat(dir_fd, name, flags);
}

/* true: the file is gone or was never there. false with EISDIR: it is a folder. */
static bool remove_file(int dir_fd, const char *name)
{
    if (!fault_hit("unlink") && unlinkat(dir_fd, name, 0) == 0)
        return true;
    struct stat st;
    if (errno == EPERM && fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISDIR(st.st_mode))
        errno = EISDIR;
    return errno == ENOENT;
}

static bool move_up(struct removal *r, int from, const char *name)
{
    char moved[32];
    do
        snprintf(moved, sizeof moved, "removed-%u", r->n_moved++);
    while (faccessat(r->top, moved, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
    return renameat(from, name, r->top, moved) == 0 ||
           (errno == EACCES && fchmodat(from, name, 0700, 0) == 0 &&
            renameat(from, name, r->top, moved) == 0);
}

static bool say(const struct removal *r, const char *name)
{
    return err_errno(r->e, ERR_IO, "%s: cannot remove", name);
}

static bool empty_into_top(struct removal *r, int fd, const char *folder)
{
    struct arena a;
    struct file_list list;
    struct stat st;
    arena_init(&a);
    bool ok = (fstat(fd, &st) == 0 && st.st_dev == r->device) ||
              err_set(r->e, ERR_IO, "%s: cannot remove: another file system lies there", folder);
    ok = ok && file_list_at(fd, &a, &list, r->e);
    for (size_t i = 0; ok && i < list.n; i++)
        ok = remove_file(fd, list.names[i]) || (errno == EISDIR && move_up(r, fd, list.names[i])) ||
             say(r, list.names[i]);
    arena_done(&a);
    return ok;
}

/* Removes one entry of the top folder. */
static bool remove_entry(struct removal *r, const char *name)
{
    if (remove_file(r->top, name))
        return true;
    if (errno != EISDIR)
        return say(r, name);
    if (unlinkat(r->top, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
        return true;
    int fd = open_folder(r->top, name);
    if (fd < 0)
        return say(r, name);
    bool ok = empty_into_top(r, fd, name);
    close(fd);
    return ok && (unlinkat(r->top, name, AT_REMOVEDIR) == 0 || say(r, name));
}

static bool empty_top(struct removal *r)
{
    for (;;) {
        struct arena a;
        struct file_list list;
        arena_init(&a);
        bool ok = file_list_at(r->top, &a, &list, r->e);
        bool is_empty = ok && list.n == 0;
        for (size_t i = 0; ok && i < list.n; i++)
            ok = remove_entry(r, list.names[i]);
        arena_done(&a);
        if (!ok || is_empty)
            return ok;
    }
}

bool file_remove_tree_at(int dir_fd, const char *name, struct err *e)
{
    struct removal r = {.e = e};
    struct stat st;
    if (remove_file(dir_fd, name))
        return true;
    r.top = errno == EISDIR ? open_folder(dir_fd, name) : -1;
    if (r.top < 0 || fstat(r.top, &st) != 0)
        return say(&r, name);
    r.device = st.st_dev;
    bool ok = empty_top(&r);
    close(r.top);
    return ok && (unlinkat(dir_fd, name, AT_REMOVEDIR) == 0 || errno == ENOENT || say(&r, name));
}

bool file_remove_tree(const char *path, struct err *e)
{
    return file_remove_tree_at(AT_FDCWD, path, e);
}
