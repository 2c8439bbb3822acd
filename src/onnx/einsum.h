/*
 * An Einsum equation with the ranks of its operands: which label each dim has.
 *
 *     struct einsum s;
 *     if (!einsum_parse(equation, ranks, n, a, &s, e)) ...
 *     // dim d of operand i carries s.terms[i].at[d]; the result's dims carry s.output.at
 *
 * Labels are small numbers: 'A'..'Z', 'a'..'z' in ASCII order, then the dims that "..." stands for.
 */
#ifndef ONNX_EINSUM_H
#define ONNX_EINSUM_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "onnx/tensor.h"

enum { EINSUM_LETTERS = 52, EINSUM_LABELS = EINSUM_LETTERS + TENSOR_RANK_MAX };

struct einsum_term {
    uint32_t n;
    uint8_t at[TENSOR_RANK_MAX];
};

struct einsum {
    uint32_t n_terms;
    struct einsum_term *terms;
    struct einsum_term output;
};

bool einsum_parse(struct str equation, const uint32_t *ranks, uint32_t n_operands, struct arena *a,
                  struct einsum *out, struct err *e);

static inline bool einsum_is_ellipsis(uint8_t label)
{
    return label >= EINSUM_LETTERS;
}

#endif
