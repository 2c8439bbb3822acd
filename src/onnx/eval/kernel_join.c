/*
 * Joining, cutting and repeating along axes: Concat, Split, Slice, Tile, Expand, Trilu,
 * ReverseSequence, Pad, CenterCropPad. Elements move with their flags; nothing is computed.
 */
#include <string.h>

#include "base/number.h"
#include "onnx/eval/kernel_axes_p.h"
#include "onnx/eval/kernel_map_p.h"
#include "onnx/slice.h"

/* Concat: (.., n1, ..), (.., n2, ..) ... -> (.., n1 + n2 + ..., ..). */
bool kernel__concat(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t axis = node_int(k->n, "axis", 1), dims[TENSOR_RANK_MAX], sum = 0;
    if (!kernel__fix_axis(&axis, x->rank, e))
        return false;
    for (uint32_t i = 0; i < k->n_in; i++) {
        const struct value *v = k->in[i];
        bool fits = v && v->rank == x->rank;
        for (uint32_t d = 0; fits && d < x->rank; d++)
            fits = d == axis || v->dims[d] == x->dims[d];
        if (!fits || !number_add_i64(sum, v->dims[axis], &sum))
            return err_set(e, ERR_DATA, "input %u does not fit input 0", i);
    }
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[axis] = sum;
    if (!kernel__output(k, 0, x->dtype, x->rank, dims, e))
        return false;
    struct axis_split s = axis_split(&k->out[0], axis);
    size_t at = 0;
    for (uint32_t i = 0; i < k->n_in; i++) {
        size_t n_run = (size_t)k->in[i]->dims[axis] * s.inner;
        for (size_t o = 0; o < s.outer; o++)
            kernel__copy_run(k, 0, o * s.n * s.inner + at, i, o * n_run, n_run);
        at += n_run;
    }
    kernel__no_taint(k, 0);
    return true;
}

/* Length of part o of n_parts of an axis. */
static bool part_length(const struct kernel *k, uint32_t o, int64_t size, int64_t *length,
                        struct err *e)
{
    uint32_t n_parts = k->n->n_outputs;
    size_t n;
    bool by_attr = node_attr(k->n, "split") != NULL;
    if (by_attr || kernel__in(k, 1)) {
        const int64_t *given = by_attr ? node_ints(k->n, "split", &n) : kernel__ints(k, 1, &n);
        if (n != n_parts)
            return err_set(e, ERR_DATA, "%zu lengths for %u outputs", n, n_parts);
        *length = given[o];
    } else {
        int64_t part = size / n_parts + (size % n_parts != 0);
        if (k->n->fact->since_version < 18 && size % n_parts)
            return err_set(e, ERR_DATA, "%lld elements cannot be split into %u equal parts",
                           (long long)size, n_parts);
        if (part * (n_parts - 1) > size)
            return err_set(e, ERR_UNSUPPORTED,
                           "%lld elements in %u parts: the standard gives no lengths",
                           (long long)size, n_parts);
        *length = o + 1 < n_parts ? part : size - part * (n_parts - 1);
    }
    return *length >= 0 || err_set(e, ERR_DATA, "a part of %lld", (long long)*length);
}

/* Split: (.., n, ..) -> (.., n1, ..), (.., n2, ..) ... */
bool kernel__split(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t axis = node_int(k->n, "axis", 0), dims[TENSOR_RANK_MAX], at = 0, length;
    if (!kernel__fix_axis(&axis, x->rank, e))
        return false;
    struct axis_split s = axis_split(x, axis);
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    for (uint32_t o = 0; o < k->n->n_outputs; o++) {
        if (!part_length(k, o, (int64_t)s.n, &length, e))
            return false;
        if (length > (int64_t)s.n - at)
            return err_set(e, ERR_DATA, "the parts are longer than the axis of %zu", s.n);
        dims[axis] = length;
        if (!kernel__output(k, o, x->dtype, x->rank, dims, e))
            return false;
        size_t n_run = (size_t)length * s.inner;
        for (size_t i = 0; i < s.outer; i++)
            kernel__copy_run(k, o, i * n_run, 0, (i * s.n + (size_t)at) * s.inner, n_run);
        kernel__no_taint(k, o);
        at += length;
    }
    return at == (int64_t)s.n ||
           err_set(e, ERR_DATA, "the parts have %lld elements, the axis %zu", (long long)at, s.n);
}

/* Numbers of a list that is an attribute in old opsets and an input in new ones. */
static const int64_t *list_of(const struct kernel *k, const char *attr, uint32_t input, size_t *n)
{
    return op_fact_attr(k->n->fact, attr) ? node_ints(k->n, attr, n) : kernel__ints(k, input, n);
}

/* Slice: x cut along axes; element j of a cut axis is x at start + j step. */
bool kernel__slice(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    size_t n, n_ends, n_axes, n_steps;
    const int64_t *starts = list_of(k, "starts", 1, &n), *ends = list_of(k, "ends", 2, &n_ends);
    const int64_t *axes = list_of(k, "axes", 3, &n_axes), *steps = kernel__ints(k, 4, &n_steps);
    int64_t dims[TENSOR_RANK_MAX];
    ptrdiff_t strides[TENSOR_RANK_MAX], offset = 0;
    uint32_t seen = 0;
    if (n_ends != n || n > x->rank || (axes && n_axes != n) || (steps && n_steps != n))
        return err_set(e, ERR_DATA, "%zu starts, %zu ends, %zu axes, %zu steps for rank %u", n,
                       n_ends, n_axes, n_steps, x->rank);
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    walk__strides(x->dims, x->rank, strides);
    for (size_t i = 0; i < n; i++) {
        int64_t axis = axes ? axes[i] : (int64_t)i, step = steps ? steps[i] : 1;
        if (!kernel__fix_axis(&axis, x->rank, e))
            return false;
        if (!step || seen >> axis & 1)
            return err_set(e, ERR_DATA, "axis %lld with step %lld%s", (long long)axis,
                           (long long)step, step ? ", named twice" : "");
        seen |= 1u << axis;
        struct slice_range r = slice_range(starts[i], ends[i], step, x->dims[axis]);
        dims[axis] = r.n;
        offset += r.first * strides[axis];
        strides[axis] *= r.n > 1 ? step : 0; /* with one element the stride does not matter */
    }
    if (!kernel__output(k, 0, x->dtype, x->rank, dims, e))
        return false;
    struct walk w;
    walk__open(&w, dims, x->rank);
    walk__strided(&w, offset, strides);
    kernel__move_walk(k, 0, 0, &w);
    return true;
}

/* Tile: x, repeats (one per dim) -> dims times repeats. */
bool kernel__tile(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    size_t n;
    const int64_t *repeats = kernel__ints(k, 1, &n), *maps[TENSOR_RANK_MAX];
    int64_t dims[TENSOR_RANK_MAX];
    if (n != x->rank)
        return err_set(e, ERR_DATA, "%zu repeats for a tensor of rank %u", n, x->rank);
    for (uint32_t d = 0; d < x->rank; d++)
        if (repeats[d] < 0 || !number_mul_i64(x->dims[d], repeats[d], &dims[d]))
            return err_set(e, ERR_DATA, "%lld repeats", (long long)repeats[d]);
    if (!kernel__output(k, 0, x->dtype, x->rank, dims, e))
        return false;
    if (!k->out[0].n)
        return true;
    for (uint32_t d = 0; d < x->rank; d++) {
        int64_t *map = kernel__identity_map(k, dims[d]);
        for (int64_t i = 0; i < dims[d]; i++)
            map[i] %= x->dims[d];
        maps[d] = map;
    }
    kernel__map_axes(k, 0, 0, maps);
    return true;
}

/* Expand: x broadcast with a shape. */
bool kernel__expand(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    size_t n;
    const int64_t *shape = kernel__ints(k, 1, &n);
    int64_t dims[TENSOR_RANK_MAX];
    if (n > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "%zu dims", n);
    uint32_t rank = MAX(x->rank, (uint32_t)n);
    for (uint32_t d = 0; d < rank; d++) {
        int64_t a = d + x->rank >= rank ? x->dims[d + x->rank - rank] : 1;
        int64_t b = d + n >= rank ? shape[d + n - rank] : 1;
        if (b < 0 || (a != b && a != 1 && b != 1))
            return err_set(e, ERR_DATA, "dims %lld and %lld cannot be broadcast", (long long)a,
                           (long long)b);
        dims[d] = a == 1 ? b : a;
    }
    if (!kernel__output(k, 0, x->dtype, rank, dims, e))
        return false;
    struct walk w;
    walk__open(&w, dims, rank);
    walk__broadcast(&w, x->dims, x->rank);
    kernel__move_walk(k, 0, 0, &w);
    return true;
}

/* Trilu: (*, N, M) -> as input, zero below (upper) or above (lower) the k-th diagonal. */
bool kernel__trilu(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    size_t n;
    const int64_t *given = kernel__ints(k, 1, &n);
    bool is_upper = node_int(k->n, "upper", 1) != 0;
    if (x->rank < 2 || n > 1)
        return err_set(e, ERR_DATA, "input of rank %u, k of %zu elements", x->rank, n);
    int64_t diagonal = n ? given[0] : 0, n_rows = x->dims[x->rank - 2],
            n_cols = x->dims[x->rank - 1];
    if (!kernel__output_like(k, 0, 0, e))
        return false;
    if (diagonal > n_cols || diagonal < -n_rows)
        diagonal = diagonal > 0 ? n_cols : -n_rows;
    for (size_t row = 0; n_cols && row < x->n / (size_t)n_cols; row++) {
        int64_t first = (int64_t)row % n_rows + diagonal; /* column on the diagonal */
        int64_t from = is_upper ? MAX(0, MIN(first, n_cols)) : 0;
        int64_t to = is_upper ? n_cols : MAX(0, MIN(first + 1, n_cols));
        size_t at = row * (size_t)n_cols + (size_t)from;
        kernel__copy_run(k, 0, at, 0, at, to > from ? (size_t)(to - from) : 0);
    }
    kernel__no_taint(k, 0);
    return true;
}

/* ReverseSequence: (time, batch, ..) or (batch, time, ..) -> the first lens[b] of each batch
 * reversed. */
bool kernel__reverse_sequence(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t batch = node_int(k->n, "batch_axis", 1), time = node_int(k->n, "time_axis", 0);
    size_t n;
    const int64_t *lens = kernel__ints(k, 1, &n);
    if (x->rank < 2 || batch + time != 1 || batch < 0 || time < 0 || n != (size_t)x->dims[batch])
        return err_set(e, ERR_DATA,
                       "batch_axis %lld, time_axis %lld and %zu lengths do not fit the input",
                       (long long)batch, (long long)time, n);
    if (!kernel__output_like(k, 0, 0, e))
        return false;
    size_t inner = axis_split(x, 1).inner, n_time = (size_t)x->dims[time];
    for (size_t b = 0; b < n; b++) {
        if (lens[b] < 0 || (size_t)lens[b] > n_time)
            return err_set(e, ERR_DATA, "a length of %lld in %zu steps", (long long)lens[b],
                           n_time);
        for (size_t t = 0; t < n_time; t++) {
            size_t from = t < (size_t)lens[b] ? (size_t)lens[b] - 1 - t : t;
            size_t to_row = time ? b * n_time + t : t * n + b;
            size_t from_row = time ? b * n_time + from : from * n + b;
            kernel__copy_run(k, 0, to_row * inner, 0, from_row * inner, inner);
        }
    }
    kernel__no_taint(k, 0);
    return true;
}

enum pad_mode { PAD_CONSTANT, PAD_REFLECT, PAD_EDGE, PAD_WRAP };
static const char *const pad_modes[] = {"constant", "reflect", "edge", "wrap"};

/* Where position i of a padded axis comes from; i counts from the data's first element. */
static int64_t pad_source(enum pad_mode mode, int64_t i, int64_t n)
{
    if (i >= 0 && i < n)
        return i;
    if (mode == PAD_CONSTANT || !n)
        return -1;
    if (mode == PAD_EDGE || n == 1)
        return mode == PAD_EDGE && i >= 0 ? n - 1 : 0;
    int64_t period = mode == PAD_WRAP ? n : 2 * n - 2;
    int64_t at = i % period + (i % period < 0 ? period : 0);
    return at < n ? at : period - at;
}

static bool pad_mode_of(const struct kernel *k, enum pad_mode *mode, struct err *e)
{
    struct str name = node_string(k->n, "mode", STR("constant"));
    for (size_t i = 0; i < COUNT_OF(pad_modes); i++)
        if (str_is(name, pad_modes[i])) {
            *mode = (enum pad_mode)i;
            return true;
        }
    return err_set(e, ERR_DATA, "mode '" STR_FMT "' does not exist", STR_ARG(name));
}

/* The sources of one axis, which begins `before` elements ahead of the data. */
static const int64_t *pad_map(struct kernel *k, enum pad_mode mode, int64_t before, int64_t n,
                              int64_t n_out)
{
    int64_t *map = arena_new_array(k->scratch, int64_t, (size_t)n_out);
    for (int64_t i = 0; i < n_out; i++)
        map[i] = pad_source(mode, i - before, n);
    return map;
}

/* Sets the elements without a source to a constant: input 2, or the attribute, or zero. */
static void fill_pads(struct kernel *k, const int64_t *from)
{
    const struct value *c = op_fact_attr(k->n->fact, "value") ? NULL : kernel__in(k, 2);
    double attr = node_float(k->n, "value", 0);
    size_t size = storage_size(k->out[0].storage);
    for (size_t i = 0; i < k->out[0].n; i++) {
        if (from[i] >= 0)
            continue;
        if (c && c->n)
            memcpy(k->to[0].b + i * size, c->b, size);
        else if (k->out[0].storage == STORAGE_F64)
            k->to[0].f[i] = attr;
        if (c && c->n && c->undefined && c->undefined[0])
            kernel__undefined(k, 0)[i] = 1;
    }
}

static bool check_pad(const struct kernel *k, enum pad_mode mode, const int64_t pads[2], int64_t n,
                      struct err *e)
{
    if (mode == PAD_CONSTANT || (!pads[0] && !pads[1]))
        return true;
    if (pads[0] < 0 || pads[1] < 0)
        return err_set(e, ERR_UNSUPPORTED,
                       "negative pads in mode %s: the standard gives no order of cropping and "
                       "padding",
                       pad_modes[mode]);
    (void)k;
    return n || err_set(e, ERR_DATA, "an axis without elements cannot be padded in mode %s",
                        pad_modes[mode]);
}

/* Pad: x, pads (begin of each axis, then ends), constant, axes -> dims plus pads. */
bool kernel__pad(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *c = kernel__in(k, 2);
    enum pad_mode mode = PAD_CONSTANT;
    size_t n;
    const int64_t *pads = list_of(k, "pads", 1, &n), *maps[TENSOR_RANK_MAX];
    int64_t dims[TENSOR_RANK_MAX], own[TENSOR_RANK_MAX][2] = {{0}};
    struct kernel_axes axes;
    uint32_t set;
    if (!pad_mode_of(k, &mode, e) || !kernel__axes(k, 3, &axes, e) ||
        !kernel__axes_set(&axes, x->rank, &set, e))
        return false;
    size_t n_axes = axes.is_given ? axes.n : x->rank;
    if (n != 2 * n_axes || (c && !op_fact_attr(k->n->fact, "value") && c->n > 1))
        return err_set(e, ERR_DATA, "%zu pads for %zu axes", n, n_axes);
    for (size_t i = 0; i < n_axes; i++) {
        int64_t d = axes.is_given ? axes.at[i] + (axes.at[i] < 0 ? x->rank : 0) : (int64_t)i;
        own[d][0] = pads[i];
        own[d][1] = pads[n_axes + i];
    }
    for (uint32_t d = 0; d < x->rank; d++) {
        if (!check_pad(k, mode, own[d], x->dims[d], e))
            return false;
        if (!number_add_i64(x->dims[d], own[d][0], &dims[d]) ||
            !number_add_i64(dims[d], own[d][1], &dims[d]) || dims[d] < 0)
            return err_set(e, ERR_DATA, "%lld elements padded by %lld and %lld",
                           (long long)x->dims[d], (long long)own[d][0], (long long)own[d][1]);
    }
    if (!kernel__output(k, 0, x->dtype, x->rank, dims, e))
        return false;
    for (uint32_t d = 0; k->out[0].n && d < x->rank; d++)
        maps[d] = pad_map(k, mode, own[d][0], x->dims[d], dims[d]);
    if (k->out[0].n)
        fill_pads(k, kernel__map_axes(k, 0, 0, maps));
    kernel__no_taint(k, 0);
    return true;
}

/* CenterCropPad: x, sizes of the named axes -> cropped or zero-padded around the middle. */
bool kernel__center_crop_pad(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    size_t n;
    const int64_t *sizes = kernel__ints(k, 1, &n), *maps[TENSOR_RANK_MAX];
    int64_t dims[TENSOR_RANK_MAX];
    struct kernel_axes axes;
    uint32_t set;
    if (!kernel__axes(k, 2, &axes, e) || !kernel__axes_set(&axes, x->rank, &set, e))
        return false;
    size_t n_wanted = axes.is_given ? axes.n : x->rank;
    if (n != n_wanted)
        return err_set(e, ERR_DATA, "%zu sizes for %zu axes", n, n_wanted);
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    for (size_t i = 0; i < n; i++) {
        int64_t d = axes.is_given ? axes.at[i] + (axes.at[i] < 0 ? x->rank : 0) : (int64_t)i;
        dims[d] = sizes[i];
    }
    if (!kernel__output(k, 0, x->dtype, x->rank, dims, e))
        return false;
    for (uint32_t d = 0; k->out[0].n && d < x->rank; d++) {
        int64_t over = x->dims[d] - dims[d];
        int64_t before = over > 0 ? -(over / 2) : -over / 2;
        maps[d] = pad_map(k, PAD_CONSTANT, before, x->dims[d], dims[d]);
    }
    if (k->out[0].n)
        kernel__map_axes(k, 0, 0, maps);
    return true;
}
