/* The rule set inside: words, paths and the API table that rules are compiled against. */
#ifndef LINT_RULE_P_H
#define LINT_RULE_P_H

#include "base/hash.h"
#include "lint/form_p.h"

struct rule_set {
    struct arena arena;
    struct py_parser *parser;
    struct paths *paths;
    struct api_table *api;
    VEC(struct rule) rules;
    struct hasher hasher;
    struct hash hash;
    size_t n_words, n_paths; /* kept between files */
    struct map guards;
    uint64_t *word_roles; /* by word below n_words: roles a call ending in it may have */
};

uint32_t rule_set__path(struct rule_set *s, struct str dotted);

/* share/rules/api: rows and conventional names into the table. */
bool api__load(struct rule_set *s, struct err *e);

#endif
