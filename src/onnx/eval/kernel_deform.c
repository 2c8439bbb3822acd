/*
 * DeformConv: a convolution whose kernel positions are moved by offsets, interpolated linearly and
 * weighted by a mask.
 *
 * y[m, o] = b[m] + sum over (c, i) of w[m, c, i] mask[i, o] x[c, o stride + i dilation - pad +
 * offset[i, o]]. Pixels beyond the image are zero. By the text, samples outside the padded image
 * are zero; implementations interpolate up to a pixel beyond it: results that use such a sample are
 * undefined.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/matrix_p.h"
#include "onnx/window.h"

enum { DEFORM_RANK_MAX = 4 };

struct deform {
    struct window w;
    size_t n_images, group, parts; /* parts: groups of offsets */
    size_t c, m, n_in, n_out, n_kernel;
    const struct value *x, *weights, *offset, *bias, *mask;
};

static bool check_deform(const struct deform *t, struct err *e)
{
    size_t n_offsets = t->n_images * t->parts * t->n_kernel * t->n_out;
    if (t->offset->n != n_offsets * t->w.n || (t->mask && t->mask->n != n_offsets))
        return err_set(e, ERR_DATA, "%zu offsets, %zu are expected", t->offset->n,
                       n_offsets * t->w.n);
    return !t->bias || t->bias->n == t->m ||
           err_set(e, ERR_DATA, "a bias of %zu for %zu channels", t->bias->n, t->m);
}

static bool read_deform(const struct kernel *k, struct deform *t, struct err *e)
{
    *t = (struct deform){.x = k->in[0],
                         .weights = k->in[1],
                         .offset = k->in[2],
                         .bias = kernel__in(k, 3),
                         .mask = kernel__in(k, 4)};
    int64_t group = node_int(k->n, "group", 1), parts = node_int(k->n, "offset_group", 1);
    if (t->x->rank < 3 || t->weights->rank != t->x->rank)
        return err_set(e, ERR_DATA, "X has rank %u, W has %u", t->x->rank, t->weights->rank);
    if (t->x->rank - 2 > DEFORM_RANK_MAX)
        return err_set(e, ERR_LIMIT, "%u spatial dims", t->x->rank - 2);
    if (!window_read(k->n, t->x->rank - 2, t->weights->dims + 2, &t->w, e))
        return false;
    int64_t c = t->x->dims[1], m = t->weights->dims[0];
    if (group < 1 || parts < 1 || c % group || c % parts || m % group ||
        t->weights->dims[1] != c / group)
        return err_set(e, ERR_DATA, "%lld to %lld channels in %lld groups, %lld of offsets",
                       (long long)c, (long long)m, (long long)group, (long long)parts);
    for (uint32_t d = 0; d < t->w.n; d++)
        if (!window_fit(&t->w, d, t->x->dims[d + 2], e))
            return false;
    t->group = (size_t)group;
    t->parts = (size_t)parts;
    t->n_images = (size_t)t->x->dims[0];
    t->c = (size_t)c;
    t->m = (size_t)m;
    t->n_in = (size_t)window_count(t->w.in, t->w.n);
    t->n_out = (size_t)window_count(t->w.out, t->w.n);
    t->n_kernel = (size_t)window_count(t->w.kernel, t->w.n);
    return check_deform(t, e);
}

struct deform_sample {
    double at[DEFORM_RANK_MAX];
    bool is_open; /* outside the padded image, or NaN */
};

/* Where kernel position i of output o reads, for one group of offsets of one image. */
static struct deform_sample sample_of(const struct deform *t, size_t part, size_t i, size_t o)
{
    struct deform_sample s = {.is_open = false};
    size_t left_i = i, left_o = o;
    for (uint32_t d = t->w.n; d-- > 0;) {
        int64_t in_kernel = (int64_t)left_i % t->w.kernel[d], out = (int64_t)left_o % t->w.out[d];
        left_i /= (size_t)t->w.kernel[d];
        left_o /= (size_t)t->w.out[d];
        double moved = t->offset->f[((part * t->n_kernel + i) * t->w.n + d) * t->n_out + o];
        double first = -(double)t->w.pad_begin[d];
        double last = (double)(t->w.in[d] - 1 + t->w.pad_end[d]);
        s.at[d] = (double)(out * t->w.stride[d] + in_kernel * t->w.dilation[d]) + first + moved;
        s.is_open |= !isfinite(s.at[d]) || (s.at[d] < first && s.at[d] > first - 1) ||
                     (s.at[d] > last && s.at[d] < last + 1);
    }
    return s;
}

/* The corners around a sample: at most 2^rank of them, with their weights. */
struct corners {
    unsigned n;
    size_t at[1 << DEFORM_RANK_MAX];
    double weight[1 << DEFORM_RANK_MAX], noise;
};

static struct corners corners_of(const struct deform *t, const struct deform_sample *s)
{
    struct corners c = {.n = 0};
    for (unsigned i = 0; i < 1u << t->w.n && !s->is_open; i++) {
        double weight = 1;
        size_t at = 0;
        bool is_inside = true;
        for (uint32_t d = 0; d < t->w.n; d++) {
            double low = floor(s->at[d]), share = s->at[d] - low, pixel = low + (i >> d & 1);
            weight *= i >> d & 1 ? share : 1 - share;
            is_inside = is_inside && pixel >= 0 && pixel < (double)t->w.in[d];
            at = at * (size_t)t->w.in[d] + (is_inside ? (size_t)pixel : 0);
        }
        if (!is_inside)
            continue;
        c.at[c.n] = at;
        c.weight[c.n++] = weight;
    }
    for (uint32_t d = 0; d < t->w.n; d++)
        c.noise += s->is_open ? 0 : 1 + fabs(s->at[d]); /* rounding of a place */
    return c;
}

/* Columns of one image: a row for each (c, i), a column for each output. `noise` has the same
 * layout; `open` has one flag per output. */
struct deform_columns {
    double *at, *noise;
    uint8_t *open;
};

static void fill_columns(const struct deform *t, size_t image, const struct deform_columns *to)
{
    size_t per_part = t->c / t->parts;
    for (size_t p = 0; p < t->parts * t->n_kernel * t->n_out; p++) {
        size_t o = p % t->n_out, i = p / t->n_out % t->n_kernel, part = p / t->n_out / t->n_kernel;
        size_t whole = image * t->parts + part;
        struct deform_sample s = sample_of(t, whole, i, o);
        struct corners corners = corners_of(t, &s);
        double mask = t->mask ? t->mask->f[(whole * t->n_kernel + i) * t->n_out + o] : 1;
        to->open[o] |= s.is_open;
        for (size_t c = part * per_part; c < (part + 1) * per_part; c++) {
            const double *x = t->x->f + (image * t->c + c) * t->n_in;
            size_t row = (c * t->n_kernel + i) * t->n_out + o;
            to->at[row] = 0;
            double reach = 0;
            for (unsigned j = 0; j < corners.n; j++) {
                to->at[row] += corners.weight[j] * x[corners.at[j]];
                reach += fabs(x[corners.at[j]]);
            }
            to->at[row] *= mask;
            if (to->noise)
                to->noise[row] = fabs(to->at[row]) + reach * corners.noise * fabs(mask);
        }
    }
}

static void scale_image(struct kernel *k, const struct deform *t, size_t image,
                        const struct deform_columns *from)
{
    size_t n_terms = t->c / t->group * t->n_kernel, per_group = t->m / t->group;
    for (size_t m = 0; m < t->m; m++)
        for (size_t o = 0; o < t->n_out; o++) {
            double sum = t->bias ? fabs(t->bias->f[m]) : 0;
            for (size_t j = 0; j < n_terms; j++)
                sum += fabs(t->weights->f[m * n_terms + j]) *
                       from->noise[(m / per_group * n_terms + j) * t->n_out + o];
            kernel__scales(k, 0)[(image * t->m + m) * t->n_out + o] = sum;
        }
}

static bool run_image(struct kernel *k, const struct deform *t, size_t image,
                      const struct deform_columns *columns, struct err *e)
{
    size_t n_terms = t->c / t->group * t->n_kernel, per_group = t->m / t->group;
    double *y = k->to[0].f + image * t->m * t->n_out;
    memset(columns->open, 0, t->n_out);
    fill_columns(t, image, columns);
    for (size_t i = 0; t->bias && i < t->m * t->n_out; i++)
        y[i] = t->bias->f[i / t->n_out];
    for (size_t g = 0; g < t->group; g++) {
        struct product p = {.m = per_group, .n = t->n_out, .k = n_terms, .alpha = 1, .beta = 1};
        p.a = t->weights->f + g * per_group * n_terms;
        p.b = columns->at + g * n_terms * t->n_out;
        if (!matrix__multiply(&p, y + g * per_group * t->n_out, e))
            return false;
    }
    if (columns->noise)
        scale_image(k, t, image, columns);
    for (size_t i = 0; i < t->m * t->n_out; i++)
        if (columns->open[i % t->n_out])
            kernel__undefined(k, 0)[image * t->m * t->n_out + i] = 1;
    return true;
}

/* DeformConv: X (N, C, ..), W (M, C / group, ..), offset, B (M), mask -> (N, M, ..). */
bool kernel__deform_conv(struct kernel *k, struct err *e)
{
    struct deform t;
    int64_t dims[TENSOR_RANK_MAX];
    uint64_t n_work, n_columns;
    if (!read_deform(k, &t, e))
        return false;
    dims[0] = t.x->dims[0];
    dims[1] = (int64_t)t.m;
    memcpy(dims + 2, t.w.out, t.w.n * sizeof *dims);
    if (CHECKED_MUL((uint64_t)t.c * t.n_kernel, (uint64_t)t.n_out, &n_columns) ||
        CHECKED_MUL(n_columns, (uint64_t)(t.n_images * (t.m / t.group + 16)), &n_work))
        n_work = UINT64_MAX;
    if (!kernel__output(k, 0, t.x->dtype, t.w.n + 2, dims, e) || !kernel__charge(k, n_work, e))
        return false;
    struct deform_columns columns = {arena_new_array(k->scratch, double, n_columns), NULL,
                                     arena_alloc(k->scratch, t.n_out)};
    if (k->want_noise)
        columns.noise = arena_new_array(k->scratch, double, n_columns);
    for (size_t i = 0; i < t.n_images; i++)
        if (!run_image(k, &t, i, &columns, e))
            return false;
    kernel__taint_all(k, 0);
    return true;
}
