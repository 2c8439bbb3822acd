/*
 * What patterns share: how a deviation is drawn and noted, constants of every
 * rank that broadcasts.
 */
#include "generate/mutate/pattern_p.h"

uint32_t pattern__deviate(struct sketch *s, uint32_t n)
{
    uint32_t mask = 0, roll = sketch__below(s, 100);
    if (roll >= 25)
        mask |= 1u << sketch__below(s, n);
    if (roll >= 80)
        mask |= 1u << sketch__below(s, n);
    sketch__note(s, "dev=%x", mask);
    return mask;
}

uint32_t pattern__const(struct sketch *s, uint32_t x, double v)
{
    int64_t ones[TENSOR_RANK_MAX];
    uint32_t roll = sketch__below(s, 100), rank = sketch__rank(s, x), n = 0;
    for (uint32_t i = 0; i < TENSOR_RANK_MAX; i++)
        ones[i] = 1;
    if (roll >= 65)
        n = roll < 82 ? 1 : roll < 95 ? rank : MIN(rank + 1, 6);
    if (n > 0)
        sketch__note(s, "const-rank=%u", n);
    return sketch__filled(s, sketch__dtype(s, x), ones, n, v);
}

uint32_t pattern__float(struct sketch *s, uint32_t x, uint32_t least_rank)
{
    if (!dtype_is_float(sketch__dtype(s, x)))
        x = sketch__cast(s, x, DTYPE_FLOAT);
    if (sketch__rank(s, x) < least_rank)
        x = recipe__rank(s, x, least_rank);
    return x;
}

uint32_t pattern__either(struct sketch *s, const char *op_type, uint32_t a, uint32_t b)
{
    return sketch__chance(s, 50) ? OP(s, op_type, a, b) : OP(s, op_type, b, a);
}
