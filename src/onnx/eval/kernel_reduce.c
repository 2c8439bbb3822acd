/*
 * Reduce*: one number from the elements along a set of axes.
 *
 * Each operator is a row of `reductions`; the work is one loop over groups (kernel_axes_p.h).
 * Reductions of an empty set have the values of the standard's text; where it says "undefined", the
 * element is marked. Integers wrap to the dtype and are marked undefined where they do; so is an
 * integer result that would not be a whole number (mean, root, logarithm), because the text leaves
 * its rounding open.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "onnx/eval/kernel_axes_p.h"

enum reduce_kind {
    REDUCE_SUM,
    REDUCE_MEAN,
    REDUCE_PROD,
    REDUCE_MAX,
    REDUCE_MIN,
    REDUCE_L1,
    REDUCE_L2,
    REDUCE_SUM_SQUARE,
    REDUCE_LOG_SUM,
    REDUCE_LOG_SUM_EXP
};

static const struct {
    const char *name;
    enum reduce_kind kind;
} reductions[] = {
    {"ReduceSum", REDUCE_SUM},        {"ReduceMean", REDUCE_MEAN},
    {"ReduceProd", REDUCE_PROD},      {"ReduceMax", REDUCE_MAX},
    {"ReduceMin", REDUCE_MIN},        {"ReduceL1", REDUCE_L1},
    {"ReduceL2", REDUCE_L2},          {"ReduceSumSquare", REDUCE_SUM_SQUARE},
    {"ReduceLogSum", REDUCE_LOG_SUM}, {"ReduceLogSumExp", REDUCE_LOG_SUM_EXP},
};

static enum reduce_kind kind_of(const struct kernel *k)
{
    size_t i = 0;
    while (i + 1 < COUNT_OF(reductions) && !str_is(k->n->op_type, reductions[i].name))
        i++;
    return reductions[i].kind;
}

/* The elements of one group. */
struct group {
    const ptrdiff_t *at;
    size_t n;
};

static double extreme(const double *x, struct group g, double sign)
{
    double most = -(double)INFINITY;
    for (size_t j = 0; j < g.n; j++) {
        double v = sign * x[g.at[j]];
        if (v > most || isnan(v))
            most = v;
        if (isnan(v))
            break;
    }
    return sign * most;
}

static double sum_of(const double *x, struct group g)
{
    double sum = 0;
    for (size_t j = 0; j < g.n; j++)
        sum += x[g.at[j]];
    return sum;
}

static double sum_squares(const double *x, struct group g)
{
    double sum = 0;
    for (size_t j = 0; j < g.n; j++)
        sum += x[g.at[j]] * x[g.at[j]];
    return sum;
}

static double sum_exp(const double *x, struct group g, double shift)
{
    double sum = 0;
    for (size_t j = 0; j < g.n; j++)
        sum += exp(x[g.at[j]] - shift);
    return sum;
}

static double product(const double *x, struct group g)
{
    double y = 1;
    for (size_t j = 0; j < g.n; j++)
        y *= x[g.at[j]];
    return y;
}

static double sum_abs(const double *x, struct group g)
{
    double sum = 0;
    for (size_t j = 0; j < g.n; j++)
        sum += fabs(x[g.at[j]]);
    return sum;
}

static double reduce_floats(enum reduce_kind kind, const double *x, struct group g)
{
    double shift;
    switch (kind) {
    case REDUCE_SUM:
        return sum_of(x, g);
    case REDUCE_MEAN:
        return sum_of(x, g) / (double)g.n;
    case REDUCE_PROD:
        return product(x, g);
    case REDUCE_MAX:
        return extreme(x, g, 1);
    case REDUCE_MIN:
        return extreme(x, g, -1);
    case REDUCE_L1:
        return sum_abs(x, g);
    case REDUCE_L2:
        return sqrt(sum_squares(x, g));
    case REDUCE_SUM_SQUARE:
        return sum_squares(x, g);
    case REDUCE_LOG_SUM:
        return log(sum_of(x, g));
    case REDUCE_LOG_SUM_EXP:
        shift = extreme(x, g, 1);
        return isfinite(shift) ? shift + log(sum_exp(x, g, shift)) : shift;
    }
    return 0;
}

/* The scale s of the rounding model SUM, times the derivative of the function that the operator
 * applies to its sum. */
static double scale_of(enum reduce_kind kind, const double *x, struct group g, double y)
{
    double n = (double)g.n, factor = MAX(1, sqrt(n) / 8);
    double plain = factor * sqrt(sum_squares(x, g)) * sqrt(n);
    switch (kind) {
    case REDUCE_SUM:
    case REDUCE_L1:
        return plain;
    case REDUCE_MEAN:
        return g.n ? plain / n : 0;
    case REDUCE_PROD:
        return sqrt(n) * fabs(y);
    case REDUCE_MAX:
    case REDUCE_MIN:
        return 0;
    case REDUCE_L2:
    case REDUCE_SUM_SQUARE:
        return factor * fabs(y);
    case REDUCE_LOG_SUM:
        return 1 + plain / fabs(sum_of(x, g));
    case REDUCE_LOG_SUM_EXP:
        return 1 + factor;
    }
    return 0;
}

/* One step of a sum or product of integers; *overflows: the exact number does not fit in 64 bits.
 */
static uint64_t step_bits(enum reduce_kind kind, uint64_t y, uint64_t v, bool is_signed,
                          bool *overflows)
{
    int64_t sy = (int64_t)y, sv = (int64_t)v, sr;
    uint64_t r;
    if (is_signed && kind == REDUCE_SUM_SQUARE)
        *overflows |= CHECKED_MUL(sv, sv, &sv);
    if (is_signed && kind == REDUCE_L1 && sv < 0)
        *overflows |= CHECKED_SUB((int64_t)0, sv, &sv);
    if (is_signed) {
        *overflows |= kind == REDUCE_PROD ? CHECKED_MUL(sy, sv, &sr) : CHECKED_ADD(sy, sv, &sr);
        return (uint64_t)sr;
    }
    if (kind == REDUCE_SUM_SQUARE)
        *overflows |= CHECKED_MUL(v, v, &v);
    *overflows |= kind == REDUCE_PROD ? CHECKED_MUL(y, v, &r) : CHECKED_ADD(y, v, &r);
    return r;
}

static int64_t extreme_i64(const int64_t *x, struct group g, enum dtype t, bool is_max)
{
    const struct dtype_row *row = dtype_row(t);
    bool is_signed = row->class == DTYPE_CLASS_SIGNED;
    int64_t high = (int64_t)((UINT64_MAX >> 1) >> (63 - (row->n_bits - is_signed)));
    int64_t low = is_signed ? -high - 1 : 0, y = is_max ? low : high;
    for (size_t j = 0; j < g.n; j++) {
        int64_t v = x[g.at[j]];
        y = is_max ? MAX(y, v) : MIN(y, v);
    }
    return y;
}

static uint64_t extreme_u64(const uint64_t *x, struct group g, bool is_max)
{
    uint64_t y = is_max ? 0 : UINT64_MAX;
    for (size_t j = 0; j < g.n; j++)
        y = is_max ? MAX(y, x[g.at[j]]) : MIN(y, x[g.at[j]]);
    return y;
}

static uint8_t extreme_bool(const uint8_t *x, struct group g, bool is_max)
{
    uint8_t y = !is_max;
    for (size_t j = 0; j < g.n; j++)
        y = is_max ? y | x[g.at[j]] : y & x[g.at[j]];
    return y;
}

/* The group's elements as doubles, side by side. */
struct widened {
    double *list;
    ptrdiff_t *own; /* 0, 1, 2 ... */
};

/* Mean, root and logarithm of integers: defined where they are whole numbers. */
static bool reduce_to_whole(enum reduce_kind kind, const struct value *v, struct group g,
                            struct widened w, int64_t *y)
{
    for (size_t j = 0; j < g.n; j++)
        w.list[j] = value_get_double(v, (size_t)g.at[j]);
    double r = reduce_floats(kind, w.list, (struct group){w.own, g.n});
    return fabs(r) < 0x1p52 && r == floor(r) && number_to_i64(r, y);
}

/* *overflows: a sum or product leaves the dtype, for which the standard has no value. */
static int64_t reduce_integer(enum reduce_kind kind, const struct value *v, struct group g,
                              bool *overflows)
{
    bool is_max = kind == REDUCE_MAX, is_signed = v->storage == STORAGE_I64;
    *overflows = false;
    if (is_max || kind == REDUCE_MIN)
        return v->storage == STORAGE_U64 ? (int64_t)extreme_u64(v->u, g, is_max)
                                         : extreme_i64(v->i, g, v->dtype, is_max);
    uint64_t y = kind == REDUCE_PROD;
    for (size_t j = 0; j < g.n; j++)
        y = step_bits(kind, y, v->u[g.at[j]], is_signed, overflows);
    int64_t wrapped = is_signed ? kernel__wrap(v->dtype, (int64_t)y) : (int64_t)y;
    *overflows |= wrapped != (int64_t)y;
    return wrapped;
}

static void reduce_integers(struct kernel *k, enum reduce_kind kind, const struct axis_groups *all)
{
    const struct value *v = k->in[0];
    bool is_whole_only = kind == REDUCE_MEAN || kind == REDUCE_L2 || kind == REDUCE_LOG_SUM ||
                         kind == REDUCE_LOG_SUM_EXP;
    ptrdiff_t *at = arena_new_array(k->scratch, ptrdiff_t, all->n_each);
    struct widened w = {arena_new_array(k->scratch, double, all->n_each),
                        arena_new_array(k->scratch, ptrdiff_t, all->n_each)};
    for (size_t j = 0; j < all->n_each; j++)
        w.own[j] = (ptrdiff_t)j;
    for (size_t i = 0; i < all->n_groups; i++) {
        for (size_t j = 0; j < all->n_each; j++)
            at[j] = all->base[i] + all->offset[j];
        struct group g = {at, all->n_each};
        int64_t y = 0;
        if (v->storage == STORAGE_BOOL) {
            k->to[0].b[i] = extreme_bool(v->b, g, kind == REDUCE_MAX);
            continue;
        }
        bool is_open = false;
        if (!is_whole_only)
            y = reduce_integer(kind, v, g, &is_open);
        else
            is_open = !reduce_to_whole(kind, v, g, w, &y);
        if (is_open)
            kernel__undefined(k, 0)[i] = 1;
        k->to[0].i[i] = y;
    }
}

/* Is there an order of the factors in which a partial product overflows, or is so small that it
 * loses digits? */
static bool product_is_open(const double *x, struct group g, enum dtype t)
{
    double most = t == DTYPE_DOUBLE ? DBL_MAX : (double)FLT_MAX;
    double least = t == DTYPE_DOUBLE ? DBL_MIN : (double)FLT_MIN, up = 1, down = 1;
    for (size_t j = 0; j < g.n; j++) {
        double size = fabs(x[g.at[j]]);
        if (!(size > 0) || !isfinite(size)) /* 0 and inf matter only with an overflow */
            continue;
        up *= MAX(size, 1);
        down *= MIN(size, 1);
    }
    return up > 0.9 * most || (down < least && up > 1);
}

static void reduce_all_floats(struct kernel *k, enum reduce_kind kind,
                              const struct axis_groups *all)
{
    const double *x = k->in[0]->f;
    struct group g = {all->offset, all->n_each};
    double *scales = k->want_noise ? kernel__scales(k, 0) : NULL;
    for (size_t i = 0; i < all->n_groups; i++) {
        double y = reduce_floats(kind, x + all->base[i], g);
        k->to[0].f[i] = y;
        if (scales)
            scales[i] = scale_of(kind, x + all->base[i], g, y);
        if (kind == REDUCE_PROD && product_is_open(x + all->base[i], g, k->in[0]->dtype))
            kernel__undefined(k, 0)[i] = 1;
    }
    bool by_square = kind == REDUCE_SUM_SQUARE;
    if (kind == REDUCE_SUM || kind == REDUCE_L1 || by_square)
        kernel__set_exact(
            k, 0,
            kernel__sum_is_exact(k->in[0], by_square ? k->in[0] : NULL, g.n, k->in[0]->dtype));
    if (kind == REDUCE_L2 && k->n->fact->since_version >= 18)
        k->out[0].unit = dtype_unit(DTYPE_FLOAT); /* the function body's root is float's */
    if (kind == REDUCE_MEAN && !g.n && all->n_groups)
        memset(kernel__undefined(k, 0), 1, all->n_groups);
}

static void taint_groups(struct kernel *k, const struct axis_groups *all)
{
    const uint8_t *from = k->in[0]->undefined;
    for (size_t i = 0; from && i < all->n_groups; i++)
        for (size_t j = 0; j < all->n_each; j++)
            if (from[all->base[i] + all->offset[j]])
                kernel__undefined(k, 0)[i] = 1;
    kernel__no_taint(k, 0);
}

static bool reduced_set(const struct kernel *k, uint32_t *set, struct err *e)
{
    struct kernel_axes axes;
    uint32_t rank = k->in[0]->rank;
    if (!kernel__axes(k, 1, &axes, e) || !kernel__axes_set(&axes, rank, set, e))
        return false;
    if (!axes.n && !node_int(k->n, "noop_with_empty_axes", 0))
        *set = rank == 32 ? UINT32_MAX : (1u << rank) - 1;
    return true;
}

/* Reduce*: data (d0, ..., dn) -> the same with 1 (keepdims) or nothing at the axes of the set. */
bool kernel__reduce(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    bool keep = node_int(k->n, "keepdims", 1) != 0;
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t set, rank = 0;
    if (!reduced_set(k, &set, e))
        return false;
    for (uint32_t d = 0; d < x->rank; d++)
        if (keep || !(set >> d & 1))
            dims[rank++] = set >> d & 1 ? 1 : x->dims[d];
    if (!kernel__charge(k, x->n, e) || !kernel__output(k, 0, x->dtype, rank, dims, e))
        return false;
    struct axis_groups all = kernel__groups(k, x, set);
    if (x->storage == STORAGE_F64)
        reduce_all_floats(k, kind_of(k), &all);
    else
        reduce_integers(k, kind_of(k), &all);
    taint_groups(k, &all);
    return true;
}
