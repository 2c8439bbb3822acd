/*
 * Scales and zero points: which of them applies to an element, and the rounding step with its
 * switches.
 */
#ifndef ONNX_EVAL_QUANT_P_H
#define ONNX_EVAL_QUANT_P_H

#include "onnx/eval/kernel_p.h"

/* Which scale applies to element i: quant__at. */
struct granularity {
    size_t inner, n, block, n_blocks; /* x as (outer, n, inner) around the axis; scales along it */
    bool per_tensor, keeps_inner;     /* blocked scales have the inner dims too */
};

/* Checks the shapes of x, scale and zero point (NULL: none) against axis and block_size by the
 * operator's text, and gives the granularity. */
bool quant__granularity(const struct kernel *k, const struct value *scale, const struct value *zero,
                        struct granularity *g, struct err *e);

static inline size_t quant__at(const struct granularity *g, size_t i)
{
    if (g->per_tensor)
        return 0;
    size_t block = i / g->inner % g->n / g->block;
    if (!g->keeps_inner)
        return block;
    return (i / (g->inner * g->n) * g->n_blocks + block) * g->inner + i % g->inner;
}

/* Range of a quantised integer dtype. */
struct quant_range {
    double low, high;
};
struct quant_range quant__range(enum dtype t);

/* A zero point or quantised element of any storage, as a number; v NULL: 0. */
static inline double quant__number(const struct value *v, size_t i)
{
    return v ? value_get_double(v, i) : 0;
}

/* One rounding to integer levels: q = x / scale before rounding. */
struct quant_step {
    double q;         /* the quotient, exact in double */
    double unit;      /* relative error that an engine's quotient may have */
    double step;      /* the change of the input that changes q by 1 */
    double magnitude; /* of the input tensor, for forced ties */
    double zero;
    struct quant_range range;
};

/* Rounds half to even, adds the zero point, saturates; sets margin and undefined of element i of
 * output o. An element is undefined if it is NaN or so near a tie that the precision of the
 * quotient decides. That cannot be where every way to divide gives the exact quotient
 * (is_exact_division): a tie then goes to the even level, all else to the nearest. */
int64_t quant__round(struct kernel *k, uint32_t o, size_t i, const struct quant_step *s,
                     bool is_exact_division);

/* Is x a power of two? Then x / scale and x * (1 / scale) are the same. */
bool quant__is_power_of_two(double x);

#endif
