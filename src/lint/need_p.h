/*
 * What a file must hold for a check to find anything in it: words that stand in it, and roles,
 * types and traits that the API data give those words. Worked out from the rule when it is
 * compiled; asked before anything is analysed, so that a file or function in which no rule can fire
 * costs a look at its words. A need never decides that something is found.
 */
#ifndef LINT_NEED_P_H
#define LINT_NEED_P_H

#include "lint/form_p.h"

/* Any one of these is enough. All zero: nothing is known to be needed. */
struct need {
    const uint32_t *words; /* identifiers */
    size_t n_words;
    uint64_t roles, traits;
    uint32_t types, facts;
};

/* What must hold for one check: all needs of the file; and of the function in which its first event
 * stands all roles, and one of the names. */
struct check_needs {
    const struct need *file;
    size_t n_file;
    uint64_t scope_roles[4];
    size_t n_scope_roles;
    const struct str *scope_like;
    size_t n_scope_like;
};

/* What the API data say of a word, wherever it stands. */
struct word_facts {
    uint64_t roles, traits;
    uint32_t makes;     /* types */
    uint32_t receivers; /* types with a method of this name that speaks for them */
};

/* The words of which one stands in a file that means the path ("torch.load", "torch.optim.*");
 * false: none is needed. */
bool need__path(struct compile *c, struct need *n, struct str path);
bool need__holds(const struct lint_file *f, const struct need *n);

/* Reads the needs off the list of a check's "find". */
void need__compile(struct compile *c, const struct json *find, bool unknown_is_silent,
                   struct check_needs *out);

/* The table of words, when all rules are compiled. */
void need__index_words(struct rule_set *s);

/* The facts of the words of one file: made once for it. */
void need__index_file(struct lint_file *f);

bool need__file_has(const struct lint_file *f, const struct check_needs *n);
bool need__scope_has(struct match *m, const struct check_needs *n, uint32_t scope);

#endif
