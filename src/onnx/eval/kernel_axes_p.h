/*
 * The axes of a kernel's node, and the groups of elements along a set of axes.
 *
 * A group holds the elements of one reduction: element j of group i is at base[i] + offset[j].
 */
#ifndef ONNX_EVAL_KERNEL_AXES_P_H
#define ONNX_EVAL_KERNEL_AXES_P_H

#include "onnx/eval/kernel_p.h"

/* The axes that the node names by attribute "axes" or, where the operator has none, by an input. */
struct kernel_axes {
    bool is_given;
    size_t n;
    const int64_t *at; /* as the model gives them */
};
bool kernel__axes(const struct kernel *k, uint32_t input, struct kernel_axes *out, struct err *e);

/* The axes as a set of bits; an axis named twice is ERR_DATA. */
bool kernel__axes_set(const struct kernel_axes *axes, uint32_t rank, uint32_t *set, struct err *e);

struct axis_groups {
    size_t n_groups, n_each;
    const ptrdiff_t *base;   /* n_groups, row-major over the axes outside the set */
    const ptrdiff_t *offset; /* n_each, row-major over the axes in the set */
};
struct axis_groups kernel__groups(const struct kernel *k, const struct value *v, uint32_t set);

#endif
