/* Attribute corners: values at which implementations forget a case (rows CORNER of
 * reach/attributes.def). */
#ifndef GENERATE_MUTATE_CORNER_P_H
#define GENERATE_MUTATE_CORNER_P_H

#include "generate/mutate/graph_builder_p.h"

/* Whether the table has a row for this operator that its opset knows. */
bool corner__has(const struct node *n);

/* Gives one attribute of the node one value of its row, another than it has; false: none differs.
 */
bool corner__change(struct graph_builder *b, uint32_t node);

/* Gives this attribute a value of any of its rows, also of those that only builders set; false: the
 * node has that value, or the rows say none. */
bool corner__set(struct graph_builder *b, struct node *n, const char *attr);

/* Gives each attribute of the newest node that has a row a value of that row, with this
 * probability. */
void corner__set_some(struct graph_builder *b, int percent);

#endif
