/*
 * Calibration of the reference oracle's factors: how far honest engines stray, in units of the
 * reference's noise. For every float output of every observation the worst slice's error / noise is
 * taken (slices count half, as in the oracle); the quantiles stand per family and dtype, with the
 * rows that tolerance.def would hold.
 *
 *     bench_calibrate DIR...    case folders (case.json, observations/), found at any depth
 *     bench_calibrate           without folders: nets of tests/planted on a shim with honest noise
 *
 * Ratios above the table's factor are printed with their case: each is a defect or a false alarm,
 * and only a person can say which. Prints one JSON line, then the rows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/vec.h"
#include "case/disk.h"
#include "judge/judge.h"
#include "planted/nets.h"
#include "planted/plant.h"

/* So small that nothing is cleared without noise. */
static const double measuring_factor = 1e-9;

enum { SHIM_SEEDS = 200, FACTOR_STEP = 4, SHOWN_MAX = 40 };

struct ratios {
    VEC(double) at;
    struct str family;
    enum dtype dtype;
};

struct calibration {
    struct arena a; /* names */
    VEC(struct ratios) rows;
    uint64_t n_cases, n_observations, n_unlike, n_shown;
};

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
    struct ratios *row = row_of(c, x->target.family, t->tensor.dtype);
    vec_push(&row->at, NULL, ratio);
    if (ratio > FACTOR_STEP && c->n_shown++ < SHOWN_MAX)
        fprintf(stderr, "%8.3g  " STR_FMT "/" STR_FMT " %s output " STR_FMT " of case %016llx\n",
                ratio, STR_ARG(x->target.family), STR_ARG(x->target.mode),
                dtype_name(t->tensor.dtype), STR_ARG(t->name),
                (unsigned long long)hash_prefix(&r->c->id));
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
    json_pair_double(w, "max", quantile(r, 1));
    json_end_object(w);
}

/* Four times the 99.9 % quantile, in steps: what lies beyond is for a person to look at. */
static double proposed_factor(const struct ratios *r)
{
    double f = ceil(4 * quantile(r, 0.999) / FACTOR_STEP) * FACTOR_STEP;
    return f < FACTOR_STEP ? FACTOR_STEP : f;
}

/* As in dtype.def: the name in capitals. */
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
    arena_init(&c.a);
    for (int i = 1; ok && i < argc; i++)
        ok = file_walk_tree(argv[i], &(struct file_walk){.visit = visit, .ctx = &c}, &e);
    if (argc == 1)
        ok = add_nets(&c, &e);
    if (ok)
        print_results(&c);
    else
        fprintf(stderr, "bench_calibrate: %s\n", e.text);
    vec_free(&c.rows);
    arena_done(&c.a);
    return ok ? 0 : 65;
}
