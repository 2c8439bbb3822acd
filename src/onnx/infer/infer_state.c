/* Shapes of operators that return their state (LinearAttention, CausalConvWithState), and of
 * SwiGLU. */
#include "onnx/infer/infer_axes_p.h"

/* SwiGLU: as A; B has the same shape. */
bool infer__swiglu(struct infer *in, struct err *e)
{
    const struct shape *a = infer__shape(in, 0), *b = infer__shape(in, 1);
    bool fits = !a->known || !b->known || a->rank == b->rank;
    for (uint32_t d = 0; fits && a->known && b->known && d < a->rank; d++)
        fits = !dim__differ(a->dims[d], b->dims[d]);
    if (!fits)
        return err_set(e, ERR_DATA, "A and B differ in their shapes");
    return infer__same_as_input(in, 0, 0);
}

/* CausalConvWithState: input (B, C, L), weight (C, 1, k) -> as input; state (B, C, k - 1). */
bool infer__causal_conv(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0), *w = infer__shape(in, 1);
    struct shape state = infer__new_shape(in, 3);
    if (!infer__need_rank(in, 0, 3, 3, e) || !infer__need_rank(in, 1, 3, 3, e) ||
        !infer__need_rank(in, 3, 3, 3, e))
        return false;
    if (x->known && w->known && dim__differ(x->dims[1], w->dims[0]))
        return err_set(e, ERR_DATA, "%lld channels, weights for %lld", (long long)x->dims[1].value,
                       (long long)w->dims[0].value);
    if (x->known) {
        state.dims[0] = x->dims[0];
        state.dims[1] = x->dims[1];
    }
    if (w->known && w->dims[2].value >= 1)
        state.dims[2] = dim_of(w->dims[2].value - 1);
    infer__set(in, 1, infer__dtype(in, 0), state);
    return infer__same_as_input(in, 0, 0);
}

/* The size of one of n heads packed into a dim. */
static struct dim head_size(struct dim packed, int64_t n)
{
    return packed.value >= 0 && n > 0 && packed.value % n == 0 ? dim_of(packed.value / n)
                                                               : dim_unknown();
}

/* LinearAttention: query (B, T, Hq dk), key, value (B, T, H dv) -> (B, T, Hq dv); state (B, H, dk,
 * dv). */
bool infer__linear_attention(struct infer *in, struct err *e)
{
    const struct shape *q = infer__shape(in, 0), *v = infer__shape(in, 2);
    int64_t nq = node_int(in->n, "q_num_heads", 0), nk = node_int(in->n, "kv_num_heads", 0);
    struct shape out = infer__new_shape(in, 3), state = infer__new_shape(in, 4);
    if (nq < 1 || nk < 1 || nq % nk)
        return err_set(e, ERR_DATA, "%lld heads of the query, %lld of the key", (long long)nq,
                       (long long)nk);
    for (uint32_t i = 0; i < 3; i++)
        if (!infer__need_rank(in, i, 3, 3, e))
            return false;
    state.dims[1] = dim_of(nk);
    if (q->known) {
        out.dims[0] = state.dims[0] = q->dims[0];
        out.dims[1] = q->dims[1];
        state.dims[2] = head_size(q->dims[2], nq);
    }
    if (v->known) {
        state.dims[3] = head_size(v->dims[2], nk);
        out.dims[2] = dim__product((struct dim[]){state.dims[3], dim_of(nq)}, 2);
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    infer__set(in, 1, infer__has(in, 3) ? infer__dtype(in, 3) : infer__dtype(in, 0), state);
    return true;
}
