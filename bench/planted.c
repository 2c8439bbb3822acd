/*
 * Planted faults in the real engines: one node of a net is rewritten, the engine runs the rewritten
 * model instead of the original, and the judge compares its outputs with the original's reference.
 * A fault counts if it changes the float64 output by more than 1e-3 of its size.
 *
 *     bench_planted [SEEDS [EVERY]]     SEEDS per net (default 3); each EVERYth fault found of
 *                                       an engine is reduced too (default 5; 0: none)
 *
 * Casts through float16 change the output less: their limit is 1e-4. Three engines are made faulty
 * in turn while the others stay right: ONNX Runtime in both modes (a wrong kernel), in its
 * optimised mode alone (a wrong rewrite), and OpenVINO. Prints one JSON line for each: faults
 * found, faults localised to the right node, false alarms on controls that are not rewritten, and
 * sizes of reduced cases. ASSAY_HOME holds the environments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/vec.h"
#include "hunt/runner/runner.h"
#include "onnx/io.h"
#include "os/inside.h"
#include "planted/nets.h"
#include "planted/plant.h"
#include "reduce/localise.h"
#include "reduce/reduce.h"
#include "target/worker.h"

enum { TARGETS = 3 };
static const double least_effect = 1e-3, least_effect_f16 = 1e-4;

static const char *const target_names[TARGETS] = {"ort/off", "ort/all", "openvino/f32"};

/* Which targets run the rewritten model. */
struct role {
    const char *name;
    bool faulty[TARGETS];
    size_t family, n_family; /* targets of the faulty engine: what a reduction runs */
};
static const struct role roles[] = {
    {"ort", {true, true, false}, 0, 2},
    {"ort-rewrite", {false, true, false}, 0, 2},
    {"openvino", {false, false, true}, 2, 1},
};

/* Real defects of the engines that a net shows without a planted fault (defects/). A failure caused
 * by one counts neither as a false alarm nor as a fault found. */
static const struct {
    const char *net, *engine;
    enum wrong_kind wrong;
    const char *op_type;
} known_defects[] = {
    {"values", "openvino", WRONG_MISSING_NAN, "Exp"}, /* Exp of NaN is infinite */
};

struct score {
    uint32_t n_counted, n_found, n_asked, n_localised, n_reduced;
    uint32_t n_f16, n_f16_found; /* casts through f16, which have a limit of their own */
    uint32_t n_by_kind[PLANT_COUNT], n_found_by_kind[PLANT_COUNT];
    VEC(double) nodes, seconds;
};

struct planting {
    struct runner runner;
    struct pool_batch batch;
    struct score scores[COUNT_OF(roles)];
    const struct net_row *net;
    uint32_t n_controls, n_false, n_known;
    uint32_t every;
};

/* ---- running */

struct slot {
    struct pool_result result;
    size_t *n_left;
};

static void on_done(void *ctx, const struct pool_result *result)
{
    struct slot *s = ctx;
    s->result = *result;
    --*s->n_left;
}

/* The rewritten model's bytes; empty: the fault does not apply. */
static struct str faulty_bytes(const struct tcase *c, const struct plant *p, struct arena *a)
{
    struct model *m;
    struct err ignored = {0};
    struct strbuf bytes = {0};
    struct str out = {0};
    if (p && plant_fault(c->graph, p, a, &m, &ignored) && model_write(m, false, &bytes, &ignored))
        out = strbuf_dup(&bytes, a);
    strbuf_done(&bytes);
    return out;
}

static bool submit(struct planting *x, const struct tcase *c, size_t target, const struct plant *p,
                   struct arena *a, struct slot *s, struct err *e)
{
    struct pool_request request =
        runner_request(&x->runner, runner_plan(&x->runner, POOL_ANY), c, a);
    request.targets = &x->runner.targets.at[target];
    request.n_targets = 1;
    request.n_repeats = 1;
    request.deadline_ms = 0;
    request.model_bytes = faulty_bytes(c, p, a);
    return pool_batch_submit(&x->batch, &request, on_done, s, e);
}

static bool wait_for(struct planting *x, const size_t *n_left, struct err *e)
{
    while (*n_left > 0)
        if (!loop_turn(x->runner.loop, LOOP_FOREVER, e))
            return false;
    return true;
}

/* Runs the case once in every target, rewritten by p (NULL: unchanged), into out[TARGETS]. */
static bool run_all(struct planting *x, const struct tcase *c, const struct plant *p,
                    struct arena *a, struct observation *out, struct err *e)
{
    struct slot slots[TARGETS];
    size_t n_left = TARGETS;
    for (size_t t = 0; t < TARGETS; t++) {
        slots[t] = (struct slot){.n_left = &n_left};
        if (!submit(x, c, t, p, a, &slots[t], e))
            return false;
    }
    if (!wait_for(x, &n_left, e))
        return false;
    for (size_t t = 0; t < TARGETS; t++)
        out[t] = slots[t].result.observations[0];
    return true;
}

/* ---- localisation */

struct faulty_target {
    struct planting *x;
    size_t target;
    const struct plant *plant;
};

static bool run_small(void *ctx, const struct tcase *const *cases, size_t n, struct arena *a,
                      struct observation *out, struct err *e)
{
    const struct faulty_target *f = ctx;
    struct slot *slots = arena_new_array(a, struct slot, n);
    size_t n_left = n;
    for (size_t i = 0; i < n; i++) {
        slots[i] = (struct slot){.n_left = &n_left};
        if (!submit(f->x, cases[i], f->target, f->plant, a, &slots[i], e))
            return false;
    }
    if (!wait_for(f->x, &n_left, e))
        return false;
    for (size_t i = 0; i < n; i++)
        out[i] = slots[i].result.observations[0];
    return true;
}

static bool localise(struct planting *x, const struct evidence *ev, const struct verdict *failing,
                     const struct faulty_target *f, struct arena *a, struct score *s, struct err *e)
{
    struct localised found;
    const struct localise_runner runner = {run_small, (void *)(uintptr_t)f};
    const struct graph *g = ev->c->graph->graph;
    if (failing->wrong == WRONG_OUTCOME || failing->place.output.n == 0)
        return true;
    if (!localise_graph(&x->runner.judge, &ev->refs[0], &(struct key){.verdict = failing}, &runner,
                        a, &found, e))
        return false;
    s->n_asked++;
    bool right = found.found && found.n_group <= 1 &&
                 str_eq(g->values.at[g->nodes.at[found.node].outputs[0]].name, f->plant->output);
    s->n_localised += right;
    if (!right)
        fprintf(stderr, "localised wrongly: %s at " STR_FMT ": " STR_FMT "\n",
                plant_name(f->plant->kind), STR_ARG(f->plant->output),
                STR_ARG(found.found ? found.name : STR("nothing")));
    return true;
}

/* ---- reduction */

static bool keys_of(struct planting *x, const struct tcase *c, const struct role *role,
                    const struct plant *p, struct arena *a, struct keys *out, struct err *e)
{
    struct slot slots[TARGETS];
    struct observation seen[TARGETS];
    size_t n = role->n_family, n_left = n;
    struct verdicts v;
    for (size_t k = 0; k < n; k++) {
        size_t t = role->family + k;
        slots[k] = (struct slot){.n_left = &n_left};
        if (!submit(x, c, t, role->faulty[t] ? p : NULL, a, &slots[k], e))
            return false;
    }
    if (!wait_for(x, &n_left, e))
        return false;
    for (size_t k = 0; k < n; k++)
        seen[k] = slots[k].result.observations[0];
    struct evidence ev = {.c = c, .observations = seen, .n_observations = n};
    if (!reference_make(c, a, &ev.refs, e) || !judge_case(&x->runner.judge, &ev, a, &v, e))
        return false;
    bucket_keys(&ev, &v, a, out);
    return true;
}

static bool reduce(struct planting *x, const struct evidence *ev, const struct verdicts *v,
                   const struct role *role, const struct plant *p, struct arena *a, struct score *s,
                   struct err *e)
{
    struct keys keys;
    struct reduction *r;
    const struct tcase *c;
    struct arena each;
    bool ok = true;
    int64_t began = clock_now_ns();
    bucket_keys(ev, v, a, &keys);
    if (keys.n == 0)
        return true;
    if (!reduce_open(&(struct reduce_options){.n_outstanding = 1}, ev->c, &keys.at[0], &r, e))
        return false;
    arena_init(&each);
    while (ok && !reduce_is_done(r) && reduce_next(r, &c)) {
        struct keys seen = {0};
        arena_reset(&each);
        ok = keys_of(x, c, role, p, &each, &seen, e);
        if (ok)
            reduce_tell(r, &c->id, &seen);
    }
    arena_done(&each);
    vec_push(&s->nodes, NULL, reduce_counts(r).n_nodes);
    vec_push(&s->seconds, NULL, (double)(clock_now_ns() - began) / 1e9);
    s->n_reduced++;
    reduce_close(r);
    return ok;
}

/* ---- one fault */

static bool is_known(const struct planting *x, const struct verdict *v)
{
    for (size_t i = 0; i < COUNT_OF(known_defects); i++)
        if (strcmp(x->net->name, known_defects[i].net) == 0 &&
            str_is(v->target.engine, known_defects[i].engine) &&
            v->wrong == known_defects[i].wrong &&
            str_is(v->place.op_type, known_defects[i].op_type))
            return true;
    return false;
}

static bool has_known_defect(const struct planting *x, const struct role *role)
{
    for (size_t i = 0; i < COUNT_OF(known_defects); i++)
        for (size_t t = 0; t < TARGETS; t++)
            if (role->faulty[t] && strcmp(x->net->name, known_defects[i].net) == 0 &&
                str_is(x->runner.targets.at[t]->id.engine, known_defects[i].engine))
                return true;
    return false;
}

static const struct verdict *blame(const struct verdicts *v, const struct planting *x, size_t t)
{
    const struct target_id *id = &x->runner.targets.at[t]->id;
    for (size_t i = 0; i < v->n; i++)
        if (v->at[i].decision == DECISION_FAIL && str_eq(v->at[i].target.engine, id->engine) &&
            str_eq(v->at[i].target.mode, id->mode) && !is_known(x, &v->at[i]))
            return &v->at[i];
    return NULL;
}

static bool judge_role(struct planting *x, size_t at, struct evidence *ev, const struct plant *p,
                       struct arena *a, struct err *e)
{
    const struct role *role = &roles[at];
    struct score *s = &x->scores[at];
    struct verdicts v;
    const struct verdict *failing = NULL;
    struct faulty_target f = {.x = x, .plant = p};
    if (!judge_case(&x->runner.judge, ev, a, &v, e))
        return false;
    for (size_t t = 0; t < TARGETS; t++) {
        const struct verdict *blamed = blame(&v, x, t);
        if (blamed && role->faulty[t] && !failing) {
            failing = blamed;
            f.target = t;
        }
        if (blamed && !role->faulty[t]) {
            x->n_false++;
            fprintf(stderr, "blames the right one: %s beside %s at " STR_FMT ": " STR_FMT "\n",
                    target_names[t], plant_name(p->kind), STR_ARG(p->output),
                    STR_ARG(blamed->claim));
        }
    }
    if (p->kind == PLANT_F16) {
        s->n_f16++;
        s->n_f16_found += failing != NULL;
        return true;
    }
    s->n_counted++;
    s->n_by_kind[p->kind]++;
    if (!failing) {
        fprintf(stderr, "missed in %s: %s at " STR_FMT "\n", role->name, plant_name(p->kind),
                STR_ARG(p->output));
        return true;
    }
    s->n_found++;
    s->n_found_by_kind[p->kind]++;
    if (!localise(x, ev, failing, &f, a, s, e))
        return false;
    return x->every == 0 || s->n_found % x->every != 0 || reduce(x, ev, &v, role, p, a, s, e);
}

static bool plant_one(struct planting *x, const struct tcase *c, struct reference *refs,
                      const struct observation *right, const struct plant *p, struct arena *a,
                      struct err *e)
{
    struct observation wrong[TARGETS];
    if (!run_all(x, c, p, a, wrong, e))
        return false;
    for (size_t at = 0; at < COUNT_OF(roles); at++) {
        struct observation seen[TARGETS];
        for (size_t t = 0; t < TARGETS; t++)
            seen[t] = roles[at].faulty[t] ? wrong[t] : right[t];
        struct evidence ev = {
            .c = c, .refs = refs, .observations = seen, .n_observations = TARGETS};
        if (has_known_defect(x, &roles[at]))
            x->n_known++;
        else if (!judge_role(x, at, &ev, p, a, e))
            return false;
    }
    return true;
}

static bool judge_control(struct planting *x, const struct tcase *c, struct reference *refs,
                          const struct observation *right, struct arena *a, struct err *e)
{
    struct verdicts v;
    struct evidence ev = {.c = c, .refs = refs, .observations = right, .n_observations = TARGETS};
    if (!judge_case(&x->runner.judge, &ev, a, &v, e))
        return false;
    x->n_controls++;
    for (size_t t = 0; t < TARGETS; t++) {
        const struct verdict *blamed = blame(&v, x, t);
        x->n_false += blamed != NULL;
        if (blamed)
            fprintf(stderr, "false alarm: %s: " STR_FMT "\n", target_names[t],
                    STR_ARG(blamed->claim));
    }
    return true;
}

static bool plant_everywhere(struct planting *x, const struct net_row *net, uint64_t seed,
                             struct err *e)
{
    struct arena a, scratch;
    struct reference *refs;
    struct observation right[TARGETS];
    x->net = net;
    arena_init(&a);
    arena_init(&scratch);
    struct tcase *c = net_case(net, seed, 1, &a, e);
    bool ok = c && reference_make(c, &a, &refs, e) && run_all(x, c, NULL, &a, right, e) &&
              judge_control(x, c, refs, right, &a, e);
    const struct graph *g = ok ? c->graph->graph : NULL;
    for (size_t k = 0; ok && k < g->nodes.n; k++) {
        for (enum plant_kind kind = 0; ok && kind < PLANT_COUNT; kind++) {
            struct plant p = {kind, g->values.at[g->nodes.at[k].outputs[0]].name, {0}};
            arena_reset(&scratch);
            double least = kind == PLANT_F16 ? least_effect_f16 : least_effect;
            if (plant_effect(c->graph, &p, &c->input_sets[0], &scratch) > least)
                ok = plant_one(x, c, refs, right, &p, &scratch, e);
        }
    }
    arena_done(&scratch);
    arena_done(&a);
    return ok;
}

/* ---- results */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *at, size_t n)
{
    if (n == 0)
        return 0;
    qsort(at, n, sizeof *at, by_value);
    return at[(n - 1) / 2];
}

static double percent(uint32_t k, uint32_t n)
{
    return n > 0 ? 100.0 * k / n : 0;
}

static void print_score(struct planting *x, size_t at)
{
    struct score *s = &x->scores[at];
    struct strbuf line = {0};
    struct json_out w = json_open(&line, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "bench", arena_printf(&x->runner.arena, "planted/%s", roles[at].name));
    json_pair_i64(&w, "faults", s->n_counted);
    json_pair_double(&w, "found_percent", percent(s->n_found, s->n_counted));
    json_pair_double(&w, "localised_percent", percent(s->n_localised, s->n_asked));
    json_pair_i64(&w, "localised_of", s->n_asked);
    json_pair_i64(&w, "controls", x->n_controls);
    json_pair_i64(&w, "false", x->n_false);
    json_pair_i64(&w, "left_out", x->n_known);
    json_pair_cstr(&w, "f16_found",
                   arena_printf(&x->runner.arena, "%u of %u", s->n_f16_found, s->n_f16));
    json_pair_i64(&w, "reduced", s->n_reduced);
    json_pair_double(&w, "median_nodes", median(s->nodes.at, s->nodes.n));
    json_pair_double(&w, "median_seconds", median(s->seconds.at, s->seconds.n));
    json_pair_double(&w, "largest_seconds", s->seconds.n ? s->seconds.at[s->seconds.n - 1] : 0);
    json_key(&w, "target");
    json_begin_object(&w);
    json_pair_i64(&w, "found_percent", 95);
    json_pair_i64(&w, "localised_percent", 90);
    json_pair_i64(&w, "false", 0);
    json_pair_i64(&w, "median_nodes", 4);
    json_pair_i64(&w, "median_seconds", 10);
    json_end_object(&w);
    json_key(&w, "found_by_kind");
    json_begin_object(&w);
    for (int k = 0; k < PLANT_COUNT; k++)
        json_pair_cstr(
            &w, plant_name((enum plant_kind)k),
            arena_printf(&x->runner.arena, "%u of %u", s->n_found_by_kind[k], s->n_by_kind[k]));
    json_end_object(&w);
    json_end_object(&w);
    printf("%s\n", line.at);
    strbuf_done(&line);
    vec_free(&s->nodes);
    vec_free(&s->seconds);
}

int main(int argc, char **argv)
{
    static const char *const oracles[] = {"crash", "outcome", "reference"};
    struct err e = {0};
    int code;
    if (inside_main(argc, argv, &code))
        return code;
    if (argc == 4 && strcmp(argv[1], "worker") == 0 && strcmp(argv[2], "ort") == 0)
        return worker_ort_main(argv[3], WORKER_FD);
    uint64_t n_seeds = argc > 1 ? strtoull(argv[1], NULL, 10) : 3;
    struct planting x = {.every = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 5};
    const struct runner_options o = {.home = getenv("ASSAY_HOME"),
                                     .best_effort = true,
                                     .targets = {target_names, TARGETS},
                                     .oracles = {oracles, COUNT_OF(oracles)}};
    size_t n_nets;
    const struct net_row *nets = net_list(&n_nets);
    if (!runner_open(&o, &x.runner, &e)) {
        fprintf(stderr, "bench_planted: %s\n", e.text);
        return 69;
    }
    pool_batch_init(&x.batch, x.runner.pool);
    bool ok = true;
    for (size_t i = 0; ok && i < n_nets; i++)
        for (uint64_t seed = 1; ok && seed <= n_seeds; seed++)
            ok = plant_everywhere(&x, &nets[i], seed, &e);
    for (size_t at = 0; at < COUNT_OF(roles); at++)
        print_score(&x, at);
    if (!ok)
        fprintf(stderr, "bench_planted: %s\n", e.text);
    pool_batch_done(&x.batch);
    runner_close(&x.runner);
    return ok ? 0 : 70;
}
