/* A map from numbers (of nodes, of paths) to numbers: open addressing, in an arena. */
#ifndef PYTHON_NODE_TABLE_P_H
#define PYTHON_NODE_TABLE_P_H

#include "base/arena.h"

struct node_table {
    uint32_t *keys, *values; /* keys: node + 1 */
    uint32_t n, n_slots;
};

uint32_t *node_table__get(const struct node_table *t, uint32_t node); /* NULL when absent */
void node_table__put(struct node_table *t, struct arena *a, uint32_t node, uint32_t value);

#endif
