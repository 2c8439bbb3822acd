/*
 * Data movement that is given axis by axis: element (i0, i1, ...) of the result comes from element
 * (map0[i0], map1[i1], ...) of the input, and stays zero where any map gives -1.
 *
 *     const int64_t *maps[TENSOR_RANK_MAX];
 *     maps[d] = ...;                              // out dims[d] numbers each
 *     const int64_t *from = kernel__map_axes(k, 0, 0, maps);
 */
#ifndef ONNX_EVAL_KERNEL_MAP_P_H
#define ONNX_EVAL_KERNEL_MAP_P_H

#include "onnx/eval/kernel_p.h"

/* Moves input `in` to output o of the same rank; returns where each element came from (in the
 * scratch arena). */
const int64_t *kernel__map_axes(struct kernel *k, uint32_t o, uint32_t in,
                                const int64_t *const *maps);

/* The map of an axis that stays, 0, 1, 2 ..., in the scratch arena. */
int64_t *kernel__identity_map(struct kernel *k, int64_t n);

#endif
