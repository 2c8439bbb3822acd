/*
 * Shapes of operators that rearrange dims and keep elements: Reshape, Transpose, Squeeze,
 * Unsqueeze, Flatten, Shape, Size, DepthToSpace, SpaceToDepth. Folded integers pass through where
 * the result has rank 0 or 1.
 */
#include <string.h>

#include "base/number.h"
#include "onnx/infer/infer_axes_p.h"

/* Keeps folded integers for the same elements in another shape. */
static void keep_ints(struct infer *in, const struct shape *out)
{
    const struct fold *f = infer__ints(in, 0);
    if (f && out->known && out->rank <= 1)
        infer__set_ints(in, 0, (struct fold){out->rank, f->n, f->at});
}

/* The dim that -1 stands for: the product of data's dims divided by that of the result's others,
 * with equal dims cancelled. */
static bool inferred_dim(const struct infer *in, const struct shape *data, const struct shape *out,
                         uint32_t at, struct dim *result, struct err *e)
{
    struct dim *left = arena_dup(in->a, data->dims, data->rank * sizeof *left);
    struct dim *right = arena_dup(in->a, out->dims, out->rank * sizeof *right);
    right[at] = dim_of(1);
    for (uint32_t i = 0; i < out->rank; i++)
        for (uint32_t j = 0; j < data->rank; j++)
            if (right[i].value != 0 && dim__equal(right[i], left[j])) {
                left[j] = right[i] = dim_of(1);
                break;
            }
    struct dim above = dim__product(left, data->rank), below = dim__product(right, out->rank);
    *result = dim_unknown();
    if (below.value == 0)
        return err_set(e, ERR_UNSUPPORTED,
                       "-1 and a dim of 0: the standard does not say what -1 stands for");
    if (above.value >= 0 && below.value > 0) {
        if (above.value % below.value)
            return err_set(e, ERR_DATA, "%lld elements cannot be divided by the other %lld",
                           (long long)above.value, (long long)below.value);
        *result = dim_of(above.value / below.value);
    } else if (below.value == 1) {
        *result = above;
    }
    return true;
}

/* Number d of Reshape's input `shape` as a dim; *minus: it is -1. */
static bool reshaped_dim(const struct infer *in, struct folded v, uint32_t d, struct dim *out,
                         bool *minus, struct err *e)
{
    const struct shape *data = infer__shape(in, 0);
    *minus = v.is_known && v.value == -1;
    *out = folded__dim(v);
    if (v.is_known && v.value < -1)
        return err_set(e, ERR_DATA, "a dim of %lld", (long long)v.value);
    if (v.is_known && v.value == 0 && !node_int(in->n, "allowzero", 0)) {
        if (data->known && d >= data->rank)
            return err_set(e, ERR_DATA, "dim %u of shape is 0, data has rank %u", d, data->rank);
        *out = data->known ? data->dims[d] : dim_unknown();
    }
    return true;
}

static bool reshaped(const struct infer *in, const struct fold *f, struct shape *out, struct err *e)
{
    const struct shape *data = infer__shape(in, 0);
    bool has_zero = false, has_minus = false, minus;
    uint32_t minus_at = 0;
    *out = infer__new_shape(in, f->n);
    for (uint32_t d = 0; d < f->n; d++) {
        if (!reshaped_dim(in, f->at[d], d, &out->dims[d], &minus, e))
            return false;
        if (minus && has_minus)
            return err_set(e, ERR_DATA, "two dims of -1");
        has_minus |= minus;
        minus_at = minus ? d : minus_at;
        has_zero |= f->at[d].is_known && !f->at[d].value;
    }
    if (has_minus && has_zero && node_int(in->n, "allowzero", 0))
        return err_set(e, ERR_DATA, "dims of 0 and -1 with allowzero");
    if (!data->known)
        return true;
    if (has_minus)
        return inferred_dim(in, data, out, minus_at, &out->dims[minus_at], e);
    struct dim before = dim__product(data->dims, data->rank);
    struct dim after = dim__product(out->dims, out->rank);
    return !dim__differ(before, after) ||
           err_set(e, ERR_DATA, "%lld elements cannot be given a shape of %lld",
                   (long long)before.value, (long long)after.value);
}

/* Reshape: 0 copies the dim (unless allowzero), one -1 takes what the others leave. */
bool infer__reshape(struct infer *in, struct err *e)
{
    const struct shape *count = infer__shape(in, 1);
    const struct fold *f = infer__ints(in, 1);
    struct shape out = infer__unknown_shape();
    if (!infer__need_rank(in, 1, 1, 1, e))
        return false;
    if (f && f->n > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "%u dims, at most %d are taken", f->n, TENSOR_RANK_MAX);
    if (f && !reshaped(in, f, &out, e))
        return false;
    if (!f && count->known && count->dims[0].value >= 0 && count->dims[0].value <= TENSOR_RANK_MAX)
        out = infer__new_shape(in, (uint32_t)count->dims[0].value);
    infer__set(in, 0, infer__dtype(in, 0), out);
    keep_ints(in, &out);
    return true;
}

/* Transpose: dims in the order of perm, reversed without it. */
bool infer__transpose(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    size_t n;
    const int64_t *perm = node_ints(in->n, "perm", &n);
    bool has_perm = node_attr(in->n, "perm") != NULL;
    struct shape out = infer__unknown_shape();
    uint32_t seen = 0;
    if (s->known) {
        if (has_perm && n != s->rank)
            return err_set(e, ERR_DATA, "perm has %zu numbers, the tensor rank %u", n, s->rank);
        out = infer__new_shape(in, s->rank);
        for (uint32_t d = 0; d < s->rank; d++) {
            int64_t from = has_perm ? perm[d] : s->rank - 1 - d;
            if (from < 0 || from >= s->rank || seen >> from & 1)
                return err_set(e, ERR_DATA, "perm is no permutation of 0 to %u", s->rank - 1);
            seen |= 1u << from;
            out.dims[d] = s->dims[from];
        }
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    keep_ints(in, &out);
    return true;
}

/* Squeeze: dims of 1 at axes, or all of them, are left out. */
bool infer__squeeze(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    struct axes_list axes;
    struct shape out = infer__unknown_shape();
    uint32_t set = 0, n = 0;
    if (!infer__axes(in, 1, &axes, e))
        return false;
    bool known = s->known && axes.is_known;
    if (known && axes.is_given) {
        if (!axes__set(&axes, s->rank, &set, e))
            return false;
        for (uint32_t d = 0; d < s->rank; d++)
            if (set >> d & 1 && dim__differ(s->dims[d], dim_of(1)))
                return err_set(e, ERR_DATA, "axis %u has %lld elements, not 1", d,
                               (long long)s->dims[d].value);
    }
    for (uint32_t d = 0; known && !axes.is_given && d < s->rank; d++) {
        known = s->dims[d].value >= 0;
        set |= s->dims[d].value == 1 ? 1u << d : 0;
    }
    if (known) {
        out = infer__new_shape(in, s->rank);
        for (uint32_t d = 0; d < s->rank; d++)
            if (!(set >> d & 1))
                out.dims[n++] = s->dims[d];
        out.rank = n;
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    keep_ints(in, &out);
    return true;
}

/* Unsqueeze: dims of 1 inserted at axes of the result. */
bool infer__unsqueeze(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    struct axes_list axes;
    struct shape out = infer__unknown_shape();
    uint32_t set, from = 0;
    if (!infer__axes(in, 1, &axes, e))
        return false;
    if (s->known && axes.is_known) {
        uint32_t rank = s->rank + (uint32_t)axes.n;
        if (rank > TENSOR_RANK_MAX)
            return err_set(e, ERR_LIMIT, "the output has more than %d dims", TENSOR_RANK_MAX);
        if (!axes__set(&axes, rank, &set, e))
            return false;
        out = infer__new_shape(in, rank);
        for (uint32_t d = 0; d < rank; d++)
            out.dims[d] = set >> d & 1 ? dim_of(1) : s->dims[from++];
    } else if (s->known && !axes.is_known) { /* the rank is at least the number of axes */
        const struct shape *n = infer__shape(in, 1);
        if (n->known && n->rank == 1 && n->dims[0].value >= 0 &&
            s->rank + n->dims[0].value <= TENSOR_RANK_MAX)
            out = infer__new_shape(in, s->rank + (uint32_t)n->dims[0].value);
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    keep_ints(in, &out);
    return true;
}

/* Flatten: (product of dims before axis, product of the others); axis -r .. r. */
bool infer__flatten(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    int64_t axis = node_int(in->n, "axis", 1);
    struct shape out = infer__new_shape(in, 2);
    if (s->known) {
        if (axis != s->rank && !infer__fix_axis(&axis, s->rank, e))
            return false;
        out.dims[0] = dim__product(s->dims, (uint32_t)axis);
        out.dims[1] = dim__product(s->dims + axis, s->rank - (uint32_t)axis);
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* Shape: int64 list of the dims from start to end, both clamped. */
bool infer__shape_of(struct infer *in, struct err *e)
{
    (void)e;
    const struct shape *s = infer__shape(in, 0);
    struct shape out = infer__new_shape(in, 1);
    infer__set(in, 0, DTYPE_INT64, out);
    if (!s->known)
        return true;
    int64_t rank = s->rank, start = node_int(in->n, "start", 0), end = node_int(in->n, "end", rank);
    start = MAX(0, MIN(start + (start < 0 ? rank : 0), rank));
    end = MAX(start, MIN(end + (end < 0 ? rank : 0), rank));
    struct folded *at = arena_new_array(in->a, struct folded, (size_t)(end - start));
    for (int64_t d = start; d < end; d++)
        at[d - start] = dim__fold(s->dims[d]);
    out.dims[0] = dim_of(end - start);
    infer__set_ints(in, 0, (struct fold){1, (uint32_t)(end - start), at});
    return true;
}

/* Size: int64 of rank 0. */
bool infer__size(struct infer *in, struct err *e)
{
    (void)e;
    const struct shape *s = infer__shape(in, 0);
    struct folded *at = arena_new(in->a, struct folded);
    infer__set(in, 0, DTYPE_INT64, infer__new_shape(in, 0));
    if (s->known)
        *at = dim__fold(dim__product(s->dims, s->rank));
    infer__set_ints(in, 0, (struct fold){0, 1, at});
    return true;
}

static bool block_size(const struct infer *in, int64_t *block, struct err *e)
{
    struct str mode = node_string(in->n, "mode", STR("DCR"));
    *block = node_int(in->n, "blocksize", 0);
    if (*block < 1 || *block > INT32_MAX)
        return err_set(e, ERR_DATA, "blocksize is %lld", (long long)*block);
    if (!str_is(mode, "DCR") && !str_is(mode, "CRD"))
        return err_set(e, ERR_DATA, "mode '" STR_FMT "' is neither DCR nor CRD", STR_ARG(mode));
    return infer__need_rank(in, 0, 4, 4, e);
}

static bool divided(struct dim d, int64_t by, struct dim *out, struct err *e)
{
    if (d.value >= 0 && d.value % by)
        return err_set(e, ERR_DATA, "%lld elements cannot be divided by %lld", (long long)d.value,
                       (long long)by);
    *out = d.value >= 0 ? dim_of(d.value / by) : by == 1 ? d : dim_unknown();
    return true;
}

static struct dim multiplied(struct dim d, int64_t by)
{
    return dim__product((struct dim[]){d, dim_of(by)}, 2);
}

/* DepthToSpace: (N, C, H, W) -> (N, C / b^2, H b, W b). */
bool infer__depth_to_space(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    struct shape out = infer__new_shape(in, 4);
    int64_t b;
    if (!block_size(in, &b, e))
        return false;
    if (s->known) {
        out.dims[0] = s->dims[0];
        if (!divided(s->dims[1], b * b, &out.dims[1], e))
            return false;
        out.dims[2] = multiplied(s->dims[2], b);
        out.dims[3] = multiplied(s->dims[3], b);
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* SpaceToDepth: (N, C, H, W) -> (N, C b^2, H / b, W / b). */
bool infer__space_to_depth(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    struct shape out = infer__new_shape(in, 4);
    int64_t b;
    if (!block_size(in, &b, e))
        return false;
    if (s->known) {
        out.dims[0] = s->dims[0];
        out.dims[1] = multiplied(s->dims[1], b * b);
        if (!divided(s->dims[2], b, &out.dims[2], e) || !divided(s->dims[3], b, &out.dims[3], e))
            return false;
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}
