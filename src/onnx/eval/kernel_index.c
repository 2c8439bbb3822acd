/*
 * Gathering by index: Gather, GatherElements, GatherND, OneHot, NonZero, Compress, Unique.
 *
 * An index outside its axis is an error, by the text of the standard. An undefined index makes what
 * it selects undefined. Where undefined elements would decide a shape, the node is refused.
 */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "onnx/eval/kernel_p.h"

/* Index j of an int input within an axis; an undefined one becomes 0 and sets *is_open. */
static bool index_at(const struct kernel *k, uint32_t input, size_t j, int64_t size, int64_t *at,
                     bool *is_open, struct err *e)
{
    const struct value *v = k->in[input];
    *is_open = v->undefined && v->undefined[j];
    *at = *is_open ? 0 : v->i[j];
    if (*at < -size || *at >= size)
        return err_set(e, ERR_DATA, "index %lld outside an axis of %lld elements", (long long)*at,
                       (long long)size);
    *at += *at < 0 ? size : 0;
    return true;
}

static void mark_run(struct kernel *k, size_t to, size_t n, bool is_open)
{
    if (is_open && n)
        memset(kernel__undefined(k, 0) + to, 1, n);
}

/* Gather: data (.., n, ..), indices (q dims) -> data's dims with the indices' in place of the axis.
 */
bool kernel__gather(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *indices = k->in[1];
    int64_t axis = node_int(k->n, "axis", 0), dims[2 * TENSOR_RANK_MAX];
    uint32_t rank = 0;
    if (!kernel__fix_axis(&axis, x->rank, e))
        return false;
    for (uint32_t d = 0; d < x->rank; d++) {
        for (uint32_t q = 0; d == axis && q < indices->rank; q++)
            dims[rank++] = indices->dims[q];
        if (d != axis)
            dims[rank++] = x->dims[d];
    }
    if (!kernel__output(k, 0, x->dtype, rank, dims, e))
        return false;
    struct axis_split s = axis_split(x, axis);
    int64_t at;
    bool is_open;
    for (size_t j = 0; s.outer == 0 && j < indices->n; j++) /* unused ones are checked too */
        if (!index_at(k, 1, j, (int64_t)s.n, &at, &is_open, e))
            return false;
    for (size_t o = 0; o < s.outer; o++)
        for (size_t j = 0; j < indices->n; j++) {
            if (!index_at(k, 1, j, (int64_t)s.n, &at, &is_open, e))
                return false;
            size_t to = (o * indices->n + j) * s.inner;
            kernel__copy_run(k, 0, to, 0, (o * s.n + (size_t)at) * s.inner, s.inner);
            mark_run(k, to, s.inner, is_open);
        }
    kernel__no_taint(k, 0);
    return true;
}

/* GatherElements: data and indices of one rank -> indices' shape; out[i][j] = data[index[i][j]][j].
 */
bool kernel__gather_elements(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *indices = k->in[1];
    int64_t axis = node_int(k->n, "axis", 0);
    if (!kernel__fix_axis(&axis, x->rank, e))
        return false;
    if (indices->rank != x->rank)
        return err_set(e, ERR_DATA, "indices of rank %u, data of rank %u", indices->rank, x->rank);
    for (uint32_t d = 0; d < x->rank; d++)
        if (d != axis && indices->n && indices->dims[d] > x->dims[d])
            return err_set(e, ERR_DATA, "indices have %lld elements on axis %u, data %lld",
                           (long long)indices->dims[d], d, (long long)x->dims[d]);
    if (!kernel__output(k, 0, x->dtype, x->rank, indices->dims, e))
        return false;
    ptrdiff_t strides[TENSOR_RANK_MAX], along;
    walk__strides(x->dims, x->rank, strides);
    along = strides[axis];
    strides[axis] = 0;
    struct walk w;
    walk__open(&w, indices->dims, indices->rank);
    walk__strided(&w, 0, strides);
    while (walk__next(&w))
        for (size_t i = 0; i < w.n_inner; i++) {
            int64_t at;
            bool is_open;
            if (!index_at(k, 1, w.out + i, x->dims[axis], &at, &is_open, e))
                return false;
            size_t from = (size_t)(w.at[0] + (ptrdiff_t)i * w.step[0] + at * along);
            kernel__copy_run(k, 0, w.out + i, 0, from, 1);
            mark_run(k, w.out + i, 1, is_open);
        }
    kernel__no_taint(k, 0);
    return true;
}

static bool tuple_length(const struct kernel *k, int64_t batch, int64_t *n, struct err *e)
{
    const struct value *x = k->in[0], *indices = k->in[1];
    if (!x->rank || !indices->rank || batch < 0 || batch >= MIN(x->rank, indices->rank))
        return err_set(e, ERR_DATA, "data of rank %u, indices of rank %u, batch_dims %lld", x->rank,
                       indices->rank, (long long)batch);
    *n = indices->dims[indices->rank - 1];
    if (*n < 1 || *n > x->rank - batch)
        return err_set(e, ERR_DATA, "index tuples have %lld elements, 1 to %lld are expected",
                       (long long)*n, (long long)(x->rank - batch));
    for (uint32_t d = 0; d < batch; d++)
        if (x->dims[d] != indices->dims[d])
            return err_set(e, ERR_DATA, "batch dim %u of data and indices differ", d);
    return true;
}

/* GatherND: data (r), indices (q, tuples of n), batch b -> indices[:q-1] ++ data[b+n:]. */
bool kernel__gather_nd(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *indices = k->in[1];
    int64_t b = node_int(k->n, "batch_dims", 0), n, dims[2 * TENSOR_RANK_MAX];
    ptrdiff_t strides[TENSOR_RANK_MAX];
    uint32_t rank = 0;
    if (!tuple_length(k, b, &n, e))
        return false;
    for (uint32_t d = 0; d + 1 < indices->rank; d++)
        dims[rank++] = indices->dims[d];
    size_t n_run = 1, n_batch = 1;
    for (uint32_t d = (uint32_t)(b + n); d < x->rank; d++) {
        dims[rank++] = x->dims[d];
        n_run *= (size_t)x->dims[d];
    }
    for (uint32_t d = 0; d < b; d++)
        n_batch *= (size_t)x->dims[d];
    if (!kernel__output(k, 0, x->dtype, rank, dims, e))
        return false;
    walk__strides(x->dims, x->rank, strides);
    size_t n_tuples = indices->n / (size_t)n, n_each = n_batch ? x->n / n_batch : 0;
    for (size_t t = 0; t < n_tuples; t++) {
        size_t from = t / (n_tuples / n_batch) * n_each;
        bool any_open = false, is_open;
        for (int64_t j = 0; j < n; j++) {
            int64_t at;
            if (!index_at(k, 1, t * (size_t)n + (size_t)j, x->dims[b + j], &at, &is_open, e))
                return false;
            from += (size_t)(at * strides[b + j]);
            any_open |= is_open;
        }
        kernel__copy_run(k, 0, t * n_run, 0, from, n_run);
        mark_run(k, t * n_run, n_run, any_open);
    }
    kernel__no_taint(k, 0);
    return true;
}

/* A number that is "casted to int64 before use". */
static bool whole_at(const struct value *v, size_t i, int64_t *out)
{
    if (v->undefined && v->undefined[i])
        return false;
    if (v->storage == STORAGE_F64)
        return number_to_i64(v->f[i], out);
    *out = v->i[i];
    return v->storage != STORAGE_U64 || v->u[i] <= INT64_MAX;
}

/* OneHot: indices (..), depth, values (off, on) -> (.., depth, ..); on where the index says. */
bool kernel__one_hot(struct kernel *k, struct err *e)
{
    const struct value *indices = k->in[0];
    int64_t axis = node_int(k->n, "axis", -1), depth, dims[TENSOR_RANK_MAX + 1];
    if (k->in[1]->n != 1 || k->in[2]->n != 2)
        return err_set(e, ERR_DATA, "depth has %zu elements, values %zu", k->in[1]->n, k->in[2]->n);
    if (!whole_at(k->in[1], 0, &depth) || depth < 0)
        return err_set(e, ERR_DATA, "depth is no number of classes");
    if (!kernel__fix_axis(&axis, indices->rank + 1, e))
        return false;
    for (uint32_t d = 0; d <= indices->rank; d++)
        dims[d] = d == axis ? depth : indices->dims[d - (d > axis)];
    if (!kernel__output(k, 0, k->in[2]->dtype, indices->rank + 1, dims, e))
        return false;
    size_t inner = axis_split(&k->out[0], axis).inner, n = (size_t)depth;
    int64_t *from = arena_new_array(k->scratch, int64_t, k->out[0].n);
    for (size_t i = 0; i < indices->n; i++) {
        int64_t at;
        bool is_known = whole_at(indices, i, &at);
        at += is_known && at < 0 && at >= -depth ? depth : 0;
        if (is_known && at >= 0 && at < depth)
            from[(i / inner * n + (size_t)at) * inner + i % inner] = 1;
    }
    kernel__move(k, 0, 2, from);
    for (size_t i = 0; i < indices->n; i++) {
        int64_t at;
        for (size_t c = 0; c < n && !whole_at(indices, i, &at); c++)
            kernel__undefined(k, 0)[(i / inner * n + c) * inner + i % inner] = 1;
    }
    return true;
}

static bool is_zero(const struct value *v, size_t i)
{
    return v->storage == STORAGE_F64    ? v->f[i] == 0
           : v->storage == STORAGE_BOOL ? !v->b[i]
                                        : !v->i[i];
}

static bool refuse_open(const struct value *v, struct err *e)
{
    return !kernel__is_tainted(v) ||
           err_set(e, ERR_UNSUPPORTED, "the shape depends on elements that are not defined");
}

/* NonZero: X -> int64 (rank, count), the indices of its elements that are not zero, in order. */
bool kernel__non_zero(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t count = 0;
    if (x->storage == STORAGE_STRING)
        return err_set(e, ERR_UNSUPPORTED, "strings");
    if (!refuse_open(x, e))
        return false;
    for (size_t i = 0; i < x->n; i++)
        count += !is_zero(x, i);
    if (!kernel__output(k, 0, DTYPE_INT64, 2, (int64_t[]){x->rank, count}, e))
        return false;
    int64_t at = 0;
    double nearest = (double)INFINITY;
    for (size_t i = 0; i < x->n; i++) {
        if (x->storage == STORAGE_F64)
            nearest = MIN(nearest, fabs(x->f[i]));
        if (is_zero(x, i))
            continue;
        size_t left = i;
        for (uint32_t d = x->rank; d-- > 0;) {
            k->to[0].i[d * count + at] = (int64_t)(left % (size_t)x->dims[d]);
            left /= (size_t)x->dims[d];
        }
        at++;
    }
    for (size_t i = 0; k->want_margins && i < k->out[0].n; i++)
        kernel__margin(k, 0)[i] = nearest;
    return true;
}

/* Compress: input, condition (bool list) -> the slices, or the flat elements, where it is true. */
bool kernel__compress(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *c = k->in[1];
    bool is_flat = !node_attr(k->n, "axis");
    int64_t axis = node_int(k->n, "axis", 0), dims[TENSOR_RANK_MAX], count = 0;
    if (!refuse_open(c, e) || (!is_flat && !kernel__fix_axis(&axis, x->rank, e)))
        return false;
    struct axis_split s = is_flat ? (struct axis_split){1, x->n, 1} : axis_split(x, axis);
    if (c->n > s.n)
        return err_set(e, ERR_DATA, "%zu conditions for %zu slices", c->n, s.n);
    for (size_t i = 0; i < c->n; i++)
        count += c->b[i];
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[is_flat ? 0 : axis] = count;
    if (!kernel__output(k, 0, x->dtype, is_flat ? 1 : x->rank, dims, e))
        return false;
    size_t to = 0;
    for (size_t o = 0; o < s.outer; o++)
        for (size_t i = 0; i < c->n; i++)
            if (c->b[i]) {
                kernel__copy_run(k, 0, to, 0, (o * s.n + i) * s.inner, s.inner);
                to += s.inner;
            }
    kernel__no_taint(k, 0);
    return true;
}
