/*
 * Running results and selections along one axis: ArgMax, ArgMin, TopK, CumSum, CumProd.
 *
 * Selections have switches: the margin of a selected index is half the distance to the next best
 * value, since noise moves both. The standard gives NaN no place in an order: slices with NaN are
 * marked undefined.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "onnx/eval/kernel_p.h"

/* Does the slice hold NaN, or an element that is undefined? */
static bool slice_is_open(const struct value *v, struct axis_split s, size_t first)
{
    for (size_t j = 0; j < s.n; j++) {
        size_t at = first + j * s.inner;
        if ((v->undefined && v->undefined[at]) || (v->storage == STORAGE_F64 && isnan(v->f[at])))
            return true;
    }
    return false;
}

static double distance_of(const struct value *v, size_t i, size_t j)
{
    if (i == j || (v->storage == STORAGE_F64 && v->f[i] == v->f[j]))
        return 0;
    return fabs(value_get_double(v, i) - value_get_double(v, j)) / 2;
}

static size_t best_of(const struct value *v, struct axis_split s, size_t first, int sign, bool last)
{
    size_t best = 0;
    for (size_t j = 1; j < s.n; j++) {
        int order = sign * kernel__order(v, first + j * s.inner, v, first + best * s.inner);
        if (order > 0 || (order == 0 && last))
            best = j;
    }
    return best;
}

static double margin_of(const struct value *v, struct axis_split s, size_t first, size_t best)
{
    double margin = (double)INFINITY;
    for (size_t j = 0; j < s.n; j++)
        if (j != best)
            margin = MIN(margin, distance_of(v, first + j * s.inner, first + best * s.inner));
    return margin;
}

static bool arg_extreme(struct kernel *k, int sign, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t axis = node_int(k->n, "axis", 0), dims[TENSOR_RANK_MAX];
    bool keep = node_int(k->n, "keepdims", 1), last = node_int(k->n, "select_last_index", 0);
    uint32_t rank = 0;
    if (!kernel__fix_axis(&axis, x->rank, e))
        return false;
    struct axis_split s = axis_split(x, axis);
    if (!s.n && s.outer && s.inner)
        return err_set(e, ERR_DATA, "axis %lld has no elements to choose from", (long long)axis);
    for (uint32_t d = 0; d < x->rank; d++)
        if (keep || d != axis)
            dims[rank++] = d == axis ? 1 : x->dims[d];
    if (!kernel__charge(k, x->n, e) || !kernel__output(k, 0, DTYPE_INT64, rank, dims, e))
        return false;
    for (size_t i = 0; i < s.outer * s.inner; i++) {
        size_t first = i / s.inner * s.n * s.inner + i % s.inner;
        size_t best = best_of(x, s, first, sign, last);
        k->to[0].i[i] = (int64_t)best;
        if (slice_is_open(x, s, first))
            kernel__undefined(k, 0)[i] = 1;
        if (k->want_margins)
            kernel__margin(k, 0)[i] = margin_of(x, s, first, best);
    }
    kernel__no_taint(k, 0);
    return true;
}

/* ArgMax, ArgMin: (.., n, ..) -> int64 (.., 1, ..) or without the axis. */
bool kernel__arg_max(struct kernel *k, struct err *e)
{
    return arg_extreme(k, 1, e);
}

bool kernel__arg_min(struct kernel *k, struct err *e)
{
    return arg_extreme(k, -1, e);
}

/* Ranks of one slice, sorted by merging so that equal elements keep their order. */
struct ranking {
    const struct value *v;
    size_t first, inner, n;
    int sign;
    size_t *at, *spare;
};

static bool goes_before(const struct ranking *r, size_t i, size_t j)
{
    return r->sign * kernel__order(r->v, r->first + i * r->inner, r->v, r->first + j * r->inner) >=
           0;
}

static void merge(const struct ranking *r, size_t low, size_t middle, size_t high)
{
    size_t i = low, j = middle;
    for (size_t to = low; to < high; to++) {
        bool from_left = j >= high || (i < middle && goes_before(r, r->at[i], r->at[j]));
        r->spare[to] = r->at[from_left ? i++ : j++];
    }
}

static void rank_slice(struct ranking *r)
{
    for (size_t i = 0; i < r->n; i++)
        r->at[i] = i;
    for (size_t width = 1; width < r->n; width *= 2) {
        for (size_t low = 0; low < r->n; low += 2 * width)
            merge(r, low, MIN(low + width, r->n), MIN(low + 2 * width, r->n));
        size_t *swap = r->at;
        r->at = r->spare;
        r->spare = swap;
    }
}

static bool top_count(const struct kernel *k, int64_t size, int64_t *count, struct err *e)
{
    size_t n;
    if (op_fact_attr(k->n->fact, "k")) {
        *count = node_int(k->n, "k", 0);
    } else {
        const int64_t *given = kernel__ints(k, 1, &n);
        if (n != 1)
            return err_set(e, ERR_DATA, "K has %zu elements, one is expected", n);
        *count = given[0];
    }
    return (*count >= 0 && *count <= size) ||
           err_set(e, ERR_DATA, "K is %lld, the axis has %lld elements", (long long)*count,
                   (long long)size);
}

static double rank_margin(const struct ranking *r, size_t j)
{
    double margin = (double)INFINITY;
    size_t at = r->first + r->at[j] * r->inner;
    if (j > 0)
        margin = distance_of(r->v, at, r->first + r->at[j - 1] * r->inner);
    if (j + 1 < r->n)
        margin = MIN(margin, distance_of(r->v, at, r->first + r->at[j + 1] * r->inner));
    return margin;
}

/* TopK: (.., n, ..) -> values and int64 indices (.., k, ..). */
bool kernel__top_k(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t axis = node_int(k->n, "axis", -1), count, dims[TENSOR_RANK_MAX];
    if (!kernel__fix_axis(&axis, x->rank, e) || !top_count(k, x->dims[axis], &count, e))
        return false;
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[axis] = count;
    if (!kernel__charge(k, x->n, e) || !kernel__output(k, 0, x->dtype, x->rank, dims, e) ||
        !kernel__output(k, 1, DTYPE_INT64, x->rank, dims, e))
        return false;
    struct axis_split s = axis_split(x, axis);
    bool is_sorted = node_int(k->n, "sorted", 1) || count <= 1;
    struct ranking r = {.v = x, .inner = s.inner, .n = s.n};
    r.sign = node_int(k->n, "largest", 1) ? 1 : -1;
    r.at = arena_new_array(k->scratch, size_t, s.n);
    r.spare = arena_new_array(k->scratch, size_t, s.n);
    for (size_t i = 0; i < s.outer * s.inner; i++) {
        r.first = i / s.inner * s.n * s.inner + i % s.inner;
        rank_slice(&r);
        bool is_open = !is_sorted || slice_is_open(x, s, r.first);
        for (size_t j = 0; j < (size_t)count; j++) {
            size_t to = (i / s.inner * (size_t)count + j) * s.inner + i % s.inner;
            kernel__copy_run(k, 0, to, 0, r.first + r.at[j] * s.inner, 1);
            k->to[1].i[to] = (int64_t)r.at[j];
            if (is_open)
                kernel__undefined(k, 0)[to] = kernel__undefined(k, 1)[to] = 1;
            if (k->want_margins)
                kernel__margin(k, 1)[to] = rank_margin(&r, j);
        }
    }
    kernel__no_taint(k, 0);
    kernel__no_taint(k, 1);
    return true;
}

/* One pass along the axis, with running sums (or products). */
struct pass {
    size_t first, inner, n;
    bool exclusive, reverse, multiplies;
};

static void pass_floats(struct kernel *k, const struct pass *p)
{
    const double *x = k->in[0]->f;
    double sum = p->multiplies ? 1 : 0, squares = 0;
    for (size_t j = 0; j < p->n; j++) {
        size_t at = p->first + (p->reverse ? p->n - 1 - j : j) * p->inner;
        double before = sum, count = (double)(p->exclusive ? j : j + 1);
        sum = p->multiplies ? sum * x[at] : sum + x[at];
        if (!p->exclusive)
            squares += x[at] * x[at];
        k->to[0].f[at] = p->exclusive ? before : sum;
        if (k->want_noise)
            kernel__scales(k, 0)[at] =
                p->multiplies ? sqrt(count) * fabs(k->to[0].f[at]) : count * sqrt(squares);
        if (p->exclusive)
            squares += x[at] * x[at];
    }
}

/* Sums and products wrap; from the first that leaves the dtype onwards they are undefined. */
static void pass_integers(struct kernel *k, const struct pass *p)
{
    const struct value *v = k->in[0];
    bool is_signed = v->storage == STORAGE_I64, is_open = false;
    uint64_t sum = p->multiplies;
    for (size_t j = 0; j < p->n; j++) {
        size_t at = p->first + (p->reverse ? p->n - 1 - j : j) * p->inner;
        int64_t sx = v->i[at], ss = (int64_t)sum;
        uint64_t before = sum, x = v->u[at];
        bool was_open = is_open;
        if (is_signed) {
            is_open |= p->multiplies ? CHECKED_MUL(ss, sx, &ss) : CHECKED_ADD(ss, sx, &ss);
            sum = (uint64_t)kernel__wrap(v->dtype, ss);
            is_open |= sum != (uint64_t)ss;
        } else {
            is_open |= p->multiplies ? CHECKED_MUL(sum, x, &sum) : CHECKED_ADD(sum, x, &sum);
        }
        k->to[0].u[at] = p->exclusive ? before : sum;
        if (p->exclusive ? was_open : is_open)
            kernel__undefined(k, 0)[at] = 1;
    }
}

static void pass_taint(struct kernel *k, const struct pass *p)
{
    const uint8_t *from = k->in[0]->undefined;
    bool is_open = false;
    for (size_t j = 0; from && j < p->n; j++) {
        size_t at = p->first + (p->reverse ? p->n - 1 - j : j) * p->inner;
        bool before = is_open;
        is_open |= from[at];
        if (p->exclusive ? before : is_open)
            kernel__undefined(k, 0)[at] = 1;
    }
}

static bool run_passes(struct kernel *k, bool multiplies, struct err *e)
{
    const struct value *x = k->in[0];
    size_t n;
    const int64_t *given = kernel__ints(k, 1, &n);
    if (n != 1)
        return err_set(e, ERR_DATA, "axis has %zu elements, one is expected", n);
    int64_t axis = given[0];
    if (!kernel__fix_axis(&axis, x->rank, e) || !kernel__charge(k, x->n, e) ||
        !kernel__output_like(k, 0, 0, e))
        return false;
    struct axis_split s = axis_split(x, axis);
    struct pass p = {.inner = s.inner, .n = s.n, .multiplies = multiplies};
    p.exclusive = node_int(k->n, "exclusive", 0);
    p.reverse = node_int(k->n, "reverse", 0);
    for (size_t i = 0; i < s.outer * s.inner; i++) {
        p.first = i / s.inner * s.n * s.inner + i % s.inner;
        if (x->storage == STORAGE_F64)
            pass_floats(k, &p);
        else
            pass_integers(k, &p);
        pass_taint(k, &p);
    }
    kernel__no_taint(k, 0);
    if (x->storage == STORAGE_F64 && !multiplies)
        kernel__set_exact(k, 0, kernel__sum_is_exact(x, NULL, s.n, x->dtype));
    return true;
}

/* CumSum, CumProd: as x; running along the axis, with or without the element itself. */
bool kernel__cum_sum(struct kernel *k, struct err *e)
{
    return run_passes(k, false, e);
}

bool kernel__cum_prod(struct kernel *k, struct err *e)
{
    return run_passes(k, true, e);
}
