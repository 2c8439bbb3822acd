/*
 * Normalisations: Batch, Instance, Group, Layer, RMS, LRN, Lp, MeanVariance.
 *
 * Instance, Group, Layer and RMS normalise contiguous blocks, then scale and shift by parameters
 * that broadcast to the data. Rounding of the result: |scale| max|x| / sqrt(var + epsilon)
 * (models.md, noise), since the mean is subtracted from numbers as large as max|x|.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "onnx/eval/kernel_axes_p.h"

struct block_stats {
    double mean, inverse; /* inverse: 1 / sqrt(var + epsilon), or of the mean square */
    double largest;       /* max |x| */
    double cancelling;    /* E[x^2] / (var + eps): how much one-pass variances lose */
};

static struct block_stats stats_of(const double *x, size_t n, double epsilon, bool is_rms)
{
    struct block_stats s = {0, 0, 0, 0};
    double sum = 0, squares = 0;
    for (size_t j = 0; j < n; j++) {
        sum += x[j];
        if (fabs(x[j]) > s.largest)
            s.largest = fabs(x[j]);
    }
    s.mean = is_rms || !n ? 0 : sum / (double)n;
    for (size_t j = 0; j < n; j++)
        squares += (x[j] - s.mean) * (x[j] - s.mean);
    double variance = n ? squares / (double)n : 0;
    s.inverse = 1 / sqrt(variance + epsilon);
    s.cancelling = is_rms ? 0 : (variance + s.mean * s.mean) * s.inverse * s.inverse;
    return s;
}

/* May squares on the way leave the range in which engines compute, though no result does? */
static bool squares_overflow(const struct value *x, const struct block_stats *s, size_t n)
{
    double most = x->dtype == DTYPE_DOUBLE ? DBL_MAX : (double)FLT_MAX;
    return s->largest > 0.9 * sqrt(most / (double)MAX(n, (size_t)1));
}

/* Fills output 0 with blocks of n elements of mean 0 and variance 1; `all`: the stats of each, or
 * NULL. */
static void normalise_blocks(struct kernel *k, size_t n, bool is_rms, struct block_stats *all)
{
    const double *x = k->in[0]->f;
    double epsilon = node_float(k->n, "epsilon", 1e-5);
    double *scales = k->want_noise ? kernel__scales(k, 0) : NULL;
    if (op_fact_attr(k->n->fact, "stash_type")) /* the precision of this stage, whatever X has */
        k->out[0].unit = dtype_unit((enum dtype)node_int(k->n, "stash_type", DTYPE_FLOAT));
    for (size_t at = 0; n && at < k->in[0]->n; at += n) {
        struct block_stats s = stats_of(x + at, n, epsilon, is_rms);
        for (size_t j = 0; j < n; j++)
            k->to[0].f[at + j] = (x[at + j] - s.mean) * s.inverse;
        /* The standard's own function bodies take the variance as E[x^2] - E[x]^2, which loses
         * half of `cancelling` units of the result. */
        for (size_t j = 0; scales && j < n; j++)
            scales[at + j] = s.largest * s.inverse + s.cancelling / 2 * fabs(k->to[0].f[at + j]);
        if (squares_overflow(k->in[0], &s, n))
            memset(kernel__undefined(k, 0) + at, 1, n);
        if (all)
            all[at / n] = s;
    }
}

/* A block with an undefined element is undefined as a whole. Undefined parameters make all of the
 * output undefined. */
static void taint_blocks(struct kernel *k, size_t n)
{
    const uint8_t *from = k->in[0]->undefined;
    bool by_parameter =
        kernel__is_tainted(kernel__in(k, 1)) || kernel__is_tainted(kernel__in(k, 2));
    for (size_t at = 0; n && at < k->out[0].n && (from || by_parameter); at += n)
        if (by_parameter || memchr(from + at, 1, n))
            memset(kernel__undefined(k, 0) + at, 1, n);
    kernel__no_taint(k, 0);
}

/* A parameter, and the dims with which it is broadcast to the output. */
struct parameter {
    const double *f;
    const int64_t *dims;
    uint32_t rank;
};

static struct parameter parameter_of(const struct value *v)
{
    return (struct parameter){v->f, v->dims, v->rank};
}

/* One number per channel: dims (C, 1, ..., 1) for data of (N, C, D1, ...). */
static struct parameter by_channel(struct kernel *k, const double *f, size_t n)
{
    uint32_t rank = k->in[0]->rank - 1;
    int64_t *dims = arena_new_array(k->scratch, int64_t, rank + 1);
    for (uint32_t d = 0; d < rank; d++)
        dims[d] = d ? 1 : (int64_t)n;
    return (struct parameter){f, dims, rank};
}

/* y = y * scale + shift; shift may be absent (f is NULL). */
static void scale_and_shift(struct kernel *k, struct parameter scale, struct parameter shift)
{
    struct walk w;
    double *y = k->to[0].f, *scales = k->want_noise ? kernel__scales(k, 0) : NULL;
    walk__open(&w, k->out[0].dims, k->out[0].rank);
    walk__broadcast(&w, scale.dims, scale.rank);
    if (shift.f)
        walk__broadcast(&w, shift.dims, shift.rank);
    while (walk__next(&w))
        for (size_t i = 0; i < w.n_inner; i++) {
            double a = scale.f[w.at[0] + (ptrdiff_t)i * w.step[0]];
            double b = shift.f ? shift.f[w.at[1] + (ptrdiff_t)i * w.step[1]] : 0;
            y[w.out + i] = y[w.out + i] * a + b;
            if (scales)
                scales[w.out + i] = scales[w.out + i] * fabs(a) + fabs(b);
        }
}

static bool check_channels(const struct kernel *k, size_t n_wanted, struct err *e)
{
    for (uint32_t i = 1; i < k->n_in; i++)
        if (k->in[i] && (k->in[i]->rank != 1 || k->in[i]->n != n_wanted))
            return err_set(e, ERR_DATA, "input %u has %zu elements, %zu are expected", i,
                           k->in[i]->n, n_wanted);
    return true;
}

/* InstanceNormalization: x (N, C, D1, ...), scale and B (C) -> as x; blocks of one channel. */
bool kernel__instance_norm(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    if (x->rank < 3)
        return err_set(e, ERR_DATA, "input of rank %u, at least 3 is expected", x->rank);
    size_t c = (size_t)x->dims[1];
    if (!check_channels(k, c, e) || !kernel__charge(k, 2 * x->n, e) ||
        !kernel__output_like(k, 0, 0, e))
        return false;
    struct axis_split s = axis_split(x, 1);
    normalise_blocks(k, s.inner, false, NULL);
    scale_and_shift(k, by_channel(k, k->in[1]->f, c), by_channel(k, k->in[2]->f, c));
    taint_blocks(k, s.inner);
    return true;
}

/* GroupNormalization: x (N, C, D1, ...), scale and bias (C) -> as x. The form of opset 18, with a
 * scale by group, is deprecated in its own opset, so no valid model has it. */
bool kernel__group_norm(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t n_groups = node_int(k->n, "num_groups", 0);
    if (x->rank < 2)
        return err_set(e, ERR_DATA, "input of rank %u, at least 2 is expected", x->rank);
    size_t c = (size_t)x->dims[1];
    if (n_groups < 1 || c % (size_t)n_groups)
        return err_set(e, ERR_DATA, "num_groups is %lld, which does not divide %zu channels",
                       (long long)n_groups, c);
    if (!x->n)
        return err_set(e, ERR_UNSUPPORTED,
                       "an input without elements: the standard's function "
                       "body cannot reshape it");
    if (!check_channels(k, c, e) || !kernel__charge(k, 2 * x->n, e) ||
        !kernel__output_like(k, 0, 0, e))
        return false;
    size_t n_block = c / (size_t)n_groups * axis_split(x, 1).inner;
    normalise_blocks(k, n_block, false, NULL);
    scale_and_shift(k, by_channel(k, k->in[1]->f, c), by_channel(k, k->in[2]->f, c));
    taint_blocks(k, n_block);
    return true;
}

static bool fits_data(const struct kernel *k, uint32_t i, struct err *e)
{
    const struct value *x = k->in[0], *v = kernel__in(k, i);
    bool fits = !v || v->rank <= x->rank;
    for (uint32_t d = 0; v && fits && d < v->rank; d++)
        fits = v->dims[d] == 1 || v->dims[d] == x->dims[x->rank - v->rank + d];
    return fits || err_set(e, ERR_DATA, "input %u cannot be broadcast to the shape of input 0", i);
}

/* The elements from the axis on make one block: *n of them. */
static bool block_from_axis(const struct kernel *k, int64_t *axis, size_t *n, struct err *e)
{
    const struct value *x = k->in[0];
    *axis = node_int(k->n, "axis", -1);
    *n = 1;
    if (!kernel__fix_axis(axis, x->rank, e))
        return false;
    for (uint32_t d = (uint32_t)*axis; d < x->rank; d++)
        *n *= (size_t)x->dims[d];
    return true;
}

/* Makes Mean and InvStdDev, with dims of 1 from the axis on. */
static bool output_stats(struct kernel *k, int64_t axis, const struct block_stats *all,
                         struct err *e)
{
    int64_t dims[TENSOR_RANK_MAX];
    enum dtype stash = (enum dtype)node_int(k->n, "stash_type", DTYPE_FLOAT);
    for (uint32_t d = 0; d < k->in[0]->rank; d++)
        dims[d] = d < axis ? k->in[0]->dims[d] : 1;
    for (uint32_t o = 1; o <= 2; o++) {
        if (!kernel__wants(k, o))
            continue;
        if (!kernel__output(k, o, stash, k->in[0]->rank, dims, e))
            return false;
        for (size_t i = 0; i < k->out[o].n; i++) {
            k->to[o].f[i] = o == 1 ? all[i].mean : all[i].inverse;
            if (k->want_noise)
                kernel__scales(k, o)[i] =
                    o == 1 ? all[i].largest : all[i].largest * all[i].inverse * all[i].inverse;
        }
    }
    return true;
}

/* LayerNormalization: X, Scale, B -> Y as X; Mean, InvStdDev (d0, .., d[axis-1], 1, .., 1). */
bool kernel__layer_norm(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t axis;
    size_t n, n_stats = 1;
    if (!block_from_axis(k, &axis, &n, e) || !fits_data(k, 1, e) || !fits_data(k, 2, e) ||
        !kernel__charge(k, 2 * x->n, e) || !kernel__output_like(k, 0, 0, e))
        return false;
    for (uint32_t d = 0; d < axis; d++)
        n_stats *= (size_t)x->dims[d];
    if (!n && n_stats && (kernel__wants(k, 1) || kernel__wants(k, 2)))
        return err_set(e, ERR_UNSUPPORTED, "the mean of no elements is not defined");
    struct block_stats *all = arena_new_array(k->scratch, struct block_stats, n_stats);
    normalise_blocks(k, n, false, all);
    struct parameter shift = {0};
    if (kernel__in(k, 2))
        shift = parameter_of(k->in[2]);
    scale_and_shift(k, parameter_of(k->in[1]), shift);
    taint_blocks(k, n);
    return output_stats(k, axis, all, e);
}

/* RMSNormalization: X, scale -> shape of X, dtype of scale. */
bool kernel__rms_norm(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t axis;
    size_t n;
    if (!block_from_axis(k, &axis, &n, e) || !fits_data(k, 1, e) ||
        !kernel__charge(k, 2 * x->n, e) ||
        !kernel__output(k, 0, k->in[1]->dtype, x->rank, x->dims, e))
        return false;
    normalise_blocks(k, n, true, NULL);
    scale_and_shift(k, parameter_of(k->in[1]), (struct parameter){0});
    taint_blocks(k, n);
    return true;
}

/* Statistics of one channel of (outer, n, inner), in two passes. */
static struct block_stats channel_stats(const struct value *x, struct axis_split s, size_t channel,
                                        double *variance)
{
    struct block_stats out = {0, 0, 0, 0};
    double sum = 0, squares = 0, n = (double)(s.outer * s.inner);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < s.outer * s.inner; i++) {
            double v = x->f[(i / s.inner * s.n + channel) * s.inner + i % s.inner];
            sum += pass ? 0 : v;
            squares += pass ? (v - out.mean) * (v - out.mean) : 0;
            out.largest = MAX(out.largest, fabs(v));
        }
        out.mean = sum / n;
    }
    *variance = squares / n;
    return out;
}

/* Training mode: each channel by its own statistics, which also move the running ones. */
static bool train_batch_norm(struct kernel *k, struct axis_split s, struct err *e)
{
    const struct value *x = k->in[0];
    double epsilon = node_float(k->n, "epsilon", 1e-5),
           momentum = node_float(k->n, "momentum", 0.9);
    if (!x->n)
        return err_set(e, ERR_UNSUPPORTED, "the mean of no elements is not defined");
    for (uint32_t o = 1; o < 3; o++)
        if (!kernel__output_like(k, o, o + 2, e))
            return false;
    for (size_t c = 0; c < s.n; c++) {
        double variance, scale = k->in[1]->f[c], shift = k->in[2]->f[c];
        struct block_stats stats = channel_stats(x, s, c, &variance);
        double inverse = 1 / sqrt(variance + epsilon);
        k->to[1].f[c] = k->in[3]->f[c] * momentum + stats.mean * (1 - momentum);
        k->to[2].f[c] = k->in[4]->f[c] * momentum + variance * (1 - momentum);
        if (k->want_noise) {
            kernel__scales(k, 1)[c] = stats.largest + fabs(k->in[3]->f[c]);
            kernel__scales(k, 2)[c] = stats.largest * stats.largest + fabs(k->in[4]->f[c]);
        }
        for (size_t i = 0; i < s.outer * s.inner; i++) {
            size_t at = (i / s.inner * s.n + c) * s.inner + i % s.inner;
            k->to[0].f[at] = (x->f[at] - stats.mean) * inverse * scale + shift;
            double lost = (variance + stats.mean * stats.mean) * inverse * inverse / 2;
            if (k->want_noise)
                kernel__scales(k, 0)[at] = fabs(scale) * stats.largest * inverse + fabs(shift) +
                                           lost * fabs(k->to[0].f[at] - shift);
            if (squares_overflow(x, &stats, s.outer * s.inner))
                kernel__undefined(k, 0)[at] = 1;
        }
    }
    for (uint32_t o = 0; o < 3; o++)
        for (uint32_t i = 0; i < 5; i++)
            if (kernel__is_tainted(k->in[i]) && k->out[o].n)
                memset(kernel__undefined(k, o), 1, k->out[o].n);
    return true;
}

/* BatchNormalization: X (N, C, D1, ...) or (N), parameters (C) -> as X, by the given statistics. */
bool kernel__batch_norm(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    bool trains = node_int(k->n, "training_mode", 0) != 0;
    if (!trains && kernel__wants(k, 1))
        return err_set(e, ERR_UNSUPPORTED, "training before opset 14 is not supported");
    if (!node_int(k->n, "spatial", 1))
        return err_set(e, ERR_UNSUPPORTED, "spatial = 0 is not supported");
    if (!x->rank)
        return err_set(e, ERR_DATA, "input of rank 0");
    size_t c = x->rank < 2 ? 1 : (size_t)x->dims[1];
    if (!check_channels(k, c, e) || !kernel__charge(k, x->n, e) || !kernel__output_like(k, 0, 0, e))
        return false;
    struct axis_split s = x->rank < 2 ? (struct axis_split){1, 1, x->n} : axis_split(x, 1);
    if (trains)
        return train_batch_norm(k, s, e);
    double epsilon = node_float(k->n, "epsilon", 1e-5), largest = kernel__max_abs(x);
    for (size_t i = 0; s.inner && i < x->n / s.inner; i++) {
        size_t channel = i % c;
        double mean = k->in[3]->f[channel], shift = k->in[2]->f[channel];
        double root = sqrt(k->in[4]->f[channel] + epsilon), scale = k->in[1]->f[channel];
        for (size_t at = i * s.inner; at < (i + 1) * s.inner; at++)
            k->to[0].f[at] = (x->f[at] - mean) / root * scale + shift;
        for (size_t at = i * s.inner; k->want_noise && at < (i + 1) * s.inner; at++)
            kernel__scales(k, 0)[at] = fabs(scale) * (largest + fabs(mean)) / root + fabs(shift);
    }
    for (uint32_t i = 1; i < 5; i++)
        if (kernel__is_tainted(k->in[i]))
            return true; /* all of the output is undefined */
    kernel__pass_taint(k, 0, 0);
    return true;
}

/* LRN: X (N, C, D1, ...) -> as X: each element divided by a power of the squares in neighbouring
 * channels. */
bool kernel__lrn(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t size = node_int(k->n, "size", 0);
    double alpha = node_float(k->n, "alpha", 1e-4), beta = node_float(k->n, "beta", 0.75);
    double bias = node_float(k->n, "bias", 1);
    if (size < 1 || x->rank < 2)
        return err_set(e, ERR_DATA, "size is %lld, the rank %u", (long long)size, x->rank);
    struct axis_split s = axis_split(x, 1);
    int64_t c = (int64_t)s.n, before = (size - 1) / 2, after = size / 2;
    if (!kernel__charge(k, x->n * (size_t)MIN(size, c), e) || !kernel__output_like(k, 0, 0, e))
        return false;
    for (size_t i = 0; i < x->n; i++) {
        int64_t at = (int64_t)(i / s.inner % s.n);
        int64_t first = MAX(0, at - before), last = MIN(c - 1, after > c ? c - 1 : at + after);
        double squares = 0;
        for (int64_t j = first; j <= last; j++) {
            double v = x->f[i + (size_t)(j - at) * s.inner];
            squares += v * v;
        }
        k->to[0].f[i] = x->f[i] / pow(bias + alpha / (double)size * squares, beta);
        if (k->want_noise)
            kernel__scales(k, 0)[i] = (1 + beta) * fabs(k->to[0].f[i]);
    }
    return true;
}

/* The p-norm along one slice, scaled so that it neither overflows nor vanishes. */
static double slice_norm(const double *x, struct axis_split s, int64_t p)
{
    double sum = 0;
    for (size_t j = 0; j < s.n; j++)
        sum += p == 1 ? fabs(x[j * s.inner]) : x[j * s.inner] * x[j * s.inner];
    return p == 1 ? sum : sqrt(sum);
}

/* LpNormalization: as input; each slice of the axis divided by its p-norm, zero where that is zero.
 */
bool kernel__lp_norm(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t axis = node_int(k->n, "axis", -1), p = node_int(k->n, "p", 2);
    if (p != 1 && p != 2)
        return err_set(e, ERR_DATA, "p is %lld, only 1 and 2 are supported", (long long)p);
    if (!kernel__fix_axis(&axis, x->rank, e) || !kernel__charge(k, x->n, e) ||
        !kernel__output_like(k, 0, 0, e))
        return false;
    struct axis_split s = axis_split(x, axis);
    double factor = MAX(1, sqrt((double)s.n) / 8);
    for (size_t i = 0; i < s.outer * s.inner; i++) {
        size_t first = i / s.inner * s.n * s.inner + i % s.inner;
        double norm = slice_norm(x->f + first, s, p);
        for (size_t j = 0; j < s.n; j++) {
            size_t at = first + j * s.inner;
            k->to[0].f[at] = norm == 0 ? 0 : x->f[at] / norm;
            if (k->want_noise)
                kernel__scales(k, 0)[at] = factor * fabs(k->to[0].f[at]);
        }
    }
    return true;
}

static const int64_t mean_variance_axes[] = {0, 2, 3};

/* MeanVarianceNormalization: as X; mean 0 and variance 1 over the axes. The standard's own function
 * adds 1e-9 to the deviation, its text does not: groups of equal elements are left undefined. */
bool kernel__mean_variance(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    struct kernel_axes axes;
    uint32_t set;
    if (!kernel__axes(k, 1, &axes, e))
        return false;
    if (!axes.is_given)
        axes = (struct kernel_axes){true, COUNT_OF(mean_variance_axes), mean_variance_axes};
    if (!kernel__axes_set(&axes, x->rank, &set, e) || !kernel__charge(k, 2 * x->n, e) ||
        !kernel__output_like(k, 0, 0, e))
        return false;
    struct axis_groups g = kernel__groups(k, x, set);
    double *list = arena_new_array(k->scratch, double, g.n_each);
    for (size_t i = 0; i < g.n_groups && g.n_each; i++) {
        for (size_t j = 0; j < g.n_each; j++)
            list[j] = x->f[g.base[i] + g.offset[j]];
        struct block_stats s = stats_of(list, g.n_each, 0, false);
        for (size_t j = 0; j < g.n_each; j++) {
            ptrdiff_t at = g.base[i] + g.offset[j];
            double y = (list[j] - s.mean) / (1 / s.inverse + 1e-9), tilt = s.largest * s.inverse;
            k->to[0].f[at] = y;
            if (k->want_noise)
                kernel__scales(k, 0)[at] = tilt + fabs(y) * tilt * tilt;
            /* The formula has no epsilon, the standard's function body one of 1e-9. */
            if (1e-9 * s.inverse > 0x1p-24 || squares_overflow(x, &s, g.n_each))
                kernel__undefined(k, 0)[at] = 1;
        }
    }
    if (x->undefined)
        memset(kernel__undefined(k, 0), 1, x->n);
    return true;
}
