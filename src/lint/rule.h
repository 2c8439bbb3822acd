/*
 * struct rule_set: the rules and what they know about APIs, compiled once per process from
 * share/rules/ and from folders the user names.
 *
 *     struct rule_set *set;
 *     if (!rule_set_new(&(struct rule_set_options){.dirs = dirs, .n_dirs = 1}, &set, e)) ...
 *     const struct rule *r = rule_find(set, STR("SB032"));
 *     rule_set_free(set);
 *
 * A rule is data: its texts, its defaults, and checks in the language of docs/rules/language.md.
 * No C code knows what a rule looks for. A wrong rule file is refused with file and line
 * (ERR_DATA).
 */
#ifndef LINT_RULE_H
#define LINT_RULE_H

#include "base/err.h"
#include "base/vec.h"
#include "lint/finding.h"
#include "python/types.h"

struct rule_set;

struct rule {
    struct str code, name;
    uint32_t pattern; /* of the published study, 1-14; 0: none of them */
    enum severity severity;
    bool is_default; /* runs when nothing is selected */
    struct str summary, explanation, fix, why_off;
    const struct str *bad, *good; /* example programs */
    size_t n_bad, n_good;
    const struct str *supersedes; /* codes whose findings on the same expression it replaces */
    size_t n_supersedes;
    struct str file;            /* its rule file */
    const struct check *checks; /* compiled; private to lint */
    size_t n_checks;
    bool is_per_call;     /* one call with given flags shows the bug */
    bool is_builtin_code; /* SB9xx: made by the program, not by a check */
};

struct rule_set_options {
    const char *const *dirs; /* folders with more rules */
    size_t n_dirs;
    bool only_dirs; /* leave the built-in rules out (API data and guards stay) */
};

bool rule_set_new(const struct rule_set_options *o, struct rule_set **out, struct err *e);
void rule_set_free(struct rule_set *s); /* NULL is allowed */

const struct rule *rule_list(const struct rule_set *s, size_t *n); /* by code */
const struct rule *rule_find(const struct rule_set *s, struct str code);

/* The documentation page of a rule in Markdown; rule_explain: as `assay rule CODE` prints it. */
void rule_page(const struct rule *r, struct strbuf *out);
void rule_explain(const struct rule *r, struct strbuf *out);

/* Changes when any rule, guard or API fact changes: part of a cache key. */
uint64_t rule_set_hash(const struct rule_set *s);

#endif
