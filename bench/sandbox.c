/*
 * What the sandbox costs: runs the same generated cases in one mode of an engine, alternately in
 * workers with every layer and in workers without namespaces and control groups. Prints the median
 * of the rounds' ratios of time per case, the difference in the start of a worker, and how many
 * cases gave the same results bit by bit.
 *
 *     bench_sandbox HOME MODE [CASES [ROUNDS [BATCH]]]     MODE: ort/all, torch/inductor;
 *                                                          BATCH: cases per child
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "generate/generate.h"
#include "os/inside.h"
#include "target/pool.h"
#include "target/worker.h"

enum { ROUNDS_MAX = 99, BOXED = 0, BARE = 1, N_WAYS = 2, SEED = 5 };

struct bench {
    struct loop *loop;
    struct target_list targets;
    struct generator *generator;
    const char *home;
    uint32_t batch;
    uint64_t index; /* of the next case */
    size_t n_cases, n_run, n_same, n_ok;
};

/* One of the two ways to run the cases of a round. */
struct way {
    struct hash *answers;
    bool *ok;
    double start_ms, case_ms; /* of the first case with the worker's start; of each other case */
};

struct answer {
    struct hash *hash;
    bool *ok;
};

static void on_done(void *ctx, const struct pool_result *r)
{
    struct answer *answer = ctx;
    struct hasher h;
    hasher_init(&h);
    *answer->ok = true;
    for (size_t i = 0; i < r->n_observations; i++) {
        const struct observation *o = &r->observations[i];
        hasher_add_u64(&h, o->outcome);
        if (o->outcome != OUTCOME_OK && *answer->ok)
            fprintf(stderr, "%s: " STR_FMT "\n", outcome_name(o->outcome), STR_ARG(o->message.raw));
        *answer->ok &= o->outcome == OUTCOME_OK;
        for (size_t k = 0; k < o->outputs.n; k++)
            tensor_hash(&o->outputs.at[k].tensor, &h);
    }
    *answer->hash = hasher_done(&h);
}

static bool run_one(const struct bench *b, struct pool_batch *batch, const struct tcase *c,
                    struct answer *answer, struct err *e)
{
    struct arena a;
    arena_init(&a);
    struct pool_request request = {
        .c = c, .targets = b->targets.at, .n_targets = b->targets.n, .arena = &a};
    bool ok = pool_batch_submit(batch, &request, on_done, answer, e);
    while (ok && batch->n_out)
        ok = loop_turn(b->loop, LOOP_FOREVER, e);
    arena_done(&a);
    return ok;
}

static double ms_since(int64_t from_ns)
{
    return (double)(clock_now_ns() - from_ns) / 1e6;
}

static bool run_way(const struct bench *b, struct tcase *const *cases, unsigned left_out,
                    struct way *way, struct err *e)
{
    struct pool_options options = {
        .loop = b->loop, .home = b->home, .batch = b->batch, .left_out = left_out};
    struct pool *pool;
    struct pool_batch batch;
    int64_t from = clock_now_ns();
    if (!pool_open(&options, &pool, e))
        return false;
    pool_batch_init(&batch, pool);
    bool ok = true;
    for (size_t i = 0; ok && i < b->n_cases; i++) {
        struct answer answer = {&way->answers[i], &way->ok[i]};
        ok = run_one(b, &batch, cases[i], &answer, e);
        if (i == 0) {
            way->start_ms = ms_since(from);
            from = clock_now_ns();
        }
    }
    way->case_ms = ms_since(from) / (double)(b->n_cases - 1);
    pool_batch_done(&batch);
    pool_close(pool);
    return ok;
}

/* Runs fresh cases in both ways; which goes first alternates from round to round. */
static bool run_round(struct bench *b, size_t round, struct way ways[N_WAYS], struct arena *a,
                      struct err *e)
{
    static const unsigned left_out[N_WAYS] = {[BARE] = SANDBOX_BIT(SANDBOX_NAMESPACES) |
                                                       SANDBOX_BIT(SANDBOX_CGROUP)};
    struct tcase **cases = arena_new_array(a, struct tcase *, b->n_cases);
    for (size_t i = 0; i < b->n_cases;) {
        if (!b->generator->ops->next(b->generator, b->index++, a, &cases[i], e))
            return false;
        i += cases[i] != NULL;
    }
    for (int k = 0; k < N_WAYS; k++) {
        struct way *way = &ways[((size_t)k + round) % N_WAYS];
        way->answers = arena_new_array(a, struct hash, b->n_cases);
        way->ok = arena_new_array(a, bool, b->n_cases);
        if (!run_way(b, cases, left_out[way - ways], way, e))
            return false;
    }
    for (size_t i = 0; i < b->n_cases; i++) {
        b->n_same += hash_eq(&ways[BOXED].answers[i], &ways[BARE].answers[i]);
        b->n_ok += ways[BARE].ok[i];
    }
    b->n_run += b->n_cases;
    return true;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool run_rounds(struct bench *b, const char *mode, size_t n_rounds, struct err *e)
{
    double ratios[ROUNDS_MAX], starts[ROUNDS_MAX], extra[ROUNDS_MAX];
    struct arena a;
    arena_init(&a);
    for (size_t i = 0; i < n_rounds; i++) {
        struct way ways[N_WAYS] = {0};
        if (!run_round(b, i, ways, &a, e)) {
            arena_done(&a);
            return false;
        }
        ratios[i] = ways[BOXED].case_ms / ways[BARE].case_ms;
        extra[i] = ways[BOXED].case_ms - ways[BARE].case_ms;
        starts[i] = ways[BOXED].start_ms - ways[BARE].start_ms;
        arena_reset(&a);
    }
    arena_done(&a);
    qsort(ratios, n_rounds, sizeof *ratios, by_value);
    qsort(extra, n_rounds, sizeof *extra, by_value);
    qsort(starts, n_rounds, sizeof *starts, by_value);
    printf("{\"bench\": \"sandbox\", \"mode\": \"%s\", \"batch\": %u, \"rounds\": %zu, \"cases\": "
           "%zu, \"ok\": %zu, \"same\": %zu, \"case_ratio\": %.3f, \"case_ratio_range\": [%.3f, "
           "%.3f], \"case_extra_ms\": %.2f, \"start_extra_ms\": %.1f}\n",
           mode, b->batch, n_rounds, b->n_run, b->n_ok, b->n_same, ratios[n_rounds / 2], ratios[0],
           ratios[n_rounds - 1], extra[n_rounds / 2], starts[n_rounds / 2]);
    return true;
}

static bool bench(const char *home, const char *mode, size_t n_cases, size_t n_rounds,
                  uint32_t batch, struct err *e)
{
    static const char *const net[] = {"convnet13"};
    const struct generate_options make = {.seed = SEED,
                                          .strategy = "random",
                                          .seed_models = net,
                                          .n_seed_models = 1,
                                          .lanes = 1u << LANE_NUMERIC};
    struct bench b = {.home = home, .batch = batch, .n_cases = n_cases};
    struct targets all;
    struct arena a;
    arena_init(&a);
    bool ok = targets_load(home, &a, &all, e) && targets_resolve(&all, mode, &a, &b.targets, e) &&
              loop_open(&b.loop, e) &&
              generator_find(STR("mutate"))->open(&make, &b.generator, e) &&
              run_rounds(&b, mode, n_rounds, e);
    if (b.generator)
        b.generator->ops->close(b.generator);
    loop_close(b.loop);
    arena_done(&a);
    return ok;
}

int main(int argc, char **argv)
{
    struct err e;
    int code;
    if (inside_main(argc, argv, &code))
        return code;
    if (argc == 4 && strcmp(argv[1], "worker") == 0)
        return worker_ort_main(argv[3], WORKER_FD);
    if (argc < 3) {
        fprintf(stderr, "usage: bench_sandbox HOME MODE [CASES [ROUNDS [BATCH]]]\n");
        return 64;
    }
    size_t n_cases = argc > 3 ? strtoull(argv[3], NULL, 10) : 200;
    size_t n_rounds = argc > 4 ? strtoull(argv[4], NULL, 10) : 9;
    uint32_t batch = argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 10) : 0;
    if (n_cases < 2 || n_rounds < 1 || n_rounds > ROUNDS_MAX) {
        fprintf(stderr, "bench_sandbox: at least 2 cases and 1 to %d rounds\n", ROUNDS_MAX);
        return 64;
    }
    if (bench(argv[1], argv[2], n_cases, n_rounds, batch, &e))
        return 0;
    fprintf(stderr, "bench_sandbox: %s\n", e.text);
    return err_exit_code(e.code);
}
