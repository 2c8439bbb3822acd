/*
 * struct walk: the elements of up to four tensors side by side, in the row-major order of one
 * result.
 *
 *     struct walk w;
 *     walk__open(&w, out->dims, out->rank);
 *     walk__broadcast(&w, a->dims, a->rank);      // operand 0
 *     walk__broadcast(&w, b->dims, b->rank);      // operand 1
 *     while (walk__next(&w))
 *         for (size_t i = 0; i < w.n_inner; i++)
 *             y[w.out + i] = f(a[w.at[0] + i * w.step[0]], b[w.at[1] + i * w.step[1]]);
 *
 * Neighbouring dims that are contiguous in all operands are merged, so the inner loop is as long as
 * possible. Strides are in elements, may be zero (broadcast) or negative (Slice).
 */
#ifndef ONNX_EVAL_WALK_P_H
#define ONNX_EVAL_WALK_P_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "onnx/tensor.h"

enum { WALK_OPERANDS_MAX = 4 };

struct walk {
    size_t n_inner;                    /* elements of the inner loop */
    size_t out;                        /* where that begins in the result */
    ptrdiff_t at[WALK_OPERANDS_MAX];   /* where that begins in each operand */
    ptrdiff_t step[WALK_OPERANDS_MAX]; /* its stride in each operand */

    uint32_t n_operands, rank;
    int64_t dims[TENSOR_RANK_MAX], index[TENSOR_RANK_MAX];
    ptrdiff_t strides[WALK_OPERANDS_MAX][TENSOR_RANK_MAX];
    bool is_started, is_empty;
};

void walk__open(struct walk *w, const int64_t *dims, uint32_t rank);

/* Adds an operand whose dims are broadcast to the result's, which they must fit. */
void walk__broadcast(struct walk *w, const int64_t *dims, uint32_t rank);

/* Adds an operand by its element offset and one stride for each dim of the result. */
void walk__strided(struct walk *w, ptrdiff_t offset, const ptrdiff_t *strides);

bool walk__next(struct walk *w);

/* Row-major strides of dims. */
void walk__strides(const int64_t *dims, uint32_t rank, ptrdiff_t *strides);

#endif
