/*
 * Decides which range a graph input needs, by the table input_range.def for every consumer, also
 * those after operators that only move data. Decides no value. Does not enter subgraphs: the
 * generator must know the needs of operators inside If or Loop.
 */
#include "case/input_range_p.h"

static const struct {
    const char *op_type;
    uint32_t input;
    enum input_range range;
} rows[] = {
#define INPUT_RANGE(op_type, input, range) {op_type, input, INPUT_RANGE_##range},
#include "case/input_range.def"
#undef INPUT_RANGE
};

/* Operators whose output holds only elements of input 0 (Concat: of any input). */
static const char *const movers[] = {"Cast",    "Concat",    "Expand",      "Flatten", "Identity",
                                     "Reshape", "Slice",     "Squeeze",     "Tile",    "Transpose",
                                     "Split",   "Unsqueeze", "DepthToSpace"};

static bool moves_data(const struct node *n, uint32_t input)
{
    for (size_t i = 0; i < COUNT_OF(movers); i++) {
        if (str_is(n->op_type, movers[i]))
            return input == 0 || str_is(n->op_type, "Concat");
    }
    return false;
}

static enum input_range range_of(const struct node *n, uint32_t input)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (rows[i].input == input && n->domain.n == 0 && str_is(n->op_type, rows[i].op_type))
            return rows[i].range;
    }
    return INPUT_RANGE_ANY;
}

struct input_need input__need(const struct graph *g, const struct graph_uses *uses, uint32_t v,
                              struct arena *a)
{
    VEC(uint32_t) pending = {0};
    bool *seen = arena_new_array(a, bool, g->values.n);
    vec_push(&pending, a, v);
    seen[v] = true;
    for (size_t at = 0; at < pending.n; at++) {
        uint32_t value = pending.at[at];
        for (uint32_t u = uses->uses_at[value]; u < uses->uses_at[value + 1]; u++) {
            const struct node *n = &g->nodes.at[uses->nodes[u]];
            for (uint32_t i = 0; i < n->n_inputs; i++) {
                if (n->inputs[i] != value)
                    continue;
                enum input_range r = range_of(n, i);
                if (r != INPUT_RANGE_ANY)
                    return (struct input_need){r, n};
                if (!moves_data(n, i))
                    continue;
                for (uint32_t o = 0; o < n->n_outputs; o++) {
                    if (n->outputs[o] != VALUE_NONE && !seen[n->outputs[o]]) {
                        seen[n->outputs[o]] = true;
                        vec_push(&pending, a, n->outputs[o]);
                    }
                }
            }
        }
    }
    return (struct input_need){INPUT_RANGE_ANY, NULL};
}
