/*
 * The settings of lint per folder. A file has those of the nearest settings file above it, or those
 * of the working folder when there is none, as in ruff. --isolated and --config switch the search
 * off. Setups are numbered; files with the same number are linted as one project.
 *
 *     struct lint_folders f;
 *     lint_folders_init(&f, settings);
 *     if (!lint_folders_at(&f, "/home/a/project/src", &number, e)) ...
 *     use(f.setups.at[number]);
 *     lint_folders_done(&f);
 *
 * Everything lives in the arena of the settings, rule sets until lint_folders_done.
 */
#ifndef CLI_LINT_FOLDERS_H
#define CLI_LINT_FOLDERS_H

#include "base/map.h"
#include "base/vec.h"
#include "cli/lint_options.h"

/* Facts about one folder, without those above it. */
struct lint_folder {
    const struct settings *own; /* NULL: no settings file */
    bool is_project;            /* a pyproject.toml with [project] */
    uint32_t torch;             /* its PyTorch version; 0: it does not say */
};

struct lint_folders {
    const struct settings *s; /* of the working folder */
    VEC(struct lint_setup *) setups;
    struct map rows, numbers; /* absolute folder -> struct lint_folder *; -> number */
};

void lint_folders_init(struct lint_folders *f, const struct settings *s);
void lint_folders_done(struct lint_folders *f);
/* folder: absolute and normalised. */
bool lint_folders_at(struct lint_folders *f, const char *folder, size_t *number, struct err *e);
/* discover_options.excludes_in; ctx: struct lint_folders. */
bool lint_folders_excludes(void *ctx, const char *folder, const struct discover_excludes **out,
                           struct err *e);

#endif
