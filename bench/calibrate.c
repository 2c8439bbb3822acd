/*
 * Calibration of the reference oracle's factors: how far correct engines are off, in units of the
 * reference's noise. Takes the worst slice's error / noise of every float output of every
 * observation (slices count half, as in the oracle); prints quantiles per family and dtype, and the
 * rows that tolerance.def would need.
 *
 *     bench_calibrate run OUT SEED N TARGET...   runs N fresh models of the seed in the engines;
 *                                                ratios go to OUT/ratios.tsv, and a new start
 *                                                continues after the last
 *     bench_calibrate summary OUT                summarises the ratios
 *     bench_calibrate DIR...    case folders (case.json, observations/), found at any depth
 *     bench_calibrate           nets of tests/planted on a shim with noise as the model allows
 *
 * The dtype of a row is the coarsest on the path to the output, because its unit roundoff bounds
 * the error. A case with a ratio above `strange` is kept in OUT/alarms/INDEX: a person decides
 * whether it is a defect or a false alarm. OUT/defects lists those that are defects, one index per
 * line (the rest of a line is a note); the summary leaves them out and shows the smallest of their
 * ratios beside the largest of the others. Prints one JSON line, then the rows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "base/path.h"
#include "base/vec.h"
#include "case/disk.h"
#include "generate/generate.h"
#include "hunt/runner/runner.h"
#include "judge/judge.h"
#include "os/inside.h"
#include "planted/nets.h"
#include "planted/plant.h"
#include "target/worker.h"

/* So small that every output is compared with its noise. */
static const double measuring_factor = 1e-9;

enum { SHIM_SEEDS = 200, FACTOR_STEP = 4, TARGETS_MAX = 8, STRETCH = 20 };
static const double strange = 4;

struct ratios {
    VEC(double) at;
    struct str family;
    enum dtype dtype;
    uint64_t n_defects; /* outputs left out */
    double least_defect;
};

struct calibration {
    struct arena a; /* names */
    VEC(struct ratios) rows;
    uint64_t n_cases, n_observations, n_unlike;
    uint64_t index;  /* of the current case */
    bool is_strange; /* the case has a ratio above `strange` */
    FILE *ratios;    /* run: each ratio is written to it; else NULL */
    struct map left; /* summary: indices of defects */
};

/* The coarsest float dtype that the value was computed in, at least as coarse as its own. */
static enum dtype coarsest(const struct value *v)
{
    static const enum dtype floats[] = {DTYPE_FLOAT, DTYPE_FLOAT16, DTYPE_BFLOAT16};
    for (size_t i = 0; i < COUNT_OF(floats); i++)
        if (v->unit == dtype_unit(floats[i]) && v->unit > dtype_unit(v->dtype))
            return floats[i];
    return v->dtype;
}

static struct ratios *row_of(struct calibration *c, struct str family, enum dtype t)
{
    for (size_t i = 0; i < c->rows.n; i++)
        if (c->rows.at[i].dtype == t && str_eq(c->rows.at[i].family, family))
            return &c->rows.at[i];
    struct str kept = {str_dup(&c->a, family), family.n};
    vec_push(&c->rows, NULL, (struct ratios){.family = kept, .dtype = t});
    return &vec_last(&c->rows);
}

static bool add_output(struct calibration *c, struct reference *r, const struct observation *x,
                       const struct named_tensor *t, struct err *e)
{
    struct judge_options o = {.factor = measuring_factor};
    struct distance d;
    uint32_t value = graph_find_value(r->c->graph->graph, t->name);
    if (value == VALUE_NONE || !dtype_is_float(t->tensor.dtype) ||
        r->values.values[value].dtype != t->tensor.dtype)
        return true;
    if (!judge_distance(&o, r, value, &t->tensor, &x->target, &d, e))
        return false;
    if (d.n_unlike > 0) {
        c->n_unlike++;
        return true;
    }
    double share = d.factor / measuring_factor; /* 1, or 2 for a slice */
    double ratio = d.noise > 0 && share > 0 ? d.error / d.noise / share : 0;
    enum dtype dtype = coarsest(&r->values.values[value]);
    if (c->ratios)
        fprintf(c->ratios, "%llu\t" STR_FMT "\t%s\t%.6g\n", (unsigned long long)c->index,
                STR_ARG(x->target.family), dtype_name(dtype), ratio);
    else
        vec_push(&row_of(c, x->target.family, dtype)->at, NULL, ratio);
    c->is_strange = c->is_strange || ratio > strange;
    return true;
}

static bool add_case(struct calibration *c, const struct tcase *t, const struct observation *seen,
                     size_t n, struct arena *a, struct err *e)
{
    struct reference *refs;
    if (t->kind != CASE_GRAPH || t->lane != LANE_NUMERIC)
        return true;
    if (!reference_make(t, a, &refs, e))
        return false;
    c->n_cases++;
    for (size_t i = 0; i < n; i++) {
        if (seen[i].outcome != OUTCOME_OK || seen[i].input_set >= t->n_input_sets ||
            !refs[seen[i].input_set].usable)
            continue;
        c->n_observations++;
        for (size_t k = 0; k < seen[i].outputs.n; k++)
            if (!add_output(c, &refs[seen[i].input_set], &seen[i], &seen[i].outputs.at[k], e))
                return false;
    }
    return true;
}

/* ---- cases from disk */

static bool add_folder(struct calibration *c, const char *dir, struct err *e)
{
    struct arena a;
    struct tcase *t;
    struct file_list names = {0};
    arena_init(&a);
    const char *seen_dir = path_join(&a, dir, "observations");
    bool ok = case_read(dir, &a, &t, e);
    if (ok && file_stat(seen_dir).kind == FILE_DIRECTORY)
        ok = file_list_dir(seen_dir, &a, &names, e);
    struct observation *seen = arena_new_array(&a, struct observation, names.n);
    for (size_t i = 0; ok && i < names.n; i++)
        ok = observation_read(path_join(&a, seen_dir, names.names[i]), &a, &seen[i], e);
    ok = ok && add_case(c, t, seen, names.n, &a, e);
    arena_done(&a);
    return ok;
}

static bool visit(void *ctx, const char *path, struct err *e)
{
    struct arena a;
    arena_init(&a);
    struct str dir = path_dir(str_of(path));
    bool ok = !str_is(path_base(str_of(path)), "case.json") || add_folder(ctx, str_dup(&a, dir), e);
    arena_done(&a);
    return ok;
}

/* ---- fresh cases */

static bool run_one(struct calibration *c, struct runner *runner, struct generator *g,
                    const char *out, struct err *e)
{
    struct arena a;
    struct tcase *t = NULL;
    struct pool_result seen = {0};
    arena_init(&a);
    bool ok = g->ops->next(g, c->index, &a, &t, e);
    if (ok && t && t->lane == LANE_NUMERIC) {
        struct pool_request request = runner_request(runner, runner_plan(runner, POOL_ANY), t, &a);
        c->is_strange = false;
        ok = pool_run(runner->pool, &request, &seen, e) &&
             add_case(c, t, seen.observations, seen.n_observations, &a, e);
        const char *dir = arena_printf(&a, "%s/alarms/%06llu", out, (unsigned long long)c->index);
        if (ok && c->is_strange)
            ok = file_remove_tree(dir, e) && case_write(dir, t, e);
    }
    arena_done(&a);
    return ok;
}

/* Finds where an earlier run stopped. Ratios of its last, unfinished group come twice, which hardly
 * changes quantiles. */
static bool take_up(struct calibration *c, const char *path, struct err *e)
{
    struct str text;
    if (file_stat(path).kind != FILE_REGULAR)
        return true;
    if (!file_read(path, 64, &c->a, &text, e))
        return false;
    c->index = strtoull(str_dup(&c->a, text), NULL, 10);
    return true;
}

static bool note_progress(struct calibration *c, const char *path, struct err *e)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%llu\n", (unsigned long long)c->index);
    return fflush(c->ratios) == 0 && file_write(path, text, (size_t)n, e);
}

static bool run_fresh(struct calibration *c, int argc, char **argv, struct err *e)
{
    static const char *const oracles[] = {"reference"};
    const char *targets[TARGETS_MAX];
    size_t n = 0;
    struct runner runner;
    struct generator *g = NULL;
    uint64_t n_cases = strtoull(argv[4], NULL, 10);
    const char *progress = path_join(&c->a, argv[2], "next");
    if (!file_make_dirs(argv[2], e) || !take_up(c, progress, e))
        return false;
    const struct generate_options make = {.seed = strtoull(argv[3], NULL, 10),
                                          .strategy = "random"};
    for (int i = 5; i < argc && n < TARGETS_MAX; i++)
        targets[n++] = argv[i];
    const struct runner_options o = {.home = getenv("ASSAY_HOME"),
                                     .best_effort = true,
                                     .targets = {targets, n},
                                     .oracles = {oracles, COUNT_OF(oracles)}};
    if (!runner_open(&o, &runner, e))
        return false;
    bool ok = generator_find(STR("mutate"))->open(&make, &g, e);
    c->ratios = fopen(path_join(&c->a, argv[2], "ratios.tsv"), "a");
    ok = ok && c->ratios;
    while (ok && c->index < n_cases) {
        if (!run_one(c, &runner, g, argv[2], e)) {
            fprintf(stderr, "case %llu: %s\n", (unsigned long long)c->index, e->text);
            err_clear(e);
        }
        if (++c->index % STRETCH == 0 || c->index == n_cases)
            ok = note_progress(c, progress, e);
    }
    if (c->ratios)
        fclose(c->ratios);
    if (g)
        g->ops->close(g);
    runner_close(&runner);
    return ok;
}

/* ---- what was measured */

static bool read_defects(struct calibration *c, const char *path, struct err *e)
{
    struct str text, line, word;
    if (file_stat(path).kind != FILE_REGULAR)
        return true;
    if (!file_read(path, 1 << 20, &c->a, &text, e))
        return false;
    while (str_split(&text, '\n', &line))
        if (str_split(&line, ' ', &word) && word.n > 0)
            map_put(&c->left, &c->a, word, 1);
    return true;
}

static void add_ratio(struct calibration *c, struct str index, struct str family, enum dtype t,
                      double ratio)
{
    struct ratios *row = row_of(c, family, t);
    if (!map_get(&c->left, index))
        vec_push(&row->at, NULL, ratio);
    else if (ratio > strange)
        row->least_defect = row->n_defects++ ? fmin(row->least_defect, ratio) : ratio;
}

static bool read_ratios(struct calibration *c, const char *out, struct err *e)
{
    struct str text, line, last = {0};
    if (!read_defects(c, path_join(&c->a, out, "defects"), e) ||
        !file_read(path_join(&c->a, out, "ratios.tsv"), 1 << 28, &c->a, &text, e))
        return false;
    while (str_split(&text, '\n', &line)) {
        struct str part[4];
        size_t n = 0;
        while (n < COUNT_OF(part) && str_split(&line, '\t', &part[n]))
            n++;
        if (n < COUNT_OF(part))
            continue;
        c->n_observations++;
        c->n_cases += !str_eq(part[0], last);
        last = part[0];
        add_ratio(c, part[0], part[1], dtype_find(part[2]), strtod(str_dup(&c->a, part[3]), NULL));
    }
    return true;
}

/* ---- cases of our own */

static bool add_nets(struct calibration *c, struct err *e)
{
    size_t n_nets;
    const struct net_row *nets = net_list(&n_nets);
    bool ok = true;
    for (size_t i = 0; ok && i < n_nets; i++) {
        for (uint64_t seed = 1; ok && seed <= SHIM_SEEDS; seed++) {
            struct arena a;
            struct observation x;
            arena_init(&a);
            struct tcase *t = net_case(&nets[i], seed, 1, &a, e);
            struct shim s = {.noise_seed = seed + 77,
                             .target = {.engine = STR("shim"),
                                        .mode = STR("all"),
                                        .family = STR("shim"),
                                        .n_threads = 1}};
            ok = t != NULL;
            if (ok) {
                shim_run(&s, t->graph, &t->input_sets[0], &a, &x);
                ok = add_case(c, t, &x, 1, &a, e);
            }
            arena_done(&a);
        }
    }
    return ok;
}

/* ---- results */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const struct ratios *r, double q)
{
    if (r->at.n == 0)
        return 0;
    size_t i = (size_t)(q * (double)r->at.n);
    return r->at.at[MIN(i, r->at.n - 1)];
}

static void put_row(struct json_out *w, const struct ratios *r)
{
    static const double quantiles[] = {0.5, 0.9, 0.99, 0.999};
    static const char *const names[] = {"q50", "q90", "q99", "q999"};
    json_begin_object(w);
    json_pair_str(w, "family", r->family);
    json_pair_cstr(w, "dtype", dtype_name(r->dtype));
    json_pair_i64(w, "outputs", (int64_t)r->at.n);
    for (size_t i = 0; i < COUNT_OF(quantiles); i++)
        json_pair_double(w, names[i], quantile(r, quantiles[i]));
    json_pair_double(w, "largest", quantile(r, 1));
    json_pair_u64(w, "defects", r->n_defects);
    json_pair_double(w, "least_defect", r->least_defect);
    json_end_object(w);
}

/* Twice the largest clean ratio, rounded up to a step. */
static double proposed_factor(const struct ratios *r)
{
    double f = ceil(2 * quantile(r, 1) / FACTOR_STEP) * FACTOR_STEP;
    return f < FACTOR_STEP ? FACTOR_STEP : f;
}

/* The dtype's name in capitals, as in dtype.def. */
static const char *enum_name(enum dtype t, struct arena *a)
{
    char *name = arena_strdup(a, dtype_name(t));
    for (char *c = name; *c; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    return name;
}

static void print_results(struct calibration *c)
{
    struct strbuf line = {0};
    struct json_out w = json_open(&line, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "bench", "calibrate");
    json_pair_u64(&w, "cases", c->n_cases);
    json_pair_u64(&w, "observations", c->n_observations);
    json_pair_u64(&w, "unlike", c->n_unlike);
    json_key(&w, "ratios");
    json_begin_array(&w);
    for (size_t i = 0; i < c->rows.n; i++) {
        struct ratios *r = &c->rows.at[i];
        qsort(r->at.at, r->at.n, sizeof *r->at.at, by_value);
        put_row(&w, r);
    }
    json_end_array(&w);
    json_end_object(&w);
    printf("%s\n", line.at);
    for (size_t i = 0; i < c->rows.n; i++) {
        const struct ratios *r = &c->rows.at[i];
        printf("TOLERANCE(\"" STR_FMT
               "\", %s, %g, %llu, \"q99.9 %.2g, max %.2g of %zu outputs\")\n",
               STR_ARG(r->family), enum_name(r->dtype, &c->a), proposed_factor(r),
               (unsigned long long)c->n_cases, quantile(r, 0.999), quantile(r, 1), r->at.n);
        vec_free(&c->rows.at[i].at);
    }
    strbuf_done(&line);
}

int main(int argc, char **argv)
{
    struct calibration c = {.n_cases = 0};
    struct err e = {0};
    bool ok = true;
    int code;
    if (inside_main(argc, argv, &code))
        return code;
    if (argc == 4 && strcmp(argv[1], "worker") == 0 && strcmp(argv[2], "ort") == 0)
        return worker_ort_main(argv[3], WORKER_FD);
    bool is_fresh = argc > 5 && strcmp(argv[1], "run") == 0;
    bool is_summary = argc == 3 && strcmp(argv[1], "summary") == 0;
    arena_init(&c.a);
    if (is_fresh)
        ok = run_fresh(&c, argc, argv, &e);
    if (is_summary)
        ok = read_ratios(&c, argv[2], &e);
    for (int i = 1; ok && !is_fresh && !is_summary && i < argc; i++)
        ok = file_walk_tree(argv[i], &(struct file_walk){.visit = visit, .ctx = &c}, &e);
    if (argc == 1)
        ok = add_nets(&c, &e);
    if (ok && !is_fresh)
        print_results(&c);
    if (!ok)
        fprintf(stderr, "bench_calibrate: %s\n", e.text);
    vec_free(&c.rows);
    arena_done(&c.a);
    return ok ? 0 : 65;
}
