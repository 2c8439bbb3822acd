/* Stored tensors: every dtype written and read back, packing, counts. */
#include "onnx/tensor.h"
#include "unit/test.h"

#include <math.h>

static void numbers_of_every_dtype_come_back(void **state)
{
    (void)state;
    struct arena a;
    arena_init(&a);
    for (unsigned t = 1; t < DTYPE_COUNT; t++) {
        static const double values[] = {1, 0, 1, 0, 1};
        static const int64_t dims[] = {5};
        struct tensor x;
        struct err e;
        if (t == DTYPE_STRING || t == DTYPE_COMPLEX64 || t == DTYPE_COMPLEX128 ||
            t == DTYPE_FLOAT8E8M0)
            continue;
        assert_true(tensor_from_doubles((enum dtype)t, dims, 1, values, &a, &x, &e));
        for (size_t i = 0; i < x.n; i++) {
            ASSERT_ROW(tensor_get_double(&x, i) == values[i], dtype_name((enum dtype)t));
            ASSERT_ROW(dtype_is_float((enum dtype)t) || tensor_get_i64(&x, i) == (int64_t)values[i],
                       dtype_name((enum dtype)t));
        }
    }
    arena_done(&a);
}

static void narrow_types_share_bytes_low_bits_first(void **state)
{
    static const struct {
        const char *name;
        enum dtype dtype;
        double values[5];
        unsigned char bytes[3];
        size_t n_bytes;
    } rows[] = {
        {"int4", DTYPE_INT4, {-1, 2, -8, 7, 1}, {0x2f, 0x78, 0x01}, 3},
        {"uint4", DTYPE_UINT4, {15, 2, 8, 7, 1}, {0x2f, 0x78, 0x01}, 3},
        {"int2", DTYPE_INT2, {-1, 1, -2, 0, 1}, {0x27, 0x01}, 2},
        {"uint2", DTYPE_UINT2, {3, 1, 2, 0, 1}, {0x27, 0x01}, 2},
        {"float4e2m1", DTYPE_FLOAT4E2M1, {-6, 0.5, 1, 4, 0}, {0x1f, 0x62, 0x00}, 3},
    };
    (void)state;
    struct arena a;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const int64_t dims[] = {5};
        struct tensor t;
        struct err e;
        assert_true(tensor_from_doubles(rows[i].dtype, dims, 1, rows[i].values, &a, &t, &e));
        ASSERT_ROW(dtype_size(rows[i].dtype, 5) == rows[i].n_bytes, rows[i].name);
        ASSERT_ROW(memcmp(t.data, rows[i].bytes, rows[i].n_bytes) == 0, rows[i].name);
        for (size_t j = 0; j < 5; j++)
            ASSERT_ROW(tensor_get_double(&t, j) == rows[i].values[j], rows[i].name);
    }
    arena_done(&a);
}

static void counts_refuse_what_does_not_fit(void **state)
{
    static const struct {
        const char *name;
        int64_t dims[3];
        bool ok;
        size_t n;
    } rows[] = {
        {"plain", {2, 3, 4}, true, 24},
        {"empty", {0, 3, 4}, true, 0},
        {"empty beside huge", {0, INT64_MAX, 4}, false, 0},
        {"empty beside large", {0, 1 << 20, 1 << 20}, false, 0},
        {"negative", {-1, 3, 4}, false, 0},
        {"overflow", {INT64_MAX, INT64_MAX, 4}, false, 0},
        {"too many bytes", {1 << 20, 1 << 10, 1}, false, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        size_t n = 0;
        ASSERT_ROW(tensor_count(DTYPE_FLOAT, rows[i].dims, 3, &n) == rows[i].ok, rows[i].name);
        ASSERT_ROW(!rows[i].ok || n == rows[i].n, rows[i].name);
    }
}

static void hash_tells_dtype_shape_and_bytes(void **state)
{
    static const double ones[] = {1, 1}, other[] = {1, 2};
    static const int64_t row[] = {1, 2}, column[] = {2, 1};
    struct arena a;
    struct err e;
    struct tensor t[4];
    struct hash h[4];
    (void)state;
    arena_init(&a);
    assert_true(tensor_from_doubles(DTYPE_INT32, row, 2, ones, &a, &t[0], &e));
    assert_true(tensor_from_doubles(DTYPE_INT32, column, 2, ones, &a, &t[1], &e));
    assert_true(tensor_from_doubles(DTYPE_UINT32, row, 2, ones, &a, &t[2], &e));
    assert_true(tensor_from_doubles(DTYPE_INT32, row, 2, other, &a, &t[3], &e));
    for (size_t i = 0; i < 4; i++) {
        struct hasher hasher;
        hasher_init(&hasher);
        tensor_hash(&t[i], &hasher);
        h[i] = hasher_done(&hasher);
        for (size_t j = 0; j < i; j++)
            assert_false(hash_eq(&h[i], &h[j]));
    }
    assert_true(tensor_same_bits(&t[0], &t[0]));
    assert_false(tensor_same_bits(&t[0], &t[1]));
    arena_done(&a);
}

TEST_SUITE(onnx_tensor, TEST(numbers_of_every_dtype_come_back),
           TEST(narrow_types_share_bytes_low_bits_first), TEST(counts_refuse_what_does_not_fit),
           TEST(hash_tells_dtype_shape_and_bytes))
