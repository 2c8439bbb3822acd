/* Linear probing over a power of two; half of the slots stay free. */
#include "python/node_table_p.h"

#include "base/hash.h"

static uint32_t node_slot(const struct node_table *t, uint32_t node)
{
    uint32_t mask = t->n_slots - 1, at = (uint32_t)hash_mix64(node) & mask;
    while (t->keys[at] && t->keys[at] != node + 1)
        at = (at + 1) & mask;
    return at;
}

uint32_t *node_table__get(const struct node_table *t, uint32_t node)
{
    if (!t->n_slots)
        return NULL;
    uint32_t at = node_slot(t, node);
    return t->keys[at] ? &t->values[at] : NULL;
}

void node_table__put(struct node_table *t, struct arena *a, uint32_t node, uint32_t value)
{
    if ((t->n + 1) * 2 > t->n_slots) {
        struct node_table bigger = {.n = t->n, .n_slots = t->n_slots ? t->n_slots * 2 : 64};
        bigger.keys = arena_new_array(a, uint32_t, bigger.n_slots);
        bigger.values = arena_new_array(a, uint32_t, bigger.n_slots);
        for (uint32_t i = 0; i < t->n_slots; i++) {
            if (!t->keys[i])
                continue;
            uint32_t at = node_slot(&bigger, t->keys[i] - 1);
            bigger.keys[at] = t->keys[i];
            bigger.values[at] = t->values[i];
        }
        *t = bigger;
    }
    uint32_t at = node_slot(t, node);
    t->n += !t->keys[at];
    t->keys[at] = node + 1;
    t->values[at] = value;
}
