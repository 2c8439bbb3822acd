/*
 * The whole loop of a hunt on one 13-node convolution net, or on the model of a file: mutate,
 * filter, run in ONNX Runtime in an isolated worker, judge, write the store. Two rows: off + all,
 * and with the float64 reference, its reruns, four levels and the repeat. Hangs of the engine count
 * in the rate and are printed: runs that reached their deadline, runs that were stopped before it,
 * seconds of both. One JSON line per row; ASSAY_HOME holds the environments.
 *
 *     bench_loop [SECONDS [ROW [MODEL]]]     ROW: 0 or 1, else both
 *
 * A MODEL runs in the numeric lane alone, without dims of 0, for the comparison with NNSmith, which
 * makes such cases only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "case/case.h"
#include "hunt/hunt.h"
#include "os/fork.h"
#include "os/inside.h"
#include "os/process.h"
#include "target/worker.h"

struct row {
    const char *name;
    struct hunt_names targets, oracles;
    double least; /* target in cases/s */
};

static const char *const net = "convnet13";
static const char *const two[] = {"ort/off", "ort/all"};
static const char *const four[] = {"ort/off", "ort/basic", "ort/extended", "ort/all"};
static const char *const between[] = {"crash", "outcome", "levels"};
static const struct row rows[] = {
    {"off+all", {two, 2}, {between, 3}, 300},
    {"reference+four+repeat", {four, 4}, {NULL, 0}, 100},
};

/* CPU seconds of this process and its descendants: descendants that outlived their parent are
 * waited for first. */
static double cpu_seconds(struct loop *loop)
{
    while (process_reap_orphans(loop)) {
    }
    return (double)(fork_usage().cpu_ns + fork_children_usage().cpu_ns) * 1e-9;
}

struct measured {
    double rate, cpu_ms; /* cases per second of wall time; CPU milliseconds per case */
    int64_t n_cases;
    uint64_t n_hangs, n_presumed;
    double hang_seconds; /* worker time in both kinds of hangs */
};

static bool measure(const struct row *row, const char *model, int64_t seconds, struct measured *got,
                    struct err *e)
{
    struct arena a;
    struct hunt_end end = {0};
    const char *out;
    struct loop *loop;
    arena_init(&a);
    bool ok = process_become_subreaper(e) && loop_open(&loop, e) &&
              file_make_temp_dir(&a, "loop", &out, e);
    const struct hunt_options o = {.out = out,
                                   .home = getenv("ASSAY_HOME"),
                                   .version = "bench",
                                   .models = {model ? &model : &net, 1},
                                   .lanes = model ? 1u << LANE_NUMERIC : 0,
                                   .strategy = "random",
                                   .oracles = row->oracles,
                                   .targets = row->targets,
                                   .seed = 1,
                                   .seconds = seconds,
                                   .n_pilots = 1,
                                   .best_effort = true,
                                   .no_reduce = true};
    double cpu = ok ? cpu_seconds(loop) : 0;
    ok = ok && hunt_run(&o, NULL, &end, e);
    if (ok) {
        got->n_cases = end.statistics.totals.n_cases;
        got->rate = 1e3 * (double)got->n_cases / (double)end.statistics.elapsed_ms;
        got->n_hangs = end.statistics.n_hangs;
        got->n_presumed = end.statistics.n_presumed_hangs;
        got->hang_seconds = (double)end.statistics.hang_ms / 1e3;
        got->cpu_ms = 1e3 * (cpu_seconds(loop) - cpu) / (double)MAX(got->n_cases, 1);
    }
    hunt_end_done(&end);
    struct err ignored;
    if (ok) {
        loop_close(loop);
        file_remove_tree(out, &ignored);
    }
    arena_done(&a);
    return ok;
}

int main(int argc, char **argv)
{
    struct err e = {0};
    int code;
    if (inside_main(argc, argv, &code))
        return code;
    if (argc == 4 && strcmp(argv[1], "worker") == 0 && strcmp(argv[2], "ort") == 0)
        return worker_ort_main(argv[3], WORKER_FD);
    if (argc == 3 && strcmp(argv[1], "worker") == 0 && strcmp(argv[2], "pilot") == 0)
        return hunt_pilot(HUNT_PILOT_FD, &e) ? 0 : 1;
    if (!getenv("ASSAY_HOME")) {
        fprintf(stderr, "bench_loop: ASSAY_HOME is not set\n");
        return 1;
    }
    int64_t seconds = argc > 1 ? strtol(argv[1], NULL, 10) : 10;
    int64_t only = argc > 2 ? strtol(argv[2], NULL, 10) : -1;
    const char *model = argc > 3 ? argv[3] : NULL;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (only >= 0 && only < (int64_t)COUNT_OF(rows) && only != (int64_t)i)
            continue;
        struct measured got;
        if (!measure(&rows[i], model, seconds, &got, &e)) {
            fprintf(stderr, "bench_loop: %s: %s\n", rows[i].name, e.text);
            return 1;
        }
        printf("{\"bench\": \"loop/%s\", \"value\": %.1f, \"unit\": \"cases/s\", \"target\": %.0f, "
               "\"cases\": %lld, \"cpu_ms_per_case\": %.3f, \"n_hangs\": %llu, "
               "\"n_presumed_hangs\": %llu, \"hang_s\": %.2f}\n",
               rows[i].name, got.rate, rows[i].least, (long long)got.n_cases, got.cpu_ms,
               (unsigned long long)got.n_hangs, (unsigned long long)got.n_presumed,
               got.hang_seconds);
        fflush(stdout);
    }
    return 0;
}
