/*
 * Shapes of quantisation and of products of quantised tensors: QuantizeLinear, DequantizeLinear,
 * DynamicQuantizeLinear, QLinearMatMul, MatMulInteger, QLinearConv, ConvInteger.
 */
#include "onnx/infer/infer_axes_p.h"
#include "onnx/window.h"

/* The dtype that the attribute names; `otherwise` where it is absent or 0. */
static bool dtype_attr(const struct infer *in, const char *name, enum dtype otherwise,
                       enum dtype *out, struct err *e)
{
    int64_t t = node_int(in->n, name, 0);
    *out = t ? (enum dtype)t : otherwise;
    return (t >= 0 && t < DTYPE_COUNT) || err_set(e, ERR_DATA, "%s is %lld", name, (long long)t);
}

/* A scale of rank 1 has one element per element of the axis, or one in all. */
static bool check_scale(const struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0), *scale = infer__shape(in, 1);
    int64_t axis = node_int(in->n, "axis", 1), block = node_int(in->n, "block_size", 0);
    if (!x->known || !scale->known)
        return true;
    if (block) {
        if (scale->rank != x->rank || block < 0 || !infer__fix_axis(&axis, x->rank, e))
            return err_set(e, ERR_DATA, "blocks of %lld with a scale of rank %u", (long long)block,
                           scale->rank);
        return true;
    }
    if (scale->rank > 1)
        return err_set(e, ERR_DATA, "a scale of rank %u without block_size", scale->rank);
    if (!scale->rank || scale->dims[0].value == 1 || scale->dims[0].value < 0)
        return true;
    if (!infer__fix_axis(&axis, x->rank, e))
        return false;
    return !dim__differ(scale->dims[0], x->dims[axis]) ||
           err_set(e, ERR_DATA, "the scale has %lld elements, axis %lld has %lld",
                   (long long)scale->dims[0].value, (long long)axis,
                   (long long)x->dims[axis].value);
}

/* QuantizeLinear: shape of x; dtype of the attribute, the zero point, or uint8. */
bool infer__quantize(struct infer *in, struct err *e)
{
    enum dtype t, zero = infer__dtype(in, 2);
    if (!dtype_attr(in, "output_dtype", infer__has(in, 2) ? zero : DTYPE_UINT8, &t, e) ||
        !check_scale(in, e))
        return false;
    if (infer__has(in, 2) && zero != DTYPE_UNDEFINED && t != zero)
        return err_set(e, ERR_DATA, "output_dtype is %s, the zero point is %s", dtype_name(t),
                       dtype_name(zero));
    infer__set(in, 0, t, *infer__shape(in, 0));
    return true;
}

/* DequantizeLinear: shape of x; dtype of the attribute or of the scale. */
bool infer__dequantize(struct infer *in, struct err *e)
{
    enum dtype t;
    if (!dtype_attr(in, "output_dtype", infer__dtype(in, 1), &t, e) || !check_scale(in, e))
        return false;
    infer__set(in, 0, t, *infer__shape(in, 0));
    return true;
}

/* DynamicQuantizeLinear: uint8 as x, float scale and uint8 zero point of rank 0. */
bool infer__dynamic_quantize(struct infer *in, struct err *e)
{
    (void)e;
    infer__set(in, 0, DTYPE_UINT8, *infer__shape(in, 0));
    infer__set(in, 1, DTYPE_FLOAT, infer__new_shape(in, 0));
    infer__set(in, 2, DTYPE_UINT8, infer__new_shape(in, 0));
    return true;
}

/* QLinearMatMul: a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero. */
bool infer__qlinear_matmul(struct infer *in, struct err *e)
{
    struct shape out;
    if (!infer__matmul_shape(in, infer__shape(in, 0), infer__shape(in, 3), &out, e))
        return false;
    infer__set(in, 0, infer__dtype(in, 7), out);
    return true;
}

/* MatMulInteger: int32. */
bool infer__matmul_integer(struct infer *in, struct err *e)
{
    struct shape out;
    if (!infer__matmul_shape(in, infer__shape(in, 0), infer__shape(in, 1), &out, e))
        return false;
    infer__set(in, 0, DTYPE_INT32, out);
    return true;
}

/* X (N, C, ..), weights (M, C / group, ..) -> (N, M, ..), with spatial dims through the window. */
static bool conv_shape(const struct infer *in, uint32_t weights_at, struct shape *out,
                       struct err *e)
{
    const struct shape *x = infer__shape(in, 0), *weights = infer__shape(in, weights_at);
    int64_t group = node_int(in->n, "group", 1), kernel[TENSOR_RANK_MAX];
    struct window w;
    *out = infer__unknown_shape();
    if (!x->known)
        return true;
    if (!infer__need_rank(in, 0, 3, TENSOR_RANK_MAX, e) ||
        !infer__need_rank(in, weights_at, x->rank, x->rank, e))
        return false;
    for (uint32_t d = 0; d + 2 < x->rank; d++)
        kernel[d] = weights->known ? weights->dims[d + 2].value : -1;
    if (!window_read(in->n, x->rank - 2, kernel, &w, e))
        return false;
    struct dim c = x->dims[1], m = weights->known ? weights->dims[0] : dim_unknown();
    struct dim each = weights->known ? weights->dims[1] : dim_unknown();
    if (group < 1 || (m.value >= 0 && m.value % group) ||
        (c.value >= 0 && each.value >= 0 && c.value != each.value * group))
        return err_set(e, ERR_DATA, "%lld channels in %lld groups of %lld", (long long)c.value,
                       (long long)group, (long long)each.value);
    *out = infer__new_shape(in, x->rank);
    out->dims[0] = x->dims[0];
    out->dims[1] = m;
    for (uint32_t d = 0; d < w.n; d++) {
        if (x->dims[d + 2].value < 0 || w.kernel[d] < 1)
            continue;
        if (!window_fit(&w, d, x->dims[d + 2].value, e))
            return false;
        out->dims[d + 2] = dim_of(w.out[d]);
    }
    return true;
}

/* QLinearConv: x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, B. */
bool infer__qlinear_conv(struct infer *in, struct err *e)
{
    struct shape out;
    if (!conv_shape(in, 3, &out, e))
        return false;
    infer__set(in, 0, infer__dtype(in, 7), out);
    return true;
}

/* ConvInteger: int32. */
bool infer__conv_integer(struct infer *in, struct err *e)
{
    struct shape out;
    if (!conv_shape(in, 1, &out, e))
        return false;
    infer__set(in, 0, DTYPE_INT32, out);
    return true;
}
