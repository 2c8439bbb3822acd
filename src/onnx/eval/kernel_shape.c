/*
 * Dims rearranged, elements kept: Reshape, Transpose, Squeeze, Unsqueeze, Flatten, DepthToSpace,
 * SpaceToDepth; and dims as numbers: Shape, Size. Reshapes copy nothing: the result is the input's
 * data with other dims.
 */
#include <string.h>

#include "base/number.h"
#include "onnx/eval/kernel_axes_p.h"

/* The dim that -1 stands for: the number of elements of x divided by the product of the other dims.
 */
static bool inferred_dim(const struct value *x, const int64_t *dims, uint32_t rank, int64_t *out,
                         struct err *e)
{
    int64_t others = 1;
    for (uint32_t d = 0; d < rank; d++)
        if (dims[d] >= 0 && !number_mul_i64(others, dims[d], &others))
            return err_set(e, ERR_DATA, "the shape is too large");
    if (!others)
        return err_set(e, ERR_UNSUPPORTED,
                       "-1 and a dim of 0: the standard does not say what -1 stands for");
    if ((int64_t)x->n % others)
        return err_set(e, ERR_DATA, "%zu elements cannot be divided by the other %lld", x->n,
                       (long long)others);
    *out = (int64_t)x->n / others;
    return true;
}

/* Reshape: x, shape (0: the dim of x, unless allowzero; one -1: what the others leave) -> that
 * shape. */
bool kernel__reshape(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    size_t n, n_out;
    const int64_t *shape = kernel__ints(k, 1, &n);
    bool allows_zero = node_int(k->n, "allowzero", 0) != 0, has_zero = false;
    int64_t dims[TENSOR_RANK_MAX], minus_at = -1;
    if (n > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "%zu dims, at most %d are taken", n, TENSOR_RANK_MAX);
    for (size_t d = 0; d < n; d++) {
        if (shape[d] < -1 || (shape[d] == -1 && minus_at >= 0))
            return err_set(e, ERR_DATA, "dim %zu of shape is %lld", d, (long long)shape[d]);
        if (!shape[d] && !allows_zero && d >= x->rank)
            return err_set(e, ERR_DATA, "dim %zu of shape is 0, data has rank %u", d, x->rank);
        minus_at = shape[d] == -1 ? (int64_t)d : minus_at;
        has_zero |= !shape[d];
        dims[d] = !shape[d] && !allows_zero ? x->dims[d] : shape[d];
    }
    if (minus_at >= 0 && has_zero && allows_zero)
        return err_set(e, ERR_DATA, "dims of 0 and -1 with allowzero");
    if (minus_at >= 0 && !inferred_dim(x, dims, (uint32_t)n, &dims[minus_at], e))
        return false;
    if (!tensor_count(DTYPE_UINT8, dims, (uint32_t)n, &n_out) || n_out != x->n)
        return err_set(e, ERR_DATA, "%zu elements cannot be given this shape", x->n);
    kernel__alias(k, 0, 0, (uint32_t)n, dims);
    return true;
}

/* Squeeze: dims of 1 at the axes, or all of them, left out. */
bool kernel__squeeze(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    struct kernel_axes axes;
    uint32_t set, rank = 0;
    int64_t dims[TENSOR_RANK_MAX];
    if (!kernel__axes(k, 1, &axes, e) || !kernel__axes_set(&axes, x->rank, &set, e))
        return false;
    for (uint32_t d = 0; d < x->rank; d++) {
        bool leaves = axes.is_given ? set >> d & 1 : x->dims[d] == 1;
        if (leaves && x->dims[d] != 1)
            return err_set(e, ERR_DATA, "axis %u has %lld elements, not 1", d,
                           (long long)x->dims[d]);
        if (!leaves)
            dims[rank++] = x->dims[d];
    }
    kernel__alias(k, 0, 0, rank, dims);
    return true;
}

/* Unsqueeze: dims of 1 inserted at axes of the result. */
bool kernel__unsqueeze(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    struct kernel_axes axes;
    uint32_t set, from = 0;
    int64_t dims[TENSOR_RANK_MAX];
    if (!kernel__axes(k, 1, &axes, e))
        return false;
    if (x->rank + axes.n > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "the result has more than %d dims", TENSOR_RANK_MAX);
    uint32_t rank = x->rank + (uint32_t)axes.n;
    if (!kernel__axes_set(&axes, rank, &set, e))
        return false;
    for (uint32_t d = 0; d < rank; d++)
        dims[d] = set >> d & 1 ? 1 : x->dims[from++];
    kernel__alias(k, 0, 0, rank, dims);
    return true;
}

/* Flatten: (d0, .., dn) -> (d0 .. d[axis-1], d[axis] .. dn). */
bool kernel__flatten(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t axis = node_int(k->n, "axis", 1), dims[2] = {1, 1};
    if (axis != x->rank && !kernel__fix_axis(&axis, x->rank, e))
        return false;
    for (uint32_t d = 0; d < x->rank; d++)
        dims[d >= axis] *= x->dims[d];
    kernel__alias(k, 0, 0, 2, dims);
    return true;
}

/* Transpose: dims in the order of perm, reversed without it. */
bool kernel__transpose(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    size_t n;
    const int64_t *perm = node_ints(k->n, "perm", &n);
    bool has_perm = node_attr(k->n, "perm") != NULL;
    int64_t dims[TENSOR_RANK_MAX];
    ptrdiff_t strides[TENSOR_RANK_MAX], turned[TENSOR_RANK_MAX];
    uint32_t seen = 0;
    if (has_perm && n != x->rank)
        return err_set(e, ERR_DATA, "perm has %zu numbers, the tensor rank %u", n, x->rank);
    walk__strides(x->dims, x->rank, strides);
    for (uint32_t d = 0; d < x->rank; d++) {
        int64_t from = has_perm ? perm[d] : x->rank - 1 - d;
        if (from < 0 || from >= x->rank || seen >> from & 1)
            return err_set(e, ERR_DATA, "perm is no permutation");
        seen |= 1u << from;
        dims[d] = x->dims[from];
        turned[d] = strides[from];
    }
    if (!kernel__output(k, 0, x->dtype, x->rank, dims, e))
        return false;
    struct walk w;
    walk__open(&w, dims, x->rank);
    walk__strided(&w, 0, turned);
    kernel__move_walk(k, 0, 0, &w);
    return true;
}

/* Shape: x -> int64 (end - start), its dims from start to end. */
bool kernel__shape_of(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t rank = x->rank, start = node_int(k->n, "start", 0), end = node_int(k->n, "end", rank);
    start = MAX(0, MIN(start + (start < 0 ? rank : 0), rank));
    end = MAX(start, MIN(end + (end < 0 ? rank : 0), rank));
    if (!kernel__output(k, 0, DTYPE_INT64, 1, (int64_t[]){end - start}, e))
        return false;
    memcpy(k->to[0].i, x->dims + start, (size_t)(end - start) * sizeof *x->dims);
    kernel__no_taint(k, 0);
    kernel__set_exact(k, 0, true);
    return true;
}

/* Size: x -> int64 of rank 0, the number of its elements. */
bool kernel__size(struct kernel *k, struct err *e)
{
    if (!kernel__output(k, 0, DTYPE_INT64, 0, NULL, e))
        return false;
    k->to[0].i[0] = (int64_t)k->in[0]->n;
    kernel__no_taint(k, 0);
    kernel__set_exact(k, 0, true);
    return true;
}

static bool block_of(const struct kernel *k, int64_t *b, bool *is_crd, struct err *e)
{
    struct str mode = node_string(k->n, "mode", STR("DCR"));
    *b = node_int(k->n, "blocksize", 0);
    *is_crd = str_is(mode, "CRD");
    if (k->in[0]->rank != 4 || *b < 1 || *b > INT32_MAX || (!*is_crd && !str_is(mode, "DCR")))
        return err_set(e, ERR_DATA, "rank %u, blocksize %lld, mode '" STR_FMT "'", k->in[0]->rank,
                       (long long)*b, STR_ARG(mode));
    return true;
}

/* Moves six dims, in the order of the result, each with its stride in x. */
static void move_six(struct kernel *k, const int64_t dims[6], const ptrdiff_t strides[6])
{
    struct walk w;
    walk__open(&w, dims, 6);
    walk__strided(&w, 0, strides);
    kernel__move_walk(k, 0, 0, &w);
}

/* DepthToSpace: (N, C, H, W) -> (N, C / b^2, H b, W b); channels ordered (b, b, C'), in mode CRD
 * (C', b, b). */
bool kernel__depth_to_space(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t b;
    bool is_crd;
    if (!block_of(k, &b, &is_crd, e))
        return false;
    int64_t n = x->dims[0], c = x->dims[1] / (b * b), h = x->dims[2], w = x->dims[3];
    if (c * b * b != x->dims[1])
        return err_set(e, ERR_DATA, "%lld channels cannot be divided by %lld",
                       (long long)x->dims[1], (long long)(b * b));
    if (!kernel__output(k, 0, x->dtype, 4, (int64_t[]){n, c, h * b, w * b}, e))
        return false;
    ptrdiff_t plane = h * w, of_c = plane * (is_crd ? b * b : 1), of_b = plane * (is_crd ? 1 : c);
    move_six(k, (int64_t[]){n, c, h, b, w, b},
             (ptrdiff_t[]){x->dims[1] * plane, of_c, w, of_b * b, 1, of_b});
    return true;
}

/* SpaceToDepth: (N, C, H, W) -> (N, C b^2, H / b, W / b); channels ordered (b, b, C), in mode CRD
 * (C, b, b). */
bool kernel__space_to_depth(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t b;
    bool is_crd;
    if (!block_of(k, &b, &is_crd, e))
        return false;
    int64_t n = x->dims[0], c = x->dims[1], h = x->dims[2] / b, w = x->dims[3] / b;
    if (h * b != x->dims[2] || w * b != x->dims[3])
        return err_set(e, ERR_DATA, "%lld x %lld pixels cannot be divided by %lld",
                       (long long)x->dims[2], (long long)x->dims[3], (long long)b);
    if (!kernel__output(k, 0, x->dtype, 4, (int64_t[]){n, c * b * b, h, w}, e))
        return false;
    ptrdiff_t row = x->dims[3], plane = x->dims[2] * row;
    if (is_crd)
        move_six(k, (int64_t[]){n, c, b, b, h, w},
                 (ptrdiff_t[]){c * plane, plane, row, 1, row * b, b});
    else
        move_six(k, (int64_t[]){n, b, b, c, h, w},
                 (ptrdiff_t[]){c * plane, row, 1, plane, row * b, b});
    return true;
}
