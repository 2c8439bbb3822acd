/*
 * Shapes of normalisations and of the Softmax family: those of the data, with parameters that must
 * fit its channels.
 */
#include "onnx/infer/infer_axes_p.h"

/* Softmax, LogSoftmax, Hardmax, LpNormalization: as input; axis within the rank. */
bool infer__along_axis(struct infer *in, struct err *e)
{
    int64_t axis;
    return infer__axis(in, "axis", -1, &axis, e) && infer__same_as_input(in, 0, 0);
}

/* LRN: as input (N, C, D1, ...). */
bool infer__lrn(struct infer *in, struct err *e)
{
    if (node_int(in->n, "size", 0) < 1)
        return err_set(e, ERR_DATA, "size is %lld", (long long)node_int(in->n, "size", 0));
    return infer__need_rank(in, 0, 2, TENSOR_RANK_MAX, e) && infer__same_as_input(in, 0, 0);
}

/* MeanVarianceNormalization: as input; axes default to 0, 2, 3. */
bool infer__mean_variance(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    struct axes_list axes;
    uint32_t set;
    if (!infer__axes(in, 1, &axes, e))
        return false;
    if (!axes.is_given)
        axes = (struct axes_list){true, true, 3, {0, 2, 3}};
    if (s->known && !axes__set(&axes, s->rank, &set, e))
        return false;
    return infer__same_as_input(in, 0, 0);
}

static struct dim channels_of(const struct shape *s)
{
    if (!s->known)
        return dim_unknown();
    return s->rank < 2 ? dim_of(1) : s->dims[1];
}

/* BatchNormalization: as input; scale, B, mean, var are (C). */
bool infer__batch_norm(struct infer *in, struct err *e)
{
    bool trains = node_int(in->n, "training_mode", 0) != 0;
    for (uint32_t o = 1; o < in->n->n_outputs; o++)
        if (infer__wants(in, o) && !(trains && o < 3))
            return err_set(e, in->opset < 14 ? ERR_UNSUPPORTED : ERR_DATA,
                           "output %u belongs to training mode", o);
    if (trains && in->opset >= 14 && !(infer__wants(in, 1) && infer__wants(in, 2)))
        return err_set(e, ERR_DATA, "training mode has three outputs");
    if (!node_int(in->n, "spatial", 1))
        return err_set(e, ERR_UNSUPPORTED, "spatial = 0 is not supported");
    if (!infer__need_rank(in, 0, 1, TENSOR_RANK_MAX, e))
        return false;
    for (uint32_t i = 1; i < 5; i++)
        if (!infer__need_vector(in, i, channels_of(infer__shape(in, 0)), e))
            return false;
    for (uint32_t o = 1; trains && o < 3; o++)
        infer__same_as_input(in, o, o + 2);
    return infer__same_as_input(in, 0, 0);
}

/* InstanceNormalization: as input (N, C, D1, ...); scale and B are (C). */
bool infer__instance_norm(struct infer *in, struct err *e)
{
    return infer__need_rank(in, 0, 3, TENSOR_RANK_MAX, e) &&
           infer__need_vector(in, 1, channels_of(infer__shape(in, 0)), e) &&
           infer__need_vector(in, 2, channels_of(infer__shape(in, 0)), e) &&
           infer__same_as_input(in, 0, 0);
}

/* GroupNormalization: as input; scale and bias are (C). */
bool infer__group_norm(struct infer *in, struct err *e)
{
    int64_t n_groups = node_int(in->n, "num_groups", 0);
    struct dim c = channels_of(infer__shape(in, 0));
    if (n_groups < 1)
        return err_set(e, ERR_DATA, "num_groups is %lld", (long long)n_groups);
    if (c.value >= 0 && c.value % n_groups)
        return err_set(e, ERR_DATA, "num_groups is %lld, which does not divide %lld channels",
                       (long long)n_groups, (long long)c.value);
    return infer__need_rank(in, 0, 2, TENSOR_RANK_MAX, e) && infer__need_vector(in, 1, c, e) &&
           infer__need_vector(in, 2, c, e) && infer__same_as_input(in, 0, 0);
}

/* Can input i be broadcast to input 0 without changing the shape of that? */
static bool fits_data(const struct infer *in, uint32_t i, struct err *e)
{
    const struct shape *x = infer__shape(in, 0), *s = infer__shape(in, i);
    if (!x->known || !s->known)
        return true;
    bool fits = s->rank <= x->rank;
    for (uint32_t d = 0; fits && d < s->rank; d++) {
        struct dim of_x = x->dims[x->rank - s->rank + d];
        fits = s->dims[d].value == 1 || !dim__differ(s->dims[d], of_x);
    }
    return fits || err_set(e, ERR_DATA, "input %u cannot be broadcast to the shape of input 0", i);
}

static bool stash_dtype(const struct infer *in, enum dtype *out, struct err *e)
{
    int64_t t = node_int(in->n, "stash_type", DTYPE_FLOAT);
    if (t != DTYPE_FLOAT && t != DTYPE_BFLOAT16 && t != DTYPE_FLOAT16 && t != DTYPE_DOUBLE)
        return err_set(e, ERR_DATA, "stash_type is %lld, which is no float type", (long long)t);
    *out = (enum dtype)t;
    return true;
}

/* LayerNormalization: Y as X; Mean and InvStdDev of stash_type, with dims 1 from axis on. */
bool infer__layer_norm(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    enum dtype stash;
    int64_t axis;
    if (!infer__axis(in, "axis", -1, &axis, e) || !stash_dtype(in, &stash, e) ||
        !fits_data(in, 1, e) || !fits_data(in, 2, e))
        return false;
    struct shape stats = infer__unknown_shape();
    if (s->known) {
        stats = infer__copy_shape(in, s);
        for (uint32_t d = (uint32_t)axis; d < s->rank; d++)
            stats.dims[d] = dim_of(1);
    }
    infer__set(in, 1, stash, stats);
    infer__set(in, 2, stash, stats);
    return infer__same_as_input(in, 0, 0);
}

/* RMSNormalization: shape of X, dtype of scale. */
bool infer__rms_norm(struct infer *in, struct err *e)
{
    enum dtype stash;
    int64_t axis;
    if (!infer__axis(in, "axis", -1, &axis, e) || !stash_dtype(in, &stash, e) ||
        !fits_data(in, 1, e))
        return false;
    infer__set(in, 0, infer__dtype(in, 1), *infer__shape(in, 0));
    return true;
}
