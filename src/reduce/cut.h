/*
 * Cuts out the part of a model that a node needs, as a model with inputs: the node's outputs become
 * the outputs, and values that the part reads from outside become inputs with the reference's
 * values.
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
    const struct model *m; /* with shapes inferred as far as possible */
    const struct tensors *inputs;
    uint32_t node;  /* of the top graph */
    uint32_t depth; /* nodes before it: 0: the node alone; CUT_ALL: up to the graph's inputs */
    bool as_copies; /* each output is an Identity of the node's: optimisers leave a node alone whose
                       result is an output */
};

struct cut {
    struct model *m;
    struct tensors inputs; /* those whose values are known */
    struct str why_open;   /* why the reference has no values of the others; empty: all are known */
};

/* Graphs with nodes of other domains or beyond the reference's budget can be cut too; inputs from
 * inside the graph then have no values. ERR_DATA: the dtype or rank of such an input is not known;
 * the message names it. */
bool cut_graph(const struct cut_options *o, struct arena *a, struct cut *out, struct err *e);

/* The node with that name, or with an output of that name, or number 12 for "#12"; NODE_NONE. */
uint32_t cut_find_node(const struct graph *g, struct str name);

#endif
