/* Errors per slice: the fault of a small channel shows, and NaN takes no part. */
#include <math.h>

#include "judge/profile_p.h"
#include "unit/test.h"

static void a_fault_in_a_small_channel_shows_in_its_slice(void **state)
{
    static const int64_t dims[] = {1, 2, 2, 2};
    static const double r[] = {1000, 900, 800, 700, 0.1, 0.2, 0.3, 0.4};
    double x[8];
    struct profile p;
    (void)state;
    for (int i = 0; i < 8; i++)
        x[i] = r[i];
    x[7] = 0.5;
    profile__measure(&(struct profile_shape){dims, 4, 8, NULL}, x, r, &p);
    assert_int_equal(p.n, 1 + 2 + 2);
    assert_true(fabs(profile__relative(&p, 0) - 1e-4) < 1e-9);
    assert_true(profile__relative(&p, 1) == 0);
    assert_true(fabs(profile__relative(&p, 2) - 0.25) < 1e-9);
    assert_int_equal(p.at[2], 7);
}

static void what_is_not_finite_or_left_out_takes_no_part(void **state)
{
    static const int64_t dims[] = {4};
    static const double r[] = {1, NAN, INFINITY, 5}, x[] = {1, 2, 3, 50};
    static const uint8_t skip[] = {0, 0, 0, 1};
    struct profile p;
    (void)state;
    profile__measure(&(struct profile_shape){dims, 1, 4, skip}, x, r, &p);
    assert_int_equal(p.n_counted, 1);
    assert_true(p.error[0] == 0 && p.scale[0] == 1);
}

static void shapes_without_axes_have_one_slice(void **state)
{
    static const double r[] = {2}, x[] = {3};
    struct profile p;
    (void)state;
    profile__measure(&(struct profile_shape){NULL, 0, 1, NULL}, x, r, &p);
    assert_int_equal(p.n, 1);
    assert_true(profile__relative(&p, 0) == 0.5);
    static const int64_t empty[] = {2, 0, 3};
    profile__measure(&(struct profile_shape){empty, 3, 0, NULL}, x, r, &p);
    assert_true(p.n == 1 && p.n_counted == 0 && profile__relative(&p, 0) == 0);
}

static void long_axes_are_grouped(void **state)
{
    enum { N = 1000 };
    static const int64_t dims[] = {N};
    static double r[N], x[N];
    struct profile p;
    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = r[i] = 1;
    x[N - 1] = 2;
    profile__measure(&(struct profile_shape){dims, 1, N, NULL}, x, r, &p);
    assert_int_equal(p.n, 1 + PROFILE_SLICES);
    assert_true(p.error[PROFILE_SLICES] == 1 && p.error[PROFILE_SLICES - 1] == 0);
}

TEST_SUITE(judge_profile, TEST(a_fault_in_a_small_channel_shows_in_its_slice),
           TEST(what_is_not_finite_or_left_out_takes_no_part),
           TEST(shapes_without_axes_have_one_slice), TEST(long_axes_are_grouped))
