/* Literals read back as the same bits: few as decimals, others packed. */
#include "report/python_p.h"

#include <math.h>

#include "unit/test.h"

static void tensors_are_literals_or_packed_bytes(void **state)
{
    static const struct {
        enum dtype dtype;
        size_t n;
        double values[3];
        const char *text;
    } rows[] = {
        {DTYPE_FLOAT, 2, {1, 0.1f}, "values([1.0, 0.100000001], TensorProto.FLOAT, [2])"},
        {DTYPE_DOUBLE, 1, {0.1}, "values([0.10000000000000001], TensorProto.DOUBLE, [1])"},
        {DTYPE_FLOAT, 2, {INFINITY, -INFINITY}, "values([inf, -inf], TensorProto.FLOAT, [2])"},
        {DTYPE_FLOAT, 2, {-0.0, 1e-45}, "values([-0.0, 1.40129846e-45], TensorProto.FLOAT, [2])"},
        {DTYPE_FLOAT, 3, {2, 2, 2}, "values([2.0] * 3, TensorProto.FLOAT, [3])"},
        {DTYPE_INT64, 2, {-7, 3}, "values([-7, 3], TensorProto.INT64, [2])"},
        {DTYPE_BOOL, 2, {1, 0}, "values([True, False], TensorProto.BOOL, [2])"},
        {DTYPE_FLOAT, 1, {NAN}, "packed(\"AADAfw==\", TensorProto.FLOAT, [1])"},
        {DTYPE_BFLOAT16, 1, {1}, "packed(\"gD8=\", TensorProto.BFLOAT16, [1])"},
        {DTYPE_FLOAT, 0, {0}, "values([], TensorProto.FLOAT, [0])"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e;
        struct tensor t;
        struct strbuf b = {0};
        const int64_t dims[] = {(int64_t)rows[i].n};
        arena_init(&a);
        assert_true(tensor_from_doubles(rows[i].dtype, dims, 1, rows[i].values, &a, &t, &e));
        python__tensor(&t, &b);
        assert_string_equal(b.at, rows[i].text);
        strbuf_done(&b);
        arena_done(&a);
    }
}

static void strings_are_escaped(void **state)
{
    struct strbuf b = {0};
    (void)state;
    python__string(STR("a\"b\\c\nd"), &b);
    assert_string_equal(b.at, "\"a\\\"b\\\\c\\nd\"");
    strbuf_done(&b);
}

TEST_SUITE(report_python, TEST(tensors_are_literals_or_packed_bytes), TEST(strings_are_escaped))
