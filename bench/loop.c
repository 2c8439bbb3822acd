/*
 * The whole loop of a hunt on one 13-node convolution net: mutate, guard, run in ONNX Runtime in an
 * isolated worker, judge, write the store. Two rows: off + all, and with the float64 reference, its
 * reruns, four levels and the repeat. One JSON line each; ASSAY_HOME holds the environments.
 *
 *     bench_loop [SECONDS [ROW]]     ROW: 0 or 1; default both
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "hunt/hunt.h"
#include "target/worker.h"

struct row {
    const char *name;
    struct hunt_names targets, oracles;
    double least; /* cases/s that are wanted */
};

static const char *const two[] = {"ort/off", "ort/all"};
static const char *const four[] = {"ort/off", "ort/basic", "ort/extended", "ort/all"};
static const char *const between[] = {"crash", "outcome", "levels"};
static const char *const net[] = {"convnet13"};

static const struct row rows[] = {
    {"off+all", {two, 2}, {between, 3}, 300},
    {"reference+four+repeat", {four, 4}, {NULL, 0}, 100},
};

static bool measure(const struct row *row, int64_t seconds, double *rate, int64_t *n_cases,
                    struct err *e)
{
    struct arena a;
    struct hunt_end end = {0};
    const char *out;
    arena_init(&a);
    bool ok = file_make_temp_dir(&a, "loop", &out, e);
    const struct hunt_options o = {.out = out,
                                   .home = getenv("ASSAY_HOME"),
                                   .version = "bench",
                                   .models = {net, 1},
                                   .strategy = "random",
                                   .oracles = row->oracles,
                                   .targets = row->targets,
                                   .seed = 1,
                                   .seconds = seconds,
                                   .n_pilots = 1,
                                   .best_effort = true,
                                   .no_reduce = true};
    ok = ok && hunt_run(&o, NULL, &end, e);
    if (ok) {
        *n_cases = end.statistics.totals.n_cases;
        *rate = 1e3 * (double)*n_cases / (double)end.statistics.elapsed_ms;
    }
    hunt_end_done(&end);
    struct err ignored;
    file_remove_tree(out, &ignored);
    arena_done(&a);
    return ok;
}

int main(int argc, char **argv)
{
    struct err e = {0};
    if (argc == 4 && strcmp(argv[1], "worker") == 0 && strcmp(argv[2], "ort") == 0)
        return worker_ort_main(argv[3], WORKER_FD);
    if (argc == 3 && strcmp(argv[1], "worker") == 0 && strcmp(argv[2], "pilot") == 0)
        return hunt_pilot(HUNT_PILOT_FD, &e) ? 0 : 1;
    int64_t seconds = argc > 1 ? strtol(argv[1], NULL, 10) : 10;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (argc > 2 && (size_t)strtol(argv[2], NULL, 10) != i)
            continue;
        double rate;
        int64_t n_cases;
        if (!measure(&rows[i], seconds, &rate, &n_cases, &e)) {
            fprintf(stderr, "bench_loop: %s: %s\n", rows[i].name, e.text);
            return 1;
        }
        printf("{\"bench\": \"loop/%s\", \"value\": %.1f, \"unit\": \"cases/s\", \"target\": %.0f, "
               "\"cases\": %lld}\n",
               rows[i].name, rate, rows[i].least, (long long)n_cases);
        fflush(stdout);
    }
    return 0;
}
