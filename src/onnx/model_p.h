/* What the files of the model share. */
#ifndef ONNX_MODEL_P_H
#define ONNX_MODEL_P_H

#include "onnx/model.h"

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

/* Rows of the operator table for one node at the model's opsets. */
void node__bind(const struct model *m, struct node *n);

/* model_finish of a model as it was read: notes whether its nodes were in order. */
bool model__finish_read(struct model *m, struct err *e);

#endif
