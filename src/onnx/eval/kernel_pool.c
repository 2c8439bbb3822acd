/*
 * MaxPool, AveragePool, LpPool and their global forms. A window is walked element by element;
 * padding is left out, except that AveragePool with count_include_pad counts it (inside the padded
 * input, not beyond). A window without elements has no value in the standard and is marked
 * undefined.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/matrix_p.h"
#include "onnx/window.h"

/* One window of one channel: indices of its elements, and how many positions it has with padding.
 */
struct pool_window {
    int64_t *at;
    size_t n, n_padded;
    /* ceil_mode lets it reach beyond the pads: the text does not say whether positions there count
     * in an average with count_include_pad (ONNX Runtime: no, OpenVINO: yes). */
    bool is_open;
};

typedef void pool_fn(struct kernel *k, const struct pool_window *p, size_t channel_at, size_t to);

struct pool {
    struct window w;
    pool_fn *reduce;
    bool counts_padding, gives_indices;
};

static bool open_pool(struct kernel *k, struct pool *p, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t dims[TENSOR_RANK_MAX];
    if (x->rank < 3)
        return err_set(e, ERR_DATA, "X has rank %u, at least 3 is expected", x->rank);
    if (!window_read(k->n, x->rank - 2, NULL, &p->w, e))
        return false;
    dims[0] = x->dims[0];
    dims[1] = x->dims[1];
    for (uint32_t d = 0; d < p->w.n; d++) {
        if (!window_fit(&p->w, d, x->dims[d + 2], e))
            return false;
        dims[d + 2] = p->w.out[d];
    }
    uint64_t n_kernel = 1;
    for (uint32_t d = 0; d < p->w.n; d++)
        if (CHECKED_MUL(n_kernel, (uint64_t)p->w.kernel[d], &n_kernel))
            n_kernel = UINT64_MAX;
    uint64_t n_work;
    if (!kernel__output(k, 0, x->dtype, x->rank, dims, e) ||
        (p->gives_indices && !kernel__output(k, 1, DTYPE_INT64, x->rank, dims, e)))
        return false;
    if (CHECKED_MUL(n_kernel, (uint64_t)k->out[0].n, &n_work))
        n_work = UINT64_MAX;
    return kernel__charge(k, n_work, e) && kernel__charge(k, n_kernel, e);
}

/* Elements of the window at an output position. */
static void collect(const struct window *w, const int64_t *position, struct pool_window *p)
{
    int64_t offset[TENSOR_RANK_MAX] = {0}, n_kernel = window_count(w->kernel, w->n);
    p->n = p->n_padded = 0;
    for (int64_t i = 0; i < n_kernel; i++) {
        int64_t at = 0;
        bool inside = true, in_padding = true;
        for (uint32_t d = 0; d < w->n; d++) {
            int64_t x = position[d] * w->stride[d] + offset[d] * w->dilation[d] - w->pad_begin[d];
            inside &= x >= 0 && x < w->in[d];
            in_padding &= x >= -w->pad_begin[d] && x < w->in[d] + w->pad_end[d];
            at = at * w->in[d] + x;
        }
        if (inside)
            p->at[p->n++] = at;
        p->n_padded += in_padding;
        for (uint32_t d = w->n; d-- > 0;) {
            if (++offset[d] < w->kernel[d])
                break;
            offset[d] = 0;
        }
    }
}

static void taint_window(struct kernel *k, const struct pool_window *p, size_t channel_at,
                         size_t to)
{
    const uint8_t *from = k->in[0]->undefined;
    if (!p->n_padded || p->is_open)
        kernel__undefined(k, 0)[to] = 1;
    for (size_t i = 0; from && i < p->n; i++)
        if (from[channel_at + (size_t)p->at[i]])
            kernel__undefined(k, 0)[to] = 1;
}

static bool run_pool(struct kernel *k, struct pool *p, struct err *e)
{
    if (!open_pool(k, p, e))
        return false;
    const struct window *w = &p->w;
    size_t n_in = (size_t)window_count(w->in, w->n), n_out = (size_t)window_count(w->out, w->n);
    size_t n_channels = (size_t)(k->in[0]->dims[0] * k->in[0]->dims[1]);
    size_t n_kernel = (size_t)window_count(w->kernel, w->n);
    int64_t position[TENSOR_RANK_MAX] = {0};
    struct pool_window one;
    one.at = arena_new_array(k->scratch, int64_t, n_kernel);
    kernel__no_taint(k, 0);
    for (size_t o = 0; k->out[0].n && o < n_out; o++) {
        collect(w, position, &one);
        one.is_open = p->counts_padding && one.n_padded < n_kernel;
        if (!p->counts_padding)
            one.n_padded = one.n;
        for (size_t c = 0; c < n_channels; c++) {
            taint_window(k, &one, c * n_in, c * n_out + o);
            p->reduce(k, &one, c * n_in, c * n_out + o);
        }
        for (uint32_t d = w->n; d-- > 0;) {
            if (++position[d] < w->out[d])
                break;
            position[d] = 0;
        }
    }
    return true;
}

static double norm_of(const double *x, const struct pool_window *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += x[p->at[i]] * x[p->at[i]];
    return sqrt(sum);
}

static void reduce_average(struct kernel *k, const struct pool_window *p, size_t from, size_t to)
{
    const double *x = k->in[0]->f + from;
    double sum = 0, n = (double)p->n_padded;
    for (size_t i = 0; i < p->n; i++)
        sum += x[p->at[i]];
    k->to[0].f[to] = n > 0 ? sum / n : 0;
    if (k->want_noise && n > 0)
        kernel__scales(k, 0)[to] = sum__factor(p->n) * norm_of(x, p) * sqrt((double)p->n) / n;
}

static void reduce_lp(struct kernel *k, const struct pool_window *p, size_t from, size_t to)
{
    const double *x = k->in[0]->f + from;
    double power = (double)node_int(k->n, "p", 2), sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += power == 1   ? fabs(x[p->at[i]])
               : power == 2 ? x[p->at[i]] * x[p->at[i]]
                            : pow(fabs(x[p->at[i]]), power);
    double y = power == 1 ? sum : power == 2 ? sqrt(sum) : pow(sum, 1 / power);
    k->to[0].f[to] = y;
    if (k->want_noise)
        kernel__scales(k, 0)[to] = sum__factor(p->n) * y;
}

static size_t largest_float(const double *x, const struct pool_window *p)
{
    size_t best = 0;
    double top = x[p->at[0]];
    for (size_t i = 1; i < p->n && !isnan(top); i++) {
        double v = x[p->at[i]];
        if (v <= top)
            continue;
        best = i;
        top = v;
    }
    return best;
}

/* The first largest element; NaN counts as largest. Returns its place in the window. */
static size_t largest(const struct value *x, const struct pool_window *p, size_t from)
{
    size_t best = 0;
    if (x->storage == STORAGE_F64)
        return largest_float(x->f + from, p);
    for (size_t i = 1; i < p->n; i++)
        if (x->i[from + (size_t)p->at[i]] > x->i[from + (size_t)p->at[best]])
            best = i;
    return best;
}

/* Linear index over all of X, in the order that storage_order names. */
static int64_t pool_index(const struct kernel *k, size_t from, int64_t at)
{
    const struct value *x = k->in[0];
    if (node_int(k->n, "storage_order", 0) == 0)
        return (int64_t)from + at;
    int64_t index = 0, stride = 1, left = at; /* column-major: the first spatial dim runs fastest */
    int64_t position[TENSOR_RANK_MAX];
    for (uint32_t d = x->rank; d-- > 2;) {
        position[d] = left % x->dims[d];
        left /= x->dims[d];
    }
    for (uint32_t d = 2; d < x->rank; d++) {
        index += position[d] * stride;
        stride *= x->dims[d];
    }
    return (int64_t)from + index;
}

/* Distance between the largest and the second largest, on which the index depends. */
static double index_margin(const struct value *x, const struct pool_window *p, size_t from,
                           size_t best)
{
    double margin = (double)INFINITY;
    for (size_t i = 0; i < p->n; i++)
        if (i != best)
            margin = MIN(margin, value_get_double(x, from + (size_t)p->at[best]) -
                                     value_get_double(x, from + (size_t)p->at[i]));
    return margin;
}

static void reduce_max(struct kernel *k, const struct pool_window *p, size_t from, size_t to)
{
    const struct value *x = k->in[0];
    if (!p->n)
        return;
    size_t best = largest(x, p, from), at = from + (size_t)p->at[best];
    k->to[0].u[to] = x->u[at];
    if (!kernel__wants(k, 1))
        return;
    k->to[1].i[to] = pool_index(k, from, p->at[best]);
    if (k->want_margins && x->storage == STORAGE_F64)
        kernel__margin(k, 1)[to] = index_margin(x, p, from, best);
}

bool kernel__average_pool(struct kernel *k, struct err *e)
{
    struct pool p = {.reduce = reduce_average};
    p.counts_padding = node_int(k->n, "count_include_pad", 0) != 0;
    return run_pool(k, &p, e);
}

bool kernel__lp_pool(struct kernel *k, struct err *e)
{
    struct pool p = {.reduce = reduce_lp};
    if (node_int(k->n, "p", 2) < 1)
        return err_set(e, ERR_DATA, "p is %lld", (long long)node_int(k->n, "p", 2));
    return run_pool(k, &p, e);
}

bool kernel__max_pool(struct kernel *k, struct err *e)
{
    struct pool p = {.reduce = reduce_max, .gives_indices = kernel__wants(k, 1)};
    if (!run_pool(k, &p, e))
        return false;
    k->out[1].undefined = k->out[0].undefined;
    k->taint_done[1] = true;
    return true;
}

/* All spatial positions of a channel as one window. */
static bool run_global(struct kernel *k, pool_fn *reduce, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t dims[TENSOR_RANK_MAX];
    if (x->rank < 2)
        return err_set(e, ERR_DATA, "X has rank %u, at least 2 is expected", x->rank);
    for (uint32_t d = 0; d < x->rank; d++)
        dims[d] = d < 2 ? x->dims[d] : 1;
    if (!kernel__output(k, 0, x->dtype, x->rank, dims, e) || !kernel__charge(k, x->n, e))
        return false;
    size_t n_channels = k->out[0].n, n = n_channels ? x->n / n_channels : 0;
    struct pool_window all = {.at = arena_new_array(k->scratch, int64_t, n), .n = n, .n_padded = n};
    for (size_t i = 0; i < n; i++)
        all.at[i] = (int64_t)i;
    kernel__no_taint(k, 0);
    for (size_t c = 0; c < n_channels; c++) {
        taint_window(k, &all, c * n, c);
        reduce(k, &all, c * n, c);
    }
    return true;
}

bool kernel__global_average_pool(struct kernel *k, struct err *e)
{
    return run_global(k, reduce_average, e);
}

bool kernel__global_max_pool(struct kernel *k, struct err *e)
{
    return run_global(k, reduce_max, e);
}

bool kernel__global_lp_pool(struct kernel *k, struct err *e)
{
    if (node_int(k->n, "p", 2) < 1)
        return err_set(e, ERR_DATA, "p is %lld", (long long)node_int(k->n, "p", 2));
    return run_global(k, reduce_lp, e);
}
