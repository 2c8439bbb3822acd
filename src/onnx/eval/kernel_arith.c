/* Pow, Mod and the variadic functions: Max, Min, Sum, Mean. Broadcasting as in kernel_binary.c. */
#include <math.h>

#include "onnx/eval/kernel_p.h"

static int64_t integer_power(int64_t base, int64_t exponent)
{
    uint64_t y = 1, x = (uint64_t)base;
    for (; exponent > 0; exponent >>= 1, x *= x)
        if (exponent & 1)
            y *= x;
    return (int64_t)y;
}

/* Integer base: exact by repeated squaring where the exponent is an integer too. */
static bool power_of_integer(const struct value *x, size_t i, const struct value *y, size_t j,
                             int64_t *out)
{
    int64_t base = x->i[i];
    if (y->storage == STORAGE_F64) {
        bool fits = number_to_i64(pow(value_get_double(x, i), y->f[j]), out);
        return fits;
    }
    int64_t exponent = y->i[j];
    if (y->storage == STORAGE_U64 && y->u[j] > INT64_MAX)
        exponent = INT64_MAX - 1 + (int64_t)(y->u[j] & 1); /* only its parity counts */
    if (exponent < 0) {
        *out = base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
        return base == 1 || base == -1;
    }
    *out = integer_power(base, exponent);
    return true;
}

/* Z = X ^ Y in the type of X. */
bool kernel__pow(struct kernel *k, struct err *e)
{
    struct kernel_shape s;
    struct walk w;
    const struct value *x = k->in[0], *y = k->in[1];
    if (!kernel__broadcast(k, 0, 2, &s, e) || !kernel__output(k, 0, x->dtype, s.rank, s.dims, e))
        return false;
    kernel__broadcast_taint(k, 0, 0, 2);
    walk__open(&w, s.dims, s.rank);
    walk__broadcast(&w, x->dims, x->rank);
    walk__broadcast(&w, y->dims, y->rank);
    while (walk__next(&w))
        for (size_t i = 0; i < w.n_inner; i++) {
            size_t at_x = (size_t)(w.at[0] + (ptrdiff_t)i * w.step[0]);
            size_t at_y = (size_t)(w.at[1] + (ptrdiff_t)i * w.step[1]);
            int64_t whole;
            if (x->storage == STORAGE_F64) {
                k->to[0].f[w.out + i] = pow(x->f[at_x], value_get_double(y, at_y));
                continue;
            }
            if (!power_of_integer(x, at_x, y, at_y, &whole))
                kernel__undefined(k, 0)[w.out + i] = 1;
            k->to[0].i[w.out + i] = kernel__wrap(x->dtype, whole);
        }
    return true;
}

/* a - floor(a / b) b, computed from the exact remainder. */
static double floored_mod(double a, double b)
{
    double r = fmod(a, b);
    if (r == 0)
        return copysign(0, b);
    return (r < 0) != (b < 0) ? (isinf(b) ? b : r + b) : r;
}

static bool mod_integers(const struct value *a, size_t i, const struct value *b, size_t j,
                         bool is_fmod, int64_t *out)
{
    if (a->storage == STORAGE_U64) {
        *out = b->u[j] ? (int64_t)(a->u[i] % b->u[j]) : 0;
        return b->u[j] != 0;
    }
    int64_t divisor = b->i[j];
    if (divisor == -1) {
        *out = 0;
        return true;
    }
    if (!number_rem_i64(a->i[i], divisor, out))
        return false;
    if (!is_fmod && *out != 0 && (*out < 0) != (divisor < 0))
        *out += divisor;
    return true;
}

static double mod_margin(double r, double b)
{
    double up = fabs(fabs(b) - fabs(r));
    return MIN(fabs(r), up);
}

bool kernel__mod(struct kernel *k, struct err *e)
{
    struct kernel_shape s;
    struct walk w;
    const struct value *a = k->in[0], *b = k->in[1];
    bool is_fmod = node_int(k->n, "fmod", 0) != 0, is_float = a->storage == STORAGE_F64;
    if (is_float && !is_fmod && k->opset < 28)
        return err_set(e, ERR_DATA, "fmod must be 1 for floats");
    if (!kernel__broadcast(k, 0, 2, &s, e) || !kernel__output(k, 0, a->dtype, s.rank, s.dims, e))
        return false;
    kernel__broadcast_taint(k, 0, 0, 2);
    kernel__set_exact(k, 0, kernel__inputs_exact(k));
    walk__open(&w, s.dims, s.rank);
    walk__broadcast(&w, a->dims, a->rank);
    walk__broadcast(&w, b->dims, b->rank);
    while (walk__next(&w))
        for (size_t i = 0; i < w.n_inner; i++) {
            size_t at_a = (size_t)(w.at[0] + (ptrdiff_t)i * w.step[0]);
            size_t at_b = (size_t)(w.at[1] + (ptrdiff_t)i * w.step[1]);
            size_t at = w.out + i;
            if (!is_float) {
                if (!mod_integers(a, at_a, b, at_b, is_fmod, &k->to[0].i[at]))
                    kernel__undefined(k, 0)[at] = 1;
                continue;
            }
            double r = is_fmod ? fmod(a->f[at_a], b->f[at_b]) : floored_mod(a->f[at_a], b->f[at_b]);
            k->to[0].f[at] = r;
            if (k->want_margins && isfinite(r))
                kernel__margin(k, 0)[at] = mod_margin(r, b->f[at_b]);
        }
    return true;
}

/* Adds one more operand of a variadic function to the result. */
typedef void fold_fn(const struct value *v, size_t from, const struct kernel *k, size_t to);

static void fold_max(const struct value *v, size_t from, const struct kernel *k, size_t to)
{
    if (v->storage == STORAGE_F64) {
        double *y = &k->to[0].f[to];
        *y = isnan(*y) || *y >= v->f[from] ? *y : v->f[from];
    } else if (v->storage == STORAGE_I64) {
        k->to[0].i[to] = MAX(k->to[0].i[to], v->i[from]);
    } else {
        k->to[0].u[to] = MAX(k->to[0].u[to], v->u[from]);
    }
}

static void fold_min(const struct value *v, size_t from, const struct kernel *k, size_t to)
{
    if (v->storage == STORAGE_F64) {
        double *y = &k->to[0].f[to];
        *y = isnan(*y) || *y <= v->f[from] ? *y : v->f[from];
    } else if (v->storage == STORAGE_I64) {
        k->to[0].i[to] = MIN(k->to[0].i[to], v->i[from]);
    } else {
        k->to[0].u[to] = MIN(k->to[0].u[to], v->u[from]);
    }
}

static void fold_sum(const struct value *v, size_t from, const struct kernel *k, size_t to)
{
    k->to[0].f[to] += v->f[from];
}

static bool fold_inputs(struct kernel *k, fold_fn *fold, struct err *e)
{
    struct kernel_shape s;
    if (!kernel__broadcast(k, 0, k->n_in, &s, e) ||
        !kernel__output(k, 0, k->in[0]->dtype, s.rank, s.dims, e))
        return false;
    kernel__broadcast_taint(k, 0, 0, k->n_in);
    for (uint32_t j = 0; j < k->n_in; j++) {
        const struct value *v = k->in[j];
        struct walk w;
        walk__open(&w, s.dims, s.rank);
        walk__broadcast(&w, v->dims, v->rank);
        while (walk__next(&w))
            for (size_t i = 0; i < w.n_inner; i++) {
                size_t from = (size_t)(w.at[0] + (ptrdiff_t)i * w.step[0]);
                if (j == 0)
                    k->to[0].u[w.out + i] = v->u[from];
                else
                    fold(v, from, k, w.out + i);
            }
    }
    return true;
}

bool kernel__max(struct kernel *k, struct err *e)
{
    return fold_inputs(k, fold_max, e);
}

bool kernel__min(struct kernel *k, struct err *e)
{
    return fold_inputs(k, fold_min, e);
}

/* Partial sums are rounded too: s is the sum of magnitudes. */
static void fill_sum_scales(struct kernel *k, double factor)
{
    if (!k->want_noise)
        return;
    double *scales = kernel__scales(k, 0);
    for (uint32_t j = 0; j < k->n_in; j++) {
        struct walk w;
        walk__open(&w, k->out[0].dims, k->out[0].rank);
        walk__broadcast(&w, k->in[j]->dims, k->in[j]->rank);
        while (walk__next(&w))
            for (size_t i = 0; i < w.n_inner; i++)
                scales[w.out + i] += factor * fabs(k->in[j]->f[w.at[0] + (ptrdiff_t)i * w.step[0]]);
    }
}

static void set_sum_exact(struct kernel *k)
{
    struct grid sum = {0, 0};
    for (uint32_t j = 0; j < k->n_in; j++) {
        struct grid g;
        if (!k->in[j]->exact || !kernel__grid(k->in[j], &g))
            return;
        sum.low = j ? MIN(sum.low, g.low) : g.low;
        sum.high = 1 + (j ? MAX(sum.high, g.high) : g.high);
    }
    kernel__set_exact(k, 0, kernel__grid_fits(k->out[0].dtype, sum));
}

bool kernel__sum(struct kernel *k, struct err *e)
{
    if (!fold_inputs(k, fold_sum, e))
        return false;
    fill_sum_scales(k, k->n_in > 2 ? 1 : 0);
    set_sum_exact(k);
    return true;
}

bool kernel__mean(struct kernel *k, struct err *e)
{
    if (!fold_inputs(k, fold_sum, e))
        return false;
    for (size_t i = 0; i < k->out[0].n; i++)
        k->to[0].f[i] /= k->n_in;
    fill_sum_scales(k, 1.0 / k->n_in);
    return true;
}
