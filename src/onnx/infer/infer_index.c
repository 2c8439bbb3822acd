/*
 * Shapes of operators that gather and scatter by index: Gather*, Scatter*, OneHot, NonZero,
 * Compress, Unique, TensorScatter. Gather folds integers, since models compute shapes with it.
 */
#include "onnx/infer/infer_axes_p.h"

static struct shape spliced(const struct infer *in, const struct shape *data, int64_t axis,
                            const struct shape *indices)
{
    struct shape out = infer__new_shape(in, data->rank - 1 + indices->rank);
    uint32_t n = 0;
    for (uint32_t i = 0; i < (uint32_t)axis; i++)
        out.dims[n++] = data->dims[i];
    for (uint32_t i = 0; i < indices->rank; i++)
        out.dims[n++] = indices->dims[i];
    for (uint32_t i = (uint32_t)axis + 1; i < data->rank; i++)
        out.dims[n++] = data->dims[i];
    return out;
}

static void fold_gather(struct infer *in)
{
    const struct fold *data = infer__ints(in, 0), *indices = infer__ints(in, 1);
    if (!data || !indices || data->rank != 1)
        return;
    struct folded *at = arena_new_array(in->a, struct folded, indices->n);
    for (uint32_t i = 0; i < indices->n; i++) {
        int64_t j = indices->at[i].value;
        if (!indices->at[i].is_known)
            return;
        j += j < 0 ? data->n : 0;
        if (j < 0 || j >= data->n)
            return;
        at[i] = data->at[j];
    }
    infer__set_ints(in, 0, (struct fold){indices->rank, indices->n, at});
}

/* Checks that known indices lie within the axis. */
static bool check_indices(const struct infer *in, uint32_t i, struct dim size, struct err *e)
{
    int64_t v[INFER_INTS_MAX];
    size_t n;
    if (size.value < 0 || !infer__numbers(in, i, v, COUNT_OF(v), &n))
        return true;
    for (size_t j = 0; j < n; j++)
        if (v[j] < -size.value || v[j] >= size.value)
            return err_set(e, ERR_DATA, "index %lld outside an axis of %lld elements",
                           (long long)v[j], (long long)size.value);
    return true;
}

/* Gather: data (r), indices (q) -> q + r - 1, the indices' dims in place of the axis. */
bool infer__gather(struct infer *in, struct err *e)
{
    const struct shape *data = infer__shape(in, 0), *indices = infer__shape(in, 1);
    int64_t axis;
    if (!infer__need_rank(in, 0, 1, TENSOR_RANK_MAX, e) || !infer__axis(in, "axis", 0, &axis, e))
        return false;
    if (data->known && !check_indices(in, 1, data->dims[axis], e))
        return false;
    bool known = data->known && indices->known;
    if (known && data->rank - 1 + indices->rank > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "the output has more than %d dims", TENSOR_RANK_MAX);
    infer__set(in, 0, infer__dtype(in, 0),
               known ? spliced(in, data, axis, indices) : infer__unknown_shape());
    fold_gather(in);
    return true;
}

/* GatherElements: indices of data's rank -> indices' shape, no larger than data except on the axis.
 */
bool infer__gather_elements(struct infer *in, struct err *e)
{
    const struct shape *data = infer__shape(in, 0), *indices = infer__shape(in, 1);
    int64_t axis;
    if (!infer__need_rank(in, 0, 1, TENSOR_RANK_MAX, e) || !infer__axis(in, "axis", 0, &axis, e))
        return false;
    if (data->known) {
        if (!infer__need_rank(in, 1, data->rank, data->rank, e) ||
            !check_indices(in, 1, data->dims[axis], e))
            return false;
        for (uint32_t d = 0; indices->known && d < data->rank; d++)
            if (d != (uint32_t)axis && data->dims[d].value >= 0 &&
                indices->dims[d].value > data->dims[d].value)
                return err_set(e, ERR_DATA, "indices have %lld elements on axis %u, data %lld",
                               (long long)indices->dims[d].value, d,
                               (long long)data->dims[d].value);
    }
    infer__set(in, 0, infer__dtype(in, 0), *indices);
    return true;
}

/* GatherND: data (r), indices (q, last dim k), batch b -> indices[:q-1] ++ data[b+k:]. */
bool infer__gather_nd(struct infer *in, struct err *e)
{
    const struct shape *data = infer__shape(in, 0), *indices = infer__shape(in, 1);
    int64_t b = node_int(in->n, "batch_dims", 0);
    struct shape out = infer__unknown_shape();
    if (!infer__need_rank(in, 0, 1, TENSOR_RANK_MAX, e) ||
        !infer__need_rank(in, 1, 1, TENSOR_RANK_MAX, e))
        return false;
    if (b < 0 || (data->known && b >= data->rank) || (indices->known && b >= indices->rank))
        return err_set(e, ERR_DATA, "batch_dims is %lld, not at least 0 and below both ranks",
                       (long long)b);
    int64_t k = indices->known ? indices->dims[indices->rank - 1].value : -1;
    if (data->known && k >= 0) {
        if (k < 1 || k > data->rank - b)
            return err_set(e, ERR_DATA, "index tuples have %lld elements, 1 to %lld are expected",
                           (long long)k, (long long)(data->rank - b));
        for (uint32_t d = 0; d < b; d++)
            if (dim__differ(data->dims[d], indices->dims[d]))
                return err_set(e, ERR_DATA, "batch dim %u of data and indices differ", d);
        uint32_t tail = data->rank - (uint32_t)(b + k);
        if (indices->rank - 1 + tail > TENSOR_RANK_MAX)
            return err_set(e, ERR_LIMIT, "the output has more than %d dims", TENSOR_RANK_MAX);
        out = infer__new_shape(in, indices->rank - 1 + tail);
        for (uint32_t d = 0; d + 1 < indices->rank; d++)
            out.dims[d] = indices->dims[d];
        for (uint32_t d = 0; d < tail; d++)
            out.dims[indices->rank - 1 + d] = data->dims[b + k + d];
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* Scatter, ScatterElements: as data; indices and updates of one shape and data's rank. */
bool infer__scatter_elements(struct infer *in, struct err *e)
{
    const struct shape *data = infer__shape(in, 0), *indices = infer__shape(in, 1);
    const struct shape *updates = infer__shape(in, 2);
    int64_t axis;
    if (!infer__need_rank(in, 0, 1, TENSOR_RANK_MAX, e) || !infer__axis(in, "axis", 0, &axis, e))
        return false;
    if (data->known) {
        if (!infer__need_rank(in, 1, data->rank, data->rank, e) ||
            !infer__need_rank(in, 2, data->rank, data->rank, e) ||
            !check_indices(in, 1, data->dims[axis], e))
            return false;
        for (uint32_t d = 0; indices->known && d < data->rank; d++) {
            if (updates->known && dim__differ(indices->dims[d], updates->dims[d]))
                return err_set(e, ERR_DATA, "dim %u of indices and updates differ", d);
            if (d != (uint32_t)axis && data->dims[d].value >= 0 &&
                indices->dims[d].value > data->dims[d].value)
                return err_set(e, ERR_DATA, "indices have %lld elements on axis %u, data %lld",
                               (long long)indices->dims[d].value, d,
                               (long long)data->dims[d].value);
        }
    }
    return infer__same_as_input(in, 0, 0);
}

/* ScatterND: as data; updates are indices[:q-1] ++ data[k:]. */
bool infer__scatter_nd(struct infer *in, struct err *e)
{
    const struct shape *data = infer__shape(in, 0), *indices = infer__shape(in, 1);
    const struct shape *updates = infer__shape(in, 2);
    if (!infer__need_rank(in, 0, 1, TENSOR_RANK_MAX, e) ||
        !infer__need_rank(in, 1, 1, TENSOR_RANK_MAX, e))
        return false;
    int64_t k = indices->known ? indices->dims[indices->rank - 1].value : -1;
    if (data->known && k > data->rank)
        return err_set(e, ERR_DATA, "index tuples have %lld elements, data has rank %u",
                       (long long)k, data->rank);
    if (data->known && k >= 0) {
        uint32_t rank = indices->rank - 1 + data->rank - (uint32_t)k;
        if (!infer__need_rank(in, 2, rank, rank, e))
            return false;
        for (uint32_t d = 0; updates->known && d < rank; d++) {
            struct dim wanted =
                d + 1 < indices->rank ? indices->dims[d] : data->dims[k + d + 1 - indices->rank];
            if (dim__differ(updates->dims[d], wanted))
                return err_set(e, ERR_DATA, "updates have %lld elements on axis %u, not %lld",
                               (long long)updates->dims[d].value, d, (long long)wanted.value);
        }
    }
    return infer__same_as_input(in, 0, 0);
}

/* OneHot: indices' shape with depth inserted at axis (-r-1 .. r); dtype of values. */
bool infer__one_hot(struct infer *in, struct err *e)
{
    const struct shape *indices = infer__shape(in, 0);
    int64_t axis = node_int(in->n, "axis", -1);
    struct shape out = infer__unknown_shape();
    const struct fold *depth = infer__ints(in, 1);
    if (!infer__need_rank(in, 1, 0, 1, e) || !infer__need_vector(in, 2, dim_of(2), e))
        return false;
    if (depth && depth->n != 1)
        return err_set(e, ERR_DATA, "depth has %u elements, one is expected", depth->n);
    if (indices->known) {
        if (!infer__fix_axis(&axis, indices->rank + 1, e))
            return false;
        out = infer__new_shape(in, indices->rank + 1);
        for (uint32_t d = 0; d < out.rank; d++)
            out.dims[d] = d == (uint32_t)axis ? (depth ? folded__dim(depth->at[0]) : dim_unknown())
                                              : indices->dims[d - (d > (uint32_t)axis)];
    }
    infer__set(in, 0, infer__dtype(in, 2), out);
    return true;
}

/* NonZero: int64 (rank of X, number of non-zero elements). */
bool infer__non_zero(struct infer *in, struct err *e)
{
    (void)e;
    const struct shape *s = infer__shape(in, 0);
    struct shape out = infer__new_shape(in, 2);
    if (s->known)
        out.dims[0] = dim_of(s->rank);
    infer__set(in, 0, DTYPE_INT64, out);
    return true;
}

/* Compress: the axis' dim, or the flat size, becomes unknown. */
bool infer__compress(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    struct shape out = infer__new_shape(in, 1);
    int64_t axis;
    if (!infer__need_rank(in, 0, 1, TENSOR_RANK_MAX, e) || !infer__need_rank(in, 1, 1, 1, e))
        return false;
    if (node_attr(in->n, "axis")) {
        if (!infer__axis(in, "axis", 0, &axis, e))
            return false;
        out = *s;
        if (s->known) {
            out = infer__copy_shape(in, s);
            out.dims[axis] = dim_unknown();
        }
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* Unique: Y flat or with the axis' dim unknown; three int64 lists. */
bool infer__unique(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    struct shape out = infer__new_shape(in, 1), inverse = infer__new_shape(in, 1);
    struct shape found = infer__new_shape(in, 1);
    int64_t axis;
    if (s->known)
        inverse.dims[0] = dim__product(s->dims, s->rank);
    if (node_attr(in->n, "axis")) {
        if (!infer__axis(in, "axis", 0, &axis, e))
            return false;
        out = *s;
        if (s->known) {
            out = infer__copy_shape(in, s);
            out.dims[axis] = dim_unknown();
            inverse.dims[0] = s->dims[axis];
        }
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    infer__set(in, 1, DTYPE_INT64, found);
    infer__set(in, 2, DTYPE_INT64, inverse);
    infer__set(in, 3, DTYPE_INT64, found);
    return true;
}

/* TensorScatter: as past_cache; update may differ only on the sequence axis. */
bool infer__tensor_scatter(struct infer *in, struct err *e)
{
    const struct shape *cache = infer__shape(in, 0), *update = infer__shape(in, 1);
    int64_t axis;
    if (!infer__axis(in, "axis", -2, &axis, e))
        return false;
    if (cache->known) {
        if (!axis)
            return err_set(e, ERR_DATA, "axis 0 is the batch");
        if (!infer__need_rank(in, 1, cache->rank, cache->rank, e) ||
            (infer__has(in, 2) && !infer__need_vector(in, 2, cache->dims[0], e)))
            return false;
        for (uint32_t d = 0; update->known && d < cache->rank; d++) {
            int64_t most = cache->dims[d].value;
            if (d == (uint32_t)axis ? most >= 0 && update->dims[d].value > most
                                    : dim__differ(cache->dims[d], update->dims[d]))
                return err_set(e, ERR_DATA, "axis %u of update does not fit past_cache", d);
        }
    }
    return infer__same_as_input(in, 0, 0);
}
