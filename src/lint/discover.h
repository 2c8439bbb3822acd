/*
 * Which files are checked: paths as given, folders walked, exclusions and .gitignore honoured.
 *
 *     struct discovered found;
 *     if (!discover_files(paths, n, &options, arena, &found, e)) ...
 *
 * A folder gives its .py, .pyw and .ipynb files in sorted order. A file named by the user is taken
 * whatever its ending (unless force_exclude), and one that cannot be read is listed as a problem.
 */
#ifndef LINT_DISCOVER_H
#define LINT_DISCOVER_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct discover_options {
    const char *const *exclude; /* NULL: the built-in list */
    size_t n_exclude;
    const char *const *extend_exclude;
    size_t n_extend_exclude;
    bool force_exclude, no_gitignore;
};

struct discovered_file {
    const char *path; /* as shown and opened */
    const char *root; /* the folder or file given that led to it */
    bool was_named;   /* by the user */
    bool is_missing;
};

struct discovered {
    VEC(struct discovered_file) files;
};

bool discover_files(const char *const *paths, size_t n_paths, const struct discover_options *o,
                    struct arena *a, struct discovered *out, struct err *e);

const char *const *discover_default_excludes(size_t *n);

#endif
