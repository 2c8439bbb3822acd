/*
 * What kernels share: outputs and their flags, taint, data movement, exactness by grids. kernel_p.h
 * has the contract. Knows no operator.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/kernel_p.h"

bool kernel__wants(const struct kernel *k, uint32_t o)
{
    return o < k->n->n_outputs && k->n->outputs[o] != VALUE_NONE;
}

bool kernel__output(struct kernel *k, uint32_t o, enum dtype dtype, uint32_t rank,
                    const int64_t *dims, struct err *e)
{
    size_t n;
    if (rank > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "a result of rank %u, at most %d is computed", rank,
                       TENSOR_RANK_MAX);
    for (uint32_t i = 0; i < rank; i++)
        if (dims[i] < 0)
            return err_set(e, ERR_DATA, "dim %u of the result is %lld", i, (long long)dims[i]);
    if (!tensor_count(DTYPE_UINT8, dims, rank, &n))
        return err_set(e, ERR_LIMIT, "the result is too large");
    struct value *v = &k->out[o];
    *v = (struct value){.dtype = dtype, .storage = storage_of(dtype), .rank = rank, .n = n};
    size_t n_bytes = n * storage_size(v->storage);
    if (!budget__charge_bytes(k->budget, n_bytes, e))
        return false;
    v->dims = arena_dup(k->a, dims, rank * sizeof *dims);
    k->to[o].any = arena_alloc(k->a, n_bytes);
    v->f = k->to[o].any;
    return true;
}

bool kernel__output_like(struct kernel *k, uint32_t o, uint32_t i, struct err *e)
{
    return kernel__output(k, o, k->in[i]->dtype, k->in[i]->rank, k->in[i]->dims, e);
}

void kernel__alias(struct kernel *k, uint32_t o, uint32_t i, uint32_t rank, const int64_t *dims)
{
    k->out[o] = *k->in[i];
    k->out[o].rank = rank;
    k->out[o].dims = arena_dup(k->a, dims, rank * sizeof *dims);
    k->out[o].margin = NULL;
    k->out[o].noise_scale = 0;
    k->out[o].scales = NULL;
    k->taint_done[o] = true;
}

bool kernel__broadcast(const struct kernel *k, uint32_t first, uint32_t n, struct kernel_shape *out,
                       struct err *e)
{
    out->rank = 0;
    for (uint32_t i = first; i < first + n; i++)
        if (kernel__in(k, i))
            out->rank = MAX(out->rank, k->in[i]->rank);
    for (uint32_t d = 0; d < out->rank; d++)
        out->dims[d] = 1;
    for (uint32_t i = first; i < first + n; i++) {
        const struct value *v = kernel__in(k, i);
        for (uint32_t d = 0; v && d < v->rank; d++) {
            int64_t *dim = &out->dims[out->rank - v->rank + d];
            if (*dim != v->dims[d] && *dim != 1 && v->dims[d] != 1)
                return err_set(e, ERR_DATA, "dims %lld and %lld cannot be broadcast",
                               (long long)*dim, (long long)v->dims[d]);
            *dim = *dim == 1 ? v->dims[d] : *dim;
        }
    }
    return true;
}

bool kernel__charge(struct kernel *k, uint64_t n_macs, struct err *e)
{
    return budget__charge_macs(k->budget, n_macs, e);
}

const int64_t *kernel__ints(const struct kernel *k, uint32_t i, size_t *n)
{
    const struct value *v = kernel__in(k, i);
    *n = v ? v->n : 0;
    if (!v || v->storage == STORAGE_I64)
        return v ? v->i : NULL;
    int64_t *list = arena_new_array(k->a, int64_t, v->n);
    for (size_t j = 0; j < v->n; j++)
        list[j] = v->storage == STORAGE_U64    ? (int64_t)v->u[j]
                  : v->storage == STORAGE_BOOL ? v->b[j]
                                               : 0;
    return list;
}

int64_t kernel__wrap(enum dtype t, int64_t v)
{
    const struct dtype_row *row = dtype_row(t);
    if (row->n_bits == 64)
        return v;
    return row->class == DTYPE_CLASS_SIGNED
               ? number_wrap_signed(v, row->n_bits)
               : (int64_t)number_wrap_unsigned((uint64_t)v, row->n_bits);
}

bool kernel__fix_axis(int64_t *axis, uint32_t rank, struct err *e)
{
    if (*axis < -(int64_t)rank || *axis >= (int64_t)rank)
        return err_set(e, ERR_DATA, "axis %lld outside a tensor of rank %u", (long long)*axis,
                       rank);
    if (*axis < 0)
        *axis += rank;
    return true;
}

struct axis_split axis_split(const struct value *v, int64_t axis)
{
    struct axis_split s = {1, (size_t)v->dims[axis], 1};
    for (uint32_t i = 0; i < v->rank; i++) {
        if (i < axis)
            s.outer *= (size_t)v->dims[i];
        else if (i > axis)
            s.inner *= (size_t)v->dims[i];
    }
    return s;
}

uint8_t *kernel__undefined(struct kernel *k, uint32_t o)
{
    struct value *v = &k->out[o];
    if (!v->undefined) {
        v->undefined = arena_alloc(k->a, v->n);
        k->taint_done[o] = true;
    }
    uint8_t *flags;
    memcpy(&flags, &v->undefined, sizeof flags); /* still ours: the value is not in use yet */
    return flags;
}

static double *fill(struct arena *a, size_t n, double x)
{
    double *at = arena_new_array(a, double, n);
    for (size_t i = 0; x != 0 && i < n; i++)
        at[i] = x;
    return at;
}

double *kernel__margin(struct kernel *k, uint32_t o)
{
    struct value *v = &k->out[o];
    if (!v->margin)
        v->margin = fill(k->a, v->n, (double)INFINITY);
    double *at;
    memcpy(&at, &v->margin, sizeof at);
    return at;
}

double *kernel__scales(struct kernel *k, uint32_t o)
{
    struct value *v = &k->out[o];
    if (!v->scales)
        v->scales = fill(k->a, v->n, 0);
    double *at;
    memcpy(&at, &v->scales, sizeof at);
    return at;
}

void kernel__set_exact(struct kernel *k, uint32_t o, bool exact)
{
    k->out[o].exact = exact;
}

bool kernel__inputs_exact(const struct kernel *k)
{
    for (uint32_t i = 0; i < k->n_in; i++)
        if (k->in[i] && !k->in[i]->exact)
            return false;
    return true;
}

bool kernel__is_tainted(const struct value *v)
{
    return v && v->undefined && memchr(v->undefined, 1, v->n) != NULL;
}

void kernel__taint_all(struct kernel *k, uint32_t o)
{
    for (uint32_t i = 0; i < k->n_in; i++)
        if (kernel__is_tainted(k->in[i]) && k->out[o].n) {
            memset(kernel__undefined(k, o), 1, k->out[o].n);
            return;
        }
}

void kernel__no_taint(struct kernel *k, uint32_t o)
{
    k->taint_done[o] = true;
}

void kernel__pass_taint(struct kernel *k, uint32_t o, uint32_t i)
{
    k->taint_done[o] = true;
    if (!k->in[i]->undefined)
        return;
    uint8_t *to = kernel__undefined(k, o);
    for (size_t j = 0; j < k->out[o].n; j++)
        to[j] |= k->in[i]->undefined[j];
}

void kernel__broadcast_taint(struct kernel *k, uint32_t o, uint32_t first, uint32_t n)
{
    k->taint_done[o] = true;
    for (uint32_t i = first; i < first + n; i++) {
        const struct value *v = kernel__in(k, i);
        if (!v || !v->undefined)
            continue;
        uint8_t *to = kernel__undefined(k, o);
        struct walk w;
        walk__open(&w, k->out[o].dims, k->out[o].rank);
        walk__broadcast(&w, v->dims, v->rank);
        while (walk__next(&w))
            for (size_t j = 0; j < w.n_inner; j++)
                to[w.out + j] |= v->undefined[w.at[0] + (ptrdiff_t)j * w.step[0]];
    }
}

static void copy_flags(struct kernel *k, uint32_t o, size_t to, const struct value *v, size_t from,
                       size_t n)
{
    k->taint_done[o] = true;
    if (v->undefined && n)
        memcpy(kernel__undefined(k, o) + to, v->undefined + from, n);
}

void kernel__copy_run(struct kernel *k, uint32_t o, size_t to, uint32_t in, size_t from, size_t n)
{
    const struct value *v = k->in[in];
    size_t size = storage_size(v->storage);
    if (!n)
        return;
    memcpy(k->to[o].b + to * size, v->b + from * size, n * size);
    copy_flags(k, o, to, v, from, n);
}

void kernel__move(struct kernel *k, uint32_t o, uint32_t in, const int64_t *from)
{
    const struct value *v = k->in[in];
    size_t n = k->out[o].n, size = storage_size(v->storage);
    k->taint_done[o] = true;
    for (size_t i = 0; i < n; i++) {
        if (from[i] < 0)
            continue;
        if (size == 8)
            k->to[o].u[i] = v->u[from[i]];
        else
            memcpy(k->to[o].b + i * size, v->b + (size_t)from[i] * size, size);
        if (v->undefined)
            kernel__undefined(k, o)[i] = v->undefined[from[i]];
    }
}

void kernel__move_walk(struct kernel *k, uint32_t o, uint32_t in, struct walk *w)
{
    const struct value *v = k->in[in];
    size_t size = storage_size(v->storage);
    uint8_t *flags = v->undefined ? kernel__undefined(k, o) : NULL;
    k->taint_done[o] = true;
    while (walk__next(w)) {
        ptrdiff_t at = w->at[0], step = w->step[0];
        for (size_t i = 0; flags && i < w->n_inner; i++)
            flags[w->out + i] = v->undefined[at + (ptrdiff_t)i * step];
        if (step == 1) {
            memcpy(k->to[o].b + w->out * size, v->b + (size_t)at * size, w->n_inner * size);
        } else if (size == 8) {
            for (size_t i = 0; i < w->n_inner; i++)
                k->to[o].u[w->out + i] = v->u[at + (ptrdiff_t)i * step];
        } else {
            for (size_t i = 0; i < w->n_inner; i++)
                memcpy(k->to[o].b + (w->out + i) * size,
                       v->b + (size_t)(at + (ptrdiff_t)i * step) * size, size);
        }
    }
}

enum { GRID_BITS_MAX = 106 };

/* Exponents of the lowest set bit of |x| and of the power of two above it; x finite, not zero. */
static struct grid grid_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int field = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = (bits & ((1ull << 52) - 1)) | (field ? 1ull << 52 : 0);
    int exponent = (field ? field : 1) - 1075;
    int low = LOWEST_BIT(mantissa), high = HIGHEST_BIT(mantissa);
    return (struct grid){exponent + low, exponent + high + 1};
}

bool kernel__grid(const struct value *v, struct grid *g)
{
    bool is_empty = true;
    *g = (struct grid){0, 0};
    if (v->storage != STORAGE_F64)
        return false;
    for (size_t i = 0; i < v->n; i++) {
        double x = v->f[i];
        if (x == 0)
            continue;
        if (!isfinite(x))
            return false;
        struct grid one = grid_of(x);
        g->low = is_empty ? one.low : MIN(g->low, one.low);
        g->high = is_empty ? one.high : MAX(g->high, one.high);
        is_empty = false;
        if (g->high - g->low > GRID_BITS_MAX)
            return false;
    }
    return true;
}

bool kernel__grid_fits(enum dtype t, struct grid g)
{
    if (t == DTYPE_DOUBLE)
        return g.high - g.low <= 53 && g.low >= -1074 && g.high <= 1023;
    const struct number_format *f = dtype_row(t)->format;
    if (!f || f->special == NUMBER_EXPONENT)
        return false;
    int smallest = 1 - f->bias - f->n_mantissa;
    return g.high - g.low <= f->n_mantissa + 1 && g.low >= smallest &&
           ldexp(1.0, g.high) <= number_largest(f);
}

static int bits_of(size_t n) /* least b with 2^b >= n */
{
    int b = 0;
    while (b < 63 && ((size_t)1 << b) < n)
        b++;
    return b;
}

bool kernel__sum_is_exact(const struct value *a, const struct value *b, size_t n, enum dtype out)
{
    struct grid ga, gb = {0, 0};
    if (!a->exact || (b && !b->exact) || !kernel__grid(a, &ga) || (b && !kernel__grid(b, &gb)))
        return false;
    struct grid sum = {ga.low + gb.low, ga.high + gb.high + bits_of(n)};
    return kernel__grid_fits(out, sum);
}

int kernel__tie(const struct kernel *k, double distance, double magnitude)
{
    if (k->options->ties == EVAL_TIES_AS_IS || !(distance <= k->options->margin_limit * magnitude))
        return 0;
    return k->options->ties == EVAL_TIES_UP ? 1 : -1;
}

double kernel__max_abs(const struct value *v)
{
    double most = 0;
    for (size_t i = 0; i < v->n; i++) {
        double x = fabs(value_get_double(v, i));
        if (x > most && isfinite(x))
            most = x;
    }
    return most;
}
