/*
 * Files: whole reads with a stated maximum, atomic writes, listings. Only this and clock.h make
 * system calls outside os/. Messages name the file.
 *
 *     struct str text;
 *     if (!file_read(path, 16 << 20, arena, &text, e))
 *         return false;
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum file_kind { FILE_MISSING, FILE_REGULAR, FILE_DIRECTORY, FILE_OTHER };

struct file_info {
    enum file_kind kind;
    uint64_t size;
    int64_t modified_ns;    /* wall clock */
    uint64_t device, inode; /* identify the file, whatever its name */
    uint64_t n_names;       /* hard links */
};

/* Follows links. FILE_MISSING is no error; a file that may not be looked at is missing too. */
struct file_info file_stat(const char *path);

bool file_is_link(const char *path); /* a symbolic link, wherever it leads */

/* The whole file, followed by a NUL. ERR_DATA: there is no such file, or it may not be read;
 * ERR_LIMIT: it is larger than max_bytes; else ERR_IO. "-" is standard input. */
bool file_read(const char *path, size_t max_bytes, struct arena *a, struct str *out, struct err *e);

/* Maps the file read-only until the arena is done; an empty file gives n == 0. */
bool file_map(const char *path, size_t max_bytes, struct arena *a, struct str *out, struct err *e);

/* Writes a temporary file beside the target, syncs and renames it: readers see the old file or the
 * new one. Keeps the mode of an old file. */
bool file_write(const char *path, const void *bytes, size_t n, struct err *e);

/* Appends to the file or creates it, by one write call, so lines of parallel writers stay whole. */
bool file_append(const char *path, const void *bytes, size_t n, struct err *e);

/* Renames a file; an existing `to` is replaced. */
bool file_rename(const char *from, const char *to, struct err *e);

/* Gives the file a second name on the same file system; an existing `to` stays as it is. */
bool file_link(const char *from, const char *to, struct err *e);

bool file_make_dirs(const char *path, struct err *e); /* like mkdir -p */
/* Never follows links nor leaves the file system; success if the tree is missing. A process that
 * changes the tree meanwhile can make it fail, but not make it remove anything outside. */
bool file_remove_tree(const char *path, struct err *e);
bool file_remove_tree_at(int dir_fd, const char *name, struct err *e);
bool file_copy(const char *from, const char *to, struct err *e);
bool file_make_temp_dir(struct arena *a, const char *prefix, const char **out,
                        struct err *e); /* under $TMPDIR */

struct file_list {
    const char **names; /* sorted by bytes; without "." and ".." */
    size_t n;
};
bool file_list_dir(const char *path, struct arena *a, struct file_list *out, struct err *e);

bool file_list_at(int dir_fd, struct arena *a, struct file_list *out, struct err *e);

/* Calls visit for each regular file below root in sorted order; visit_dir decides whether to enter
 * a folder (NULL: always). Links to folders are not followed. visit returning false stops the walk
 * with its error. */
struct file_walk {
    bool (*visit)(void *ctx, const char *path, struct err *e);
    bool (*enter)(void *ctx, const char *dir);
    void *ctx;
};
bool file_walk_tree(const char *root, const struct file_walk *walk, struct err *e);

/* The real path (links resolved), or false when it does not exist. */
bool file_real_path(const char *path, struct arena *a, const char **out, struct err *e);

bool file_current_dir(struct arena *a, const char **out, struct err *e);

/* The path from the root, by the current folder; links stay, and the path need not exist. */
bool file_absolute(struct arena *a, const char *path, const char **out, struct err *e);

/* Maps a file of n bytes, which is made if it is missing, as memory shared by all processes that
 * map it; NULL when that fails. For the counts of base/fault.h, so no fault is injected here. */
void *file_map_shared(const char *path, size_t n);

#endif
