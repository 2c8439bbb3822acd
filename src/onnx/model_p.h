/* What the files of the model share. */
#ifndef ONNX_MODEL_P_H
#define ONNX_MODEL_P_H

#include "onnx/model.h"

/* Subgraphs inside subgraphs; code that walks them may recurse to this depth and no further. */
enum { GRAPH_DEPTH_MAX = 16 };

/* Every graph below (and with) the top one, parents before children. Fails beyond GRAPH_DEPTH_MAX
 * (ERR_LIMIT). Sets parent pointers. */
struct graph_place {
    struct graph *graph;
    uint32_t parent_at;  /* in the list; of the top graph: 0 */
    uint32_t owner_node; /* in the parent graph; of the top graph: NODE_NONE */
    uint32_t depth;
};
struct graph_list {
    VEC(struct graph_place) places;
};
bool model__list_graphs(struct model *m, struct arena *scratch, struct graph_list *out,
                        struct err *e);

/* Names for messages: "node 'conv1' (Conv)" and the like. The text lives in the arena. */
const char *node__label(const struct graph *g, const struct node *n, struct arena *a);

/* Rows of the operator table for one node at the model's opsets. */
void node__bind(const struct model *m, struct node *n);

int64_t model__opset_of(const struct model *m, struct str domain); /* 0: not imported */

#endif
