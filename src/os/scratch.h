/*
 * struct scratch: a folder of short-lived files between a pilot and its workers, in memory
 * (/dev/shm) where there is room, and removed at the end. Nothing is synced, since the files are of
 * no use after a crash; a later scratch_open removes the folders of killed processes.
 *
 *     struct scratch *s;
 *     scratch_open(&s, e);
 *     scratch_put(s, "7/model.onnx", &bytes, 1, e);
 *     scratch_get(s, "7/out.bin", MAX, arena, &bytes, e);
 *     scratch_close(s);
 *
 * Reading trusts nothing: links are refused, and bytes are copied, since a hostile writer could
 * truncate a mapped file.
 */
#ifndef OS_SCRATCH_H
#define OS_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"

struct scratch;

/* Where scratch_open makes its folders: /dev/shm with 256 MiB free, else $TMPDIR, else /tmp. */
const char *scratch_place(void);

bool scratch_open(struct scratch **out, struct err *e);
/* Opens a folder that another process has made (the worker's side) and will remove. */
bool scratch_attach(const char *path, struct scratch **out, struct err *e);
/* A folder by its descriptor, which the result owns; path is its name for other processes. */
bool scratch_adopt(int dir_fd, const char *path, struct scratch **out, struct err *e);
/* Opens a folder in s; a link that has taken its name since is refused. */
bool scratch_attach_dir(const struct scratch *s, const char *name, struct scratch **out,
                        struct err *e);
void scratch_close(struct scratch *s); /* NULL is allowed */

const char *scratch_path(const struct scratch *s);

/* Names are relative to s; folders in them are made by scratch_make_dir. */
bool scratch_make_dir(const struct scratch *s, const char *name, struct err *e);
/* Gives a folder in s to another user; scratch_let_pass lets others pass through s, not list it. */
bool scratch_give_dir(const struct scratch *s, const char *name, uint32_t uid, uint32_t gid,
                      struct err *e);
bool scratch_let_pass(const struct scratch *s, struct err *e);
/* Writes the parts, one after the other, as the file's whole content. */
bool scratch_put(const struct scratch *s, const char *name, const struct str *parts, size_t n_parts,
                 struct err *e);
/* Reads a file. ERR_DATA: it is missing, no regular file, or larger than max_bytes; ERR_IO: an
 * error of the machine, which no writer of the file can cause. */
bool scratch_get(const struct scratch *s, const char *name, size_t max_bytes, struct arena *a,
                 struct str *out, struct err *e);
void scratch_remove(const struct scratch *s, const char *name);     /* a file; missing is fine */
void scratch_remove_dir(const struct scratch *s, const char *name); /* with all that is in it */

/* The size of all files in it and below; links are not followed. */
uint64_t scratch_n_bytes(const struct scratch *s);

/* List what is in it now, and later remove all that is not in the list. */
void scratch_list(const struct scratch *s, struct arena *a, struct file_list *out);
void scratch_remove_others(const struct scratch *s, const struct file_list *kept);

#endif
