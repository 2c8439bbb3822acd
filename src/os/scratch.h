/*
 * struct scratch: a folder of short-lived files between a pilot and its workers, in memory
 * (/dev/shm) where there is room, and removed at the end. Nothing is synced: what is here is worth
 * nothing after a crash, and a later scratch_open removes what a killed process left behind.
 *
 *     struct scratch *s;
 *     scratch_open(&s, e);
 *     scratch_put(s, "7/model.onnx", &bytes, 1, e);
 *     scratch_get(s, "7/out.bin", MAX, arena, &bytes, e);
 *     scratch_close(s);
 *
 * Reading trusts nothing: links are refused, and bytes are copied, for a hostile writer could cut a
 * mapped file short.
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
/* A folder that somebody else opened (the worker's side): nothing is removed at the end. */
bool scratch_attach(const char *path, struct scratch **out, struct err *e);
/* A folder by its descriptor, which the result takes; path is its name for others. */
bool scratch_adopt(int dir_fd, const char *path, struct scratch **out, struct err *e);
/* A folder in s, whoever may have taken its name since it was made. */
bool scratch_attach_dir(const struct scratch *s, const char *name, struct scratch **out,
                        struct err *e);
void scratch_close(struct scratch *s); /* NULL is allowed */

const char *scratch_path(const struct scratch *s);

/* Names are relative, their folders made by scratch_make_dir. */
bool scratch_make_dir(const struct scratch *s, const char *name, struct err *e);
/* Gives a folder in s to another user; scratch_let_pass lets others pass through s, not list it. */
bool scratch_give_dir(const struct scratch *s, const char *name, uint32_t uid, uint32_t gid,
                      struct err *e);
bool scratch_let_pass(const struct scratch *s, struct err *e);
/* The parts, one after the other, as the file's whole content. */
bool scratch_put(const struct scratch *s, const char *name, const struct str *parts, size_t n_parts,
                 struct err *e);
/* ERR_DATA when it is missing, no regular file, or above max_bytes; ERR_IO: trouble that no writer
 * of the file can make. */
bool scratch_get(const struct scratch *s, const char *name, size_t max_bytes, struct arena *a,
                 struct str *out, struct err *e);
void scratch_remove(const struct scratch *s, const char *name);     /* a file; missing is fine */
void scratch_remove_dir(const struct scratch *s, const char *name); /* with all that is in it */

/* Of all files in it and below; links are not followed. */
uint64_t scratch_n_bytes(const struct scratch *s);

/* What is in it now, and removing everything else later. */
void scratch_list(const struct scratch *s, struct arena *a, struct file_list *out);
void scratch_remove_others(const struct scratch *s, const struct file_list *kept);

#endif
