/*
 * struct lint_file: all that the engine knows of one file, and the indices that rules use: calls
 * and attributes by last word, roles by scope, facts about the whole file.
 */
#ifndef LINT_FILE_P_H
#define LINT_FILE_P_H

#include "python/summary.h"
#include "python/types.h"

enum file_fact {
    FILE_FACT_TEST = 1,
    FILE_FACT_NOTEBOOK = 2,
    FILE_FACT_FRAGMENT = 4,
    FILE_FACT_CUDA = 8,
    FILE_FACT_FRAMEWORK = 16, /* a class with a framework's base */
    FILE_FACT_STAR_IMPORT = 32,
    FILE_FACT_DAMAGED = 64
};

struct rule_set;

struct lint_file {
    const struct rule_set *rules;
    struct source source;
    struct tree tree;
    struct names names;
    struct types types;
    struct arena *arena;   /* lives as long as the analysis */
    struct arena *scratch; /* for one predicate, which frees what it took */
    const struct api_table *api;
    uint32_t facts;
    uint32_t torch_version;  /* major * 1000 + minor; 0: unknown */
    const struct str *taken; /* names that other files import from it */
    size_t n_taken;
    bool is_taken_whole; /* one imports the module itself, or with a star */

    uint32_t n_words;
    uint32_t *call_first, *attribute_first; /* per word: the first in `next`; 0: none */
    uint32_t *next;                         /* per node: the next call or attribute of that word */
    const uint32_t *words;                  /* distinct words of the file, made at the first use */
    uint32_t n_distinct;
    const uint64_t *has_word;               /* bits by word of the rule set: is it in the file? */
    uint64_t has_roles_by_word, has_traits; /* of those words, by the API data */
    uint32_t has_types;                     /* enum value_type as bits: something may be of it */
    uint64_t *scope_roles;                  /* per scope: roles that may happen in its flow */
    bool *scope_has_regions; /* per scope: a with statement or a decorator; NULL: not yet made */
    uint32_t n_scopes;
    bool has_roles;
    struct file_answer { /* answers for the whole file, by the predicate that needs them */
        const void *asker;
        enum truth truth;
    } answers[16];
};

void file__index(struct lint_file *f);
void file__facts(struct lint_file *f, bool is_fragment);

/* The scope whose control flow evaluates the node: comprehensions and class bodies belong to the
 * scope around them. */
uint32_t file__flow_scope(const struct lint_file *f, uint32_t node);
uint32_t file__flow_scope_up(const struct lint_file *f, uint32_t scope);

/* The last word of what a call calls, or of an attribute; WORD_NONE: it has none. */
uint32_t file__last_word(const struct lint_file *f, uint32_t node);

/* Fills f->words with each word of the file once. */
void file__words(struct lint_file *f);

/* May any of the roles happen in the scope (itself or through functions of this file)? */
bool file__may_have(struct lint_file *f, uint32_t scope, uint64_t roles);

/* Has the scope a with statement, or its function a decorator, so that a node of it may run in a
 * region? */
bool file__may_have_regions(struct lint_file *f, uint32_t scope);

#endif
