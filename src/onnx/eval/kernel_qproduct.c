/*
 * Products of quantised tensors: MatMulInteger, ConvInteger, QLinearMatMul, QLinearConv.
 *
 * Levels minus zero points are whole numbers below 2^9, so that products in double are exact up to
 * 2^35 terms. The integer operators wrap to int32; the QLinear ones scale, round half to even, add
 * the zero point and saturate. Where the multipliers' precision decides between two levels, the
 * element is marked undefined.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/im2col_p.h"
#include "onnx/eval/matrix_p.h"
#include "onnx/eval/quant_p.h"
#include "onnx/window.h"

/* One operand: levels, the zero point that is subtracted and the scale that multiplies them. */
struct operand {
    const struct value *v, *scale, *zero; /* scale and zero may be NULL */
};

static bool only_integers(const struct kernel *k, struct err *e)
{
    for (uint32_t i = 0; i < k->n_in; i++)
        if (k->in[i] && k->in[i]->storage == STORAGE_F64 && dtype_row(k->in[i]->dtype)->n_bits < 16)
            return err_set(e, ERR_UNSUPPORTED, "%s levels", dtype_name(k->in[i]->dtype));
    return true;
}

/* A parameter's dims; one of rank 1 that holds one number per row becomes a column. */
struct shaped {
    uint32_t rank;
    int64_t dims[TENSOR_RANK_MAX + 1];
};

static struct shaped shape_of(const struct value *p, const struct value *v, bool by_row)
{
    struct shaped s = {p->rank, {0}};
    memcpy(s.dims, p->dims, p->rank * sizeof *s.dims);
    if (by_row && p->rank == 1 && v->rank > 1 && p->n > 1)
        s = (struct shaped){2, {p->dims[0], 1}};
    return s;
}

static bool fits(const struct shaped *s, const struct value *v)
{
    bool ok = s->rank <= v->rank || (s->rank == 1 && s->dims[0] == 1);
    for (uint32_t d = 0; ok && d < s->rank && s->rank <= v->rank; d++)
        ok = s->dims[d] == 1 || s->dims[d] == v->dims[v->rank - s->rank + d];
    return ok;
}

/* Gives a number of p for each element of v, by broadcast; p NULL: `otherwise`. */
static bool spread(struct kernel *k, const struct value *p, const struct value *v, bool by_row,
                   double otherwise, double **out, struct err *e)
{
    *out = arena_new_array(k->scratch, double, v->n);
    if (!p || p->n == 1) {
        for (size_t i = 0; i < v->n; i++)
            (*out)[i] = p ? value_get_double(p, 0) : otherwise;
        return true;
    }
    struct shaped s = shape_of(p, v, by_row);
    if (!fits(&s, v))
        return err_set(e, ERR_DATA, "a scale or zero point does not fit its matrix");
    struct walk w;
    walk__open(&w, v->dims, v->rank);
    walk__broadcast(&w, s.dims, s.rank);
    while (walk__next(&w))
        for (size_t i = 0; i < w.n_inner; i++)
            (*out)[w.out + i] = value_get_double(p, (size_t)(w.at[0] + (ptrdiff_t)i * w.step[0]));
    return true;
}

/* Gives the levels minus their zero points. */
static bool levels_of(struct kernel *k, const struct operand *o, bool by_row, double **out,
                      struct err *e)
{
    if (!spread(k, o->zero, o->v, by_row, 0, out, e))
        return false;
    for (size_t i = 0; i < o->v->n; i++)
        (*out)[i] = value_get_double(o->v, i) - (*out)[i];
    return true;
}

/* numpy.matmul of two operands: sizes of the matrices, and their batches. */
struct batches {
    size_t m, n, k;
    struct shaped out;  /* dims of the result */
    struct shaped lead; /* only the batch dims */
};

static bool batches_of(const struct value *a, const struct value *b, struct batches *p,
                       struct err *e)
{
    if (!a->rank || !b->rank)
        return err_set(e, ERR_DATA, "a scalar cannot be multiplied as a matrix");
    uint32_t lead_a = a->rank > 2 ? a->rank - 2 : 0, lead_b = b->rank > 2 ? b->rank - 2 : 0;
    p->m = a->rank > 1 ? (size_t)a->dims[a->rank - 2] : 1;
    p->k = (size_t)a->dims[a->rank - 1];
    p->n = b->rank > 1 ? (size_t)b->dims[b->rank - 1] : 1;
    if (b->dims[b->rank > 1 ? b->rank - 2 : 0] != (int64_t)p->k)
        return err_set(e, ERR_DATA, "inner dims differ");
    p->lead.rank = MAX(lead_a, lead_b);
    for (uint32_t d = 0; d < p->lead.rank; d++) {
        int64_t x = d + lead_a >= p->lead.rank ? a->dims[d + lead_a - p->lead.rank] : 1;
        int64_t y = d + lead_b >= p->lead.rank ? b->dims[d + lead_b - p->lead.rank] : 1;
        if (x != y && x != 1 && y != 1)
            return err_set(e, ERR_DATA, "batch dims %lld and %lld cannot be broadcast",
                           (long long)x, (long long)y);
        p->lead.dims[d] = x == 1 ? y : x;
    }
    p->out = p->lead;
    if (a->rank > 1)
        p->out.dims[p->out.rank++] = (int64_t)p->m;
    if (b->rank > 1)
        p->out.dims[p->out.rank++] = (int64_t)p->n;
    return true;
}

/* Writes the products of all batches into y. */
static bool multiply(const struct batches *p, const struct value *a, const struct value *b,
                     const double *levels_a, const double *levels_b, double *y, struct err *e)
{
    struct walk w;
    walk__open(&w, p->lead.dims, p->lead.rank);
    walk__broadcast(&w, a->dims, a->rank > 2 ? a->rank - 2 : 0);
    walk__broadcast(&w, b->dims, b->rank > 2 ? b->rank - 2 : 0);
    while (walk__next(&w))
        for (size_t i = 0; i < w.n_inner; i++) {
            size_t at_a = (size_t)(w.at[0] + (ptrdiff_t)i * w.step[0]) * p->m * p->k;
            size_t at_b = (size_t)(w.at[1] + (ptrdiff_t)i * w.step[1]) * p->k * p->n;
            struct product one = {.m = p->m,
                                  .n = p->n,
                                  .k = p->k,
                                  .a = levels_a + at_a,
                                  .b = levels_b + at_b,
                                  .alpha = 1};
            if (!matrix__multiply(&one, y + (w.out + i) * p->m * p->n, e))
                return false;
        }
    return true;
}

static bool matmul_sums(struct kernel *k, const struct operand *a, const struct operand *b,
                        struct batches *p, double **sums, struct err *e)
{
    double *levels_a, *levels_b;
    uint64_t n_out = 1;
    if (!only_integers(k, e) || !batches_of(a->v, b->v, p, e))
        return false;
    for (uint32_t d = 0; d < p->out.rank; d++)
        n_out *= (uint64_t)p->out.dims[d];
    if (!kernel__charge(k, n_out * p->k, e) || !levels_of(k, a, true, &levels_a, e) ||
        !levels_of(k, b, false, &levels_b, e))
        return false;
    *sums = arena_new_array(k->scratch, double, n_out);
    return multiply(p, a->v, b->v, levels_a, levels_b, *sums, e);
}

/* Writes whole sums into an int32 output. */
static void wrap_sums(struct kernel *k, const double *sums)
{
    for (size_t i = 0; i < k->out[0].n; i++)
        k->to[0].i[i] = kernel__wrap(DTYPE_INT32, (int64_t)sums[i]);
}

/* MatMulInteger: A (.., M, K), B (.., K, N), zero points -> int32 (.., M, N). */
bool kernel__matmul_integer(struct kernel *k, struct err *e)
{
    struct operand a = {k->in[0], NULL, kernel__in(k, 2)}, b = {k->in[1], NULL, kernel__in(k, 3)};
    struct batches p;
    double *sums;
    if (!matmul_sums(k, &a, &b, &p, &sums, e) ||
        !kernel__output(k, 0, DTYPE_INT32, p.out.rank, p.out.dims, e))
        return false;
    wrap_sums(k, sums);
    return true;
}

/* Sets level i of the result: the sum times the multiplier a b / y of scales, rounded. */
static void requantize(struct kernel *k, size_t i, double sum, const double factors[2],
                       const struct operand *y)
{
    double by = y->scale->f[0];
    bool is_exact = quant__is_power_of_two(factors[0]) && quant__is_power_of_two(factors[1]) &&
                    quant__is_power_of_two(by) && fabs(sum) <= 0x1p24;
    struct quant_step s = {
        .q = sum * (factors[0] * factors[1] / by), .unit = 8 * 0x1p-24, .step = 1};
    s.zero = value_get_double(y->zero, 0);
    s.range = quant__range(k->out[0].dtype);
    k->to[0].i[i] = quant__round(k, 0, i, &s, is_exact);
    if (by == 0) /* a division by zero */
        kernel__undefined(k, 0)[i] = 1;
}

/* The result must have one scale for the whole tensor: the text does not say what several mean. */
static bool check_result(const struct operand *y, struct err *e)
{
    return (y->scale->n == 1 && y->zero->n == 1) ||
           err_set(e, ERR_UNSUPPORTED, "a result with more than one scale");
}

/* Is there one scale for all, or one for each of n rows of a matrix (or columns)? */
static bool scale_list(const struct value *scale, size_t n, const struct value *v, struct err *e)
{
    if (scale->n == 1 || (v->rank == 2 && scale->n == n))
        return true;
    return err_set(e, ERR_UNSUPPORTED,
                   "scales that are neither one for all nor one per row or column");
}

/* QLinearMatMul: a (.., M, K), b (.., K, N) with scales and zero points -> y (.., M, N). */
bool kernel__qlinear_matmul(struct kernel *k, struct err *e)
{
    struct operand a = {k->in[0], k->in[1], k->in[2]}, b = {k->in[3], k->in[4], k->in[5]};
    struct operand y = {NULL, k->in[6], k->in[7]};
    struct batches p;
    double *sums;
    if (!matmul_sums(k, &a, &b, &p, &sums, e) || !check_result(&y, e) ||
        !scale_list(a.scale, p.m, a.v, e) || !scale_list(b.scale, p.n, b.v, e) ||
        !kernel__output(k, 0, y.zero->dtype, p.out.rank, p.out.dims, e))
        return false;
    for (size_t i = 0; i < k->out[0].n; i++) {
        double sa = a.scale->f[a.scale->n > 1 ? i / p.n % p.m : 0];
        double sb = b.scale->f[b.scale->n > 1 ? i % p.n : 0];
        requantize(k, i, sums[i], (const double[]){sa, sb}, &y);
    }
    kernel__taint_all(k, 0);
    return true;
}

/* Sizes of a quantised convolution. */
struct qconv {
    struct window w;
    size_t group, c, m, n_in, n_out, n_kernel, n_images;
};

static bool read_qconv(const struct kernel *k, const struct value *x, const struct value *weights,
                       struct qconv *c, struct err *e)
{
    int64_t group = node_int(k->n, "group", 1);
    if (x->rank < 3 || weights->rank != x->rank)
        return err_set(e, ERR_DATA, "x has rank %u, w has %u", x->rank, weights->rank);
    if (!window_read(k->n, x->rank - 2, weights->dims + 2, &c->w, e))
        return false;
    if (group < 1 || x->dims[1] != weights->dims[1] * group || weights->dims[0] % group)
        return err_set(e, ERR_DATA, "%lld channels, weights %lld x %lld, in %lld groups",
                       (long long)x->dims[1], (long long)weights->dims[0],
                       (long long)weights->dims[1], (long long)group);
    for (uint32_t d = 0; d < c->w.n; d++)
        if (!window_fit(&c->w, d, x->dims[d + 2], e))
            return false;
    c->group = (size_t)group;
    c->n_images = (size_t)x->dims[0];
    c->c = (size_t)weights->dims[1];
    c->m = (size_t)(weights->dims[0] / group);
    c->n_in = (size_t)window_count(c->w.in, c->w.n);
    c->n_out = (size_t)window_count(c->w.out, c->w.n);
    c->n_kernel = (size_t)window_count(c->w.kernel, c->w.n);
    return true;
}

/* Weights have one zero point, or one per output channel: per row of their matrix. */
static bool weight_levels(struct kernel *k, const struct operand *o, const struct qconv *c,
                          double **out, struct err *e)
{
    size_t n_rows = c->m * c->group, n_each = c->c * c->n_kernel;
    if (o->zero && o->zero->n != 1 && o->zero->n != n_rows)
        return err_set(e, ERR_DATA, "%zu zero points for %zu channels", o->zero->n, n_rows);
    *out = arena_new_array(k->scratch, double, o->v->n);
    for (size_t i = 0; i < o->v->n; i++) {
        size_t at = o->zero && o->zero->n > 1 ? i / n_each : 0;
        (*out)[i] = value_get_double(o->v, i) - quant__number(o->zero, at);
    }
    return true;
}

/* Padding has the level of the zero point, so it is zero once that is subtracted. */
static bool conv_sums(struct kernel *k, const struct operand *x, const struct operand *weights,
                      struct qconv *c, double **sums, struct err *e)
{
    double *levels_x, *levels_w;
    if (!only_integers(k, e) || !read_qconv(k, x->v, weights->v, c, e))
        return false;
    if (x->zero && x->zero->n != 1)
        return err_set(e, ERR_UNSUPPORTED, "%zu zero points of x", x->zero->n);
    size_t n_terms = c->c * c->n_kernel, n_groups = c->n_images * c->group;
    if (!kernel__charge(k, (uint64_t)n_groups * c->m * c->n_out * n_terms, e) ||
        !levels_of(k, x, false, &levels_x, e) || !weight_levels(k, weights, c, &levels_w, e))
        return false;
    double *columns = arena_new_array(k->scratch, double, n_terms * c->n_out);
    *sums = arena_new_array(k->scratch, double, n_groups * c->m * c->n_out);
    for (size_t i = 0; i < n_groups; i++) {
        struct im2col job = {levels_x + i * c->c * c->n_in, c->c, 0, c->n_out};
        im2col__fill(&c->w, &job, columns);
        struct product one = {.m = c->m,
                              .n = c->n_out,
                              .k = n_terms,
                              .a = levels_w + i % c->group * c->m * n_terms,
                              .b = columns,
                              .alpha = 1};
        if (!matrix__multiply(&one, *sums + i * c->m * c->n_out, e))
            return false;
    }
    return true;
}

static bool conv_output(struct kernel *k, const struct qconv *c, enum dtype t, struct err *e)
{
    int64_t dims[TENSOR_RANK_MAX] = {k->in[0]->dims[0], (int64_t)(c->m * c->group)};
    memcpy(dims + 2, c->w.out, c->w.n * sizeof *dims);
    return kernel__output(k, 0, t, c->w.n + 2, dims, e);
}

/* ConvInteger: x (N, C, ..), w (M, C / group, ..), zero points -> int32 (N, M, ..). */
bool kernel__conv_integer(struct kernel *k, struct err *e)
{
    struct operand x = {k->in[0], NULL, kernel__in(k, 2)}, w = {k->in[1], NULL, kernel__in(k, 3)};
    struct qconv c;
    double *sums;
    if (!conv_sums(k, &x, &w, &c, &sums, e) || !conv_output(k, &c, DTYPE_INT32, e))
        return false;
    wrap_sums(k, sums);
    return true;
}

/* QLinearConv: x, w with scales and zero points, bias B (int32, scale x_scale w_scale) -> y. */
bool kernel__qlinear_conv(struct kernel *k, struct err *e)
{
    struct operand x = {k->in[0], k->in[1], k->in[2]}, w = {k->in[3], k->in[4], k->in[5]};
    struct operand y = {NULL, k->in[6], k->in[7]};
    const struct value *bias = kernel__in(k, 8);
    struct qconv c;
    double *sums;
    if (!conv_sums(k, &x, &w, &c, &sums, e) || !check_result(&y, e) ||
        !conv_output(k, &c, y.zero->dtype, e))
        return false;
    size_t n_channels = c.m * c.group;
    if (x.scale->n != 1 || (w.scale->n != 1 && w.scale->n != n_channels) ||
        (bias && bias->n != n_channels))
        return err_set(e, ERR_DATA, "scales or bias do not fit %zu channels", n_channels);
    for (size_t i = 0; i < k->out[0].n; i++) {
        size_t channel = i / c.n_out % n_channels;
        double sw = w.scale->f[w.scale->n > 1 ? channel : 0];
        requantize(k, i, sums[i] + quant__number(bias, bias ? channel : 0),
                   (const double[]){x.scale->f[0], sw}, &y);
    }
    kernel__taint_all(k, 0);
    return true;
}
