/* What the files of the model share. */
#ifndef ONNX_MODEL_P_H
#define ONNX_MODEL_P_H

#include "onnx/model.h"

/* Lists the top graph and all graphs below it, parents before children, and sets parent pointers.
 * ERR_LIMIT: beyond GRAPH_DEPTH_MAX. */
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

/* Sets op and fact of one node, at the model's opsets. */
void node__bind(const struct model *m, struct node *n);

/* model_finish for a model just read: it also notes whether the nodes were in order. */
bool model__finish_read(struct model *m, struct err *e);

#endif
