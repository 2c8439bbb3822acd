/* Conv, ConvTranspose, MatMul and pools against loops that follow the definition word by word. */
#include <math.h>

#include "base/rng.h"
#include "unit/onnx/eval/net_p.h"
#include "unit/onnx/eval/one_op_p.h"
#include "unit/test.h"

enum { ROUNDS = 60, ELEMENTS_MAX = 4096 };

struct shape4 {
    int64_t n, c, h, w;
};

static void fill(struct rng *r, double *to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (double)rng_between(r, -8, 8) / 4;
}

struct conv_case {
    struct shape4 x, w, y;
    int64_t group, stride[2], dilation[2], pads[4];
    double image[ELEMENTS_MAX], weights[ELEMENTS_MAX], bias[16];
};

static void draw_conv(struct rng *r, struct conv_case *c)
{
    c->group = rng_between(r, 1, 2);
    int64_t c_in = rng_between(r, 1, 2), m = rng_between(r, 1, 2) * c->group;
    c->x = (struct shape4){rng_between(r, 1, 2), c_in * c->group, rng_between(r, 5, 8),
                           rng_between(r, 5, 8)};
    c->w = (struct shape4){m, c_in, rng_between(r, 1, 3), rng_between(r, 1, 3)};
    for (int i = 0; i < 2; i++) {
        c->stride[i] = rng_between(r, 1, 3);
        c->dilation[i] = rng_between(r, 1, 2);
        c->pads[i] = rng_between(r, 0, 2);
        c->pads[i + 2] = rng_between(r, 0, 2);
    }
    fill(r, c->image, c->x.n * c->x.c * c->x.h * c->x.w);
    fill(r, c->weights, ELEMENTS_MAX);
    fill(r, c->bias, 16);
}

static const struct value *run_conv(struct net *n, const struct conv_case *c, const char *op,
                                    const int64_t *w_dims, int64_t n_bias)
{
    const int64_t x_dims[] = {c->x.n, c->x.c, c->x.h, c->x.w};
    net_open(n, 17);
    uint32_t in[] = {net_input(n, DTYPE_FLOAT, x_dims, 4, c->image),
                     net_input(n, DTYPE_FLOAT, w_dims, 4, c->weights),
                     net_list(n, DTYPE_FLOAT, n_bias, c->bias)};
    uint32_t y = net_node(n, op, in, 3);
    node_set_int(n->m, net_last(n), "group", c->group);
    node_set_ints(n->m, net_last(n), "strides", c->stride, 2);
    node_set_ints(n->m, net_last(n), "dilations", c->dilation, 2);
    node_set_ints(n->m, net_last(n), "pads", c->pads, 4);
    const struct eval_options options = {0};
    return net_run(n, y, &options);
}

/* One element of Conv by its definition. */
static double conv_at(const struct conv_case *c, struct shape4 o)
{
    double sum = c->bias[o.c];
    int64_t g = o.c / (c->w.n / c->group);
    for (int64_t ci = 0; ci < c->w.c; ci++)
        for (int64_t i = 0; i < c->w.h; i++)
            for (int64_t j = 0; j < c->w.w; j++) {
                int64_t y = o.h * c->stride[0] + i * c->dilation[0] - c->pads[0];
                int64_t x = o.w * c->stride[1] + j * c->dilation[1] - c->pads[1];
                if (y < 0 || y >= c->x.h || x < 0 || x >= c->x.w)
                    continue;
                sum += c->weights[((o.c * c->w.c + ci) * c->w.h + i) * c->w.w + j] *
                       c->image[((o.n * c->x.c + g * c->w.c + ci) * c->x.h + y) * c->x.w + x];
            }
    return sum;
}

static void conv_is_its_definition(void **state)
{
    static struct conv_case c;
    struct rng r;
    (void)state;
    rng_init(&r, 1, RNG_TEST, 0);
    for (int round = 0; round < ROUNDS; round++) {
        struct net n;
        draw_conv(&r, &c);
        const int64_t w_dims[] = {c.w.n, c.w.c, c.w.h, c.w.w};
        const struct value *v = run_conv(&n, &c, "Conv", w_dims, c.w.n);
        assert_non_null(v);
        assert_true(v->exact); /* quarters */
        size_t at = 0;
        for (int64_t b = 0; b < v->dims[0]; b++)
            for (int64_t m = 0; m < v->dims[1]; m++)
                for (int64_t h = 0; h < v->dims[2]; h++)
                    for (int64_t w = 0; w < v->dims[3]; w++)
                        assert_true(v->f[at++] == conv_at(&c, (struct shape4){b, m, h, w}));
        assert_int_equal(at, v->n);
        net_close(&n);
    }
}

/* Adds every product of the adjoint at its output position. */
static void transpose_by_definition(const struct conv_case *c, const struct value *v, double *y)
{
    int64_t m = c->w.c, per_group = c->x.c / c->group;
    for (size_t i = 0; i < v->n; i++)
        y[i] = c->bias[i / (size_t)(v->dims[2] * v->dims[3]) % (size_t)v->dims[1]];
    for (int64_t b = 0; b < c->x.n; b++)
        for (int64_t ci = 0; ci < c->x.c; ci++)
            for (int64_t h = 0; h < c->x.h; h++)
                for (int64_t w = 0; w < c->x.w; w++)
                    for (int64_t k = 0; k < m * c->w.h * c->w.w; k++) {
                        int64_t out = ci / per_group * m + k / (c->w.h * c->w.w);
                        int64_t i = k / c->w.w % c->w.h, j = k % c->w.w;
                        int64_t to_h = h * c->stride[0] + i * c->dilation[0] - c->pads[0];
                        int64_t to_w = w * c->stride[1] + j * c->dilation[1] - c->pads[1];
                        if (to_h < 0 || to_h >= v->dims[2] || to_w < 0 || to_w >= v->dims[3])
                            continue;
                        y[((b * v->dims[1] + out) * v->dims[2] + to_h) * v->dims[3] + to_w] +=
                            c->image[((b * c->x.c + ci) * c->x.h + h) * c->x.w + w] *
                            c->weights[ci * m * c->w.h * c->w.w + k];
                    }
}

static void conv_transpose_is_the_adjoint(void **state)
{
    static struct conv_case c;
    static double y[1 << 16];
    struct rng r;
    (void)state;
    rng_init(&r, 2, RNG_TEST, 0);
    for (int round = 0; round < ROUNDS; round++) {
        struct net n;
        draw_conv(&r, &c);
        c.w = (struct shape4){c.x.c, c.w.c, c.w.h, c.w.w};
        const int64_t w_dims[] = {c.w.n, c.w.c, c.w.h, c.w.w};
        const struct value *v = run_conv(&n, &c, "ConvTranspose", w_dims, c.w.c * c.group);
        assert_non_null(v);
        transpose_by_definition(&c, v, y);
        for (size_t i = 0; i < v->n; i++)
            assert_true(v->f[i] == y[i]);
        net_close(&n);
    }
}

static void matmul_broadcasts_as_numpy_does(void **state)
{
    static const struct {
        const char *name;
        int64_t a[4], b[4];
        uint32_t rank_a, rank_b;
        const char *shape;
    } rows[] = {
        {"matrices", {2, 3}, {3, 4}, 2, 2, "[2,4]"},
        {"vectors", {3}, {3}, 1, 1, "[]"},
        {"row", {3}, {3, 4}, 1, 2, "[4]"},
        {"column", {2, 3}, {3}, 2, 1, "[2]"},
        {"batch and matrix", {5, 2, 3}, {3, 4}, 3, 2, "[5,2,4]"},
        {"matrix and batch", {2, 3}, {5, 3, 4}, 2, 3, "[5,2,4]"},
        {"batches meet", {5, 1, 2, 3}, {1, 2, 3, 4}, 4, 4, "[5,2,2,4]"},
        {"vector and batch", {3}, {2, 3, 4}, 1, 3, "[2,4]"},
        {"no terms", {2, 0}, {0, 4}, 2, 2, "[2,4]"},
        {"no rows", {0, 3}, {3, 4}, 2, 2, "[0,4]"},
    };
    static double numbers[256];
    struct rng r;
    (void)state;
    rng_init(&r, 3, RNG_TEST, 0);
    fill(&r, numbers, 256);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct net n;
        net_open(&n, 17);
        uint32_t in[] = {net_input(&n, DTYPE_FLOAT, rows[i].a, rows[i].rank_a, numbers),
                         net_input(&n, DTYPE_FLOAT, rows[i].b, rows[i].rank_b, numbers + 7)};
        const struct eval_options options = {0};
        const struct value *v = net_run(&n, net_node(&n, "MatMul", in, 2), &options);
        ASSERT_ROW(v != NULL, rows[i].name);
        struct strbuf text = {0};
        shape_print(n.m, &n.m->graph->values.at[n.m->graph->outputs.at[0]].shape, &text);
        ASSERT_ROW(!strcmp(text.at, rows[i].shape), rows[i].name);
        strbuf_done(&text);
        int64_t k = rows[i].a[rows[i].rank_a - 1],
                cols = rows[i].rank_b > 1 ? rows[i].b[rows[i].rank_b - 1] : 1;
        double sum = 0; /* the first element */
        for (int64_t l = 0; l < k; l++)
            sum += numbers[l] * numbers[7 + l * cols];
        ASSERT_ROW(!v->n || v->f[0] == sum, rows[i].name);
        net_close(&n);
    }
}

static void empty_windows_have_no_value(void **state)
{
    static const int64_t dims[] = {1, 1, 3}, kernel[] = {2}, pads[] = {2, 0};
    static const double x[] = {1, -2, 3};
    static const char *const ops[] = {"MaxPool", "AveragePool"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ops); i++) {
        struct net n;
        net_open(&n, 17);
        uint32_t in = net_input(&n, DTYPE_FLOAT, dims, 3, x);
        uint32_t y = net_node(&n, ops[i], &in, 1);
        node_set_ints(n.m, net_last(&n), "kernel_shape", kernel, 1);
        node_set_ints(n.m, net_last(&n), "pads", pads, 2);
        const struct eval_options options = {0};
        const struct value *v = net_run(&n, y, &options);
        ASSERT_ROW(v && v->n == 4 && v->undefined, ops[i]);
        ASSERT_ROW(v->undefined[0] && !v->undefined[1] && !v->undefined[2], ops[i]);
        ASSERT_ROW(v->f[1] == 1, ops[i]);
        net_close(&n);
    }
}

/* "divided by the number of elements": the standard does not say whether a position beyond the pads
 * is one. */
static void averages_that_reach_behind_the_pads_are_open(void **state)
{
    static const struct one_op_row rows[] = {
        {"without pads in the count",
         19,
         "AveragePool",
         "kernel_shape=[2] strides=[2] ceil_mode=1",
         {"float[1,1,3] 1 2 3"},
         {"float[1,1,2] 1.5 3"}},
        {"with them",
         19,
         "AveragePool",
         "kernel_shape=[2] strides=[2] ceil_mode=1 count_include_pad=1",
         {"float[1,1,3] 1 2 3"},
         {"float[1,1,2] 1.5 ?"}},
        {"with them, ending in the pads",
         19,
         "AveragePool",
         "kernel_shape=[2] strides=[2] pads=[0,1] ceil_mode=1 count_include_pad=1",
         {"float[1,1,3] 1 2 3"},
         {"float[1,1,2] 1.5 1.5"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

/* "output_shape[i] = input_shape[i] * strides[i]": a kernel that covers less than the stride cannot
 * reach it, and the standard's own inference then gives another size. */
static void transposed_same_is_open_where_the_kernel_is_short(void **state)
{
    static const struct {
        const char *auto_pad;
        int64_t kernel, stride, size; /* -1: open */
    } rows[] = {
        {"SAME_LOWER", 1, 2, -1}, {"SAME_UPPER", 1, 2, -1}, {"SAME_LOWER", 1, 3, -1},
        {"SAME_UPPER", 2, 3, -1}, {"SAME_LOWER", 2, 2, 6},  {"SAME_UPPER", 3, 2, 6},
        {"SAME_LOWER", 1, 1, 3},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const int64_t x_dims[] = {1, 1, 3}, w_dims[] = {1, 1, rows[i].kernel};
        const double ones[] = {1, 1, 1};
        struct net n;
        net_open(&n, 22);
        uint32_t in[] = {net_input(&n, DTYPE_FLOAT, x_dims, 3, ones),
                         net_input(&n, DTYPE_FLOAT, w_dims, 3, ones)};
        uint32_t y = net_node(&n, "ConvTranspose", in, 2);
        node_set_ints(n.m, net_last(&n), "strides", &rows[i].stride, 1);
        node_set_string(n.m, net_last(&n), "auto_pad", rows[i].auto_pad);
        const struct value *v = net_run(&n, y, &(struct eval_options){0});
        if (rows[i].size < 0)
            assert_true(!v && n.e.code == ERR_UNSUPPORTED);
        else
            assert_true(v && v->dims[2] == rows[i].size);
        net_close(&n);
    }
}

TEST_SUITE(onnx_window, TEST(conv_is_its_definition), TEST(conv_transpose_is_the_adjoint),
           TEST(matmul_broadcasts_as_numpy_does), TEST(empty_windows_have_no_value),
           TEST(averages_that_reach_behind_the_pads_are_open),
           TEST(transposed_same_is_open_where_the_kernel_is_short))
