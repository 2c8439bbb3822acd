/*
 * May an integer result exceed its dtype? The reference wraps, an engine may saturate, and the
 * standard settles neither, so values that depend on such a result are not compared. A bound over
 * whole tensors decides: it costs one pass, and in doubt leaves the elements out. A product of
 * floats is treated alike: its factors may be taken in any order, so a partial product may become
 * infinite or zero.
 */
#include <float.h>
#include <math.h>

#include "judge/noise_p.h"

enum bound {
    BOUND_SUM,
    BOUND_DIFFERENCE,
    BOUND_PRODUCT,
    BOUND_TOTAL,
    BOUND_NEGATED,
    BOUND_SHIFT,
    BOUND_POWER,
    BOUND_LOG
};

static const struct {
    const char *op_type;
    enum bound bound;
} rows[] = {
    {"Add", BOUND_SUM},
    {"Sum", BOUND_SUM},
    {"Sub", BOUND_DIFFERENCE},
    {"Mul", BOUND_PRODUCT},
    {"Neg", BOUND_NEGATED},
    {"Abs", BOUND_NEGATED},
    {"ReduceSum", BOUND_TOTAL},
    {"CumSum", BOUND_TOTAL},
    {"ReduceL1", BOUND_TOTAL},
    {"ReduceMean", BOUND_TOTAL},
    {"ReduceLogSum", BOUND_TOTAL},
    {"ReduceL2", BOUND_PRODUCT},
    {"MatMul", BOUND_PRODUCT},
    {"Gemm", BOUND_PRODUCT},
    {"ReduceSumSquare", BOUND_PRODUCT},
    {"Einsum", BOUND_PRODUCT},
    {"MatMulInteger", BOUND_PRODUCT},
    {"ConvInteger", BOUND_PRODUCT},
    {"ReduceProd", BOUND_PRODUCT},
    {"BitShift", BOUND_SHIFT},
    {"Pow", BOUND_POWER},
    {"ReduceLogSumExp", BOUND_LOG},
};

struct extent {
    double low, high;
    size_t n;
};

static struct extent extent_of(const struct value *v)
{
    struct extent x = {0, 0, v->n};
    for (size_t i = 0; v->storage != STORAGE_STRING && i < v->n; i++) {
        double d = value_get_double(v, i);
        x.low = fmin(x.low, d);
        x.high = fmax(x.high, d);
    }
    return x;
}

static double magnitude(const struct extent *x)
{
    return fmax(-x->low, x->high);
}

/* The range that the result may reach, from those of the node's first inputs. */
static struct extent reach(enum bound b, const struct extent *in, uint32_t n)
{
    struct extent r = {0, 0, 0};
    switch (b) {
    case BOUND_SUM:
        for (uint32_t i = 0; i < n; i++) {
            r.low += in[i].low;
            r.high += in[i].high;
        }
        return r;
    case BOUND_DIFFERENCE:
        return (struct extent){in[0].low - in[1].high, in[0].high - in[1].low, 0};
    case BOUND_NEGATED:
        return (struct extent){in[0].low, fmax(in[0].high, -in[0].low), 0};
    case BOUND_TOTAL:
        return (struct extent){(double)in[0].n * in[0].low, (double)in[0].n * in[0].high, 0};
    case BOUND_SHIFT: /* the standard leaves open what becomes of bits that are shifted out */
        return (struct extent){0, n > 1 ? in[0].high * exp2(in[1].high) : in[0].high, 0};
    case BOUND_POWER:
        r.high = pow(fmax(magnitude(&in[0]), 1), n > 1 ? in[1].high : 1);
        r.low = in[0].low < 0 ? -r.high : 0;
        return r;
    case BOUND_LOG: /* computed in floats, which may round to a number outside */
        return (struct extent){in[0].low * (1 + 0x1p-20),
                               in[0].high * (1 + 0x1p-20) + log((double)in[0].n + 1), 0};
    case BOUND_PRODUCT:
        break;
    }
    double product = magnitude(&in[0]) * (n > 1 ? magnitude(&in[1]) : magnitude(&in[0]));
    bool sums = n > 1 ? in[0].n != 1 && in[1].n != 1 : true;
    product *= sums ? (double)in[0].n : 1;
    return (struct extent){-product, product, 0};
}

bool overflow__may(const struct node *n, const struct value *values, const struct value *out)
{
    enum { INPUTS_MAX = 8 };
    struct extent in[INPUTS_MAX];
    uint32_t n_in = 0;
    size_t row = 0;
    if (!dtype_is_integer(out->dtype))
        return false;
    while (row < COUNT_OF(rows) && !str_is(n->op_type, rows[row].op_type))
        row++;
    if (row == COUNT_OF(rows) ||
        (rows[row].bound == BOUND_SHIFT && str_is(node_string(n, "direction", STR("")), "RIGHT")))
        return false;
    for (uint32_t i = 0; i < n->n_inputs && n_in < INPUTS_MAX; i++)
        if (n->inputs[i] != VALUE_NONE)
            in[n_in++] = extent_of(&values[n->inputs[i]]);
    if (n_in == 0 || (rows[row].bound == BOUND_DIFFERENCE && n_in < 2))
        return false;
    struct extent r = reach(rows[row].bound, in, n_in);
    unsigned n_bits = dtype_row(out->dtype)->n_bits;
    bool is_signed = dtype_row(out->dtype)->class == DTYPE_CLASS_SIGNED;
    double high = ldexp(1, (int)n_bits - is_signed) - 1, low = is_signed ? -high - 1 : 0;
    /* a product's two ends are as far from 0, and that of a signed dtype leaves it above first */
    return r.high > high || (rows[row].bound != BOUND_PRODUCT && r.low < low);
}

bool overflow__may_on_the_way(const struct node *n, const struct value *values,
                              const struct value *out)
{
    const struct number_format *f = dtype_row(out->dtype)->format;
    double least = f ? number_smallest_normal(f) : DBL_MIN, most = f ? number_largest(f) : DBL_MAX;
    double small = 1, large = 1;
    bool is_product = str_is(n->op_type, "ReduceProd");
    if ((!is_product && !str_is(n->op_type, "LpNormalization")) || !dtype_is_float(out->dtype) ||
        out->n == 0)
        return false;
    const struct value *x = &values[n->inputs[0]];
    for (size_t i = 0; i < x->n; i++) {
        double m = fabs(x->f[i]);
        if (m > 0 && isfinite(m)) {
            small = fmin(small, m);
            large = fmax(large, m);
        }
    }
    double k = is_product ? (double)x->n / (double)out->n : 2; /* n of factors; 2: a square */
    return pow(small, k) < least || pow(large, k) > most;
}
