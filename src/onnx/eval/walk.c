/* See walk_p.h. The first walk__next merges dims; later ones advance the index. */
#include "onnx/eval/walk_p.h"

#include <string.h>

void walk__strides(const int64_t *dims, uint32_t rank, ptrdiff_t *strides)
{
    ptrdiff_t stride = 1;
    for (uint32_t i = rank; i-- > 0;) {
        strides[i] = stride;
        stride *= dims[i];
    }
}

void walk__open(struct walk *w, const int64_t *dims, uint32_t rank)
{
    w->n_operands = 0;
    w->rank = rank;
    w->is_started = w->is_empty = false;
    w->out = 0;
    for (uint32_t i = 0; i < rank; i++) {
        w->dims[i] = dims[i];
        w->is_empty |= dims[i] == 0;
    }
}

void walk__broadcast(struct walk *w, const int64_t *dims, uint32_t rank)
{
    ptrdiff_t *strides = w->strides[w->n_operands], stride = 1;
    w->at[w->n_operands++] = 0;
    for (uint32_t i = w->rank; i-- > 0;) {
        uint32_t lead = w->rank - rank;
        int64_t dim = i >= lead ? dims[i - lead] : 1;
        strides[i] = dim == 1 ? 0 : stride;
        stride *= dim;
    }
}

void walk__strided(struct walk *w, ptrdiff_t offset, const ptrdiff_t *strides)
{
    memcpy(w->strides[w->n_operands], strides, w->rank * sizeof *strides);
    w->at[w->n_operands++] = offset;
}

static bool can_merge(const struct walk *w, uint32_t inner, uint32_t outer)
{
    for (uint32_t k = 0; k < w->n_operands; k++)
        if (w->strides[k][outer] != w->strides[k][inner] * w->dims[inner])
            return false;
    return true;
}

static void move_dim(struct walk *w, uint32_t from, uint32_t to)
{
    w->dims[to] = w->dims[from];
    for (uint32_t k = 0; k < w->n_operands; k++)
        w->strides[k][to] = w->strides[k][from];
}

/* Drops dims of one element, and joins a dim to the one outside it where every operand is
 * contiguous. */
static void merge_dims(struct walk *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->rank; i++) {
        if (w->dims[i] == 1)
            continue;
        move_dim(w, i, n);
        if (n > 0 && can_merge(w, n, n - 1)) {
            int64_t merged = w->dims[n - 1] * w->dims[n];
            move_dim(w, n, n - 1);
            w->dims[n - 1] = merged;
        } else {
            n++;
        }
    }
    w->rank = n;
}

static void start(struct walk *w)
{
    merge_dims(w);
    w->is_started = true;
    w->n_inner = w->rank ? (size_t)w->dims[w->rank - 1] : 1;
    for (uint32_t k = 0; k < w->n_operands; k++)
        w->step[k] = w->rank ? w->strides[k][w->rank - 1] : 0;
    if (w->rank)
        w->rank--; /* the innermost dim is the inner loop's */
    memset(w->index, 0, w->rank * sizeof *w->index);
}

bool walk__next(struct walk *w)
{
    if (w->is_empty)
        return false;
    if (!w->is_started) {
        start(w);
        return true;
    }
    w->out += w->n_inner;
    for (uint32_t d = w->rank; d-- > 0;) {
        for (uint32_t k = 0; k < w->n_operands; k++)
            w->at[k] += w->strides[k][d];
        if (++w->index[d] < w->dims[d])
            return true;
        for (uint32_t k = 0; k < w->n_operands; k++)
            w->at[k] -= w->strides[k][d] * w->dims[d];
        w->index[d] = 0;
    }
    return false;
}
