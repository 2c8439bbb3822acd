/*
 * QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear.
 *
 * The text gives the division the precision of y_scale (or of the attribute). Here it is exact;
 * where that precision could decide between two levels, the element is marked undefined, so that
 * one level more or less is no failure. Margins are in the units of x.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/quant_p.h"

static enum dtype output_dtype(const struct kernel *k, const struct value *zero)
{
    int64_t t = node_int(k->n, "output_dtype", 0);
    return t ? (enum dtype)t : zero ? zero->dtype : DTYPE_UINT8;
}

/* Distance from x to where rounding to the format jumps. */
static double float_tie_distance(const struct number_format *f, double x)
{
    double most = number_largest(f);
    if (!(fabs(x) <= most))
        return (double)INFINITY;
    uint32_t down = number_encode(f, fabs(x), NUMBER_TOWARDS_ZERO, NUMBER_SATURATE);
    double low = number_decode(f, down), high = low >= most ? low : number_decode(f, down + 1);
    return fabs(fabs(x) - (low + high) / 2);
}

static void quantize_to_float(struct kernel *k, size_t i, const struct quant_step *s)
{
    const struct number_format *f = dtype_row(k->out[0].dtype)->format;
    bool saturates = node_int(k->n, "saturate", 1) || f->special == NUMBER_FINITE;
    double q = s->q + s->zero, distance = float_tie_distance(f, q);
    uint32_t bits =
        number_encode(f, q, NUMBER_NEAREST_EVEN, saturates ? NUMBER_SATURATE : NUMBER_OVERFLOW);
    k->to[0].f[i] = number_decode(f, bits);
    bool is_open = isnan(q) && f->special == NUMBER_FINITE;
    if (is_open || (distance <= 2 * s->unit * fabs(q) && distance > 0))
        kernel__undefined(k, 0)[i] = 1;
    if (k->want_margins)
        kernel__margin(k, 0)[i] = distance * s->step;
}

/* Does every way to divide give the exact quotient? The divisor is a power of two, and the
 * precision of the division holds the dividend. */
static bool divides_exactly(enum dtype precision, double x, double by)
{
    const struct number_format *f = dtype_row(precision)->format;
    return quant__is_power_of_two(by) &&
           (!f || (number_round(f, x) == x && number_round(f, x / by) == x / by));
}

/* QuantizeLinear: x, y_scale, y_zero_point -> as x, saturate(round(x / scale) + zero). */
bool kernel__quantize(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *scale = k->in[1], *zero = kernel__in(k, 2);
    enum dtype t = output_dtype(k, zero);
    struct granularity g;
    if (scale->storage != STORAGE_F64)
        return err_set(e, ERR_UNSUPPORTED, "a scale of %s", dtype_name(scale->dtype));
    if (!quant__granularity(k, scale, zero, &g, e) || !kernel__output(k, 0, t, x->rank, x->dims, e))
        return false;
    bool is_float = k->out[0].storage == STORAGE_F64;
    if (is_float && !dtype_row(t)->format)
        return err_set(e, ERR_DATA, "output_dtype %s is no quantised type", dtype_name(t));
    int64_t attr = node_int(k->n, "precision", 0);
    enum dtype precision = attr ? (enum dtype)attr : scale->dtype;
    double unit = MAX(dtype_unit(precision), 0x1p-24);
    struct quant_step s = {.unit = unit, .magnitude = k->want_margins ? kernel__max_abs(x) : 0};
    if (!is_float)
        s.range = quant__range(t);
    for (size_t i = 0; i < x->n; i++) {
        size_t at = quant__at(&g, i);
        double by = scale->f[at];
        s.q = value_get_double(x, i) / by;
        s.step = fabs(by);
        s.zero = quant__number(zero, at);
        if (is_float)
            quantize_to_float(k, i, &s);
        else
            k->to[0].i[i] =
                quant__round(k, 0, i, &s, divides_exactly(precision, value_get_double(x, i), by));
        /* A division by zero; a zero point that "is usually not used", though the formula has it.
         */
        bool is_open = by == 0 || (is_float && s.zero != 0);
        if (is_open || (x->undefined && x->undefined[i]) ||
            (scale->undefined && scale->undefined[at]))
            kernel__undefined(k, 0)[i] = 1;
    }
    kernel__no_taint(k, 0);
    kernel__set_exact(k, 0, x->exact && scale->exact);
    return true;
}

static bool is_held(const struct number_format *f, double x)
{
    return number_round(f, x) == x;
}

/* Is (x - zero) scale exact however it is computed? Engines also map the range of x onto that of y,
 * low + x (high - low) / levels, which rounds wherever the ends do, at level 0 too. Integers of
 * more than 16 bits are quantised sums, with which no engine does that. */
static bool ends_are_exact(const struct kernel *k, const struct number_format *f)
{
    const struct value *scale = k->in[1], *zero = kernel__in(k, 2);
    enum dtype t = k->in[0]->dtype;
    if (!f || !dtype_is_integer(t) || dtype_row(t)->n_bits > 16)
        return true;
    struct quant_range r = quant__range(t);
    for (size_t at = 0; at < scale->n; at++) {
        double s = scale->f[at], z = quant__number(zero, at);
        if (!is_held(f, (r.low - z) * s) || !is_held(f, (r.high - z) * s) ||
            !is_held(f, (r.high - r.low) * s) || !is_held(f, z * s))
            return false;
    }
    return true;
}

/* DequantizeLinear: x, x_scale, x_zero_point -> as x, (x - zero) scale. */
bool kernel__dequantize(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *scale = k->in[1], *zero = kernel__in(k, 2);
    int64_t given = node_int(k->n, "output_dtype", 0);
    enum dtype t = given ? (enum dtype)given : scale->dtype;
    struct granularity g;
    if (!quant__granularity(k, scale, zero, &g, e) || !kernel__output(k, 0, t, x->rank, x->dims, e))
        return false;
    if (k->out[0].storage != STORAGE_F64)
        return err_set(e, ERR_DATA, "output_dtype %s is no float", dtype_name(t));
    const struct number_format *f = dtype_row(t)->format;
    bool exact = x->exact && scale->exact && (!zero || zero->exact) && ends_are_exact(k, f);
    /* Engines also compute x scale - zero scale, whose rounding is that of its terms, and move
     * signed numbers of up to 8 bits into unsigned ones first. */
    const struct dtype_row *row = dtype_row(x->dtype);
    bool is_moved = row->class == DTYPE_CLASS_SIGNED && row->n_bits <= 8;
    double low = is_moved ? quant__range(x->dtype).low : 0;
    double *scales = k->want_noise ? kernel__scales(k, 0) : NULL;
    for (size_t i = 0; i < x->n; i++) {
        size_t at = quant__at(&g, i);
        if (scales)
            scales[i] = (fabs(quant__number(x, i) - low) + fabs(quant__number(zero, at) - low)) *
                        fabs(scale->f[at]);
        double level = quant__number(x, i) - quant__number(zero, at), y = level * scale->f[at];
        k->to[0].f[i] = y;
        exact = exact && (!f || (is_held(f, y) && is_held(f, level)));
        bool is_open = x->storage == STORAGE_F64 && quant__number(zero, at) != 0;
        if (is_open || (x->undefined && x->undefined[i]) ||
            (scale->undefined && scale->undefined[at]))
            kernel__undefined(k, 0)[i] = 1;
    }
    kernel__no_taint(k, 0);
    kernel__set_exact(k, 0, exact);
    return true;
}

/* Scale and zero point of a whole tensor. */
struct dynamic {
    double scale, zero;
    bool zero_is_open; /* so near a tie that float32 decides */
};

static struct dynamic dynamic_of(const struct value *x)
{
    double low = 0, high = 0;
    for (size_t i = 0; i < x->n; i++) {
        low = MIN(low, x->f[i]);
        high = MAX(high, x->f[i]);
    }
    struct dynamic d = {(high - low) / 255, 0, false};
    double q = -low / d.scale, tie = floor(q) + 0.5;
    bool is_known = d.scale > 0 && isfinite(d.scale);
    d.zero = is_known ? number_round_even(q) : 0;
    d.zero_is_open = !is_known || fabs(q - tie) <= 8 * 0x1p-24 * fabs(tie);
    return d;
}

/* DynamicQuantizeLinear: x (float) -> y (uint8, as x), y_scale, y_zero_point of rank 0. */
bool kernel__dynamic_quantize(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    if (!kernel__output(k, 0, DTYPE_UINT8, x->rank, x->dims, e) ||
        !kernel__output(k, 1, DTYPE_FLOAT, 0, NULL, e) ||
        !kernel__output(k, 2, DTYPE_UINT8, 0, NULL, e))
        return false;
    if (!x->n)
        return err_set(e, ERR_UNSUPPORTED, "the largest of no elements is not defined");
    struct dynamic d = dynamic_of(x);
    struct quant_step s = {.unit = 4 * 0x1p-24, .step = d.scale, .zero = d.zero};
    s.range = quant__range(DTYPE_UINT8);
    s.magnitude = k->want_margins ? kernel__max_abs(x) : 0;
    k->to[1].f[0] = d.scale;
    k->to[2].i[0] = (int64_t)d.zero;
    bool is_open = kernel__is_tainted(x);
    for (size_t i = 0; i < x->n; i++) {
        s.q = x->f[i] / d.scale;
        k->to[0].i[i] = quant__round(k, 0, i, &s, false);
        if (is_open || d.zero_is_open)
            kernel__undefined(k, 0)[i] = 1;
    }
    if (is_open || !(d.scale > 0) ||
        !isfinite(d.scale)) /* the text gives a scale of 0 and divides by it */
        kernel__undefined(k, 1)[0] = 1;
    if (is_open || d.zero_is_open)
        kernel__undefined(k, 2)[0] = 1;
    if (k->want_margins) {
        double q = d.scale > 0 ? (double)k->to[2].i[0] - d.zero : 0;
        kernel__margin(k, 2)[0] = (0.5 - fabs(q)) * d.scale;
    }
    return true;
}
