/*
 * Rates of the reference evaluator and of a generator's steps, as one JSON line: evaluation of a
 * convolutional net of 13 nodes, with its allocations; a large matrix product and a large
 * convolution; copy, finish and inference of the net.
 *
 *     bench_eval [ROUNDS]
 */
#include <stdio.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/rng.h"
#include "onnx/eval.h"
#include "onnx/infer.h"
#include "onnx/io.h"

enum { ROUNDS = 200 };

struct bench {
    struct arena *a;
    struct model *m;
    struct rng rng;
    struct err e;
};

static void die(const struct bench *b)
{
    fprintf(stderr, "bench_eval: %s\n", b->e.text);
    exit(1);
}

static struct tensor random_tensor(struct bench *b, const int64_t *dims, uint32_t rank)
{
    struct tensor t;
    void *data;
    if (!tensor_make(DTYPE_FLOAT, dims, rank, b->a, &t, &data, &b->e))
        die(b);
    for (size_t i = 0; i < t.n; i++)
        tensor_put_double(DTYPE_FLOAT, data, i, rng_normal(&b->rng) * 0.1);
    return t;
}

static uint32_t weight(struct bench *b, const int64_t *dims, uint32_t rank)
{
    struct tensor *t = arena_new(b->a, struct tensor);
    *t = random_tensor(b, dims, rank);
    return graph_add_initializer(b->m, b->m->graph, STR("w"), t);
}

static uint32_t node(struct bench *b, const char *op, uint32_t x)
{
    return graph_add_node(b->m, b->m->graph, op, &x, 1, 1);
}

static uint32_t conv(struct bench *b, uint32_t x, int64_t c, int64_t m, int64_t k)
{
    int64_t w_dims[] = {m, c, k, k};
    uint32_t in[] = {x, weight(b, w_dims, 4), weight(b, &m, 1)};
    uint32_t y = graph_add_node(b->m, b->m->graph, "Conv", in, 3, 1);
    int64_t pads[] = {k / 2, k / 2, k / 2, k / 2};
    node_set_ints(b->m, graph_last_node(b->m->graph), "pads", pads, 4);
    return y;
}

static uint32_t pool(struct bench *b, uint32_t x)
{
    static const int64_t two[] = {2, 2};
    uint32_t y = node(b, "MaxPool", x);
    node_set_ints(b->m, graph_last_node(b->m->graph), "kernel_shape", two, 2);
    node_set_ints(b->m, graph_last_node(b->m->graph), "strides", two, 2);
    return y;
}

static uint32_t gemm(struct bench *b, uint32_t x, int64_t k, int64_t n)
{
    int64_t dims[] = {k, n};
    uint32_t in[] = {x, weight(b, dims, 2), weight(b, &n, 1)};
    return graph_add_node(b->m, b->m->graph, "Gemm", in, 3, 1);
}

/* Two blocks of Conv, Relu, MaxPool; Flatten; three Gemm with Relu between; Softmax. */
static void build_net(struct bench *b, const int64_t *input)
{
    b->m = model_new(b->a, 17);
    uint32_t x = graph_add_input(b->m, b->m->graph, STR("x"), DTYPE_FLOAT, input, 4);
    x = pool(b, node(b, "Relu", conv(b, x, 1, 6, 5)));
    x = pool(b, node(b, "Relu", conv(b, x, 6, 16, 5)));
    x = node(b, "Flatten", x);
    x = node(b, "Relu", gemm(b, x, 16 * 7 * 7, 120));
    x = node(b, "Relu", gemm(b, x, 120, 84));
    graph_add_output(b->m->graph, node(b, "Softmax", gemm(b, x, 84, 10)));
    if (!model_finish(b->m, &b->e) || !infer_model(b->m, &b->e))
        die(b);
}

static double eval_ms(struct bench *b, const struct tensors *inputs, int rounds)
{
    struct arena a;
    const struct eval_options options = {.budget = {.n_macs = (uint64_t)1 << 40}};
    arena_init(&a);
    int64_t best = INT64_MAX;
    for (int i = 0; i < rounds; i++) {
        struct eval_result r;
        int64_t start = clock_cpu_ns();
        if (!eval_run(b->m, inputs, &options, &a, &r, &b->e))
            die(b);
        arena_reset(&a);
        best = MIN(best, clock_cpu_ns() - start);
    }
    arena_done(&a);
    return (double)best / 1e6;
}

static double mutant_us(struct bench *b, int rounds)
{
    struct arena a;
    arena_init(&a);
    int64_t best = INT64_MAX;
    for (int i = 0; i < rounds; i++) {
        int64_t start = clock_cpu_ns();
        struct model *m = model_copy(b->m, &a);
        if (!model_finish(m, &b->e) || !infer_model(m, &b->e))
            die(b);
        arena_reset(&a);
        best = MIN(best, clock_cpu_ns() - start);
    }
    arena_done(&a);
    return (double)best / 1e3;
}

/* GMAC/s of evaluating a model with one input of these dims. */
static double gmacs(struct bench *b, const int64_t *dims, uint32_t rank, double n_macs)
{
    struct named_tensor x = {STR("x"), random_tensor(b, dims, rank)};
    struct tensors inputs = {&x, 1};
    if (!model_finish(b->m, &b->e) || !infer_model(b->m, &b->e))
        die(b);
    return n_macs / eval_ms(b, &inputs, 3) / 1e6;
}

static double matmul_rate(struct bench *b)
{
    static const int64_t dims[] = {1024, 1024};
    b->m = model_new(b->a, 17);
    uint32_t x = graph_add_input(b->m, b->m->graph, STR("x"), DTYPE_FLOAT, dims, 2);
    uint32_t in[] = {x, weight(b, dims, 2)};
    graph_add_output(b->m->graph, graph_add_node(b->m, b->m->graph, "MatMul", in, 2, 1));
    return gmacs(b, dims, 2, 1024.0 * 1024 * 1024);
}

static double conv_rate(struct bench *b)
{
    static const int64_t dims[] = {1, 128, 56, 56};
    b->m = model_new(b->a, 17);
    uint32_t x = graph_add_input(b->m, b->m->graph, STR("x"), DTYPE_FLOAT, dims, 4);
    graph_add_output(b->m->graph, conv(b, x, 128, 128, 3));
    return gmacs(b, dims, 4, 128.0 * 128 * 9 * 56 * 56);
}

int main(int argc, char **argv)
{
    static const int64_t image[] = {1, 1, 28, 28};
    struct arena a;
    struct bench b = {.a = &a};
    struct strbuf out = {0};
    int64_t rounds = ROUNDS;
    arena_init(&a);
    if (argc > 1 && (!str_to_i64(str_of(argv[1]), &rounds) || rounds < 1 || rounds > 1000000)) {
        fprintf(stderr, "usage: bench_eval [ROUNDS]\n");
        return 64;
    }
    rng_init(&b.rng, 1, RNG_TEST, 0);
    build_net(&b, image);
    struct named_tensor x = {STR("x"), random_tensor(&b, image, 4)};
    struct json_out w = json_open(&out, JSON_COMPACT);
    json_begin_object(&w);
    json_key(&w, "eval_13_nodes_ms");
    json_put_double(&w, eval_ms(&b, &(struct tensors){&x, 1}, (int)rounds));
    json_key(&w, "copy_finish_infer_us");
    json_put_double(&w, mutant_us(&b, (int)rounds));
    json_key(&w, "matmul_gmac_per_s");
    json_put_double(&w, matmul_rate(&b));
    json_key(&w, "conv_gmac_per_s");
    json_put_double(&w, conv_rate(&b));
    json_end_object(&w);
    printf("%s\n", out.at);
    strbuf_done(&out);
    arena_done(&a);
    return 0;
}
