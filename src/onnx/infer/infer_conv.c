/* Shapes of Conv, ConvTranspose and the pools: window.c has the formulas. */
#include "onnx/infer/infer_p.h"
#include "onnx/window.h"

/* Sets dims 2.. of the result: the spatial dims of X through the window. */
static bool fit_spatial(const struct infer *in, struct window *w, struct shape *out,
                        bool is_transposed, struct err *e)
{
    const struct shape *x = infer__shape(in, 0);
    for (uint32_t d = 0; d < w->n; d++) {
        int64_t size = x->dims[d + 2].value;
        if (is_transposed && w->output_shape)
            out->dims[d + 2] = dim_of(w->output_shape[d]);
        if (size < 0 || w->kernel[d] < 1)
            continue;
        if (!(is_transposed ? window_fit_transposed(w, d, size, e) : window_fit(w, d, size, e)))
            return false;
        out->dims[d + 2] = dim_of(w->out[d]);
    }
    return true;
}

/* Kernel sizes, from W; -1 where not known. */
static bool kernel_of(const struct infer *in, uint32_t n, int64_t *kernel, struct err *e)
{
    const struct shape *w = infer__shape(in, 1);
    if (w->known && w->rank != n + 2)
        return err_set(e, ERR_DATA, "W has rank %u, X has %u", w->rank, n + 2);
    for (uint32_t d = 0; d < n; d++)
        kernel[d] = w->known ? w->dims[d + 2].value : -1;
    return true;
}

static struct dim dim_at(const struct shape *s, uint32_t d)
{
    return s->known ? s->dims[d] : dim_unknown();
}

static bool check_bias(const struct infer *in, struct dim channels, struct err *e)
{
    const struct shape *b = infer__shape(in, 2);
    if (!infer__need_rank(in, 2, 1, 1, e))
        return false;
    return !b->known || !dim__differ(b->dims[0], channels) ||
           err_set(e, ERR_DATA, "the bias has %lld elements, %lld are expected",
                   (long long)b->dims[0].value, (long long)channels.value);
}

/* X (N, C, spatial), W (M, C / group, kernel), B (M): Y (N, M, out). */
bool infer__conv(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0), *weights = infer__shape(in, 1);
    int64_t group = node_int(in->n, "group", 1), kernel[TENSOR_RANK_MAX];
    struct window w;
    infer__set(in, 0, infer__dtype(in, 0), infer__unknown_shape());
    if (!x->known)
        return true;
    if (!infer__need_rank(in, 0, 3, TENSOR_RANK_MAX, e) || !kernel_of(in, x->rank - 2, kernel, e) ||
        !window_read(in->n, x->rank - 2, kernel, &w, e))
        return false;
    struct shape out = infer__new_shape(in, x->rank);
    struct dim c = x->dims[1], m = dim_at(weights, 0), per_group = dim_at(weights, 1);
    if (group < 1 || (m.value >= 0 && m.value % group))
        return err_set(e, ERR_DATA, "%lld output channels in %lld groups", (long long)m.value,
                       (long long)group);
    if (c.value >= 0 && per_group.value >= 0 &&
        (c.value % group || c.value / group != per_group.value))
        return err_set(e, ERR_DATA, "X has %lld channels, W takes %lld in each of %lld groups",
                       (long long)c.value, (long long)per_group.value, (long long)group);
    out.dims[0] = x->dims[0];
    out.dims[1] = m;
    if (!check_bias(in, m, e) || !fit_spatial(in, &w, &out, false, e))
        return false;
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* X (N, C, spatial), W (C, M / group, kernel), B (M): Y (N, M, out). */
bool infer__conv_transpose(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0), *weights = infer__shape(in, 1);
    int64_t group = node_int(in->n, "group", 1), kernel[TENSOR_RANK_MAX];
    struct window w;
    infer__set(in, 0, infer__dtype(in, 0), infer__unknown_shape());
    if (!x->known)
        return true;
    if (!infer__need_rank(in, 0, 3, TENSOR_RANK_MAX, e) || !kernel_of(in, x->rank - 2, kernel, e) ||
        !window_read(in->n, x->rank - 2, kernel, &w, e))
        return false;
    struct shape out = infer__new_shape(in, x->rank);
    struct dim c = x->dims[1], c_w = dim_at(weights, 0), per_group = dim_at(weights, 1);
    if (group < 1 || dim__differ(c, c_w) || (c.value >= 0 && c.value % group))
        return err_set(e, ERR_DATA, "X has %lld channels, W takes %lld in %lld groups",
                       (long long)c.value, (long long)c_w.value, (long long)group);
    out.dims[0] = x->dims[0];
    if (per_group.value >= 0 && per_group.value <= INT32_MAX && group <= INT32_MAX)
        out.dims[1] = dim_of(per_group.value * group);
    if (!check_bias(in, out.dims[1], e) || !fit_spatial(in, &w, &out, true, e))
        return false;
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* X (N, C, spatial): Y (N, C, out), and for MaxPool the indices of the same shape. */
bool infer__pool(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0);
    struct shape out = infer__unknown_shape();
    struct window w;
    if (x->known) {
        if (!infer__need_rank(in, 0, 3, TENSOR_RANK_MAX, e) ||
            !window_read(in->n, x->rank - 2, NULL, &w, e))
            return false;
        out = infer__new_shape(in, x->rank);
        out.dims[0] = x->dims[0];
        out.dims[1] = x->dims[1];
        if (!fit_spatial(in, &w, &out, false, e))
            return false;
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    infer__set(in, 1, DTYPE_INT64, out);
    return true;
}

/* X (N, C, spatial): Y (N, C, 1 ...). */
bool infer__global_pool(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0);
    struct shape out = infer__unknown_shape();
    if (!infer__need_rank(in, 0, 2, TENSOR_RANK_MAX, e))
        return false;
    if (x->known) {
        out = infer__copy_shape(in, x);
        for (uint32_t d = 2; d < out.rank; d++)
            out.dims[d] = dim_of(1);
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}
