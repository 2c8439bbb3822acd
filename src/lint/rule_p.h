/* The rule set inside: words, paths and the API table that rules are compiled against. */
#ifndef LINT_RULE_P_H
#define LINT_RULE_P_H

#include "base/hash.h"
#include "lint/predicate_p.h"
#include "lint/prefilter_p.h"

/* An alias of an API: its last word, and the name that the table's row has. */
struct api_alias {
    uint32_t canonical, word;
};

struct rule_set {
    struct arena arena;
    struct py_parser *parser;
    struct paths *paths;
    struct api_table *api;
    VEC(struct rule) rules;
    VEC(struct removed_api) removed;
    struct hasher hasher;
    struct hash hash;
    size_t n_words, n_paths; /* those kept between files */
    struct map guards;
    struct word_facts *words; /* by word below n_words: what the API data say of it */
    VEC(struct api_alias) aliases;
};

/* An API that newer versions deprecate or have removed; versions as major * 1000 + minor. */
struct removed_api {
    const char *name;
    uint32_t since, gone; /* gone 0: not removed */
    struct str use;       /* what to write instead */
};

/*
 * The next place of a template: `plain` is the text before it, `name` the text in its braces ("$x",
 * "@", "@torch.zeros"). Both are borrowed from *text, which becomes the rest. False: all the rest
 * is plain.
 */
bool template_next(struct str *text, struct str *plain, struct str *name);

uint32_t rule_set__path(struct rule_set *s, struct str dotted);

struct api_lists {
    VEC(struct api_row) rows;
    VEC(struct api_name) names;
};

/* Reads share/rules/api: first each file's rows and conventional names into the lists, then all
 * into the table. Keeps nothing of the JSON. */
bool api__read(struct rule_set *s, const char *name, const struct json *root,
               struct api_lists *lists, struct err *e);
bool api__finish(struct rule_set *s, const struct api_lists *lists, struct err *e);

#endif
