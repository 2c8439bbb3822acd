/*
 * What a file must contain for a check to find anything in it: words, and the roles, types and
 * traits that the API data give those words. Derived when the rule is compiled and tested before
 * anything is analysed, so that a file or function in which no rule can fire costs only a look at
 * its words. A prefilter never decides that something is found.
 */
#ifndef LINT_PREFILTER_P_H
#define LINT_PREFILTER_P_H

#include "lint/predicate_p.h"

/* A disjunction: any one of these is enough. All zero: it always holds. */
struct prefilter_clause {
    const uint32_t *words; /* identifiers */
    size_t n_words;
    uint64_t roles, traits;
    uint32_t types, facts;
};

/* What must hold for one check: for the file all clauses; for the function with its first event all
 * roles, one of the names, and a region if the event runs in one. */
struct prefilter {
    const struct prefilter_clause *file;
    size_t n_file;
    uint64_t scope_roles[4];
    size_t n_scope_roles;
    const struct str *scope_like;
    size_t n_scope_like;
    bool needs_region; /* the first event runs in a region of its function */
};

/* What the API data say of a word in any place. */
struct word_facts {
    uint64_t roles, traits;
    uint32_t makes;     /* types */
    uint32_t receivers; /* types that have a method of this name as evidence */
};

/* Adds the words of which a file that means the path contains one ("torch.load", "torch.optim.*");
 * false: none is needed. */
bool prefilter__add_path(struct compile *c, struct prefilter_clause *n, struct str path);
bool prefilter__clause_holds(const struct lint_file *f, const struct prefilter_clause *n);

/* Derives the clauses from the list of a check's "find". */
void prefilter__compile(struct compile *c, const struct json *find, bool unknown_is_silent,
                        struct prefilter *out);

/* Makes the table of words, once all rules are compiled. */
void prefilter__index_words(struct rule_set *s);

/* Makes the facts of the words of one file, once for the file. */
void prefilter__index_file(struct lint_file *f);

bool prefilter__file_passes(const struct lint_file *f, const struct prefilter *n);
bool prefilter__scope_passes(struct match *m, const struct prefilter *n, uint32_t scope);

#endif
