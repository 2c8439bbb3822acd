/*
 * Elementwise functions of one input: Y[i] = f(X[i]), same shape and dtype.
 * Formulas are the standard's (Operators.md, one heading each); switches give the distance of x to
 * the nearest point where the result jumps.
 */
#include <math.h>

#include "onnx/eval/kernel_p.h"

static bool open_unary(struct kernel *k, struct err *e)
{
    if (!kernel__output_like(k, 0, 0, e))
        return false;
    kernel__pass_taint(k, 0, 0);
    return true;
}

/* Erf takes integers too, but the text does not say how its results become integers again. */
static bool open_real(struct kernel *k, struct err *e)
{
    if (k->in[0]->storage != STORAGE_F64)
        return err_set(e, ERR_UNSUPPORTED, "the standard does not say how results become integers");
    return open_unary(k, e);
}

/* Floats only; `x` is the element. */
#define UNARY(name, expr)                                                                          \
    bool kernel__##name(struct kernel *k, struct err *e)                                           \
    {                                                                                              \
        if (!open_real(k, e))                                                                      \
            return false;                                                                          \
        const double *from = k->in[0]->f;                                                          \
        double *to = k->to[0].f;                                                                   \
        for (size_t i = 0, n = k->in[0]->n; i < n; i++) {                                          \
            double x = from[i];                                                                    \
            to[i] = (expr);                                                                        \
        }                                                                                          \
        return true;                                                                               \
    }

static double softplus(double x)
{
    return MAX(x, 0) + log1p(exp(-fabs(x)));
}

static double sigmoid(double x)
{
    return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}

UNARY(acos, acos(x))
UNARY(acosh, acosh(x))
UNARY(asin, asin(x))
UNARY(asinh, asinh(x))
UNARY(atan, atan(x))
UNARY(atanh, atanh(x))
UNARY(cos, cos(x))
UNARY(cosh, cosh(x))
UNARY(erf, erf(x))
UNARY(exp, exp(x))
UNARY(log, log(x))
UNARY(reciprocal, 1 / x)
UNARY(sin, sin(x))
UNARY(sinh, sinh(x))
UNARY(sqrt, sqrt(x))
UNARY(tan, tan(x))
UNARY(tanh, tanh(x))
UNARY(sigmoid, isnan(x) ? x : sigmoid(x))
UNARY(softplus, isnan(x) ? x : softplus(x))
UNARY(softsign, x / (1 + fabs(x)))
UNARY(mish, isnan(x) ? x : x *tanh(softplus(x)))

/* Like UNARY, with attributes `a` and `b`; `s` is the noise scale of the rounding model SCALE, 0
 * for other models. */
#define UNARY_ATTRS(name, a_name, a_default, b_name, b_default, s, expr)                           \
    bool kernel__##name(struct kernel *k, struct err *e)                                           \
    {                                                                                              \
        double a = node_float(k->n, a_name, a_default), b = node_float(k->n, b_name, b_default);   \
        if (!open_unary(k, e))                                                                     \
            return false;                                                                          \
        const double *from = k->in[0]->f;                                                          \
        double *to = k->to[0].f;                                                                   \
        for (size_t i = 0, n = k->in[0]->n; i < n; i++) {                                          \
            double x = from[i];                                                                    \
            to[i] = (expr);                                                                        \
        }                                                                                          \
        k->out[0].noise_scale = (s);                                                               \
        (void)b;                                                                                   \
        return true;                                                                               \
    }

UNARY_ATTRS(leakyrelu, "alpha", 0.01f, "", 0, 0, x < 0 ? a * x : x)
UNARY_ATTRS(elu, "alpha", 1, "", 0, fabs(a), x < 0 ? a * expm1(x) : x)
UNARY_ATTRS(celu, "alpha", 1, "", 0, fabs(a),
            isnan(x) ? x : MAX(0.0, x) + MIN(0.0, a *expm1(x / a)))
UNARY_ATTRS(selu, "alpha", 1.67326319217681884765625f, "gamma", 1.05070102214813232421875f,
            fabs(a *b), x <= 0 ? b * (a * expm1(x)) : b * x)
UNARY_ATTRS(hardsigmoid, "alpha", 0.2f, "beta", 0.5f, 1,
            isnan(x) ? x : MAX(0.0, MIN(1.0, a *x + b)))
UNARY_ATTRS(swish, "alpha", 1, "", 0, 0, x == 0 || isnan(x) ? x : x * sigmoid(a * x))

/* y = x max(0, min(1, x / 6 + 1 / 2)). The standard's function body has 1 / 6 as an attribute,
 * which is a float, whatever x is. */
bool kernel__hardswish(struct kernel *k, struct err *e)
{
    if (!open_real(k, e))
        return false;
    for (size_t i = 0; i < k->in[0]->n; i++) {
        double x = k->in[0]->f[i];
        k->to[0].f[i] = isnan(x) ? x : x * MAX(0.0, MIN(1.0, x / 6 + 0.5));
    }
    k->out[0].unit = dtype_unit(DTYPE_FLOAT);
    return true;
}

/* Y = x / 2 (1 + erf(x / sqrt 2)), or the tanh form, whose factors the standard's function body
 * holds as floats, whatever x is. */
bool kernel__gelu(struct kernel *k, struct err *e)
{
    bool tanh_form = str_is(node_string(k->n, "approximate", STR("none")), "tanh");
    if (!open_unary(k, e))
        return false;
    for (size_t i = 0; i < k->in[0]->n; i++) {
        double x = k->in[0]->f[i];
        if (tanh_form) /* sqrt(2 / pi) */
            k->to[0].f[i] =
                0.5 * x * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
        else
            k->to[0].f[i] = 0.5 * x * erfc(-x * 0.70710678118654752440);
    }
    k->out[0].unit = tanh_form ? dtype_unit(DTYPE_FLOAT) : 0;
    return true;
}

/* Abs, Neg, Sign, Relu take integers too. Abs and Neg of the lowest signed integer wrap to itself.
 */
#define UNARY_NUMBERS(name, f_expr, i_expr, u_expr)                                                \
    name(struct kernel *k, struct err *e)                                                          \
    {                                                                                              \
        const struct value *in = k->in[0];                                                         \
        if (!open_unary(k, e))                                                                     \
            return false;                                                                          \
        for (size_t i = 0, n = in->n; i < n; i++) {                                                \
            if (in->storage == STORAGE_F64) {                                                      \
                double x = in->f[i];                                                               \
                k->to[0].f[i] = (f_expr);                                                          \
            } else if (in->storage == STORAGE_I64) {                                               \
                int64_t x = in->i[i];                                                              \
                k->to[0].i[i] = kernel__wrap(in->dtype, (i_expr));                                 \
            } else {                                                                               \
                uint64_t x = in->u[i];                                                             \
                k->to[0].u[i] = (u_expr);                                                          \
            }                                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }

UNARY_NUMBERS(bool kernel__abs, fabs(x), x < 0 ? (int64_t)(0 - (uint64_t)x) : x, x)
UNARY_NUMBERS(bool kernel__neg, -x, (int64_t)(0 - (uint64_t)x), 0 - x)
UNARY_NUMBERS(bool kernel__relu, x < 0 ? 0 : x, x < 0 ? 0 : x, x)
UNARY_NUMBERS(bool kernel__bitwise_not, x, ~x, ~x)
UNARY_NUMBERS(static bool sign_values, isnan(x) ? x : (double)((x > 0) - (x < 0)),
              (x > 0) - (x < 0), x > 0)

bool kernel__sign(struct kernel *k, struct err *e)
{
    if (!sign_values(k, e))
        return false;
    kernel__set_exact(k, 0, kernel__inputs_exact(k));
    if (k->want_margins && k->in[0]->storage == STORAGE_F64) {
        double *margin = kernel__margin(k, 0);
        for (size_t i = 0; i < k->in[0]->n; i++)
            margin[i] = fabs(k->in[0]->f[i]);
    }
    return true;
}

/* Rounding to integers: where the result jumps, and its values on both sides. */
struct rounding {
    double (*round)(double x);
    double offset; /* jumps at integers + offset */
};

static bool round_values(struct kernel *k, const struct rounding *r, struct err *e)
{
    const struct value *in = k->in[0];
    if (!open_unary(k, e))
        return false;
    kernel__set_exact(k, 0, in->exact);
    for (size_t i = 0; i < in->n; i++)
        k->to[0].f[i] = r->round(in->f[i]);
    if (!k->want_margins)
        return true;
    double most = kernel__max_abs(in), *margin = kernel__margin(k, 0);
    for (size_t i = 0; i < in->n; i++) {
        double x = in->f[i];
        if (!isfinite(x))
            continue;
        double jump = number_round_even(x - r->offset) + r->offset;
        margin[i] = fabs(x - jump);
        int tie = kernel__tie(k, margin[i], most);
        if (tie) /* the values on both sides of the jump */
            k->to[0].f[i] = r->round(tie > 0 ? jump + 0.25 : jump - 0.25);
    }
    return true;
}

bool kernel__round(struct kernel *k, struct err *e)
{
    return round_values(k, &(struct rounding){number_round_even, 0.5}, e);
}

bool kernel__floor(struct kernel *k, struct err *e)
{
    return round_values(k, &(struct rounding){floor, 0}, e);
}

bool kernel__ceil(struct kernel *k, struct err *e)
{
    return round_values(k, &(struct rounding){ceil, 0}, e);
}

/* y = x for x > alpha, else 0: jumps at alpha. */
bool kernel__thresholdedrelu(struct kernel *k, struct err *e)
{
    double alpha = node_float(k->n, "alpha", 1);
    if (!open_unary(k, e))
        return false;
    kernel__set_exact(k, 0, k->in[0]->exact);
    for (size_t i = 0; i < k->in[0]->n; i++) {
        double x = k->in[0]->f[i];
        k->to[0].f[i] = x > alpha ? x : 0; /* of NaN too: "otherwise" */
        if (k->want_margins && alpha != 0)
            kernel__margin(k, 0)[i] = fabs(x - alpha);
    }
    return true;
}

/* y = x + bias below -lambd, x - bias above lambd, else 0; integers are computed by the formula as
 * written. */
bool kernel__shrink(struct kernel *k, struct err *e)
{
    double lambd = node_float(k->n, "lambd", 0.5), bias = node_float(k->n, "bias", 0);
    const struct value *in = k->in[0];
    /* The standard's function body casts both to the dtype first; the formula does not. */
    bool is_whole = bias == floor(bias) && lambd == floor(lambd);
    if (!open_unary(k, e))
        return false;
    for (size_t i = 0; i < in->n; i++) {
        double x = value_get_double(in, i);
        double y = x < -lambd ? x + bias : x > lambd ? x - bias : 0;
        int64_t whole;
        uint64_t positive;
        if (in->storage == STORAGE_F64) {
            k->to[0].f[i] = y;
        } else if (in->storage == STORAGE_I64) {
            if (!number_to_i64(y, &whole) || !is_whole)
                kernel__undefined(k, 0)[i] = 1;
            k->to[0].i[i] = kernel__wrap(in->dtype, whole);
        } else {
            if (!number_to_u64(y, &positive) || !is_whole)
                kernel__undefined(k, 0)[i] = 1;
            k->to[0].u[i] = positive;
        }
        if (k->want_margins && in->storage == STORAGE_F64)
            kernel__margin(k, 0)[i] = fabs(fabs(x) - lambd);
    }
    return true;
}

static bool open_bool(struct kernel *k, struct err *e)
{
    const struct value *in = k->in[0];
    if (!kernel__output(k, 0, DTYPE_BOOL, in->rank, in->dims, e))
        return false;
    kernel__pass_taint(k, 0, 0);
    return true;
}

bool kernel__isnan(struct kernel *k, struct err *e)
{
    if (!open_bool(k, e))
        return false;
    for (size_t i = 0; i < k->in[0]->n; i++)
        k->to[0].b[i] = isnan(k->in[0]->f[i]) != 0;
    return true;
}

bool kernel__isinf(struct kernel *k, struct err *e)
{
    bool negative = node_int(k->n, "detect_negative", 1) != 0;
    bool positive = node_int(k->n, "detect_positive", 1) != 0;
    if (!open_bool(k, e))
        return false;
    for (size_t i = 0; i < k->in[0]->n; i++) {
        double x = k->in[0]->f[i];
        k->to[0].b[i] = isinf(x) && (x > 0 ? positive : negative);
    }
    return true;
}

bool kernel__not(struct kernel *k, struct err *e)
{
    if (!open_bool(k, e))
        return false;
    for (size_t i = 0; i < k->in[0]->n; i++)
        k->to[0].b[i] = !k->in[0]->b[i];
    return true;
}
