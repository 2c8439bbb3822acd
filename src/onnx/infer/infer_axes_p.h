/*
 * The axes that a node names: by attribute in older opsets, by input in newer ones.
 *
 *     struct axes_list axes;
 *     if (!infer__axes(in, 1, &axes, e)) ...      // raw numbers, as the model gives them
 *     if (axes.is_known && s->known)
 *         uint32_t set = ...; axes__set(&axes, s->rank, &set, e)
 */
#ifndef ONNX_INFER_INFER_AXES_P_H
#define ONNX_INFER_INFER_AXES_P_H

#include "onnx/infer/infer_p.h"

struct axes_list {
    bool is_given; /* attribute or input is there */
    bool is_known; /* n and at are set (not given: n is 0) */
    size_t n;
    int64_t at[TENSOR_RANK_MAX];
};

/* Reads them from the attribute "axes" where the operator has it at this opset, else from the
 * input. */
bool infer__axes(const struct infer *in, uint32_t input, struct axes_list *out, struct err *e);

/* The axes as a set of bits, negative ones counted from the rank. An axis named twice is ERR_DATA.
 */
bool axes__set(const struct axes_list *axes, uint32_t rank, uint32_t *set, struct err *e);

/* Product of dims as one dim. Symbols are not multiplied: one may occur if all others are 1.
 * Unknown when it cannot be computed or is too large. */
struct dim dim__product(const struct dim *dims, uint32_t n);

/* ERR_DATA when input i has a known rank other than 1 or a known size other than n. */
bool infer__need_vector(const struct infer *in, uint32_t i, struct dim n, struct err *e);

#endif
