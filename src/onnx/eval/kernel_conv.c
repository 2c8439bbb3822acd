/*
 * Conv and ConvTranspose in any number of spatial dims, with groups, strides, dilations and
 * padding.
 *
 *   Conv           y[m, o] = b[m] + sum over (c, i) of w[m, c, i] x[c, o stride + i dilation - pad]
 *                  as one matrix product per image and group: W (M/g x K) times columns
 *                  (K x positions)
 *   ConvTranspose  its adjoint: columns = W^T X, added into the positions that they come from
 *
 * Columns are made in blocks of at most COLUMN_BLOCK numbers.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/im2col_p.h"
#include "onnx/eval/matrix_p.h"
#include "onnx/window.h"

enum { COLUMN_BLOCK = 1 << 22 };

struct conv {
    struct window w;
    size_t n_images, group;
    size_t c, m;        /* channels of x and y in one group */
    size_t n_in, n_out; /* positions of one channel */
    size_t n_kernel;    /* positions of one kernel */
    const double *x, *weights, *bias;
};

static bool read_conv(const struct kernel *k, struct conv *c, bool is_transposed, struct err *e)
{
    const struct value *x = k->in[0], *weights = k->in[1], *bias = kernel__in(k, 2);
    int64_t group = node_int(k->n, "group", 1);
    if (x->rank < 3 || weights->rank != x->rank)
        return err_set(e, ERR_DATA, "X has rank %u, W has %u", x->rank, weights->rank);
    if (!window_read(k->n, x->rank - 2, weights->dims + 2, &c->w, e))
        return false;
    int64_t in = x->dims[1], left = weights->dims[0], right = weights->dims[1];
    int64_t out = is_transposed ? right : left;
    bool ok = group >= 1 && in % group == 0;
    ok = ok && (is_transposed ? left == in : right == in / group && left % group == 0);
    if (!ok)
        return err_set(e, ERR_DATA, "X has %lld channels, W is %lld x %lld, in %lld groups",
                       (long long)in, (long long)left, (long long)right, (long long)group);
    c->group = (size_t)group;
    c->n_images = (size_t)x->dims[0];
    c->c = (size_t)(in / group);
    c->m = (size_t)(is_transposed ? out : out / group);
    if (bias && (bias->rank != 1 || bias->n != c->m * c->group))
        return err_set(e, ERR_DATA, "the bias has %zu elements, %zu are expected", bias->n,
                       c->m * c->group);
    for (uint32_t d = 0; d < c->w.n; d++)
        if (!(is_transposed ? window_fit_transposed(&c->w, d, x->dims[d + 2], e)
                            : window_fit(&c->w, d, x->dims[d + 2], e)))
            return false;
    c->n_in = (size_t)window_count(c->w.in, c->w.n);
    c->n_out = (size_t)window_count(c->w.out, c->w.n);
    c->n_kernel = (size_t)window_count(c->w.kernel, c->w.n);
    c->x = x->f;
    c->weights = weights->f;
    c->bias = bias ? bias->f : NULL;
    return true;
}

static bool open_output(struct kernel *k, const struct conv *c, struct err *e)
{
    int64_t dims[TENSOR_RANK_MAX] = {(int64_t)c->n_images, (int64_t)(c->m * c->group)};
    memcpy(dims + 2, c->w.out, c->w.n * sizeof *dims);
    if (!kernel__output(k, 0, k->in[0]->dtype, c->w.n + 2, dims, e))
        return false;
    for (size_t i = 0; c->bias && i < c->n_images * c->m * c->group; i++)
        for (size_t j = 0; j < c->n_out; j++)
            k->to[0].f[i * c->n_out + j] = c->bias[i % (c->m * c->group)];
    return true;
}

/* Is it a kernel of one position that reads every input in order? It needs no columns. */
static bool is_pointwise(const struct conv *c)
{
    if (c->n_kernel != 1)
        return false;
    for (uint32_t d = 0; d < c->w.n; d++)
        if (c->w.stride[d] != 1 || c->w.pad_begin[d] || c->w.pad_end[d])
            return false;
    return true;
}

/* One block of columns of one image and group. */
struct block {
    const double *x, *weights, *bias;
    double *y, *scales;
    size_t from, n;
};

static void scale_block(struct kernel *k, const struct conv *c, const struct block *b,
                        const double *columns)
{
    size_t n_terms = c->c * c->n_kernel;
    double *norms = arena_new_array(k->scratch, double, b->n + c->m);
    matrix__column_norms(columns, n_terms, b->n, norms);
    matrix__row_norms(b->weights, c->m, n_terms, norms + b->n);
    for (size_t m = 0; m < c->m; m++)
        for (size_t i = 0; i < b->n; i++)
            b->scales[m * c->n_out + b->from + i] =
                sum__factor(n_terms) * norms[b->n + m] * norms[i] +
                (b->bias ? fabs(b->bias[m]) : 0);
}

static bool run_block(struct kernel *k, const struct conv *c, const struct block *b,
                      double *columns, struct err *e)
{
    const double *from = b->x;
    if (!is_pointwise(c)) {
        im2col__fill(&c->w, &(struct im2col){b->x, c->c, b->from, b->n}, columns);
        from = columns;
    }
    if (b->scales)
        scale_block(k, c, b, from);
    struct product p = {.m = c->m, .n = b->n, .k = c->c * c->n_kernel, .a = b->weights, .b = from};
    p.alpha = 1;
    p.beta = 1;
    if (b->n == c->n_out)
        return matrix__multiply(&p, b->y, e);
    /* A part of the positions: the product is made apart and added row by row. */
    double *part = arena_new_array(k->scratch, double, c->m * b->n);
    if (!matrix__multiply(&p, part, e))
        return false;
    for (size_t m = 0; m < c->m; m++)
        for (size_t i = 0; i < b->n; i++)
            b->y[m * c->n_out + b->from + i] += part[m * b->n + i];
    return true;
}

/* X (N, C, ...), W (M, C/g, ...), B (M): Y (N, M, ...). */
bool kernel__conv(struct kernel *k, struct err *e)
{
    struct conv c;
    if (!read_conv(k, &c, false, e) || !open_output(k, &c, e))
        return false;
    size_t n_terms = c.c * c.n_kernel;
    if (!kernel__charge(k, (uint64_t)k->out[0].n * n_terms, e))
        return false;
    size_t n_block = is_pointwise(&c) ? c.n_out : MAX(1, COLUMN_BLOCK / MAX(n_terms, 1));
    n_block = MIN(n_block, c.n_out);
    double *columns =
        is_pointwise(&c) ? NULL : arena_new_array(k->scratch, double, n_terms *n_block);
    double *scales = k->want_noise ? kernel__scales(k, 0) : NULL;
    for (size_t i = 0; i < c.n_images * c.group; i++) {
        size_t g = i % c.group;
        struct block b = {.x = c.x + i * c.c * c.n_in,
                          .weights = c.weights + g * c.m * n_terms,
                          .bias = c.bias ? c.bias + g * c.m : NULL,
                          .y = k->to[0].f + i * c.m * c.n_out,
                          .scales = scales ? scales + i * c.m * c.n_out : NULL};
        for (b.from = 0; b.from < c.n_out; b.from += b.n) {
            b.n = MIN(n_block, c.n_out - b.from);
            if (!run_block(k, &c, &b, columns, e))
                return false;
        }
    }
    const struct value *bias = kernel__in(k, 2);
    kernel__set_exact(k, 0, matrix__is_exact(k->in[0], k->in[1], bias, n_terms, k->out[0].dtype));
    return true;
}

/* Adds one row of columns (all input positions at one kernel offset) into a channel of the result.
 */
static void add_row(const struct window *w, const int64_t *offset, const double *row, double *y)
{
    int64_t position[TENSOR_RANK_MAX] = {0}, n = window_count(w->in, w->n);
    for (int64_t i = 0; i < n; i++) {
        int64_t at = 0;
        bool inside = true;
        for (uint32_t d = 0; d < w->n && inside; d++) {
            int64_t o = position[d] * w->stride[d] + offset[d];
            inside = o >= 0 && o < w->out[d];
            at = at * w->out[d] + o;
        }
        if (inside)
            y[at] += row[i];
        for (uint32_t d = w->n; d-- > 0;) {
            if (++position[d] < w->in[d])
                break;
            position[d] = 0;
        }
    }
}

/* Adds all columns (m x kernel offsets x input positions) into the result. */
static void add_columns(const struct conv *c, const double *columns, double *y, size_t m)
{
    int64_t offset[TENSOR_RANK_MAX];
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < c->n_kernel; j++) {
            int64_t left = (int64_t)j;
            for (uint32_t d = c->w.n; d-- > 0;) {
                offset[d] = left % c->w.kernel[d] * c->w.dilation[d] - c->w.pad_begin[d];
                left /= c->w.kernel[d];
            }
            add_row(&c->w, offset, columns + (i * c->n_kernel + j) * c->n_in, y + i * c->n_out);
        }
}

/* s = factor |x that reach the element| |w of the channel| + |b|. */
static void scale_transposed(struct kernel *k, const struct conv *c, size_t i, double *scales)
{
    size_t g = i % c->group;
    const double *x = c->x + i * c->c * c->n_in;
    const double *weights = c->weights + g * c->c * c->m * c->n_kernel;
    double *columns = arena_new_array(k->scratch, double, c->n_kernel * c->n_in);
    double *reach = arena_new_array(k->scratch, double, c->n_out);
    for (size_t j = 0; j < c->n_kernel; j++)
        for (size_t ch = 0; ch < c->c; ch++)
            for (size_t p = 0; p < c->n_in; p++)
                columns[j * c->n_in + p] += x[ch * c->n_in + p] * x[ch * c->n_in + p];
    add_columns(c, columns, reach, 1);
    for (size_t m = 0; m < c->m; m++) {
        double norm = 0;
        for (size_t ch = 0; ch < c->c; ch++)
            for (size_t j = 0; j < c->n_kernel; j++) {
                double v = weights[(ch * c->m + m) * c->n_kernel + j];
                norm += v * v;
            }
        for (size_t p = 0; p < c->n_out; p++)
            scales[m * c->n_out + p] = sum__factor(c->c * c->n_kernel) * sqrt(norm * reach[p]) +
                                       (c->bias ? fabs(c->bias[g * c->m + m]) : 0);
    }
}

/* X (N, C, ...), W (C, M/g, ...), B (M): Y (N, M, ...). */
bool kernel__conv_transpose(struct kernel *k, struct err *e)
{
    struct conv c;
    if (!read_conv(k, &c, true, e) || !open_output(k, &c, e))
        return false;
    size_t n_rows = c.m * c.n_kernel;
    if (!kernel__charge(k, (uint64_t)(c.n_images * c.group * c.c) * n_rows * c.n_in, e))
        return false;
    int64_t columns_dims[] = {(int64_t)n_rows, (int64_t)c.n_in};
    size_t n_columns;
    if (!tensor_count(DTYPE_DOUBLE, columns_dims, 2, &n_columns))
        return err_set(e, ERR_LIMIT, "the columns of one image are too large");
    if (!budget__charge_bytes(k->budget, n_columns * sizeof(double), e))
        return false;
    double *columns = arena_new_array(k->scratch, double, n_columns);
    double *scales = k->want_noise ? kernel__scales(k, 0) : NULL;
    for (size_t i = 0; i < c.n_images * c.group; i++) {
        struct product p = {.m = n_rows, .n = c.n_in, .k = c.c, .trans_a = true, .alpha = 1};
        p.a = c.weights + i % c.group * c.c * n_rows;
        p.b = c.x + i * c.c * c.n_in;
        if (!matrix__multiply(&p, columns, e))
            return false;
        add_columns(&c, columns, k->to[0].f + i * c.m * c.n_out, c.m);
        if (scales)
            scale_transposed(k, &c, i, scales + i * c.m * c.n_out);
    }
    const struct value *bias = kernel__in(k, 2);
    kernel__set_exact(
        k, 0, matrix__is_exact(k->in[0], k->in[1], bias, c.c * c.n_kernel, k->out[0].dtype));
    return true;
}
