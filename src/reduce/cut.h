/*
 * The part of a model that a node needs, as a case of its own: the node's outputs become the
 * outputs, and what the part reads from outside becomes inputs that hold what the reference
 * computed for them.
 *
 *     struct cut part;
 *     if (!cut_graph(&(struct cut_options){m, &inputs, node, CUT_ALL}, arena, &part, e)) ...
 */
#ifndef REDUCE_CUT_H
#define REDUCE_CUT_H

#include "base/err.h"
#include "onnx/model.h"

#define CUT_ALL UINT32_MAX

struct cut_options {
    const struct model *m; /* inferred, as far as that is possible */
    const struct tensors *inputs;
    uint32_t node;  /* of the top graph */
    uint32_t depth; /* how many nodes back: 0 the node alone, CUT_ALL to the graph's inputs */
};

struct cut {
    struct model *m;
    struct tensors inputs; /* those whose values are known */
    struct str why_open;   /* why the others are not: the reference's word; empty: all are */
};

/* Nodes of other domains and graphs beyond the reference's budget can be cut too; then inputs
 * inside the graph have no values. ERR_DATA: such an input has no known dtype or rank; the message
 * names it. */
bool cut_graph(const struct cut_options *o, struct arena *a, struct cut *out, struct err *e);

/* The node of that name, or that makes a value of that name, or "#12" by its place; NODE_NONE. */
uint32_t cut_find_node(const struct graph *g, struct str name);

#endif
