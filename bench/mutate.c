/*
 * The generator mutate on one core, without engines: one JSON line for the rate on the 13-node
 * seed, one for the shares of mutants of the zoo that the validity filter discards, and of the
 * others that are illegal, no-ops or NaN. `bench_mutate [seconds] [mutants]`
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "generate/generate.h"
#include "generate/zoo.h"
#include "onnx/check.h"
#include "onnx/eval.h"
#include "onnx/infer.h"
#include "onnx/io.h"

struct tally {
    uint64_t n, n_illegal, n_nan, n_noop, n_judged; /* judged: checked for no-op and NaN */
};

static bool open_generator(const char *const *models, size_t n_models, struct generator **g)
{
    struct err e = {0};
    struct generate_options o = {
        .seed = 1, .strategy = "random", .seed_models = models, .n_seed_models = n_models};
    if (generator_find(STR("mutate"))->open(&o, g, &e))
        return true;
    fprintf(stderr, "%s\n", e.text);
    return false;
}

static double discarded_percent(const struct generate_counts *c)
{
    uint64_t n = c->n_discarded_check + c->n_discarded_infer + c->n_discarded_budget +
                 c->n_discarded_range + c->n_discarded_noop;
    return c->n_edits ? 100.0 * (double)n / (double)c->n_edits : 0;
}

/* Includes inference, reference and no-op check, but not writing the model's bytes. */
static bool bench_rate(double seconds)
{
    static const char *const model[] = {"convnet13"};
    struct generator *g;
    struct generate_counts counts;
    struct arena a;
    struct err e = {0};
    uint64_t n = 0, index = 0;
    if (!open_generator(model, 1, &g))
        return false;
    arena_init(&a);
    int64_t start = clock_cpu_ns(), until = start + (int64_t)(seconds * 1e9);
    while (clock_cpu_ns() < until) {
        struct tcase *c = NULL;
        if (!g->ops->next(g, index++, &a, &c, &e))
            return false;
        n += c != NULL;
        arena_reset(&a);
    }
    double rate = (double)n / ((double)(clock_cpu_ns() - start) / 1e9);
    g->ops->counts(g, &counts);
    printf("{\"bench\":\"mutate-rate\",\"seed\":\"convnet13\",\"rate\":%.0f,\"unit\":\"mutants/s/"
           "core\",\"target\":5000,\"mutants\":%llu,\"discarded_percent\":%.2f}\n",
           rate, (unsigned long long)n, discarded_percent(&counts));
    g->ops->close(g);
    arena_done(&a);
    return true;
}

static bool same_output(const struct value *a, const struct value *b)
{
    double largest = 0, worst = 0;
    if (a->dtype != b->dtype || a->n != b->n || a->rank != b->rank)
        return false;
    for (uint32_t d = 0; d < a->rank; d++) {
        if (a->dims[d] != b->dims[d])
            return false;
    }
    for (size_t i = 0; i < a->n; i++) {
        double x = value_get_double(a, i), y = value_get_double(b, i);
        largest = fmax(largest, fabs(x));
        worst = fmax(worst, fabs(x - y));
    }
    return worst <= 1e-6 * largest;
}

/* Evaluates parent and mutant itself, without trusting the generator. */
static bool is_noop(const struct tcase *c, const struct model *parent, struct arena *a)
{
    struct eval_result before, after;
    struct err e = {0};
    const struct graph *m = c->graph->graph, *p = parent->graph;
    if (m->outputs.n != p->outputs.n)
        return false;
    if (!eval_run(parent, &c->input_sets[0], &(struct eval_options){0}, a, &before, &e) ||
        !eval_run(c->graph, &c->input_sets[0], &(struct eval_options){0}, a, &after, &e))
        return false;
    for (size_t i = 0; i < p->outputs.n; i++) {
        if (!same_output(&after.values[m->outputs.at[i]], &before.values[p->outputs.at[i]]))
            return false;
    }
    return true;
}

static bool is_illegal(const struct tcase *c, struct arena *a)
{
    struct strbuf bytes = {0};
    struct model *back;
    struct err e = {0};
    bool ok = model_write(c->graph, false, &bytes, &e) &&
              model_read(strbuf_str(&bytes), NULL, a, &back, &e) && check_model(back, &e) &&
              infer_model(back, &e);
    strbuf_done(&bytes);
    return !ok;
}

static bool has_nan(const struct tcase *c, struct arena *a)
{
    struct eval_result r;
    struct err e = {0};
    if (!eval_run(c->graph, &c->input_sets[0], &(struct eval_options){0}, a, &r, &e))
        return true;
    for (size_t i = 0; i < c->graph->graph->outputs.n; i++) {
        const struct value *v = &r.values[c->graph->graph->outputs.at[i]];
        for (size_t k = 0; v->storage == STORAGE_F64 && k < v->n; k++) {
            if (isnan(v->f[k]))
                return true;
        }
    }
    return false;
}

static bool tally_model(const char *name, uint64_t n_mutants, struct tally *t,
                        struct generate_counts *sum)
{
    const char *const one[] = {name};
    struct generator *g;
    struct generate_counts c;
    struct arena a, parents;
    struct err e = {0};
    struct model *parent;
    if (!open_generator(one, 1, &g))
        return false;
    arena_init(&a);
    arena_init(&parents);
    if (!seed_model_load(name, &(struct zoo_options){0, 1}, &parents, &parent, &e))
        return false;
    for (uint64_t i = 0; i < n_mutants; i++) {
        struct tcase *m = NULL;
        if (!g->ops->next(g, i, &a, &m, &e))
            return false;
        if (m) {
            t->n++;
            t->n_illegal += is_illegal(m, &a);
            if (m->lane == LANE_NUMERIC && !m->preserves_function) {
                t->n_judged++;
                t->n_nan += has_nan(m, &a);
                t->n_noop += is_noop(m, parent, &a);
            }
        }
        arena_reset(&a);
    }
    g->ops->counts(g, &c);
    sum->n_edits += c.n_edits;
    sum->n_discarded_check += c.n_discarded_check;
    sum->n_discarded_infer += c.n_discarded_infer;
    sum->n_discarded_budget += c.n_discarded_budget;
    sum->n_discarded_range += c.n_discarded_range;
    sum->n_discarded_noop += c.n_discarded_noop;
    sum->n_gave_up += c.n_gave_up;
    g->ops->close(g);
    arena_done(&a);
    arena_done(&parents);
    return true;
}

static bool bench_worth(uint64_t n_mutants)
{
    size_t n;
    const struct zoo_row *rows = zoo_list(&n);
    struct tally t = {0};
    struct generate_counts c = {0};
    for (size_t i = 0; i < n; i++) {
        if (!tally_model(rows[i].name, n_mutants / n + (i < n_mutants % n), &t, &c))
            return false;
    }
    double all = (double)(t.n ? t.n : 1), judged = (double)(t.n_judged ? t.n_judged : 1);
    printf("{\"bench\":\"mutate-worth\",\"seeds\":%zu,\"mutants\":%llu,\"gave_up\":%llu,"
           "\"discarded_percent\":%.2f,\"discarded_target\":15,\"illegal_percent\":%.3f,"
           "\"illegal_target\":1,\"noop_percent\":%.3f,\"noop_target\":2,\"nan_percent\":%.3f,"
           "\"nan_target\":0.5,\"discarded\":{\"check\":%llu,\"infer\":%llu,\"budget\":%llu,"
           "\"range\":%llu,\"noop\":%llu}}\n",
           n, (unsigned long long)t.n, (unsigned long long)c.n_gave_up, discarded_percent(&c),
           100.0 * (double)t.n_illegal / all, 100.0 * (double)t.n_noop / judged,
           100.0 * (double)t.n_nan / judged, (unsigned long long)c.n_discarded_check,
           (unsigned long long)c.n_discarded_infer, (unsigned long long)c.n_discarded_budget,
           (unsigned long long)c.n_discarded_range, (unsigned long long)c.n_discarded_noop);
    return true;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 5;
    uint64_t n_mutants = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000;
    return bench_rate(seconds) && bench_worth(n_mutants) ? 0 : 1;
}
