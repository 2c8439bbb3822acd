/*
 * Shared by patterns: drawing and noting a deviation, and constants of every rank that broadcasts.
 */
#include "generate/mutate/pattern_p.h"

uint32_t pattern__deviate(struct graph_builder *b, uint32_t n)
{
    uint32_t mask = 0, roll = builder__below(b, 100);
    if (roll >= 25)
        mask |= 1u << builder__below(b, n);
    if (roll >= 80)
        mask |= 1u << builder__below(b, n);
    builder__note(b, "dev=%x", mask);
    return mask;
}

uint32_t pattern__const(struct graph_builder *b, uint32_t x, double v)
{
    int64_t ones[TENSOR_RANK_MAX];
    uint32_t roll = builder__below(b, 100), rank = builder__rank(b, x), n = 0;
    for (uint32_t i = 0; i < TENSOR_RANK_MAX; i++)
        ones[i] = 1;
    if (roll >= 65)
        n = roll < 82 ? 1 : roll < 95 ? rank : MIN(rank + 1, 6);
    if (n > 0)
        builder__note(b, "const-rank=%u", n);
    return builder__filled(b, builder__dtype(b, x), ones, n, v);
}

uint32_t pattern__float(struct graph_builder *b, uint32_t x, uint32_t least_rank)
{
    if (!dtype_is_float(builder__dtype(b, x)))
        x = builder__cast(b, x, DTYPE_FLOAT);
    if (builder__rank(b, x) < least_rank)
        x = layer__rank(b, x, least_rank);
    return x;
}

uint32_t pattern__either(struct graph_builder *b, const char *op_type, uint32_t x, uint32_t y)
{
    return builder__chance(b, 50) ? OP(b, op_type, x, y) : OP(b, op_type, y, x);
}
