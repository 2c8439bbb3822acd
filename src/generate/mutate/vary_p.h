/*
 * Variations of one node, by the operator table alone: attributes absent, at their default, at
 * every value of attributes.def; optional inputs left out; parameters of every dtype that the
 * standard allows, as initializer, Constant or computed; weights made by an operator that
 * optimisers rewrite. Layer builders know value ranges, this file the forms. Inference decides
 * whether a variation is legal; an illegal one is undone.
 */
#ifndef GENERATE_MUTATE_VARY_P_H
#define GENERATE_MUTATE_VARY_P_H

#include "generate/mutate/graph_builder_p.h"

/* Makes one drawn variation of the node, which may move after added nodes. False: none of a few
 * draws was possible, and the node is unchanged. */
bool vary__node(struct graph_builder *b, uint32_t node);

/* Makes some variations of the nodes of op_type from index `first` on. */
void vary__added(struct graph_builder *b, uint32_t first, const char *op_type);

/* A value like the tensor (dtype, shape, elements of the same range), made by one of the operators
 * of reach/neighbours.def from an input of the graph; VALUE_NONE: the drawn operator cannot make
 * it. */
uint32_t vary__neighbour(struct graph_builder *b, const struct tensor *like);

#endif
