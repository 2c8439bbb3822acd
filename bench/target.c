/*
 * Rate of the pool on ONNX Runtime off + all: a 13-node convolution net, one case per request,
 * isolated as in a hunt. Prints cases/s of one worker beside the target.
 *
 *     bench_target HOME [SECONDS [BATCH]]     HOME: where `assay targets add ort` put the engine
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "onnx/io.h"
#include "os/fork.h"
#include "os/inside.h"
#include "target/pool.h"
#include "target/worker.h"

enum { IN_FLIGHT = 4, TARGET_RATE = 300 };

struct net {
    struct model *m;
    struct arena *a;
    struct rng rng;
    int n_weights;
};

static uint32_t weight(struct net *n, const int64_t *dims, uint32_t rank, double scale)
{
    struct tensor t;
    struct err e;
    size_t count = 1;
    for (uint32_t i = 0; i < rank; i++)
        count *= (size_t)dims[i];
    double *values = arena_new_array(n->a, double, count);
    for (size_t i = 0; i < count; i++)
        values[i] = scale * rng_normal(&n->rng);
    if (!tensor_from_doubles(DTYPE_FLOAT, dims, rank, values, n->a, &t, &e))
        exit(70);
    char *name = arena_printf(n->a, "w%d", n->n_weights++);
    return graph_add_initializer(n->m, n->m->graph, str_of(name), arena_dup(n->a, &t, sizeof t));
}

static uint32_t node(struct net *n, const char *op, const uint32_t *in, uint32_t n_in)
{
    return graph_add_node(n->m, n->m->graph, op, in, n_in, 1);
}

static uint32_t conv(struct net *n, uint32_t x, int64_t from, int64_t to)
{
    static const int64_t pads[] = {1, 1, 1, 1};
    uint32_t in[] = {x, weight(n, (int64_t[]){to, from, 3, 3}, 4, 0.1), weight(n, &to, 1, 0.1)};
    uint32_t y = node(n, "Conv", in, 3);
    node_set_ints(n->m, graph_last_node(n->m->graph), "pads", pads, 4);
    return y;
}

static uint32_t normalise(struct net *n, uint32_t x, int64_t channels)
{
    double *ones = arena_new_array(n->a, double, (size_t)channels);
    struct tensor t;
    struct err e;
    for (int64_t i = 0; i < channels; i++)
        ones[i] = 1;
    if (!tensor_from_doubles(DTYPE_FLOAT, &channels, 1, ones, n->a, &t, &e))
        exit(70);
    uint32_t one =
        graph_add_initializer(n->m, n->m->graph, STR("one"), arena_dup(n->a, &t, sizeof t));
    uint32_t in[] = {x, weight(n, &channels, 1, 1), weight(n, &channels, 1, 1),
                     weight(n, &channels, 1, 0.1), one};
    return node(n, "BatchNormalization", in, 5);
}

static uint32_t pool_max(struct net *n, uint32_t x)
{
    static const int64_t two[] = {2, 2};
    uint32_t y = node(n, "MaxPool", &x, 1);
    node_set_ints(n->m, graph_last_node(n->m->graph), "kernel_shape", two, 2);
    node_set_ints(n->m, graph_last_node(n->m->graph), "strides", two, 2);
    return y;
}

/* Conv BN Relu MaxPool Conv BN Relu Conv Relu Add GlobalAveragePool Flatten Gemm */
static struct model *make_net(struct arena *a)
{
    static const int64_t dims[] = {1, 3, 32, 32};
    struct net n = {.m = model_new(a, 17), .a = a};
    struct err e;
    rng_init(&n.rng, 1, RNG_WEIGHT, 0);
    uint32_t x = graph_add_input(n.m, n.m->graph, STR("x"), DTYPE_FLOAT, dims, 4);
    x = normalise(&n, conv(&n, x, 3, 8), 8);
    x = node(&n, "Relu", &x, 1);
    x = pool_max(&n, x);
    x = normalise(&n, conv(&n, x, 8, 16), 16);
    uint32_t kept = x = node(&n, "Relu", &x, 1);
    x = conv(&n, x, 16, 16);
    x = node(&n, "Relu", &x, 1);
    x = node(&n, "Add", (uint32_t[]){x, kept}, 2);
    x = node(&n, "GlobalAveragePool", &x, 1);
    x = node(&n, "Flatten", &x, 1);
    uint32_t in[] = {x, weight(&n, (int64_t[]){16, 10}, 2, 0.3),
                     weight(&n, (int64_t[]){10}, 1, 0.1)};
    x = node(&n, "Gemm", in, 3);
    n.m->graph->values.at[x].dtype = DTYPE_FLOAT;
    n.m->graph->values.at[x].shape = shape_from_dims((int64_t[]){1, 10}, 2, a);
    graph_add_output(n.m->graph, x);
    if (!model_finish(n.m, &e)) {
        fprintf(stderr, "%s\n", e.text);
        exit(70);
    }
    return n.m;
}

struct bench {
    struct pool *pool;
    struct pool_batch batch;
    struct tcase *c;
    struct target_list targets;
    struct arena arenas[IN_FLIGHT];
    int64_t until_ns;
    uint64_t n_done, n_failed, index;
};

struct inflight_case {
    struct bench *b;
    struct arena *a;
};

static void launch(struct inflight_case *f);

static void on_done(void *ctx, const struct pool_result *r)
{
    struct inflight_case *f = ctx;
    for (size_t i = 0; i < r->n_observations; i++)
        if (r->observations[i].outcome != OUTCOME_OK && !f->b->n_failed++)
            fprintf(stderr, "first failure: " STR_FMT "\n",
                    STR_ARG(r->observations[i].message.raw));
    f->b->n_done++;
    if (clock_now_ns() < f->b->until_ns)
        launch(f);
}

static void launch(struct inflight_case *f)
{
    struct err e;
    arena_reset(f->a);
    struct tcase *c = arena_dup(f->a, f->b->c, sizeof *c);
    c->from.index = f->b->index++;
    struct pool_request request = {
        .c = c, .targets = f->b->targets.at, .n_targets = f->b->targets.n, .arena = f->a};
    if (!pool_batch_submit(&f->b->batch, &request, on_done, f, &e)) {
        fprintf(stderr, "%s\n", e.text);
        exit(70);
    }
}

static bool measure(struct bench *b, struct loop *loop, int64_t seconds, double *rate,
                    struct err *e)
{
    struct inflight_case inflight[IN_FLIGHT];
    b->n_done = 0;
    b->until_ns = clock_now_ns() + seconds * LOOP_SECOND;
    int64_t from = clock_now_ns();
    for (int i = 0; i < IN_FLIGHT; i++) {
        inflight[i] = (struct inflight_case){b, &b->arenas[i]};
        launch(&inflight[i]);
    }
    while (pool_n_pending(b->pool))
        if (!loop_turn(loop, LOOP_FOREVER, e))
            return false;
    *rate = (double)b->n_done / ((double)(clock_now_ns() - from) / LOOP_SECOND);
    return true;
}

static bool bench(const char *home, int64_t seconds, uint32_t batch, struct err *e)
{
    struct arena a;
    struct bench b = {0};
    struct targets all;
    struct loop *loop;
    double warm, rate;
    arena_init(&a);
    for (int i = 0; i < IN_FLIGHT; i++)
        arena_init(&b.arenas[i]);
    if (!targets_load(home, &a, &all, e) || !targets_resolve(&all, "ort/off", &a, &b.targets, e) ||
        !targets_resolve(&all, "ort/all", &a, &b.targets, e) || !loop_open(&loop, e))
        return false;
    struct pool_options options = {.loop = loop, .home = home, .batch = batch};
    if (!pool_open(&options, &b.pool, e))
        return false;
    pool_batch_init(&b.batch, b.pool);
    static const int64_t dims[] = {1, 3, 32, 32};
    double *values = arena_new_array(&a, double, 3 * 32 * 32);
    for (size_t i = 0; i < 3 * 32 * 32; i++)
        values[i] = (double)(i % 33) / 16 - 1;
    struct named_tensor x = {.name = STR("x")};
    if (!tensor_from_doubles(DTYPE_FLOAT, dims, 4, values, &a, &x.tensor, e))
        return false;
    struct tensors set = {&x, 1};
    struct tcase c = {.kind = CASE_GRAPH,
                      .graph = make_net(&a),
                      .input_sets = &set,
                      .n_input_sets = 1,
                      .from = {.generator = "bench"}};
    case_seal(&c);
    b.c = &c;
    if (!measure(&b, loop, 1, &warm, e) || !measure(&b, loop, seconds, &rate, e))
        return false;
    pool_batch_done(&b.batch);
    pool_close(b.pool);
    double cpu_ms = (double)(fork_usage().cpu_ns + fork_children_usage().cpu_ns) / 1e6;
    printf("{\"bench\": \"target\", \"what\": \"13-node net, ORT off + all through the pool\", "
           "\"rate\": %.1f, \"unit\": \"cases/s\", \"target\": %d, \"cpu_ms_per_case\": %.3f, "
           "\"failed\": %llu}\n",
           rate, TARGET_RATE, cpu_ms / (double)b.index, (unsigned long long)b.n_failed);
    loop_close(loop);
    for (int i = 0; i < IN_FLIGHT; i++)
        arena_done(&b.arenas[i]);
    arena_done(&a);
    return true;
}

int main(int argc, char **argv)
{
    struct err e;
    int code;
    if (inside_main(argc, argv, &code))
        return code;
    if (argc == 4 && strcmp(argv[1], "worker") == 0)
        return worker_ort_main(argv[3], WORKER_FD);
    if (argc < 2) {
        fprintf(stderr, "usage: bench_target HOME [SECONDS [BATCH]]\n");
        return 64;
    }
    int64_t seconds = argc > 2 ? strtoll(argv[2], NULL, 10) : 5;
    if (bench(argv[1], seconds, argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0, &e))
        return 0;
    fprintf(stderr, "bench_target: %s\n", e.text);
    return err_exit_code(e.code);
}
