/*
 * Sums that leave the float range on the way to a result inside it: an engine that gets infinity
 * there, or NaN from it, is right too, so such elements have no defined value.
 *
 * The bound is the operator's own scale of rounding, |a|2 |b|2 at least, which no partial sum of
 * the products exceeds in any order (Cauchy-Schwarz). For narrow floats it is the range of float32,
 * since a careful implementation sums them in float32 or wider. For norms the bound is |y| raised
 * to the power that they sum. Knows operators only by their rows, and a few by name.
 */
#include "onnx/eval/overflow_p.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "onnx/eval/matrix_p.h"

/* Operators that sum first and make the sum smaller afterwards. */
enum overflow_form {
    OVERFLOW_PLAIN,
    OVERFLOW_MEAN, /* a sum, then divided by at most MEAN_MOST terms */
    OVERFLOW_POWER /* |y| is a root of the sum, of order p (2 by default) */
};
static const double mean_most = 0x1p16;

static const struct {
    const char *op;
    enum overflow_form form;
} forms[] = {
    {"ReduceMean", OVERFLOW_MEAN},        {"AveragePool", OVERFLOW_MEAN},
    {"GlobalAveragePool", OVERFLOW_MEAN}, {"Mean", OVERFLOW_MEAN},
    {"ReduceL2", OVERFLOW_POWER},         {"LpPool", OVERFLOW_POWER},
    {"GlobalLpPool", OVERFLOW_POWER},
};

/* Below these, sums of 2^24 products of two inputs stay in the range. */
static const double near_float = 0x1p51, near_double = 0x1p499;

static double range_of(enum dtype t)
{
    return t == DTYPE_DOUBLE ? DBL_MAX : (double)FLT_MAX;
}

static bool has_larger(const struct value *v, double most)
{
    if (matrix__sum_abs(v->f, v->n) <= most) /* a fast test that almost every tensor passes */
        return false;
    for (size_t i = 0; i < v->n; i++)
        if (fabs(v->f[i]) > most && isfinite(v->f[i]))
            return true;
    return false;
}

bool overflow__is_near(const struct kernel *k)
{
    enum op_rounding r = k->n->op->rounding;
    if (r != OP_ROUND_SUM && r != OP_ROUND_SCAN)
        return false;
    for (uint32_t i = 0; i < k->n_in; i++) {
        const struct value *v = k->in[i];
        if (v && v->storage == STORAGE_F64 &&
            has_larger(v, v->dtype == DTYPE_DOUBLE ? near_double : near_float))
            return true;
    }
    return false;
}

void overflow__mark(struct kernel *k, uint32_t o)
{
    struct value *v = &k->out[o];
    enum overflow_form form = OVERFLOW_PLAIN;
    double most = 0.9 * range_of(v->dtype), p = (double)node_int(k->n, "p", 2);
    if (v->storage != STORAGE_F64)
        return;
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if (str_is(k->n->op_type, forms[i].op))
            form = forms[i].form;
    if (form == OVERFLOW_MEAN)
        most /= mean_most;
    if (form == OVERFLOW_POWER)
        most = pow(most, 1 / MAX(p, 1));
    for (size_t i = 0; i < v->n; i++) {
        double s = v->scales ? v->scales[i] : v->noise_scale;
        double reach = form == OVERFLOW_POWER ? fabs(v->f[i]) : MAX(s, fabs(v->f[i]));
        /* NaN is the result in every order of summation; but in double only our own sum may have
         * overflowed. */
        if (!(reach <= most) && (!isnan(v->f[i]) || v->dtype == DTYPE_DOUBLE))
            kernel__undefined(k, o)[i] = 1;
    }
}
