/* The set of summaries inside: shared by its lookup (summary_set.c) and the contexts of calls
 * (summary_context.c). */
#ifndef PYTHON_SUMMARY_SET_P_H
#define PYTHON_SUMMARY_SET_P_H

#include "python/summary_p.h"

enum { CONTEXTS_MAX = 4 };

/* One star import: the names of `target` are also names of the module. */
struct star {
    uint32_t target, next; /* next: another of the same module; UINT32_MAX */
};

/* A call, and the module that contains it. */
struct placed_site {
    const struct summary_site *site;
    uint32_t module;
};

/* A class derived from another. */
struct class_below {
    uint32_t at, next; /* at: in classes; next: another one with the same base; UINT32_MAX */
};

struct summary_set {
    struct arena arena;
    const struct paths *paths; /* known from the first linking on */
    VEC(struct function_summary) functions;
    VEC(struct class_summary) classes;
    VEC(struct summary_value) values;
    VEC(struct star) stars;
    VEC(struct placed_site) sites;
    VEC(struct call_context) contexts;
    VEC(struct class_below) below;
    struct node_table by_function, by_class, by_value, exports, by_star, expected; /* by path */
    struct node_table by_context, overfull; /* by path of a function */
    struct node_table told;                 /* by path of a module */
    struct node_table by_above;             /* by path of a class */
    size_t n_linked;                        /* functions that took part in linking already */
    uint64_t *n_missed;                     /* failed look-ups of expected names */
};

/* Finds the derived classes of each class, when all classes are there (summary_below.c). */
void summary_set__find_below(struct summary_set *set);
/* A class, derived from that of the method f, that keeps a module or the like in a field that f
 * uses; NULL: none. */
const struct class_summary *summary_set__filler(const struct summary_set *set,
                                                const struct function_summary *f);
/* The __init__ of a base class in another file that makes objects of the class; NULL: none. */
const struct function_summary *summary_set__init_above(const struct summary_set *set,
                                                       uint32_t class_path);
/* Adds all that a class says about its bases to the hash. */
void summary_set__hash_below(const struct summary_set *set, uint32_t class_path,
                             const struct py_parser *words, struct hasher *h);
void summary_set__hash_path(const struct summary_set *set, uint32_t path, struct hasher *h);
void summary_set__hash_given(const struct summary_set *set, const struct given_fact *g,
                             struct hasher *h);

/* The function that a call runs; NULL: not known. */
const struct function_summary *summary_set__callee(const struct summary_set *set,
                                                   const struct summary_site *s);

#endif
