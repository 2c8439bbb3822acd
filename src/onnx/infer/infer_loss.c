/* Shapes of losses: NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss; and of Det and BitCast. */
#include "onnx/infer/infer_axes_p.h"

/* input (N, C, d..), target (N, d..), weight (C) -> (N, d..) or, reduced, a scalar; log_prob as
 * input. */
bool infer__class_loss(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0), *target = infer__shape(in, 1);
    struct str reduction = node_string(in->n, "reduction", STR("mean"));
    bool is_none = str_is(reduction, "none");
    if (!is_none && !str_is(reduction, "mean") && !str_is(reduction, "sum"))
        return err_set(e, ERR_DATA, "reduction '" STR_FMT "' does not exist", STR_ARG(reduction));
    if (!infer__need_rank(in, 0, 2, TENSOR_RANK_MAX, e))
        return false;
    struct shape out = infer__unknown_shape();
    if (x->known) {
        if (!infer__need_rank(in, 1, x->rank - 1, x->rank - 1, e) ||
            (infer__has(in, 2) && !infer__need_vector(in, 2, x->dims[1], e)))
            return false;
        out = infer__new_shape(in, x->rank - 1);
        for (uint32_t d = 0; d < out.rank; d++) {
            struct dim of_x = x->dims[d + (d > 0)];
            out.dims[d] = of_x;
            if (target->known && dim__differ(of_x, target->dims[d]))
                return err_set(e, ERR_DATA, "dim %u of the target differs from the input's", d);
            if (target->known)
                out.dims[d] = dim__merge(of_x, target->dims[d]);
        }
    }
    infer__set(in, 0, infer__dtype(in, 0), is_none ? out : infer__new_shape(in, 0));
    infer__set(in, 1, infer__dtype(in, 0), *x);
    return true;
}

/* Det: (*, M, M) -> (*). */
bool infer__det(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0);
    struct shape out = infer__unknown_shape();
    if (!infer__need_rank(in, 0, 2, TENSOR_RANK_MAX, e))
        return false;
    if (x->known) {
        if (dim__differ(x->dims[x->rank - 1], x->dims[x->rank - 2]))
            return err_set(e, ERR_DATA, "matrices of %lld x %lld",
                           (long long)x->dims[x->rank - 2].value,
                           (long long)x->dims[x->rank - 1].value);
        out = infer__copy_shape(in, x);
        out.rank -= 2;
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* BitCast: as input, of the dtype `to`, which has as many bits. */
bool infer__bit_cast(struct infer *in, struct err *e)
{
    int64_t to = node_int(in->n, "to", 0);
    enum dtype from = infer__dtype(in, 0);
    if (to <= 0 || to >= DTYPE_COUNT)
        return err_set(e, ERR_DATA, "to is %lld", (long long)to);
    if (from != DTYPE_UNDEFINED && dtype_row(from)->n_bits != dtype_row((enum dtype)to)->n_bits)
        return err_set(e, ERR_DATA, "%s and %s differ in their bits", dtype_name(from),
                       dtype_name((enum dtype)to));
    infer__set(in, 0, (enum dtype)to, *infer__shape(in, 0));
    return true;
}
