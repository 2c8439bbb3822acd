/* Paths as text: nothing here touches the file system (see file.h). Results live in the arena. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

char *path_join(struct arena *a, const char *dir, const char *name); /* absolute name wins */
struct str path_base(struct str path);                               /* "a/b.onnx" -> "b.onnx" */
struct str path_dir(struct str path);                                /* "a/b" -> "a"; "b" -> "." */
struct str path_extension(struct str path); /* "a/b.onnx" -> ".onnx", or "" */

/* The path without ".", "..", double and trailing slashes, by its text alone. */
char *path_normalise(struct arena *a, struct str path);

/* Makes a path that is relative to the absolute `folder` absolute and normalises it. */
char *path_absolute(struct arena *a, const char *folder, const char *path);

/* Length of the components with which both begin: 2 for "/a/b/c" and "/a/d". */
size_t path_common(struct str a, struct str b);

/* Is the path relative without leading upwards: safe to open inside a given folder? */
bool path_is_inside(struct str path);

/* Makes a name one path component that every file system allows: bytes other than letters, digits,
 * '.', '-', '_' and a leading '.' become %XX. path_decode_name reverses it (false: no such name).
 */
char *path_encode_name(struct arena *a, struct str name);
bool path_decode_name(struct arena *a, struct str encoded, struct str *out);

#endif
