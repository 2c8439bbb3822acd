/*
 * struct selection: which rules run where, from prefixes of codes ("SB", "SB03", "SB031", "ALL").
 *
 *     if (!selection_new(rules, &choice, arena, &selection, e)) ...   // an unknown code: ERR_USAGE
 *     if (selection_has(selection, rule_index, path)) ...
 *
 * Longer prefixes win over shorter ones; of two of the same length ignore wins, as in ruff.
 */
#ifndef LINT_SELECT_H
#define LINT_SELECT_H

#include "lint/rule.h"

struct code_list {
    const char *const *at;
    size_t n;
};

/* A glob and the folder of the settings it is from: it matches paths relative to that folder, and
 * names of files and folders anywhere. */
struct path_glob {
    const char *folder; /* absolute */
    struct str pattern;
};

struct path_ignore {
    struct path_glob glob;
    struct code_list codes;
};

struct choice {
    struct code_list select, ignore, extend_select; /* select empty: the defaults */
    struct code_list fixable, unfixable;            /* fixable empty: all */
    const struct path_ignore *per_file;
    size_t n_per_file;
    const char *folder; /* absolute: paths of per_file are relative to it; needed with per_file */
};

struct selection;

bool selection_new(const struct rule_set *rules, const struct choice *c, struct arena *a,
                   struct selection **out, struct err *e);
bool selection_has(const struct selection *s, const struct rule *r); /* has it for any file */
bool selection_has_in(const struct selection *s, const struct rule *r, struct str path);
bool selection_can_fix(const struct selection *s, const struct rule *r);

/* folder: absolute; the text may lead out of it ("../x", "/x"). ERR_USAGE: a '[' is not closed. */
bool path_glob_new(const char *folder, const char *text, struct arena *a, struct path_glob *out,
                   struct err *e);
/* path: absolute and normalised. */
bool path_glob_fits(const struct path_glob *g, struct str path);

/* Globs as in .gitignore: '*' within a component, '**' across, '?', [set]. */
bool glob_matches(struct str pattern, struct str text);

#endif
