/* Shared by the files that make up struct names. */
#ifndef PYTHON_NAMES_P_H
#define PYTHON_NAMES_P_H

#include "base/vec.h"
#include "python/names.h"

/* What a binding means, computed once. */
struct binding_meaning {
    uint32_t path;
    uint8_t origin;     /* enum name_origin */
    uint8_t confidence; /* enum confidence */
    uint8_t state;      /* 0 not computed, 1 being computed, 2 known */
};

struct scope_by_path {
    uint32_t path, scope;
};

struct names_cache {
    uint32_t *node_scopes;   /* by node: the scope it is evaluated in */
    uint32_t *node_bindings; /* by node: an identifier's binding + 2, 1: unbound, 0: not computed */
    uint32_t *table;         /* (scope, word) -> binding + 1, open addressing */
    uint32_t n_table;
    struct binding_meaning *meanings; /* by binding */
    uint32_t *scope_paths;            /* by scope */
    struct scope_by_path *by_path;    /* named scopes, ascending by path, then by scope */
    uint32_t n_by_path;
    uint64_t n_work; /* work done so far */
};

uint32_t names__find(const struct names *n, uint32_t scope, uint32_t word);

/* The path whose children are the builtins: a word that it has is a builtin. */
uint32_t paths__builtins(const struct paths *p);

/* contextlib.suppress: an exception ends at its with statement, and control goes on after it. */
uint32_t paths__suppress(const struct paths *p);

/* The path of a scope: "<module>.Class.method". */
uint32_t names__scope_path(const struct names *n, uint32_t scope);

#endif
