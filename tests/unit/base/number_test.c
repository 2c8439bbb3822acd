/*
 * Narrow floats: every bit pattern, every midpoint between neighbours and the doubles next to it,
 * compared with the definition of rounding; checked integers at their limits.
 */
#include "base/number.h"

#include <math.h>
#include <string.h>

#include "unit/test.h"

static const struct number_format *const formats[] = {
    &number_float16,    &number_bfloat16,       &number_float8e4m3fn, &number_float8e4m3fnuz,
    &number_float8e5m2, &number_float8e5m2fnuz, &number_float4e2m1,
};

static uint32_t pattern_count(const struct number_format *f)
{
    return 1u << (1 + f->n_exponent + f->n_mantissa);
}

static uint32_t encode(const struct number_format *f, double x)
{
    return number_encode(f, x, NUMBER_NEAREST_EVEN, NUMBER_OVERFLOW);
}

static void every_pattern_survives_decode_and_encode(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(formats); k++) {
        const struct number_format *f = formats[k];
        for (uint32_t bits = 0; bits < pattern_count(f); bits++) {
            double x = number_decode(f, bits);
            if (isnan(x))
                ASSERT_ROW(isnan(number_decode(f, encode(f, x))), f->name);
            else
                ASSERT_ROW(encode(f, x) == bits, f->name);
        }
    }
}

/* For positive finite neighbours a < b: values below the midpoint give `a`, above it b, at it the
 * one with the even pattern. */
static void midpoints_round_to_even_and_their_neighbours_to_the_nearer(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(formats); k++) {
        const struct number_format *f = formats[k];
        for (uint32_t bits = 0;; bits++) {
            double a = number_decode(f, bits), b = number_decode(f, bits + 1);
            if (a == number_largest(f))
                break;
            double middle = a + (b - a) / 2;
            uint32_t even = bits % 2 ? bits + 1 : bits;
            ASSERT_ROW(encode(f, middle) == even, f->name);
            ASSERT_ROW(encode(f, nextafter(middle, 0)) == bits, f->name);
            ASSERT_ROW(encode(f, nextafter(middle, INFINITY)) == bits + 1, f->name);
            if (f->special != NUMBER_FNUZ || even)
                ASSERT_ROW(number_decode(f, encode(f, -middle)) == -number_decode(f, even),
                           f->name);
        }
    }
}

static void truncation_never_passes_the_value(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(formats); k++) {
        const struct number_format *f = formats[k];
        for (uint32_t bits = 0; number_decode(f, bits) != number_largest(f); bits++) {
            double a = number_decode(f, bits), b = number_decode(f, bits + 1);
            double below = nextafter(b, 0);
            ASSERT_ROW(number_encode(f, below, NUMBER_TOWARDS_ZERO, NUMBER_OVERFLOW) == bits,
                       f->name);
            ASSERT_ROW(number_encode(f, a, NUMBER_TOWARDS_ZERO, NUMBER_OVERFLOW) == bits, f->name);
        }
    }
}

static void known_values_have_their_patterns(void **state)
{
    static const struct {
        const struct number_format *f;
        double x;
        enum number_overflow overflow;
        uint32_t bits;
    } rows[] = {
        {&number_float16, 1.0, NUMBER_OVERFLOW, 0x3c00},
        {&number_float16, 65504, NUMBER_OVERFLOW, 0x7bff},
        {&number_float16, 65519.99, NUMBER_OVERFLOW, 0x7bff},
        {&number_float16, 65520, NUMBER_OVERFLOW, 0x7c00},
        {&number_float16, 65520, NUMBER_SATURATE, 0x7bff},
        {&number_float16, 0x1p-24, NUMBER_OVERFLOW, 0x0001},
        {&number_float16, 0x1p-25, NUMBER_OVERFLOW, 0x0000},
        {&number_float16, -0.0, NUMBER_OVERFLOW, 0x8000},
        {&number_bfloat16, 3.140625, NUMBER_OVERFLOW, 0x4049},
        {&number_float8e4m3fn, 448, NUMBER_OVERFLOW, 0x7e},
        {&number_float8e4m3fn, 464, NUMBER_OVERFLOW, 0x7e},
        {&number_float8e4m3fn, 465, NUMBER_OVERFLOW, 0x7f},
        {&number_float8e4m3fn, 1000, NUMBER_SATURATE, 0x7e},
        {&number_float8e4m3fnuz, 240, NUMBER_OVERFLOW, 0x7f},
        {&number_float8e4m3fnuz, -0.0, NUMBER_OVERFLOW, 0x00},
        {&number_float8e4m3fnuz, INFINITY, NUMBER_OVERFLOW, 0x80},
        {&number_float8e4m3fnuz, INFINITY, NUMBER_SATURATE, 0x7f},
        {&number_float8e5m2, 57344, NUMBER_OVERFLOW, 0x7b},
        {&number_float8e5m2, 61440, NUMBER_OVERFLOW, 0x7c},
        {&number_float8e5m2, -INFINITY, NUMBER_OVERFLOW, 0xfc},
        {&number_float8e5m2fnuz, 57344, NUMBER_OVERFLOW, 0x7f},
        {&number_float4e2m1, 6, NUMBER_OVERFLOW, 0x7},
        {&number_float4e2m1, 100, NUMBER_OVERFLOW, 0x7},
        {&number_float4e2m1, 0.25, NUMBER_OVERFLOW, 0x0},
        {&number_float4e2m1, 0.75, NUMBER_OVERFLOW, 0x2},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint32_t bits = number_encode(rows[i].f, rows[i].x, NUMBER_NEAREST_EVEN, rows[i].overflow);
        if (bits != rows[i].bits)
            fail_msg("%s of %g: expected 0x%x, got 0x%x", rows[i].f->name, rows[i].x, rows[i].bits,
                     bits);
    }
}

/* e8m0 holds 2^-127 .. 2^127 and NaN: every power stays, rounding is as requested, and ties go up
 * (the standard's Cast, round_mode "nearest"). */
static void powers_of_two_fill_e8m0(void **state)
{
    const struct number_format *f = &number_float8e8m0;
    (void)state;
    for (uint32_t bits = 0; bits < 255; bits++) {
        double x = ldexp(1.0, (int)bits - 127);
        assert_int_equal(encode(f, x), bits);
        assert_true(number_decode(f, bits) == x);
        if (bits < 254) {
            assert_int_equal(number_encode(f, x * 1.25, NUMBER_UP, NUMBER_OVERFLOW), bits + 1);
            assert_int_equal(number_encode(f, x * 1.75, NUMBER_TOWARDS_ZERO, NUMBER_OVERFLOW),
                             bits);
            assert_int_equal(encode(f, x * 1.25), bits);
            assert_int_equal(encode(f, x * 1.75), bits + 1);
            assert_int_equal(encode(f, x * 1.5), bits + 1); /* a tie goes up, even or not */
        }
    }
    double largest = ldexp(1.0, 127); /* a value that rounds up from it overflows */
    assert_int_equal(encode(f, largest * 1.5), 255);
    assert_int_equal(number_encode(f, largest * 1.5, NUMBER_NEAREST_EVEN, NUMBER_SATURATE), 254);
    assert_true(isnan(number_decode(f, 255)));
    assert_int_equal(encode(f, NAN), 255);
}

static void float32_agrees_with_the_machine(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 200000; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        double d = ldexp((double)(int64_t)x, (int)(x % 300) - 210);
        float narrow = (float)d;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        assert_int_equal(encode(&number_float32, d), bits);
    }
}

static void integers_wrap_saturate_and_refuse_at_their_edges(void **state)
{
    int64_t i;
    uint64_t u;
    (void)state;
    assert_int_equal(number_wrap_signed(128, 8), -128);
    assert_int_equal(number_wrap_signed(-9, 4), 7);
    assert_int_equal(number_wrap_signed(INT64_MIN, 64), INT64_MIN);
    assert_int_equal(number_wrap_unsigned(256 + 7, 8), 7);
    assert_int_equal(number_saturate_signed(1000, 8), 127);
    assert_int_equal(number_saturate_signed(-1000, 2), -2);
    assert_int_equal(number_saturate_unsigned(-1, 8), 0);
    assert_int_equal(number_saturate_unsigned(1000, 4), 15);
    assert_false(number_add_i64(INT64_MAX, 1, &i));
    assert_int_equal(i, INT64_MIN);
    assert_false(number_div_i64(INT64_MIN, -1, &i));
    assert_false(number_rem_i64(1, 0, &i));
    assert_true(number_div_i64(-7, 2, &i));
    assert_int_equal(i, -3);
    assert_false(number_to_i64(0x1p63, &i));
    assert_true(number_to_i64(-0x1p63, &i));
    assert_false(number_to_i64(NAN, &i));
    assert_true(number_to_u64(0x1.fffffffffffffp63, &u));
    assert_false(number_to_u64(-1, &u));
    assert_true(number_to_u64(-0.5, &u));
}

static void halves_round_to_even(void **state)
{
    (void)state;
    assert_true(number_round_even(0.5) == 0);
    assert_true(number_round_even(1.5) == 2);
    assert_true(number_round_even(-2.5) == -2);
    assert_true(number_round_even(0x1p52 + 1) == 0x1p52 + 1);
    assert_true(number_round_even(0.49999999999999994) == 0);
}

TEST_SUITE(base_number, TEST(every_pattern_survives_decode_and_encode),
           TEST(midpoints_round_to_even_and_their_neighbours_to_the_nearer),
           TEST(truncation_never_passes_the_value), TEST(known_values_have_their_patterns),
           TEST(powers_of_two_fill_e8m0), TEST(float32_agrees_with_the_machine),
           TEST(integers_wrap_saturate_and_refuse_at_their_edges), TEST(halves_round_to_even))
