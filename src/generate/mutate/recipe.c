/*
 * What recipes share: casting, ranks and ranges that make an operator
 * applicable to whatever value is at hand.
 */
#include "generate/mutate/recipe_p.h"

uint32_t recipe__fit(struct sketch *s, const char *op_type, uint32_t x)
{
    static const enum dtype others[] = {DTYPE_FLOAT,  DTYPE_INT32, DTYPE_INT64, DTYPE_BOOL,
                                        DTYPE_UINT64, DTYPE_UINT8, DTYPE_INT8};
    enum dtype t = sketch__dtype(s, x);
    if (sketch__allows(s, op_type, 0, t))
        return x;
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        if (sketch__allows(s, op_type, 0, others[i]))
            return sketch__cast(s, x, others[i]);
    }
    sketch__fail(s, op_type);
    return VALUE_NONE;
}

uint32_t recipe__rank(struct sketch *s, uint32_t x, uint32_t rank)
{
    struct dims p = sketch__dims(s, x);
    int64_t dims[TENSOR_RANK_MAX] = {0};
    if (s->failed || p.n == rank)
        return x;
    if (p.n < rank) {
        for (uint32_t i = 0; i < rank - p.n; i++)
            dims[i] = i;
        return sketch__unsqueeze(s, x, dims, rank - p.n);
    }
    uint32_t n_joined = p.n - rank + 1;
    dims[0] = 1;
    for (uint32_t i = 0; i < n_joined && rank > 0; i++)
        dims[0] *= p.at[i];
    for (uint32_t i = 1; i < rank; i++)
        dims[i] = p.at[n_joined + i - 1];
    return sketch__reshape(s, x, dims, rank);
}

uint32_t recipe__domain(struct sketch *s, uint32_t x, double low, double high)
{
    enum dtype t = sketch__dtype(s, x);
    if (!dtype_is_float(t) || (low <= -1e9 && high >= 1e9))
        return x;
    if (high >= 1e9) /* low > 0 */
        return OP(s, "Add", OP(s, "Abs", x), sketch__scalar(s, t, low));
    if (low < 0 && high <= 1)
        return OP(s, "Mul", OP(s, "Tanh", x), sketch__scalar(s, t, high));
    if (s->m->opset >= 12 || t == DTYPE_FLOAT || t == DTYPE_FLOAT16 || t == DTYPE_DOUBLE) {
        uint32_t low_v = sketch__scalar(s, t, low);
        uint32_t high_v = sketch__scalar(s, t, high);
        return OP(s, "Clip", x, low_v, high_v);
    }
    return x;
}

struct dims recipe__broadcast_shape(struct sketch *s, uint32_t x)
{
    struct dims p = sketch__dims(s, x), out = {0};
    uint32_t form = sketch__below(s, 20);
    uint32_t first = form < 10 || p.n == 0 ? 0 : sketch__below(s, p.n);
    if (form < 3)
        return out; /* rank 0 */
    if (form < 5)
        return (struct dims){1, {1}};
    if (form == 5 && p.n < 5) /* of a higher rank than x */
        out.at[out.n++] = sketch__between_i(s, 1, 2);
    for (uint32_t i = first; i < p.n; i++)
        out.at[out.n++] = form > 7 && sketch__chance(s, 35) ? 1 : p.at[i];
    if (form == 6 && p.n > 0 && p.at[p.n - 1] == 1)
        out.at[out.n - 1] = 3; /* x is stretched */
    return out;
}
