/* Between the files that make up struct names. */
#ifndef PYTHON_NAMES_P_H
#define PYTHON_NAMES_P_H

#include "base/vec.h"
#include "python/names.h"

/* What a binding stands for, worked out once. */
struct binding_meaning {
    uint32_t path;
    uint8_t origin;     /* enum name_origin */
    uint8_t confidence; /* enum confidence */
    uint8_t state;      /* 0 not asked, 1 being worked out, 2 known */
};

struct scope_by_path {
    uint32_t path, scope;
};

struct names_cache {
    uint32_t *node_scopes;   /* by node: the scope it is evaluated in */
    uint32_t *node_bindings; /* by node: binding + 2 of an identifier, 1: unbound, 0: not asked */
    uint32_t *table;         /* (scope, word) -> binding + 1, open addressing */
    uint32_t n_table;
    struct binding_meaning *meanings; /* by binding */
    uint32_t *scope_paths;            /* by scope */
    struct scope_by_path *by_path;    /* named scopes, ascending by path, then by scope */
    uint32_t n_by_path;
    uint64_t n_work; /* spent */
};

uint32_t names__find(const struct names *n, uint32_t scope, uint32_t word);

/* The word of builtin names below this path; words it has are builtins. */
uint32_t paths__builtins(const struct paths *p);

/* contextlib.suppress: after it, control goes on behind its with statement. */
uint32_t paths__suppress(const struct paths *p);

/* The path of a scope: "<module>.Class.method". */
uint32_t names__scope_path(const struct names *n, uint32_t scope);

#endif
