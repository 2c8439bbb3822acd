/* Shapes of the operators of object detectors: NonMaxSuppression, RoiAlign, DeformConv. */
#include "onnx/infer/infer_axes_p.h"
#include "onnx/window.h"

static bool need_same(const struct infer *in, uint32_t i, uint32_t i_dim, uint32_t j,
                      uint32_t j_dim, struct err *e)
{
    const struct shape *a = infer__shape(in, i), *b = infer__shape(in, j);
    if (!a->known || !b->known || !dim__differ(a->dims[i_dim], b->dims[j_dim]))
        return true;
    return err_set(e, ERR_DATA, "dim %u of input %u is %lld, dim %u of input %u is %lld", i_dim, i,
                   (long long)a->dims[i_dim].value, j_dim, j, (long long)b->dims[j_dim].value);
}

static bool need_size(const struct infer *in, uint32_t i, uint32_t d, int64_t size, struct err *e)
{
    const struct shape *s = infer__shape(in, i);
    return !s->known || !dim__differ(s->dims[d], dim_of(size)) ||
           err_set(e, ERR_DATA, "dim %u of input %u is %lld, %lld is expected", d, i,
                   (long long)s->dims[d].value, (long long)size);
}

/* NonMaxSuppression: (chosen, 3). */
bool infer__non_max_suppression(struct infer *in, struct err *e)
{
    struct shape out = infer__new_shape(in, 2);
    if (!infer__need_rank(in, 0, 3, 3, e) || !infer__need_rank(in, 1, 3, 3, e) ||
        !need_size(in, 0, 2, 4, e) || !need_same(in, 0, 0, 1, 0, e) ||
        !need_same(in, 0, 1, 1, 2, e))
        return false;
    for (uint32_t i = 2; i < 5; i++)
        if (!infer__need_rank(in, i, 0, 1, e))
            return false;
    out.dims[1] = dim_of(3);
    infer__set(in, 0, DTYPE_INT64, out);
    return true;
}

/* RoiAlign: (regions, C, output_height, output_width). */
bool infer__roi_align(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0), *rois = infer__shape(in, 1);
    struct shape out = infer__new_shape(in, 4);
    int64_t height = node_int(in->n, "output_height", 1),
            width = node_int(in->n, "output_width", 1);
    if (!infer__need_rank(in, 0, 4, 4, e) || !infer__need_rank(in, 1, 2, 2, e) ||
        !infer__need_rank(in, 2, 1, 1, e) || !need_size(in, 1, 1, 4, e) ||
        !need_same(in, 1, 0, 2, 0, e))
        return false;
    if (height < 1 || width < 1)
        return err_set(e, ERR_DATA, "bins %lld x %lld", (long long)height, (long long)width);
    if (rois->known)
        out.dims[0] = rois->dims[0];
    if (x->known)
        out.dims[1] = x->dims[1];
    out.dims[2] = dim_of(height);
    out.dims[3] = dim_of(width);
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* Checks the sizes of offsets and mask against the kernel, where all is known. */
static bool check_sampling(const struct infer *in, const struct window *w, const struct shape *out,
                           struct err *e)
{
    int64_t n_offsets = node_int(in->n, "offset_group", 1);
    for (uint32_t d = 0; d < w->n; d++) {
        if (w->kernel[d] < 1)
            return true;
        n_offsets *= w->kernel[d];
    }
    for (uint32_t i = 2; i < 5; i += 2) {
        if (!infer__has(in, i))
            continue;
        if (!infer__need_rank(in, i, w->n + 2, w->n + 2, e) ||
            !need_size(in, i, 1, i == 2 ? n_offsets * w->n : n_offsets, e))
            return false;
        for (uint32_t d = 0; d < w->n; d++)
            if (out->dims[d + 2].value >= 0 && !need_size(in, i, d + 2, out->dims[d + 2].value, e))
                return false;
    }
    return true;
}

/* DeformConv: X (N, C, spatial), W (M, C / group, kernel), offset -> (N, M, out). */
bool infer__deform_conv(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0), *weights = infer__shape(in, 1);
    int64_t group = node_int(in->n, "group", 1), parts = node_int(in->n, "offset_group", 1);
    int64_t kernel[TENSOR_RANK_MAX];
    struct window w;
    infer__set(in, 0, infer__dtype(in, 0), infer__unknown_shape());
    if (!x->known || !weights->known)
        return true;
    if (!infer__need_rank(in, 0, 3, TENSOR_RANK_MAX, e) ||
        !infer__need_rank(in, 1, x->rank, x->rank, e))
        return false;
    for (uint32_t d = 2; d < x->rank; d++)
        kernel[d - 2] = weights->dims[d].value;
    if (!window_read(in->n, x->rank - 2, kernel, &w, e))
        return false;
    struct dim c = x->dims[1], m = weights->dims[0];
    if (group < 1 || parts < 1 || (c.value >= 0 && (c.value % group || c.value % parts)) ||
        (m.value >= 0 && m.value % group))
        return err_set(e, ERR_DATA, "%lld to %lld channels in %lld groups, %lld of offsets",
                       (long long)c.value, (long long)m.value, (long long)group, (long long)parts);
    if (c.value >= 0 && !need_size(in, 1, 1, c.value / group, e))
        return false;
    struct shape out = infer__new_shape(in, x->rank);
    out.dims[0] = x->dims[0];
    out.dims[1] = m;
    for (uint32_t d = 0; d < w.n; d++) {
        if (x->dims[d + 2].value < 0 || w.kernel[d] < 1)
            continue;
        if (!window_fit(&w, d, x->dims[d + 2].value, e))
            return false;
        out.dims[d + 2] = dim_of(w.out[d]);
    }
    if (!infer__need_vector(in, 3, m, e) || !check_sampling(in, &w, &out, e))
        return false;
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}
