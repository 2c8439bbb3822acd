/*
 * What reductions cost and how small their results are, on real engines: hunts for some seconds
 * with the default targets, then reads the bugs' rows. One JSON line per figure; ASSAY_HOME holds
 * the environments. With DIR alone: reads the bugs of the campaign in DIR.
 *
 *     bench_reduce [DIR [SECONDS]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "hunt/hunt.h"
#include "os/inside.h"
#include "target/worker.h"

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(const char *name, const char *unit, double *at, size_t n, double target)
{
    if (n == 0)
        return;
    qsort(at, n, sizeof *at, by_value);
    printf("{\"bench\": \"reduce/%s\", \"value\": %.3g, \"unit\": \"%s\", \"target\": %g, "
           "\"p90\": %.3g, \"most\": %.3g, \"reductions\": %zu}\n",
           name, at[n / 2], unit, target, at[n * 9 / 10], at[n - 1], n);
}

static bool measure(const char *dir, struct err *e)
{
    struct arena a;
    struct store *store;
    struct store_bugs bugs;
    arena_init(&a);
    if (!store_open(path_join(&a, dir, "store.sqlite"), STORE_READ, &store, e))
        return false;
    bool ok = store_bugs(store, STR(""), &a, &bugs, e);
    double *nodes = ok ? arena_new_array(&a, double, bugs.n) : NULL;
    double *seconds = ok ? arena_new_array(&a, double, bugs.n) : NULL;
    double *runs = ok ? arena_new_array(&a, double, bugs.n) : NULL;
    size_t n = 0;
    for (size_t i = 0; ok && i < bugs.n; i++) {
        const struct store_bug *b = &bugs.at[i];
        if (b->nodes_before == 0)
            continue;
        nodes[n] = (double)b->nodes;
        seconds[n] = (double)b->reduce_ms / 1e3;
        runs[n++] = (double)b->reduce_runs;
    }
    print("nodes", "nodes", nodes, n, 4);
    print("time", "s", seconds, n, 10);
    print("runs", "runs", runs, n, 2000);
    store_close(store);
    arena_done(&a);
    return ok && (n > 0 || err_set(e, ERR_DATA, "%s: no reduced bugs", dir));
}

static bool hunt(const char *dir, int64_t seconds, struct err *e)
{
    struct hunt_end end = {0};
    const struct hunt_options o = {.out = dir,
                                   .home = getenv("ASSAY_HOME"),
                                   .version = "bench",
                                   .seed = 1,
                                   .seconds = seconds,
                                   .best_effort = true};
    bool ok = hunt_run(&o, NULL, &end, e);
    hunt_end_done(&end);
    return ok;
}

int main(int argc, char **argv)
{
    struct err e = {0}, ignored;
    struct arena a;
    const char *dir = argc > 1 ? argv[1] : NULL;
    int code;
    if (inside_main(argc, argv, &code))
        return code;
    if (argc == 4 && strcmp(argv[1], "worker") == 0 && strcmp(argv[2], "ort") == 0)
        return worker_ort_main(argv[3], WORKER_FD);
    if (argc == 3 && strcmp(argv[1], "worker") == 0 && strcmp(argv[2], "pilot") == 0)
        return hunt_pilot(HUNT_PILOT_FD, &e) ? 0 : 1;
    arena_init(&a);
    bool ok = dir || file_make_temp_dir(&a, "reduce", &dir, &e);
    if (ok && argc != 2)
        ok = hunt(dir, argc > 2 ? strtol(argv[2], NULL, 10) : 60, &e);
    ok = ok && measure(dir, &e);
    if (!ok)
        fprintf(stderr, "bench_reduce: %s\n", e.text);
    if (argc < 2 && dir)
        file_remove_tree(dir, &ignored);
    arena_done(&a);
    return !ok;
}
