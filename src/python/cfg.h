/*
 * struct cfg: the control flow of one function, lambda, class body or module, as blocks of steps. A
 * step is one action: an expression node evaluated, a target stored, a with item entered or left.
 * Steps are in Python's order of evaluation, so "before" and "after" are positions.
 *
 *     struct cfg cfg;
 *     if (!cfg_build(&names, scope, &cfg_default_limits, arena, &cfg)) ... // too large: unknown
 *     for (uint32_t s = cfg.blocks[b].first; s < cfg.blocks[b].end; s++)
 *         use(cfg.steps[s].node);
 *
 * Block CFG_ENTRY begins with the parameters; CFG_EXIT is reached by return and by the end;
 * CFG_RAISE by exceptions that leave the function. Inside a try, the beginning and end of each
 * statement have an edge to the handlers, so that a handler sees every prefix of the body; outside,
 * only `raise` has an exceptional edge. A finally body is copied for each way through it, so that a
 * return does not reach the successors of normal completion; a node may then have several steps
 * (cfg_step_next). Every way out of a with statement passes its STEP_LEAVE. Conditional
 * expressions, `and`/`or`, comprehensions and match cases have their own blocks. Bodies of nested
 * functions and lambdas are not included: their definition is one STEP_EVAL. The body of a nested
 * class is included in its place.
 *
 * Code after return, raise, break or continue has no predecessors. Built in time linear in the
 * steps. The C stack does not grow with the input. Lives in the given arena, borrows the names.
 */
#ifndef PYTHON_CFG_H
#define PYTHON_CFG_H

#include "python/names.h"

enum {
    CFG_ENTRY = 0,
    CFG_EXIT = 1,
    CFG_RAISE = 2,
    BLOCK_NONE = UINT32_MAX,
    LOOP_NONE = UINT32_MAX,
    STEP_NONE = UINT32_MAX
};

enum step_kind {
    STEP_EVAL,   /* a value is computed; return, raise, yield, assert: executed */
    STEP_STORE,  /* the identifier, attribute or subscript is written */
    STEP_DELETE, /* ... or deleted */
    STEP_ENTER,  /* with item entered */
    STEP_LEAVE,  /* with item left, on any way out */
    STEP_NEXT,   /* a for loop or comprehension clause took its next element */
    STEP_TEST,   /* a condition was decided: both successors follow this block */
};

struct cfg_step {
    uint32_t node;
    uint32_t block;
    uint8_t kind; /* enum step_kind */
};

enum edge_kind { EDGE_NEXT, EDGE_TRUE, EDGE_FALSE, EDGE_EXCEPTION, EDGE_BACK };

struct cfg_edge {
    uint32_t to;
    uint8_t kind; /* enum edge_kind */
};

struct cfg_block {
    uint32_t first, end;       /* steps */
    uint32_t first_out, n_out; /* into cfg.out */
    uint32_t first_in, n_in;   /* into cfg.in */
    uint32_t loop;             /* the innermost loop around it, or LOOP_NONE */
    bool is_reachable;         /* from the entry */
};

struct cfg_loop {
    uint32_t node;   /* for, while, or a comprehension's for clause */
    uint32_t parent; /* LOOP_NONE */
    uint32_t head;   /* the block that decides about another iteration */
    bool has_break;
};

struct cfg {
    const struct names *names;
    uint32_t scope;
    struct cfg_step *steps; /* grouped by block */
    uint32_t n_steps;
    struct cfg_block *blocks;
    uint32_t n_blocks;
    struct cfg_edge *out;
    uint32_t *in; /* predecessors */
    struct cfg_loop *loops;
    uint32_t n_loops;
    uint32_t first_node, end_node; /* the scope's range of nodes */
    uint32_t *node_step;           /* by node - first_node, or hashed: its first step, STEP_NONE */
    uint32_t node_mask;            /* of the hash table */
    bool is_sparse;                /* hashed: most of the nodes belong to nested scopes */
    const uint32_t *same_node;     /* by step: the next step of the same node, or STEP_NONE */
};

struct cfg_limits {
    uint32_t max_steps, max_blocks;
};
extern const struct cfg_limits cfg_default_limits; /* 400,000 steps, 100,000 blocks */

/* False when the limits are exceeded (many returns through nested finally): then nothing is
 * known. */
bool cfg_build(const struct names *n, uint32_t scope, const struct cfg_limits *limits,
               struct arena *a, struct cfg *out);

/* The first step that evaluates or stores the node; STEP_NONE: none. Further ones:
 * cfg_step_next. */
uint32_t cfg_step(const struct cfg *c, uint32_t node);
uint32_t cfg_step_next(const struct cfg *c, uint32_t step); /* another step of the same node */

/* Removes edges, by their number in `out`. */
void cfg_prune(struct cfg *c, const bool *dead, struct arena *a);

bool cfg_loop_holds(const struct cfg *c, uint32_t loop, uint32_t block);
uint32_t cfg_loop_of(const struct cfg *c, uint32_t node); /* the loop whose node it is; LOOP_NONE */

const char *step_kind_name(enum step_kind kind);
const char *edge_kind_name(enum edge_kind kind);
void cfg_dump(const struct cfg *c, struct strbuf *out);

#endif
