/* Literals read back as the same bits: few as decimals, others as bytes. */
#include "emit/literal.h"
#include "report/python_p.h"

#include <math.h>

#include "unit/test.h"

static void tensors_are_lists_or_bytes(void **state)
{
    static const struct {
        enum dtype dtype;
        size_t n;
        double values[6];
        const char *text;
    } rows[] = {
        {DTYPE_FLOAT, 2, {1, 0.1f}, "np.array([1.0, 0.1], \"float32\")"},
        {DTYPE_FLOAT, 1, {16777217.0 / 3}, "np.array([5592405.5], \"float32\")"},
        {DTYPE_DOUBLE, 1, {0.1 + 0.2}, "np.array([0.30000000000000004], \"float64\")"},
        {DTYPE_FLOAT, 2, {INFINITY, -INFINITY}, "np.array([np.inf, -np.inf], \"float32\")"},
        {DTYPE_FLOAT, 2, {-0.0, 1e-45}, "np.array([-0.0, 1e-45], \"float32\")"},
        {DTYPE_FLOAT, 6, {2, 2, 2, 2, 2, 2}, "np.array([2.0] * 6, \"float32\")"},
        {DTYPE_INT64, 2, {-7, 3}, "np.array([-7, 3], \"int64\")"},
        {DTYPE_BOOL, 2, {1, 0}, "np.array([True, False], \"bool\")"},
        {DTYPE_FLOAT, 1, {NAN}, "np.frombuffer(base64.b64decode(\"AADAfw==\"), \"float32\")"},
        {DTYPE_BFLOAT16,
         1,
         {1},
         "numpy_helper.to_array(helper.make_tensor(\"\", TensorProto.BFLOAT16, [1], [1.0]))"},
        {DTYPE_FLOAT, 0, {0}, "np.zeros([0], \"float32\")"},
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
        python__array(&t, &b);
        assert_string_equal(b.at, rows[i].text);
        strbuf_done(&b);
        arena_done(&a);
    }
}

/* As the writer of model.onnx does: raw data of no bytes. */
static void tensors_without_elements_are_raw(void **state)
{
    static const struct {
        enum dtype dtype;
        const char *text;
    } rows[] = {
        {DTYPE_FLOAT, "helper.make_tensor(\"w\", TensorProto.FLOAT, [1, 0], b\"\", raw=True)"},
        {DTYPE_INT4, "helper.make_tensor(\"w\", TensorProto.INT4, [1, 0], b\"\", raw=True)"},
        {DTYPE_STRING, "helper.make_tensor(\"w\", TensorProto.STRING, [1, 0], [])"},
    };
    static const int64_t dims[] = {1, 0};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct strbuf b = {0};
        const struct tensor t = {.dtype = rows[i].dtype, .rank = 2, .dims = dims};
        python__make_tensor(STR("w"), &t, &b);
        assert_string_equal(b.at, rows[i].text);
        strbuf_done(&b);
    }
}

static void strings_are_escaped(void **state)
{
    struct strbuf b = {0};
    (void)state;
    literal_string(STR("a\"b\\c\nd"), &b);
    assert_string_equal(b.at, "\"a\\\"b\\\\c\\nd\"");
    strbuf_done(&b);
}

TEST_SUITE(report_python, TEST(tensors_are_lists_or_bytes), TEST(tensors_without_elements_are_raw),
           TEST(strings_are_escaped))
