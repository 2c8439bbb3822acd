/*
 * Narrow number formats and checked integer arithmetic.
 *
 * Each float format is described by one row. Conversion to a bit pattern rounds once, directly from
 * double, to nearest with ties to even (or towards zero), because going over float32 would round
 * twice. Conversion from a bit pattern is exact.
 *
 *     uint32_t bits = number_encode(&number_float16, 1.0 / 3,
 *                                   NUMBER_NEAREST_EVEN, NUMBER_OVERFLOW);
 *     double back = number_decode(&number_float16, bits);
 *
 * Formats: IEEE 754 binary16; bfloat16; float8 e4m3fn, e4m3fnuz, e5m2, e5m2fnuz (ONNX "Float stored
 * in 8 bits"); e8m0 (OCP MX: powers of two, 0xFF is NaN, no zero, no sign); float4 e2m1 (OCP MX: no
 * infinity, no NaN).
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

enum number_special {
    NUMBER_IEEE,    /* largest exponent holds infinity and NaN */
    NUMBER_FN,      /* only S.1111.111 is NaN; no infinity */
    NUMBER_FNUZ,    /* only 0x80 is NaN; no infinity, no -0 */
    NUMBER_FINITE,  /* every pattern is a finite number */
    NUMBER_EXPONENT /* e8m0: exponent only */
};

struct number_format {
    const char *name;
    uint8_t n_exponent, n_mantissa; /* bits */
    int16_t bias;
    enum number_special special;
};

extern const struct number_format number_float16, number_bfloat16, number_float8e4m3fn,
    number_float8e4m3fnuz, number_float8e5m2, number_float8e5m2fnuz, number_float8e8m0,
    number_float4e2m1, number_float32;

enum number_rounding { NUMBER_NEAREST_EVEN, NUMBER_TOWARDS_ZERO, NUMBER_UP };

/* A value beyond the largest finite one becomes infinity (NaN if the format has none), or the
 * largest finite one with its sign. The ONNX Cast attribute "saturate" chooses. */
enum number_overflow { NUMBER_OVERFLOW, NUMBER_SATURATE };

/* Encodes any double: NaN gives the format's NaN (NUMBER_FINITE: the largest value), infinities go
 * as above. */
uint32_t number_encode(const struct number_format *f, double x, enum number_rounding rounding,
                       enum number_overflow overflow);
double number_decode(const struct number_format *f, uint32_t bits);

/* The nearest value of the format, as a double: encode then decode. */
double number_round(const struct number_format *f, double x);

double number_largest(const struct number_format *f);         /* largest finite */
double number_smallest_normal(const struct number_format *f); /* e8m0: 2^-127 */
double number_smallest(
    const struct number_format *f); /* smallest positive: a subnormal if the format has these */
double number_unit(const struct number_format *f); /* unit roundoff: 2^-(n_mantissa + 1) */

/* v wrapped to n_bits (1..64) in two's complement. */
int64_t number_wrap_signed(int64_t v, unsigned n_bits);
uint64_t number_wrap_unsigned(uint64_t v, unsigned n_bits);

/* v clamped to n_bits. */
int64_t number_saturate_signed(int64_t v, unsigned n_bits);
uint64_t number_saturate_unsigned(int64_t v, unsigned n_bits);

/* false: the result does not fit, and *out is wrapped. */
bool number_add_i64(int64_t a, int64_t b, int64_t *out);
bool number_sub_i64(int64_t a, int64_t b, int64_t *out);
bool number_mul_i64(int64_t a, int64_t b, int64_t *out);

/* Truncating division and its remainder. false and *out 0: b == 0, or INT64_MIN / -1. */
bool number_div_i64(int64_t a, int64_t b, int64_t *out);
bool number_rem_i64(int64_t a, int64_t b, int64_t *out);

/* Truncates towards zero. false and *out 0: x is NaN or does not fit. */
bool number_to_i64(double x, int64_t *out);
bool number_to_u64(double x, uint64_t *out);

/* Rounds to an integer, half to even. */
double number_round_even(double x);

#endif
