/* Localisation: the nodes of planted faults are found. */
#include "reduce/localise.h"

#include "onnx/infer.h"
#include "planted/nets.h"
#include "unit/reduce/shim_run.h"
#include "unit/test.h"

enum { SEEDS = 2 };

struct tally {
    unsigned n_counted, n_right, n_confirmed;
};

static void localise_plant(const struct tcase *c, const struct plant *p, struct arena *a,
                           struct tally *t)
{
    struct reference *refs;
    struct err e = {0};
    const struct verdict *v = shim_failure(p, c, &refs, a);
    if (!v)
        return; /* tests of judge/ count what is not found */
    struct localise_runner runner = shim_runner(p);
    struct localised l;
    if (!localise_graph(&(struct judge_options){0}, &refs[0], &(struct key){.verdict = v}, &runner,
                        a, &l, &e))
        fail_msg("%s", e.text);
    const struct graph *g = c->graph->graph;
    bool right = l.found && str_eq(g->values.at[g->nodes.at[l.node].outputs[0]].name, p->output);
    t->n_counted++;
    t->n_right += right;
    t->n_confirmed += l.found && l.confirmed;
    if (!right)
        print_message("%s at " STR_FMT ": %s " STR_FMT "\n", plant_name(p->kind),
                      STR_ARG(p->output), l.found ? "blames" : "not found", STR_ARG(l.name));
}

static void planted_faults_are_localised_to_their_node(void **state)
{
    size_t n_nets;
    const struct net_row *nets = net_list(&n_nets);
    struct tally t = {0};
    (void)state;
    for (size_t i = 0; i < n_nets; i++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct arena a, scratch;
            struct err e = {0};
            arena_init(&a);
            arena_init(&scratch);
            struct tcase *c = net_case(&nets[i], seed, 1, &a, &e);
            if (!c)
                fail_msg("%s: %s", nets[i].name, e.text);
            for (size_t k = 0; k < c->graph->graph->nodes.n; k++) {
                const struct graph *g = c->graph->graph;
                for (enum plant_kind kind = 0; kind < PLANT_COUNT; kind++) {
                    struct plant p = {kind, g->values.at[g->nodes.at[k].outputs[0]].name, {0}};
                    arena_reset(&scratch);
                    if (plant_effect(c->graph, &p, &c->input_sets[0], &scratch) > 1e-3)
                        localise_plant(c, &p, &scratch, &t);
                }
            }
            arena_done(&scratch);
            arena_done(&a);
        }
    }
    print_message("localised %u of %u, confirmed on the whole graph %u\n", t.n_right, t.n_counted,
                  t.n_confirmed);
    assert_true(t.n_counted > 100);
    assert_true(t.n_right * 100 >= t.n_counted * 90);
}

static void a_wrong_fusion_is_one_pattern(void **state)
{
    struct arena a;
    struct err e = {0};
    struct reference *refs;
    struct localised l;
    size_t n_nets;
    (void)state;
    arena_init(&a);
    struct tcase *c = net_case(&net_list(&n_nets)[0], 7, 1, &a, &e);
    if (!c)
        fail_msg("%s", e.text);
    const struct graph *g = c->graph->graph;
    struct plant p = {.kind = PLANT_CHANNEL, .after = STR("Conv")};
    for (size_t k = 0; k < g->nodes.n; k++)
        if (str_is(g->nodes.at[k].op_type, "BatchNormalization"))
            p.output = g->values.at[g->nodes.at[k].outputs[0]].name;
    const struct verdict *v = shim_failure(&p, c, &refs, &a);
    assert_non_null(v);
    struct localise_runner runner = shim_runner(&p);
    if (!localise_graph(&(struct judge_options){0}, &refs[0], &(struct key){.verdict = v}, &runner,
                        &a, &l, &e))
        fail_msg("%s", e.text);

    assert_true(l.found && l.confirmed);
    assert_true(str_is(l.pattern, "Conv+BatchNormalization"));
    arena_done(&a);
}

/* An engine that refuses a model with both operators, and with another message one with only one of
 * them. */
static bool refuse(void *ctx, const struct tcase *const *cases, size_t n, struct arena *a,
                   struct observation *out, struct err *e)
{
    const char *const *pair = ctx;
    (void)a, (void)e;
    for (size_t i = 0; i < n; i++) {
        const struct graph *g = cases[i]->graph->graph;
        bool has[2] = {false, false};
        for (size_t k = 0; k < g->nodes.n; k++)
            for (size_t p = 0; p < 2; p++)
                has[p] |= str_is(g->nodes.at[k].op_type, pair[p]);
        out[i] = (struct observation){
            .outcome = has[1] ? OUTCOME_EXCEPTION : OUTCOME_OK,
            .target = {.engine = STR("e"),
                       .version = STR("1"),
                       .mode = STR("m"),
                       .family = STR("e")},
            .message = {.raw = has[0] ? STR("the pair is bad") : STR("this one is bad"),
                        .type = STR("Bad")}};
    }
    return true;
}

static struct tcase *chain_case(const char *const *op_types, size_t n, struct arena *a)
{
    static const int64_t dims[] = {2};
    static const double x[] = {1, 2};
    struct err e;
    struct model *m = model_new(a, 20);
    struct named_tensor in = {.name = STR("x")};
    uint32_t v = graph_add_input(m, m->graph, in.name, DTYPE_FLOAT, dims, 1);
    for (size_t i = 0; i < n; i++)
        v = graph_add_node(m, m->graph, op_types[i], &v, 1, 1);
    graph_add_output(m->graph, v);
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 1, x, a, &in.tensor, &e));
    if (!model_finish(m, &e) || !infer_model(m, &e))
        fail_msg("%s", e.text);
    return net_case_of(m, 0, &(struct tensors){arena_dup(a, &in, sizeof in), 1}, a);
}

/* A part that is refused for another reason is not to blame. */
static void a_refusal_is_laid_to_what_is_refused_alike(void **state)
{
    static const char *const ops[] = {"Neg", "Abs", "Relu", "Exp"};
    static const struct {
        const char *pair[2], *pattern;
    } rows[] = {{{"Abs", "Relu"}, "Abs+Relu"}, {{"Relu", "Relu"}, "Relu"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e;
        struct observation seen;
        struct reference *refs;
        struct verdicts v;
        struct keys keys;
        struct localised l;
        arena_init(&a);
        const struct tcase *c = chain_case(ops, COUNT_OF(ops), &a);
        const struct localise_runner runner = {refuse, (void *)(uintptr_t)rows[i].pair};
        assert_true(refuse(runner.ctx, &c, 1, &a, &seen, &e));
        assert_true(reference_make(c, &a, &refs, &e));
        const struct evidence ev = {
            .c = c, .refs = refs, .observations = &seen, .n_observations = 1};
        assert_true(judge_case(&(struct judge_options){0}, &ev, &a, &v, &e));
        bucket_keys(&ev, &v, &a, &keys);
        ASSERT_ROW(keys.n == 1 && keys.at[0].node.n == 0, rows[i].pattern);
        if (!localise_graph(&(struct judge_options){0}, refs, &keys.at[0], &runner, &a, &l, &e))
            fail_msg("%s", e.text);
        ASSERT_ROW(l.found && l.confirmed && str_is(l.pattern, rows[i].pattern), rows[i].pattern);
        arena_done(&a);
    }
}

TEST_SUITE(reduce_localise, TEST(planted_faults_are_localised_to_their_node),
           TEST(a_wrong_fusion_is_one_pattern), TEST(a_refusal_is_laid_to_what_is_refused_alike))
