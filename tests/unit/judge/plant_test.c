/*
 * Planted faults: every fault that moves the float64 output by more than 1e-3 of its size is found,
 * in nets of every kind, and runs without a fault never fail.
 */
#include "planted/plant.h"

#include <stdio.h>

#include "judge/judge.h"
#include "planted/nets.h"
#include "unit/test.h"

enum { SEEDS = 4 };

struct tally {
    unsigned n_counted, n_found, n_false;
};

static struct target_id shim_target(const char *mode)
{
    return (struct target_id){.engine = STR("shim"),
                              .version = STR("1"),
                              .mode = str_of(mode),
                              .family = STR("shim"),
                              .n_threads = 1,
                              .is_base = strcmp(mode, "off") == 0};
}

/* Runs the case without and with the fault; counts what the judge says. */
static void judge_plant(const struct tcase *c, const struct plant *p, struct arena *a,
                        struct tally *t)
{
    struct observation seen[2];
    struct reference *refs;
    struct verdicts v;
    struct err e = {0};
    struct shim honest = {.noise_seed = 11, .target = shim_target("off")};
    struct shim faulty = {.plant = p, .noise_seed = 12, .target = shim_target("all")};
    shim_run(&honest, c->graph, &c->input_sets[0], a, &seen[0]);
    shim_run(&faulty, c->graph, &c->input_sets[0], a, &seen[1]);
    struct evidence ev = {.c = c, .observations = seen, .n_observations = 2};
    if (!reference_make(c, a, &refs, &e))
        fail_msg("%s", e.text);
    ev.refs = refs;
    if (!judge_case(&(struct judge_options){0}, &ev, a, &v, &e))
        fail_msg("%s", e.text);
    bool found = false;
    for (size_t i = 0; i < v.n; i++) {
        bool blames = v.at[i].decision == DECISION_FAIL;
        if (blames && str_is(v.at[i].target.mode, "off"))
            t->n_false++;
        found = found || (blames && str_is(v.at[i].target.mode, "all"));
    }
    if (!p) {
        t->n_false += found;
        return;
    }
    t->n_counted++;
    t->n_found += found;
    if (!found)
        print_message("missed: %s at " STR_FMT "\n", plant_name(p->kind), STR_ARG(p->output));
}

static void plant_everywhere(const struct net_row *net, uint64_t seed, struct tally *t)
{
    struct arena a, scratch;
    struct err e = {0};
    arena_init(&a);
    arena_init(&scratch);
    struct tcase *c = net_case(net, seed, 1, &a, &e);
    if (!c)
        fail_msg("%s: %s", net->name, e.text);
    judge_plant(c, NULL, &scratch, t);
    const struct graph *g = c->graph->graph;
    for (size_t k = 0; k < g->nodes.n; k++) {
        for (enum plant_kind kind = 0; kind < PLANT_COUNT; kind++) {
            struct plant p = {kind, g->values.at[g->nodes.at[k].outputs[0]].name, {0}};
            arena_reset(&scratch);
            if (plant_effect(c->graph, &p, &c->input_sets[0], &scratch) > 1e-3)
                judge_plant(c, &p, &scratch, t);
        }
    }
    arena_done(&scratch);
    arena_done(&a);
}

static void planted_faults_are_found_and_honest_runs_are_not_blamed(void **state)
{
    size_t n_nets;
    const struct net_row *nets = net_list(&n_nets);
    struct tally t = {0};
    (void)state;
    for (size_t i = 0; i < n_nets; i++) {
        struct tally before = t;
        for (uint64_t seed = 1; seed <= SEEDS; seed++)
            plant_everywhere(&nets[i], seed, &t);
        print_message("%-10s found %u of %u, false %u\n", nets[i].name, t.n_found - before.n_found,
                      t.n_counted - before.n_counted, t.n_false - before.n_false);
    }
    assert_true(t.n_counted > 200);
    assert_true(t.n_found * 100 >= t.n_counted * 95);
    assert_int_equal(t.n_false, 0);
}

/* Runs of many nets without a fault: none may fail. */
static void fresh_nets_raise_no_alarm(void **state)
{
    enum { FRESH = 100 };
    size_t n_nets;
    const struct net_row *nets = net_list(&n_nets);
    struct tally t = {0};
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < n_nets; i++) {
        for (uint64_t seed = 1000; seed < 1000 + FRESH; seed++) {
            struct err e = {0};
            arena_reset(&a);
            struct tcase *c = net_case(&nets[i], seed, 1, &a, &e);
            if (!c)
                fail_msg("%s: %s", nets[i].name, e.text);
            judge_plant(c, NULL, &a, &t);
        }
    }
    assert_int_equal(t.n_false, 0);
    arena_done(&a);
}

TEST_SUITE(judge_plant, TEST(planted_faults_are_found_and_honest_runs_are_not_blamed),
           TEST(fresh_nets_raise_no_alarm))
