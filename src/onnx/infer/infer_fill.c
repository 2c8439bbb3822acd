/*
 * Shapes of operators that make tensors from numbers, or extend them: ConstantOfShape, Range,
 * EyeLike, Pad, CenterCropPad, Col2Im.
 */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "onnx/infer/infer_axes_p.h"
#include "onnx/range.h"

static bool one_number(const struct infer *in, uint32_t i, int64_t *out)
{
    size_t n;
    return infer__numbers(in, i, out, 1, &n) && n == 1;
}

/* Range: rank 1; three inputs of rank 0 decide its length. */
bool infer__range(struct infer *in, struct err *e)
{
    enum dtype dtype = infer__dtype(in, 0);
    struct shape out = infer__new_shape(in, 1);
    int64_t v[3], n = -1;
    double d[3];
    for (uint32_t i = 0; i < 3; i++)
        if (!infer__need_rank(in, i, 0, 1, e))
            return false;
    const struct tensor *c[3] = {infer__constant(in, 0), infer__constant(in, 1),
                                 infer__constant(in, 2)};
    if (dtype_is_float(dtype)) {
        bool known = c[0] && c[1] && c[2] && c[0]->n == 1 && c[1]->n == 1 && c[2]->n == 1;
        for (int i = 0; known && i < 3; i++)
            d[i] = tensor_get_double(c[i], 0);
        if (known && !range_count_floats(dtype, d, &n, e))
            return false;
    } else if (one_number(in, 0, &v[0]) && one_number(in, 1, &v[1]) && one_number(in, 2, &v[2])) {
        if (!range_count_ints(v[0], v[1], v[2], &n, e))
            return false;
        struct folded *at = arena_new_array(in->a, struct folded, n <= INFER_INTS_MAX ? n : 0);
        for (int64_t i = 0; i < n && n <= INFER_INTS_MAX; i++)
            at[i] = (struct folded){true, v[0] + i * v[2], 0};
        if (n <= INFER_INTS_MAX)
            infer__set_ints(in, 0, (struct fold){1, (uint32_t)n, at});
    }
    if (n >= 0)
        out.dims[0] = dim_of(n);
    infer__set(in, 0, dtype, out);
    return true;
}

/* ConstantOfShape: the shape that the input holds; dtype of the attribute `value`, else float. */
bool infer__constant_of_shape(struct infer *in, struct err *e)
{
    const struct shape *count = infer__shape(in, 0);
    const struct fold *f = infer__ints(in, 0);
    const struct attr *value = node_attr(in->n, "value");
    struct shape out = infer__unknown_shape();
    enum dtype dtype = value ? value->t->dtype : DTYPE_FLOAT;
    if (!infer__need_rank(in, 0, 1, 1, e))
        return false;
    if (value && value->t->n != 1)
        return err_set(e, ERR_DATA, "value has %zu elements, one is expected", value->t->n);
    if (f ? f->n > TENSOR_RANK_MAX : count->known && count->dims[0].value > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "more than %d dims", TENSOR_RANK_MAX);
    if (f) {
        out = infer__new_shape(in, f->n);
        for (uint32_t d = 0; d < f->n; d++) {
            if (f->at[d].is_known && f->at[d].value < 0)
                return err_set(e, ERR_DATA, "a dim of %lld", (long long)f->at[d].value);
            out.dims[d] = folded__dim(f->at[d]);
        }
    } else if (count->known && count->dims[0].value >= 0) {
        out = infer__new_shape(in, (uint32_t)count->dims[0].value);
    }
    infer__set(in, 0, dtype, out);
    bool is_int = dtype == DTYPE_INT64 || dtype == DTYPE_INT32 || dtype == DTYPE_BOOL;
    if (is_int && out.known && out.rank <= 1 && (!out.rank || out.dims[0].value >= 0) &&
        (!out.rank || out.dims[0].value <= INFER_INTS_MAX)) {
        uint32_t n = out.rank ? (uint32_t)out.dims[0].value : 1;
        struct folded *at = arena_new_array(in->a, struct folded, n);
        for (uint32_t i = 0; i < n; i++)
            at[i] = (struct folded){true, tensor_get_i64(value->t, 0), 0};
        infer__set_ints(in, 0, (struct fold){out.rank, n, at});
    }
    return true;
}

/* EyeLike: as input, of rank 2; dtype by attribute. */
bool infer__eye_like(struct infer *in, struct err *e)
{
    int64_t dtype = node_int(in->n, "dtype", infer__dtype(in, 0));
    if (!infer__need_rank(in, 0, 2, 2, e))
        return false;
    if (dtype <= 0 || dtype >= DTYPE_COUNT)
        return err_set(e, ERR_DATA, "dtype is %lld", (long long)dtype);
    infer__set(in, 0, (enum dtype)dtype, *infer__shape(in, 0));
    return true;
}

/* Pads of n axes: the begins, then the ends. */
struct pads {
    bool is_known;
    size_t n;
    int64_t at[2 * TENSOR_RANK_MAX];
};

static bool read_pads(const struct infer *in, struct pads *p, struct err *e)
{
    *p = (struct pads){0};
    if (op_fact_attr(in->n->fact, "pads")) {
        const int64_t *at = node_ints(in->n, "pads", &p->n);
        p->is_known = p->n <= COUNT_OF(p->at);
        for (size_t i = 0; p->is_known && i < p->n; i++)
            p->at[i] = at[i];
    } else {
        /* pads of shape (1, 2n) were allowed by the texts before opset 13 */
        if (!infer__need_rank(in, 1, 1, 1, e))
            return false;
        p->is_known = infer__numbers(in, 1, p->at, COUNT_OF(p->at), &p->n);
    }
    if (p->n % 2)
        return err_set(e, ERR_DATA, "pads has %zu numbers, an odd count", p->n);
    p->n /= 2;
    return true;
}

static bool padded_dim(const struct infer *in, struct dim d, const int64_t pads[2], struct dim *out,
                       struct err *e)
{
    struct str mode = node_string(in->n, "mode", STR("constant"));
    int64_t sum;
    bool is_constant = str_is(mode, "constant");
    if (!is_constant && (pads[0] < 0 || pads[1] < 0))
        return err_set(e, ERR_UNSUPPORTED,
                       "negative pads in mode " STR_FMT ": the standard gives no order of cropping "
                       "and padding",
                       STR_ARG(mode));
    if (!pads[0] && !pads[1]) {
        *out = d;
        return true;
    }
    *out = dim_unknown();
    if (d.value < 0)
        return true;
    if (!is_constant && !d.value)
        return err_set(e, ERR_DATA, "an axis without elements cannot be padded in mode " STR_FMT,
                       STR_ARG(mode));
    if (!number_add_i64(d.value, pads[0], &sum) || !number_add_i64(sum, pads[1], &sum) || sum < 0)
        return err_set(e, ERR_DATA, "%lld elements padded by %lld and %lld", (long long)d.value,
                       (long long)pads[0], (long long)pads[1]);
    *out = dim_of(sum);
    return true;
}

static bool is_pad_mode(struct str mode, int opset)
{
    return str_is(mode, "constant") || str_is(mode, "reflect") || str_is(mode, "edge") ||
           (str_is(mode, "wrap") && opset >= 19);
}

/* Pad: each axis is longer at both ends, or shorter for negative pads. */
bool infer__pad(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    struct str mode = node_string(in->n, "mode", STR("constant"));
    struct pads pads;
    struct axes_list axes = {.is_known = true};
    struct shape out = infer__unknown_shape();
    if (!is_pad_mode(mode, in->opset))
        return err_set(e, ERR_DATA, "mode '" STR_FMT "' does not exist", STR_ARG(mode));
    if (!read_pads(in, &pads, e) || !infer__axes(in, 3, &axes, e))
        return false;
    if (s->known && pads.is_known && axes.is_known) {
        uint32_t set;
        for (uint32_t d = 0; !axes.is_given && d < s->rank; d++)
            axes.at[axes.n++] = d;
        if (axes.n != pads.n)
            return err_set(e, ERR_DATA, "pads for %zu axes, %zu are expected", pads.n, axes.n);
        if (!axes__set(&axes, s->rank, &set, e))
            return false;
        out = infer__copy_shape(in, s);
        for (size_t i = 0; i < axes.n; i++) {
            int64_t d = axes.at[i] + (axes.at[i] < 0 ? s->rank : 0);
            if (!padded_dim(in, s->dims[d], (int64_t[]){pads.at[i], pads.at[pads.n + i]},
                            &out.dims[d], e))
                return false;
        }
    } else if (s->known) {
        out = infer__new_shape(in, s->rank);
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* CenterCropPad: the named axes get the sizes that the input `shape` holds. */
bool infer__center_crop_pad(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    const struct fold *f = infer__ints(in, 1);
    struct axes_list axes;
    struct shape out = infer__unknown_shape();
    uint32_t set;
    if (!infer__need_rank(in, 1, 1, 1, e) || !infer__axes(in, 2, &axes, e))
        return false;
    if (s->known) {
        for (uint32_t d = 0; !axes.is_given && d < s->rank; d++)
            axes.at[axes.n++] = d;
        if (!axes__set(&axes, s->rank, &set, e))
            return false;
        if (f && f->n != axes.n)
            return err_set(e, ERR_DATA, "%u sizes for %zu axes", f->n, axes.n);
        out = infer__copy_shape(in, s);
        for (size_t i = 0; i < axes.n; i++) {
            int64_t d = axes.at[i] + (axes.at[i] < 0 ? s->rank : 0);
            out.dims[d] = f ? folded__dim(f->at[i]) : dim_unknown();
        }
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* Col2Im: (N, C * block, L) -> (N, C, image...). */
bool infer__col2im(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0), *count = infer__shape(in, 1);
    const struct fold *image = infer__ints(in, 1);
    int64_t block[TENSOR_RANK_MAX], n_block = 1;
    size_t n;
    struct shape out = infer__unknown_shape();
    if (!infer__need_rank(in, 0, 3, 3, e) || !infer__need_rank(in, 1, 1, 1, e) ||
        !infer__need_rank(in, 2, 1, 1, e))
        return false;
    int64_t n_spatial = image ? image->n : count->known ? count->dims[0].value : -1;
    if (n_spatial > TENSOR_RANK_MAX - 2)
        return err_set(e, ERR_LIMIT, "%lld spatial axes", (long long)n_spatial);
    if (n_spatial >= 0) {
        out = infer__new_shape(in, 2 + (uint32_t)n_spatial);
        if (s->known)
            out.dims[0] = s->dims[0];
        for (uint32_t d = 0; image && d < image->n; d++)
            out.dims[2 + d] = folded__dim(image->at[d]);
        bool has_block = infer__numbers(in, 2, block, COUNT_OF(block), &n);
        for (size_t i = 0; has_block && i < n; i++)
            if (block[i] < 1 || !number_mul_i64(n_block, block[i], &n_block))
                return err_set(e, ERR_DATA, "a block of %lld", (long long)block[i]);
        if (has_block && s->known && s->dims[1].value >= 0) {
            if (s->dims[1].value % n_block)
                return err_set(e, ERR_DATA, "%lld channels for blocks of %lld",
                               (long long)s->dims[1].value, (long long)n_block);
            out.dims[1] = dim_of(s->dims[1].value / n_block);
        }
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}
