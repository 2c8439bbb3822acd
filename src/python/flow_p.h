/* Shared by the files that make up struct flow. */
#ifndef PYTHON_FLOW_P_H
#define PYTHON_FLOW_P_H

#include "base/vec.h"
#include "python/flow.h"

enum { MAX_DEFS = 1 << 20, MAX_REACHING = 1 << 23 }; /* beyond: the flow is not known */

struct flow_builder {
    struct flow *f;
    const struct cfg *c;
    const struct tree *t;
    struct arena work;
    VEC(struct flow_var) vars;
    VEC(struct flow_def) defs;
    uint32_t *child, *sibling; /* of variables that lead to a written path, VAR_NONE */
    uint32_t *step_var;        /* by step: read or written */
    uint32_t *table, n_table;  /* variables by root or by prefix and word */
};

/* Finds the variables, and the steps that read and write them. */
void flow__find_vars(struct flow_builder *b);

/* Finds what each store writes: kind and value. */
void flow__find_defs(struct flow_builder *b);

/* Solves with bit-vectors, then lists the definitions of each read and the reads of each
 * definition. */
void flow__solve(struct flow_builder *b, struct arena *a);

#endif
