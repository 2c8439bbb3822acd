/*
 * struct flow: which writes reach which reads, and what must or may happen between two points, in
 * one scope's control flow.
 *
 *     struct flow flow;
 *     flow_build(&cfg, arena, &flow);
 *     struct flow_list defs = flow_defs_of(&flow, step); // writes that may reach this read
 *     ...
 *     struct flow_query q = {.from = &backward, .to = &step_call, .avoid = &zero, .loop = loop};
 *     if (flow_path(&flow, &q) == TRUTH_FALSE) ...               // zero happens on every path
 *
 * Variables are local and outer names, and access paths to depth 3 (`self.model`, `self.net.head`,
 * `cfg.a.b`). A write to a prefix also writes the longer paths; a call of a method of `self` or one
 * that receives the root may write the paths below it (DEF_MAY: it does not hide earlier writes).
 * Reaching definitions are bit-vectors over blocks, solved with a worklist; paths are never
 * enumerated. Above the limit of bits, is_known is false and each query gives TRUTH_UNKNOWN.
 */
#ifndef PYTHON_FLOW_H
#define PYTHON_FLOW_H

#include "python/cfg.h"

enum { VAR_NONE = UINT32_MAX, DEF_NONE = UINT32_MAX, FLOW_DEPTH = 3 };

struct flow_var {
    uint32_t binding; /* of the root; BINDING_NONE: an unbound name */
    uint32_t root;    /* word */
    uint32_t path[FLOW_DEPTH];
    uint32_t n_path;
    uint32_t prefix; /* the variable without its last component; VAR_NONE for a bare name */
    uint32_t first_def,
        n_defs; /* 0: the path is never written here, and the definitions of its prefix count */
};

enum def_kind {
    DEF_ENTRY,     /* the value at entry: what an outer scope gave it, or nothing */
    DEF_PARAMETER, /* value: the default, or 0 */
    DEF_VALUE,     /* value is the node assigned */
    DEF_PART,      /* a part of value: unpacking; part says which */
    DEF_ELEMENT,   /* an element of value: for */
    DEF_ENTERED,   /* value is a with item's expression */
    DEF_AUGMENTED, /* old value and value combined */
    DEF_NAMED,     /* def, class, import: value is the definition */
    DEF_PREFIX,    /* a shorter path was written: value unknown */
    DEF_MAY,       /* a call may have written it */
    DEF_GONE,      /* del, or the end of `except ... as` */
    DEF_UNKNOWN,   /* except ... as, match capture */
};

struct flow_def {
    uint32_t var, step; /* step STEP_NONE for DEF_ENTRY */
    uint32_t value;     /* node or 0 */
    uint8_t kind;       /* enum def_kind */
    uint8_t part;
};

struct flow_list {
    const uint32_t *at;
    uint32_t n;
};

struct flow {
    const struct cfg *cfg;
    struct flow_var *vars;
    uint32_t n_vars;
    struct flow_def *defs; /* those of a variable together, its DEF_ENTRY first */
    uint32_t n_defs;
    uint32_t *use_var;   /* per step: the variable it reads, VAR_NONE */
    uint32_t *use_first; /* per step: into use_defs; n_steps + 1 */
    uint32_t *use_defs;
    uint32_t *def_first; /* per def: into def_uses (steps); n_defs + 1 */
    uint32_t *def_uses;
    uint32_t *step_def; /* per step: its first own definition (not DEF_MAY), DEF_NONE */
    bool is_known;
    struct arena *arena;
};

enum { FLOW_MAX_BITS = 1 << 28 }; /* definitions x blocks: 32 MiB of bit-vectors */

void flow_build(const struct cfg *c, struct arena *a, struct flow *out);

/* The writes that may reach the read at a step. For a path that is never written in this scope they
 * are those of its longest written prefix (see flow_def.var), at least the root's entry. */
struct flow_list flow_defs_of(const struct flow *f, uint32_t step);
struct flow_list flow_uses_of(const struct flow *f, uint32_t def); /* steps that may read it */
uint32_t flow_only_def(const struct flow *f,
                       uint32_t step); /* the single reaching def, or DEF_NONE */
uint32_t flow_var_of(const struct flow *f,
                     uint32_t step); /* read or written at the step; VAR_NONE */
bool flow_same_value(const struct flow *f, uint32_t step_a,
                     uint32_t step_b);                 /* both read the same definitions */
bool flow_is_live(const struct flow *f, uint32_t def); /* may anything read it? */

/* A set of steps. */
struct step_set {
    uint32_t *at; /* ascending */
    uint32_t n;
};

/* Is there a path from after one of `from` (NULL: the entry) to one of `to` (NULL: the exit) that
 * meets none of `avoid` (may be NULL)? A path from a step to itself needs a cycle. loop: the path
 * may not leave this loop (LOOP_NONE: anywhere); with `once` it may not take that loop's back edge.
 * TRUTH_TRUE: there is one. TRUTH_FALSE: there is none, so `avoid` happens on every path.
 * TRUTH_UNKNOWN: the flow is not known. Paths with exceptional edges count only with
 * with_exceptions. */
struct flow_query {
    const struct step_set *from, *to, *avoid;
    uint32_t loop;    /* set to LOOP_NONE for none */
    const bool *dead; /* edges, by their number, that are not taken; may be NULL */
    bool once, with_exceptions;
};
enum truth flow_path(const struct flow *f, const struct flow_query *q);

/* All steps that a path from after `from` can meet before `avoid` stops it; *out is in the
 * arena. */
void flow_reach(const struct flow *f, const struct flow_query *q, struct arena *a,
                struct step_set *out);

/* Does every path from the entry to b pass a? */
enum truth flow_dominates(const struct flow *f, uint32_t step_a, uint32_t step_b);
/* Does some path lead from a to b? With a loop given, its back edge counts too. */
enum truth flow_may_follow(const struct flow *f, uint32_t step_a, uint32_t step_b);
/* May the value read at the step come from an earlier iteration of the loop? */
enum truth flow_is_carried(const struct flow *f, uint32_t step, uint32_t loop);

/* Where a value comes from: visits node, then, once each, the nodes whose values it is made of:
 * operands, elements, values of names that reach here, receivers and arguments of calls. The
 * visitor says how to go on. */
/* SAME_PART: at a call that gives its arguments back, a, b = prepare(a, b): on with one of them. */
enum trace_next {
    TRACE_ON,
    TRACE_STOP_HERE,
    TRACE_RECEIVER_ONLY,
    TRACE_ARGUMENTS_ONLY,
    TRACE_SAME_PART,
    TRACE_END
};
struct flow_trace {
    enum trace_next (*visit)(void *ctx, uint32_t node,
                             uint32_t def); /* def: the write it came through, or DEF_NONE */
    void *ctx;
    bool through_calls; /* TRACE_ON at a call goes on to receiver and arguments */
};
/* False when the visitor ended it. */
bool flow_trace_back(const struct flow *f, uint32_t node, const struct flow_trace *t);

/* Where a value goes to: visits the nodes that use it, through names, operators and enclosing calls
 * as far as the visitor allows. TRACE_ON goes on from the visited node: an enclosing expression, a
 * read of a name it was stored to, or the assignment that keeps it in a field or an element. */
bool flow_trace_forward(const struct flow *f, uint32_t node, const struct flow_trace *t);

const char *def_kind_name(enum def_kind kind);
void flow_var_text(const struct flow *f, uint32_t var, struct strbuf *out);
void flow_dump(const struct flow *f, struct strbuf *out);

#endif
