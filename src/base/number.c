/*
 * One conversion for all narrow floats: scale to the quantum of the value's binade, round to an
 * integer, scale back. Only the rounding is not exact in double, so a value is rounded once.
 */
#include "base/number.h"

#include <math.h>

#include "base/compiler.h"

const struct number_format number_float16 = {"float16", 5, 10, 15, NUMBER_IEEE};
const struct number_format number_bfloat16 = {"bfloat16", 8, 7, 127, NUMBER_IEEE};
const struct number_format number_float32 = {"float32", 8, 23, 127, NUMBER_IEEE};
const struct number_format number_float8e4m3fn = {"float8e4m3fn", 4, 3, 7, NUMBER_FN};
const struct number_format number_float8e4m3fnuz = {"float8e4m3fnuz", 4, 3, 8, NUMBER_FNUZ};
const struct number_format number_float8e5m2 = {"float8e5m2", 5, 2, 15, NUMBER_IEEE};
const struct number_format number_float8e5m2fnuz = {"float8e5m2fnuz", 5, 2, 16, NUMBER_FNUZ};
const struct number_format number_float8e8m0 = {"float8e8m0", 8, 0, 127, NUMBER_EXPONENT};
const struct number_format number_float4e2m1 = {"float4e2m1", 2, 1, 1, NUMBER_FINITE};

static uint32_t mantissa_mask(const struct number_format *f)
{
    return (1u << f->n_mantissa) - 1;
}

static uint32_t exponent_mask(const struct number_format *f)
{
    return (1u << f->n_exponent) - 1;
}

static uint32_t sign_bit(const struct number_format *f)
{
    return 1u << (f->n_exponent + f->n_mantissa);
}

/* The bit pattern of the largest finite value. */
static uint32_t largest_bits(const struct number_format *f)
{
    uint32_t all = exponent_mask(f) << f->n_mantissa | mantissa_mask(f);
    switch (f->special) {
    case NUMBER_IEEE:
        return ((exponent_mask(f) - 1) << f->n_mantissa) | mantissa_mask(f);
    case NUMBER_FN:
    case NUMBER_EXPONENT:
        return all - 1;
    default:
        return all;
    }
}

static uint32_t nan_bits(const struct number_format *f)
{
    switch (f->special) {
    case NUMBER_IEEE: /* a quiet NaN */
        return exponent_mask(f) << f->n_mantissa | 1u << (f->n_mantissa - 1);
    case NUMBER_FNUZ:
        return sign_bit(f);
    case NUMBER_FINITE:
        return largest_bits(f);
    default:
        return exponent_mask(f) << f->n_mantissa | mantissa_mask(f);
    }
}

static uint32_t overflow_bits(const struct number_format *f, enum number_overflow overflow)
{
    if (overflow == NUMBER_SATURATE || f->special == NUMBER_FINITE)
        return largest_bits(f);
    return f->special == NUMBER_IEEE ? exponent_mask(f) << f->n_mantissa : nan_bits(f);
}

double number_round_even(double x)
{
    if (!(fabs(x) < 0x1p52))
        return x;
    double down = floor(x), gap = x - down;
    if (gap < 0.5)
        return down;
    if (gap > 0.5)
        return down + 1;
    return fmod(down, 2.0) == 0 ? down : down + 1;
}

static double round_by(double x, enum number_rounding rounding)
{
    switch (rounding) {
    case NUMBER_TOWARDS_ZERO:
        return floor(x);
    case NUMBER_UP:
        return ceil(x);
    default:
        return number_round_even(x);
    }
}

/* Formats of powers of two only: magnitudes below the smallest, zero too, become the smallest; the
 * sign is lost. */
static uint32_t encode_exponent(const struct number_format *f, double a,
                                enum number_rounding rounding, enum number_overflow overflow)
{
    int e;
    double m = frexp(a, &e); /* a = 2m * 2^(e-1), 1 <= 2m < 2 */
    if (a == 0 || e - 1 < -f->bias)
        return 0;
    bool up = rounding == NUMBER_UP ? m > 0.5 : rounding == NUMBER_NEAREST_EVEN && m >= 0.75;
    int64_t field = (int64_t)e - 1 + up + f->bias;
    return field > largest_bits(f) ? overflow_bits(f, overflow) : (uint32_t)field;
}

/* The bit pattern of `a` (finite, > 0) without sign; above largest_bits if it overflows. */
static uint32_t encode_magnitude(const struct number_format *f, double a,
                                 enum number_rounding rounding)
{
    int e;
    frexp(a, &e);
    int exponent = MAX(e - 1, 1 - f->bias);
    if (exponent + f->bias > (int)exponent_mask(f))
        return UINT32_MAX;
    double units = round_by(ldexp(a, f->n_mantissa - exponent), rounding);
    /* The addition carries the hidden bit, or a mantissa rounded up, into the exponent field. */
    return ((uint32_t)(exponent + f->bias - 1) << f->n_mantissa) + (uint32_t)units;
}

uint32_t number_encode(const struct number_format *f, double x, enum number_rounding rounding,
                       enum number_overflow overflow)
{
    if (isnan(x))
        return nan_bits(f);
    double a = fabs(x);
    if (f->special == NUMBER_EXPONENT)
        return isinf(a) ? overflow_bits(f, overflow) : encode_exponent(f, a, rounding, overflow);
    uint32_t sign = signbit(x) ? sign_bit(f) : 0;
    uint32_t bits = a == 0 ? 0 : isinf(a) ? UINT32_MAX : encode_magnitude(f, a, rounding);
    if (bits > largest_bits(f)) {
        bool keep_finite = rounding == NUMBER_TOWARDS_ZERO && !isinf(a);
        bits = overflow_bits(f, keep_finite ? NUMBER_SATURATE : overflow);
    }
    if (f->special == NUMBER_FNUZ && (bits == 0 || bits == nan_bits(f)))
        return bits;
    return bits | sign;
}

double number_decode(const struct number_format *f, uint32_t bits)
{
    uint32_t field = bits >> f->n_mantissa & exponent_mask(f);
    uint32_t mantissa = bits & mantissa_mask(f);
    if (f->special == NUMBER_EXPONENT)
        return field == exponent_mask(f) ? (double)NAN : ldexp(1.0, (int)field - f->bias);
    uint32_t magnitude = bits & (sign_bit(f) - 1);
    if (f->special == NUMBER_FNUZ && bits == sign_bit(f))
        return (double)NAN;
    if (f->special == NUMBER_FN && magnitude == nan_bits(f))
        return (double)NAN;
    if (f->special == NUMBER_IEEE && field == exponent_mask(f) && mantissa)
        return (double)NAN;
    double a = field ? ldexp(mantissa | 1u << f->n_mantissa, (int)field - f->bias - f->n_mantissa)
                     : ldexp(mantissa, 1 - f->bias - f->n_mantissa);
    if (f->special == NUMBER_IEEE && field == exponent_mask(f))
        a = (double)INFINITY;
    return bits & sign_bit(f) ? -a : a;
}

double number_round(const struct number_format *f, double x)
{
    return number_decode(f, number_encode(f, x, NUMBER_NEAREST_EVEN, NUMBER_OVERFLOW));
}

double number_largest(const struct number_format *f)
{
    return number_decode(f, largest_bits(f));
}

double number_smallest_normal(const struct number_format *f)
{
    return ldexp(1.0, (f->special == NUMBER_EXPONENT ? 0 : 1) - f->bias);
}

double number_smallest(const struct number_format *f)
{
    return f->special == NUMBER_EXPONENT ? number_smallest_normal(f)
                                         : ldexp(1.0, 1 - f->bias - f->n_mantissa);
}

double number_unit(const struct number_format *f)
{
    return ldexp(1.0, -(f->n_mantissa + 1));
}

int64_t number_wrap_signed(int64_t v, unsigned n_bits)
{
    uint64_t low = number_wrap_unsigned((uint64_t)v, n_bits);
    uint64_t sign = 1ull << (n_bits - 1);
    return (int64_t)((low ^ sign) - sign);
}

uint64_t number_wrap_unsigned(uint64_t v, unsigned n_bits)
{
    return n_bits >= 64 ? v : v & ((1ull << n_bits) - 1);
}

int64_t number_saturate_signed(int64_t v, unsigned n_bits)
{
    int64_t high = (int64_t)(UINT64_MAX >> (65 - n_bits)), low = -high - 1;
    return v > high ? high : v < low ? low : v;
}

uint64_t number_saturate_unsigned(int64_t v, unsigned n_bits)
{
    uint64_t high = UINT64_MAX >> (64 - n_bits);
    return v < 0 ? 0 : MIN((uint64_t)v, high);
}

bool number_add_i64(int64_t a, int64_t b, int64_t *out)
{
    return !CHECKED_ADD(a, b, out);
}

bool number_sub_i64(int64_t a, int64_t b, int64_t *out)
{
    return !CHECKED_SUB(a, b, out);
}

bool number_mul_i64(int64_t a, int64_t b, int64_t *out)
{
    return !CHECKED_MUL(a, b, out);
}

static bool division_defined(int64_t a, int64_t b)
{
    return b != 0 && !(a == INT64_MIN && b == -1);
}

bool number_div_i64(int64_t a, int64_t b, int64_t *out)
{
    *out = division_defined(a, b) ? a / b : 0;
    return division_defined(a, b);
}

bool number_rem_i64(int64_t a, int64_t b, int64_t *out)
{
    *out = division_defined(a, b) ? a % b : 0;
    return division_defined(a, b);
}

bool number_to_i64(double x, int64_t *out)
{
    bool fits = x >= -0x1p63 && x < 0x1p63;
    *out = fits ? (int64_t)x : 0;
    return fits;
}

bool number_to_u64(double x, uint64_t *out)
{
    bool fits = x > -1 && x < 0x1p64;
    *out = fits ? (uint64_t)x : 0;
    return fits;
}
