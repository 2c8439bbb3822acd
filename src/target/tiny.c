/*
 * Decides what the tiny case is. Must not know who runs it. Invariant: only operators and dtypes
 * that every engine has, in an opset that every engine knows, and results that are exact in any
 * order of evaluation.
 */
#include "target/tiny_p.h"

enum { OPSET = 17, N_PLACES = 2, RANK = 2 };

static const int64_t dims[N_PLACES][RANK] = {{2, 3}, {2, 2}};
static const enum dtype dtypes[N_PLACES] = {DTYPE_FLOAT, DTYPE_INT64};
static const double values[TINY_SETS][6] = {{1, 2, 3, 4, 5, 6}, {0.5, 7, 8, 9, 10, 11}};

bool tiny__model(const char *first_op, struct arena *a, struct model **out, struct err *e)
{
    struct model *m = model_new(a, OPSET);
    for (uint32_t i = 0; i < N_PLACES; i++) {
        struct str in = str_of(arena_printf(a, "x%u", i));
        uint32_t x = graph_add_input(m, m->graph, in, dtypes[i], dims[i], RANK);
        uint32_t y = graph_add_node(m, m->graph, i ? "Abs" : first_op, &x, 1, 1);
        m->graph->values.at[y].name = str_of(arena_printf(a, "y%u", i));
        m->graph->values.at[y].dtype = dtypes[i];
        m->graph->values.at[y].shape = shape_from_dims(dims[i], RANK, a);
        graph_add_output(m->graph, y);
    }
    *out = m;
    return model_finish(m, e);
}

bool tiny__inputs(size_t at, struct arena *a, struct tensors *out, struct err *e)
{
    struct named_tensor *rows = arena_new_array(a, struct named_tensor, N_PLACES);
    *out = (struct tensors){rows, N_PLACES};
    for (uint32_t i = 0; i < N_PLACES; i++) {
        rows[i].name = str_of(arena_printf(a, "x%u", i));
        if (!tensor_from_doubles(dtypes[i], dims[i], RANK, values[at] + i, a, &rows[i].tensor, e))
            return false;
    }
    return true;
}
