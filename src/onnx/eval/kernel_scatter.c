/*
 * Scattering by index: Scatter, ScatterElements, ScatterND, TensorScatter.
 *
 * The result begins as a copy of data. Without a reduction, indices "should not have duplicate
 * entries": an element written twice is marked undefined.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/kernel_p.h"

enum scatter_reduction { SCATTER_NONE, SCATTER_ADD, SCATTER_MUL, SCATTER_MAX, SCATTER_MIN };
static const char *const reduction_names[] = {"none", "add", "mul", "max", "min"};

/* The state of one scatter. */
struct scatter {
    struct kernel *k;
    enum scatter_reduction reduction;
    uint8_t *written; /* per element of the result */
};

static bool open_scatter(struct kernel *k, struct scatter *s, struct err *e)
{
    struct str name = node_string(k->n, "reduction", STR("none"));
    size_t i = 0;
    while (i < COUNT_OF(reduction_names) && !str_is(name, reduction_names[i]))
        i++;
    if (i == COUNT_OF(reduction_names))
        return err_set(e, ERR_DATA, "reduction '" STR_FMT "' does not exist", STR_ARG(name));
    *s = (struct scatter){k, (enum scatter_reduction)i, NULL};
    const struct value *x = k->in[0];
    if (i && (x->storage == STORAGE_STRING || x->storage == STORAGE_BOOL))
        return err_set(e, ERR_UNSUPPORTED, "reduction " STR_FMT " of %s", STR_ARG(name),
                       dtype_name(x->dtype));
    if (!kernel__output_like(k, 0, 0, e))
        return false;
    kernel__copy_run(k, 0, 0, 0, 0, x->n);
    s->written = arena_alloc(k->scratch, x->n);
    kernel__no_taint(k, 0);
    bool is_exact = true;
    for (uint32_t in = 0; in < k->n_in; in++)
        is_exact &= k->in[in]->exact;
    kernel__set_exact(k, 0,
                      is_exact && (s->reduction == SCATTER_NONE || s->reduction >= SCATTER_MAX));
    return true;
}

static double combine_floats(enum scatter_reduction r, double a, double b)
{
    if (r == SCATTER_ADD)
        return a + b;
    if (r == SCATTER_MUL)
        return a * b;
    if (isnan(a) || isnan(b))
        return a + b;
    return r == SCATTER_MAX ? MAX(a, b) : MIN(a, b);
}

static uint64_t combine_bits(enum scatter_reduction r, uint64_t a, uint64_t b, bool is_signed)
{
    if (r == SCATTER_ADD)
        return a + b;
    if (r == SCATTER_MUL)
        return a * b;
    bool a_is_less = is_signed ? (int64_t)a < (int64_t)b : a < b;
    return a_is_less == (r == SCATTER_MAX) ? b : a;
}

/* Combines element `from` of updates with element `to` of the result. */
static void put(const struct scatter *s, size_t to, size_t from, bool is_open)
{
    struct kernel *k = s->k;
    const struct value *x = k->in[0], *updates = k->in[2];
    if (s->reduction == SCATTER_NONE) {
        kernel__copy_run(k, 0, to, 2, from, 1);
        is_open |= s->written[to];
    } else if (x->storage == STORAGE_F64) {
        double before = k->to[0].f[to],
               after = combine_floats(s->reduction, before, updates->f[from]);
        k->to[0].f[to] = after;
        if (k->want_noise && s->reduction <= SCATTER_MUL)
            kernel__scales(k, 0)[to] += fabs(before) + fabs(after);
    } else {
        bool is_signed = x->storage == STORAGE_I64;
        uint64_t y = combine_bits(s->reduction, k->to[0].u[to], updates->u[from], is_signed);
        k->to[0].u[to] = is_signed ? (uint64_t)kernel__wrap(x->dtype, (int64_t)y) : y;
    }
    s->written[to] = 1;
    if (is_open || (updates->undefined && updates->undefined[from]))
        kernel__undefined(k, 0)[to] = 1;
}

static bool fix_index(int64_t *at, int64_t size, struct err *e)
{
    if (*at < -size || *at >= size)
        return err_set(e, ERR_DATA, "index %lld outside an axis of %lld elements", (long long)*at,
                       (long long)size);
    *at += *at < 0 ? size : 0;
    return true;
}

/* Are there undefined indices? They may write anywhere, so all of the result is undefined. */
static bool is_open_throughout(struct kernel *k)
{
    if (!kernel__is_tainted(k->in[1]))
        return false;
    if (k->out[0].n)
        memset(kernel__undefined(k, 0), 1, k->out[0].n);
    return true;
}

/* Scatter, ScatterElements: data (r), indices and updates of one shape (r) -> as data. */
bool kernel__scatter_elements(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *indices = k->in[1], *updates = k->in[2];
    int64_t axis = node_int(k->n, "axis", 0);
    ptrdiff_t strides[TENSOR_RANK_MAX], along;
    struct scatter s;
    if (!kernel__fix_axis(&axis, x->rank, e))
        return false;
    bool fits = indices->rank == x->rank && updates->rank == x->rank;
    for (uint32_t d = 0; fits && d < x->rank; d++)
        fits = indices->dims[d] == updates->dims[d] &&
               (d == axis || !indices->n || indices->dims[d] <= x->dims[d]);
    if (!fits)
        return err_set(e, ERR_DATA, "indices or updates do not fit data");
    if (!open_scatter(k, &s, e) || is_open_throughout(k))
        return k->out[0].dtype != DTYPE_UNDEFINED;
    walk__strides(x->dims, x->rank, strides);
    along = strides[axis];
    strides[axis] = 0;
    struct walk w;
    walk__open(&w, indices->dims, indices->rank);
    walk__strided(&w, 0, strides);
    while (walk__next(&w))
        for (size_t i = 0; i < w.n_inner; i++) {
            int64_t at = indices->i[w.out + i];
            if (!fix_index(&at, x->dims[axis], e))
                return false;
            put(&s, (size_t)(w.at[0] + (ptrdiff_t)i * w.step[0] + at * along), w.out + i, false);
        }
    return true;
}

static bool check_updates(const struct kernel *k, int64_t n, struct err *e)
{
    const struct value *x = k->in[0], *indices = k->in[1], *updates = k->in[2];
    if (n > x->rank)
        return err_set(e, ERR_DATA, "index tuples have %lld elements, data has rank %u",
                       (long long)n, x->rank);
    uint32_t lead = indices->rank - 1;
    bool fits = updates->rank == lead + x->rank - n;
    for (uint32_t d = 0; fits && d < updates->rank; d++)
        fits = updates->dims[d] == (d < lead ? indices->dims[d] : x->dims[n + d - lead]);
    return fits || err_set(e, ERR_DATA, "the shape of updates does not follow from the others");
}

/* ScatterND: data (r), indices (q, tuples of n), updates indices[:q-1] ++ data[n:] -> as data. */
bool kernel__scatter_nd(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *indices = k->in[1];
    ptrdiff_t strides[TENSOR_RANK_MAX];
    struct scatter s;
    if (!x->rank || !indices->rank)
        return err_set(e, ERR_DATA, "data of rank %u, indices of rank %u", x->rank, indices->rank);
    int64_t n = indices->dims[indices->rank - 1];
    if (!check_updates(k, n, e))
        return false;
    if (!open_scatter(k, &s, e) || is_open_throughout(k))
        return k->out[0].dtype != DTYPE_UNDEFINED;
    walk__strides(x->dims, x->rank, strides);
    size_t n_run = 1, n_tuples = 1;
    for (uint32_t d = (uint32_t)n; d < x->rank; d++)
        n_run *= (size_t)x->dims[d];
    for (uint32_t d = 0; d + 1 < indices->rank; d++)
        n_tuples *= (size_t)indices->dims[d];
    for (size_t t = 0; t < n_tuples; t++) {
        size_t to = 0;
        for (int64_t j = 0; j < n; j++) {
            int64_t at = indices->i[t * (size_t)n + (size_t)j];
            if (!fix_index(&at, x->dims[j], e))
                return false;
            to += (size_t)(at * strides[j]);
        }
        for (size_t i = 0; i < n_run; i++)
            put(&s, to + i, t * n_run + i, false);
    }
    return true;
}

/* TensorScatter: past_cache (B, .., S, ..), update (B, .., s, ..), write_indices (B) -> as
 * past_cache. */
bool kernel__tensor_scatter(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *update = k->in[1], *at = kernel__in(k, 2);
    int64_t axis = node_int(k->n, "axis", -2);
    struct str mode = node_string(k->n, "mode", STR("linear"));
    bool is_circular = str_is(mode, "circular");
    if (!is_circular && !str_is(mode, "linear"))
        return err_set(e, ERR_DATA, "mode '" STR_FMT "' does not exist", STR_ARG(mode));
    if (!kernel__fix_axis(&axis, x->rank, e) || !axis || update->rank != x->rank)
        return err_set(e, ERR_DATA, "axis %lld of ranks %u and %u", (long long)axis, x->rank,
                       update->rank);
    struct axis_split s = axis_split(x, axis), su = axis_split(update, axis);
    if (su.outer != s.outer || su.inner != s.inner || su.n > s.n ||
        (at && at->n != (size_t)x->dims[0]))
        return err_set(e, ERR_DATA, "update or write_indices do not fit past_cache");
    if (!kernel__output_like(k, 0, 0, e))
        return false;
    kernel__copy_run(k, 0, 0, 0, 0, x->n);
    for (size_t o = 0; o < s.outer; o++) {
        int64_t first = at ? at->i[o / (s.outer / (size_t)x->dims[0])] : 0;
        if (first < 0 || (!is_circular && first + (int64_t)su.n > (int64_t)s.n))
            return err_set(e, ERR_DATA, "write index %lld for %zu of %zu elements",
                           (long long)first, su.n, s.n);
        for (size_t j = 0; j < su.n; j++) {
            size_t to = ((size_t)first + j) % s.n;
            kernel__copy_run(k, 0, (o * s.n + to) * s.inner, 1, (o * su.n + j) * s.inner, s.inner);
        }
    }
    return true;
}
