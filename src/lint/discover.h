/*
 * Which files are checked: paths as given, folders walked, exclusions and .gitignore honoured.
 *
 *     struct discovered found;
 *     if (!discover_files(paths, n, &options, arena, &found, e)) ...
 *
 * A folder gives its .py, .pyw and .ipynb files in sorted order; links to folders are not followed.
 * A file named by the user is taken whatever its ending (unless force_exclude), and one that cannot
 * be read is listed as a problem. Paths are normalised, and each file is listed once.
 */
#ifndef LINT_DISCOVER_H
#define LINT_DISCOVER_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "lint/select.h"

/* What one folder leaves out. */
struct discover_excludes {
    const char *folder;              /* absolute: the folder of the settings; NULL: none */
    const struct path_glob *exclude; /* NULL: the built-in list */
    size_t n_exclude;
    const struct path_glob *extend_exclude;
    size_t n_extend_exclude;
    size_t number; /* of the settings, chosen by the caller: copied to the folder's files */
};

struct discover_options {
    /* The excludes in force in a folder (absolute), borrowed; NULL: the built-in list everywhere.
     */
    bool (*excludes_in)(void *ctx, const char *folder, const struct discover_excludes **out,
                        struct err *e);
    void *ctx;
    bool force_exclude, no_gitignore;
    /* Ends the walk after one file more, or twenty times as many entries; 0: no bound. */
    size_t max_files;
};

struct discovered_file {
    const char *path; /* as shown and opened */
    const char *root; /* the folder or file given that led to it */
    bool was_named;   /* by the user */
    bool is_missing;
    size_t settings; /* discover_excludes.number of its folder */
};

struct discovered {
    VEC(struct discovered_file) files;
};

bool discover_files(const char *const *paths, size_t n_paths, const struct discover_options *o,
                    struct arena *a, struct discovered *out, struct err *e);

/* Would force_exclude leave out a file of that name? *number: that of the excludes in force
 * there. */
bool discover_is_excluded(const char *path, const struct discover_options *o, struct arena *a,
                          bool *is_excluded_too, size_t *number, struct err *e);

const char *const *discover_default_excludes(size_t *n);

#endif
