/* Sums that leave the float range on the way have no defined value, nor have values computed from
 * them. */
#include "unit/onnx/eval/net_p.h"
#include "unit/onnx/eval/one_op_p.h"

static void sums_beyond_the_range_are_undefined(void **state)
{
    static const struct one_op_row rows[] = {
        {"products that cancel",
         17,
         "MatMul",
         "",
         {"float[1,2] 3e38 -3e38", "float[2,1] 2 2"},
         {"float[1,1] ?"}},
        {"large but inside",
         17,
         "MatMul",
         "",
         {"float[1,2] 1e30 1", "float[2,1] 2 2"},
         {"float[1,1] 2e30"}},
        {"only the column that overflows",
         17,
         "MatMul",
         "",
         {"float[1,2] 3e38 -3e38", "float[2,2] 2 0.125 2 0.125"},
         {"float[1,2] ? 0"}},
        {"double has the room",
         17,
         "MatMul",
         "",
         {"double[1,2] 3e38 -3e38", "double[2,1] 2 2"},
         {"double[1,1] 0"}},
        {"double has not",
         17,
         "MatMul",
         "",
         {"double[1,2] 1e308 -1e308", "double[2,1] 10 10"},
         {"double[1,1] ?"}},
        {"narrow floats are summed wider",
         17,
         "MatMul",
         "",
         {"float16[1,2] 60000 -60000", "float16[2,1] 2 2"},
         {"float16[1,1] 0"}},
        {"a product with C",
         13,
         "Gemm",
         "beta=1.0",
         {"float[1,1] 3e38", "float[1,1] -2", "float[1] 3e38"},
         {"float[1,1] ?"}},
        {"a convolution",
         11,
         "Conv",
         "",
         {"float[1,1,3] 3e38 -3e38 1", "float[1,1,2] 2 2"},
         {"float[1,1,2] ? ?"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

static void reductions_beyond_the_range_are_undefined(void **state)
{
    static const struct one_op_row rows[] = {
        {"a sum", 13, "ReduceSum", "keepdims=0", {"float[3] 3e38 3e38 -3e38"}, {"float[] ?"}},
        {"a mean whose sum overflows",
         13,
         "ReduceMean",
         "keepdims=0",
         {"float[2] 3e38 3e38"},
         {"float[] ?"}},
        {"a pool's mean",
         11,
         "GlobalAveragePool",
         "",
         {"float[1,1,2] 3e38 3e38"},
         {"float[1,1,1] ?"}},
        {"squares under a root",
         13,
         "ReduceL2",
         "keepdims=0",
         {"float[2] 3e25 4e25"},
         {"float[] ?"}},
        {"squares that fit",
         13,
         "ReduceL2",
         "keepdims=0",
         {"float[2] 3e17 4e17"},
         {"float[] 5e17"}},
        {"a running sum",
         14,
         "CumSum",
         "",
         {"float[3] 3e38 3e38 -3e38", "!int64[] 0"},
         {"float[3] 3e38 ? ?"}},
        {"a product up and down",
         13,
         "ReduceProd",
         "keepdims=0",
         {"float[3] 1e30 1e30 1e-30"},
         {"float[] ?"}},
        {"a product inside",
         13,
         "ReduceProd",
         "keepdims=0",
         {"float[3] 1e30 1e-30 2"},
         {"float[] 2"}},
        {"infinity itself is defined",
         13,
         "ReduceSum",
         "keepdims=0",
         {"float[2] inf 1"},
         {"float[] inf"}},
        {"infinity beside sums that overflow is not",
         13,
         "ReduceSum",
         "keepdims=0",
         {"float[3] inf -3e38 -3e38"},
         {"float[] ?"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

static void what_follows_is_undefined_too(void **state)
{
    static const double a[] = {3e38, -3e38, 1, 1}, b[] = {2, 2};
    static const int64_t a_dims[] = {2, 2}, b_dims[] = {2, 1}, none = 0;
    static const double one = 1, zero = 0;
    static const struct eval_options plain = {0};
    struct net n;
    (void)state;
    net_open(&n, 17);
    uint32_t factors[] = {net_input(&n, DTYPE_FLOAT, a_dims, 2, a),
                          net_input(&n, DTYPE_FLOAT, b_dims, 2, b)};
    uint32_t product = net_node(&n, "MatMul", factors, 2);
    uint32_t levels[] = {net_node(&n, "Sigmoid", &product, 1),
                         net_input(&n, DTYPE_FLOAT, &none, 0, &one),
                         net_input(&n, DTYPE_INT8, &none, 0, &zero)};
    const struct value *v = net_run(&n, net_node(&n, "QuantizeLinear", levels, 3), &plain);
    assert_non_null(v);
    assert_int_equal(v->n, 2);
    assert_non_null(v->undefined);
    assert_true(v->undefined[0]);
    assert_false(v->undefined[1]);
    net_close(&n);
}

/* The second region has a sample on the border and is undefined by itself; the first is only
 * because of X. */
static void all_regions_of_an_undefined_image_are_undefined(void **state)
{
    static const double a[] = {3e38, -3e38, 1, 1}, b[] = {2, 2, 2, 2};
    static const double regions[] = {0, 0, 1, 1, 0, 0, 1, 4}, images[] = {0, 0};
    static const int64_t dims[] = {1, 1, 2, 2}, region_dims[] = {2, 4};
    static const struct eval_options plain = {0};
    struct net n;
    (void)state;
    net_open(&n, 17);
    uint32_t factors[] = {net_input(&n, DTYPE_FLOAT, dims, 4, a),
                          net_input(&n, DTYPE_FLOAT, dims, 4, b)};
    uint32_t in[] = {net_node(&n, "MatMul", factors, 2),
                     net_input(&n, DTYPE_FLOAT, region_dims, 2, regions),
                     net_input(&n, DTYPE_INT64, region_dims, 1, images)};
    uint32_t y = net_node(&n, "RoiAlign", in, 3);
    node_set_int(n.m, net_last(&n), "sampling_ratio", 1);
    node_set_string(n.m, net_last(&n), "coordinate_transformation_mode", "output_half_pixel");
    const struct value *v = net_run(&n, y, &plain);
    assert_non_null(v);
    assert_int_equal(v->n, 2);
    assert_non_null(v->undefined);
    assert_true(v->undefined[0] && v->undefined[1]);
    net_close(&n);
}

TEST_SUITE(onnx_overflow, TEST(sums_beyond_the_range_are_undefined),
           TEST(reductions_beyond_the_range_are_undefined), TEST(what_follows_is_undefined_too),
           TEST(all_regions_of_an_undefined_image_are_undefined))
