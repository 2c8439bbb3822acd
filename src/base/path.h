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

/* Without ".", "..", double and trailing slashes, by text alone. */
char *path_normalise(struct arena *a, struct str path);

/* The same of a path that counts from the folder, which is absolute. */
char *path_absolute(struct arena *a, const char *folder, const char *path);

/* Bytes of the components that both begin with: 2 of "/a/b/c" and "/a/d". */
size_t path_common(struct str a, struct str b);

/* Relative, and stays below its start after normalising: safe to open inside a given folder. */
bool path_is_inside(struct str path);

/* A name that is one path component on every file system: other bytes than letters, digits, '.',
 * '-', '_' become %XX, a leading '.' too. Reversible by path_decode_name (false: not such a name).
 */
char *path_encode_name(struct arena *a, struct str name);
bool path_decode_name(struct arena *a, struct str encoded, struct str *out);

#endif
