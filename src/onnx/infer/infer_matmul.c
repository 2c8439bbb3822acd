/* Shapes of MatMul and Gemm. */
#include "onnx/infer/infer_p.h"

static bool same_inner(struct dim a, struct dim b, struct err *e)
{
    return !dim__differ(a, b) || err_set(e, ERR_DATA, "inner dims %lld and %lld differ",
                                         (long long)a.value, (long long)b.value);
}

/* numpy.matmul: a rank of 1 is a row on the left, a column on the right; leading dims broadcast. */
bool infer__matmul_shape(const struct infer *in, const struct shape *a, const struct shape *b,
                         struct shape *out, struct err *e)
{
    *out = infer__unknown_shape();
    if (!a->known || !b->known)
        return true;
    if (!a->rank || !b->rank)
        return err_set(e, ERR_DATA, "a scalar cannot be multiplied as a matrix");
    struct shape lead_a = {true, a->rank > 2 ? a->rank - 2 : 0, a->dims};
    struct shape lead_b = {true, b->rank > 2 ? b->rank - 2 : 0, b->dims}, lead;
    struct dim inner_b = b->dims[b->rank > 1 ? b->rank - 2 : 0];
    if (!same_inner(a->dims[a->rank - 1], inner_b, e) ||
        !infer__broadcast_shapes(in, &lead_a, &lead_b, &lead, e))
        return false;
    *out = infer__new_shape(in, lead.rank + (a->rank > 1) + (b->rank > 1));
    for (uint32_t i = 0; i < lead.rank; i++)
        out->dims[i] = lead.dims[i];
    uint32_t at = lead.rank;
    if (a->rank > 1)
        out->dims[at++] = a->dims[a->rank - 2];
    if (b->rank > 1)
        out->dims[at] = b->dims[b->rank - 1];
    return true;
}

bool infer__matmul(struct infer *in, struct err *e)
{
    struct shape out;
    if (!infer__matmul_shape(in, infer__shape(in, 0), infer__shape(in, 1), &out, e))
        return false;
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* Gemm: A (M, K) and B (K, N), each possibly transposed, C broadcast to (M, N) -> (M, N). */
bool infer__gemm(struct infer *in, struct err *e)
{
    const struct shape *a = infer__shape(in, 0), *b = infer__shape(in, 1), *c = infer__shape(in, 2);
    bool trans_a = node_int(in->n, "transA", 0) != 0, trans_b = node_int(in->n, "transB", 0) != 0;
    if (!infer__need_rank(in, 0, 2, 2, e) || !infer__need_rank(in, 1, 2, 2, e) ||
        !infer__need_rank(in, 2, 0, 2, e))
        return false;
    struct shape out = infer__new_shape(in, 2);
    if (a->known)
        out.dims[0] = a->dims[trans_a];
    if (b->known)
        out.dims[1] = b->dims[!trans_b];
    if (a->known && b->known && !same_inner(a->dims[!trans_a], b->dims[trans_b], e))
        return false;
    for (uint32_t i = 0; c->known && i < c->rank; i++) {
        struct dim d = c->dims[c->rank - 1 - i];
        if (d.value != 1 && dim__differ(d, out.dims[1 - i]))
            return err_set(e, ERR_DATA, "C has %lld in a dim where the product has %lld",
                           (long long)d.value, (long long)out.dims[1 - i].value);
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}
