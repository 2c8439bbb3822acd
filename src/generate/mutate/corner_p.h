/* Attribute corners: values at which implementations forget a case (rows CORNER of
 * reach/attributes.def). */
#ifndef GENERATE_MUTATE_CORNER_P_H
#define GENERATE_MUTATE_CORNER_P_H

#include "generate/mutate/graph_builder_p.h"

/* Has the table a row for this operator that the node's opset knows? */
bool corner__has(const struct node *n);

/* Changes one attribute of the node to another value of its row; false: there is none. */
bool corner__change(struct graph_builder *b, uint32_t node);

/* Sets this attribute to a value of any of its rows, also of those that only layer builders use.
 * False: the node has that value, or the rows list none. */
bool corner__set(struct graph_builder *b, struct node *n, const char *attr);

/* Sets each attribute of the newest node that has a row to a value of that row, with this
 * probability. */
void corner__set_some(struct graph_builder *b, int percent);

#endif
