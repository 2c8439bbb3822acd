/* Reduction: its results are small, show the same failure, and do not depend on how it is run. */
#include "reduce/reduce.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "onnx/check.h"
#include "onnx/gaps.h"
#include "onnx/infer.h"
#include "planted/nets.h"
#include "unit/reduce/shim_run.h"
#include "unit/test.h"

enum { OUTSTANDING_MAX = 16 };

/* Runs a reduction to its end with n_outstanding candidates at once, answered in an order that seed
 * shuffles. */
static struct reduction *reduce_within(const struct tcase *c, const struct plant *p,
                                       uint32_t budget, uint32_t n_outstanding, uint64_t seed)
{
    struct arena a;
    struct err e = {0};
    struct reduction *r;
    struct reduce_options o = {.budget_runs = budget, .n_outstanding = n_outstanding};
    const struct tcase *waiting[OUTSTANDING_MAX];
    size_t n_waiting = 0;
    struct rng order;
    rng_init(&order, seed, RNG_TEST, 0);
    arena_init(&a);
    struct keys first = shim_keys(p, c, &a);
    assert_true(first.n > 0);
    if (!reduce_open(&o, c, &first.at[0], &r, &e))
        fail_msg("%s", e.text);
    for (;;) {
        while (n_waiting < OUTSTANDING_MAX && reduce_next(r, &waiting[n_waiting]))
            n_waiting++;
        if (reduce_is_done(r))
            break;
        assert_true(n_waiting > 0);
        size_t at = rng_below(&order, n_waiting);
        arena_reset(&a);
        struct keys seen = shim_keys(p, waiting[at], &a);
        struct hash id = waiting[at]->id;
        assert_int_not_equal(reduce_tell(r, &id, &seen), REDUCE_TOLD_UNKNOWN);
        waiting[at] = waiting[--n_waiting];
    }
    arena_done(&a);
    return r;
}

static struct reduction *reduce_plant(const struct tcase *c, const struct plant *p,
                                      uint32_t n_outstanding, uint64_t seed)
{
    return reduce_within(c, p, 0, n_outstanding, seed);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* How many elements of float inputs and constants a case has, and what they are. */
struct elements {
    size_t n, n_one, n_zero, n_small; /* small: other whole numbers up to 16 */
};

static void count_elements(const struct tensor *t, struct elements *out)
{
    for (size_t i = 0; dtype_is_float(t->dtype) && i < t->n; i++) {
        double x = tensor_get_double(t, i);
        out->n++;
        out->n_one += x == 1;
        out->n_zero += x == 0;
        out->n_small += x != 0 && x != 1 && x == (double)(int)x && x >= -16 && x <= 16;
    }
}

static void count_values(const struct tcase *c, struct elements *out)
{
    for (size_t i = 0; i < c->input_sets[0].n; i++)
        count_elements(&c->input_sets[0].at[i].tensor, out);
    for (size_t i = 0; i < c->graph->graph->values.n; i++)
        if (c->graph->graph->values.at[i].initializer)
            count_elements(c->graph->graph->values.at[i].initializer, out);
}

static void planted_faults_shrink_to_few_nodes(void **state)
{
    enum { MAX = 400 };
    static int nodes[MAX];
    size_t n_nets, n = 0;
    int64_t longest = 0, began = clock_now_ns();
    uint64_t n_runs = 0;
    struct elements values = {0};
    const struct net_row *nets = net_list(&n_nets);
    (void)state;
    for (size_t i = 0; i < n_nets; i++) {
        struct arena a, scratch;
        struct err e = {0};
        arena_init(&a);
        arena_init(&scratch);
        struct tcase *c = net_case(&nets[i], 3, 1, &a, &e);
        if (!c)
            fail_msg("%s: %s", nets[i].name, e.text);
        const struct graph *g = c->graph->graph;
        for (size_t k = 0; k < g->nodes.n; k += 3) {
            for (enum plant_kind kind = 0; kind < PLANT_COUNT && n < MAX; kind++) {
                struct plant p = {kind, g->values.at[g->nodes.at[k].outputs[0]].name, {0}};
                arena_reset(&scratch);
                if (plant_effect(c->graph, &p, &c->input_sets[0], &scratch) <= 1e-3 ||
                    shim_keys(&p, c, &scratch).n == 0)
                    continue;
                int64_t start = clock_now_ns();
                struct reduction *r = reduce_plant(c, &p, 4, 1);
                struct reduce_counts counts = reduce_counts(r);
                longest = MAX(longest, clock_now_ns() - start);
                n_runs += counts.n_runs;
                nodes[n++] = (int)counts.n_nodes;
                const struct tcase *best = reduce_best(r);
                assert_true(check_model(best->graph, &e));
                assert_true(shim_keys(&p, best, &scratch).n > 0);
                count_values(best, &values);
                if (counts.n_nodes > 4)
                    print_message("%s at " STR_FMT ": %u nodes, %u runs\n", plant_name(kind),
                                  STR_ARG(p.output), counts.n_nodes, counts.n_runs);
                reduce_close(r);
            }
        }
        arena_done(&scratch);
        arena_done(&a);
    }
    assert_true(n > 30);
    qsort(nodes, n, sizeof *nodes, by_number);
    print_message(
        "%zu reductions: median %d nodes, largest %d; %.0f runs each; longest %.2f s, all "
        "%.1f s\n",
        n, nodes[n / 2], nodes[n - 1], (double)n_runs / (double)n, (double)longest * 1e-9,
        (double)(clock_now_ns() - began) * 1e-9);
    assert_true(nodes[n / 2] <= 4);
    print_message("%zu elements: %zu one, %zu zero, %zu small\n", values.n, values.n_one,
                  values.n_zero, values.n_small);
    assert_true(100 * (values.n_one + values.n_zero) >= 95 * values.n);
}

static void a_wrong_fusion_shrinks_to_its_nodes(void **state)
{
    static const struct {
        const char *op_type, *after;
        size_t net;
    } rows[] = {{"BatchNormalization", "Conv", 0},
                {"Softmax", "Div", 1},
                {"Div", "MatMul", 1},
                {"Gelu", "MatMul", 1},
                {"Squeeze", "GRU", 3},
                {"Sqrt", "Add", 2}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        size_t n_nets;
        arena_init(&a);
        struct tcase *c = net_case(&net_list(&n_nets)[rows[i].net], 9, 1, &a, &e);
        if (!c)
            fail_msg("%s", e.text);
        const struct graph *g = c->graph->graph;
        struct plant p = {.kind = PLANT_CHANNEL, .after = str_of(rows[i].after)};
        for (size_t k = 0; k < g->nodes.n; k++)
            if (str_is(g->nodes.at[k].op_type, rows[i].op_type))
                p.output = g->values.at[g->nodes.at[k].outputs[0]].name;
        ASSERT_ROW(shim_keys(&p, c, &a).n > 0, rows[i].op_type);
        struct reduction *r = reduce_plant(c, &p, 4, 1);
        ASSERT_ROW(reduce_counts(r).n_nodes == 2, rows[i].op_type);
        reduce_close(r);
        arena_done(&a);
    }
}

static void the_result_does_not_depend_on_how_many_run_at_once(void **state)
{
    static const uint32_t outstanding[] = {1, 3, 8}, budgets[] = {0, 1, 7, 20};
    struct arena a;
    struct err e = {0};
    size_t n_nets;
    (void)state;
    arena_init(&a);
    struct tcase *c = net_case(&net_list(&n_nets)[2], 5, 1, &a, &e);
    if (!c)
        fail_msg("%s", e.text);
    const struct graph *g = c->graph->graph;
    struct plant p = {
        PLANT_CHANNEL, g->values.at[g->nodes.at[g->nodes.n / 2].outputs[0]].name, {0}};
    for (size_t b = 0; b < COUNT_OF(budgets); b++) {
        struct hash content[COUNT_OF(outstanding)];
        uint32_t n_tried[COUNT_OF(outstanding)], place[COUNT_OF(outstanding)];
        for (size_t i = 0; i < COUNT_OF(outstanding); i++) {
            struct reduction *r = reduce_within(c, &p, budgets[b], outstanding[i], 40 + i);
            content[i] = reduce_best(r)->content;
            n_tried[i] = reduce_counts(r).n_tried;
            place[i] = reduce_place(r, &content[i]);
            assert_int_equal(reduce_counts(r).out_of_budget,
                             budgets[b] > 0 && n_tried[i] == budgets[b]);
            assert_true(budgets[b] == 0 || n_tried[i] <= budgets[b]);
            assert_true(place[i] <= n_tried[i]);
            reduce_close(r);
        }
        for (size_t i = 1; i < COUNT_OF(outstanding); i++)
            assert_true(hash_eq(&content[0], &content[i]) && n_tried[i] == n_tried[0] &&
                        place[i] == place[0]);
    }
    arena_done(&a);
}

/* Answers every candidate with the given key. */
static uint32_t reduce_with_answer(const struct tcase *c, const struct key *original,
                                   const struct key *answer, uint32_t budget,
                                   enum reduce_told expected)
{
    struct reduction *r;
    struct err e = {0};
    const struct tcase *t;
    struct reduce_options o = {.budget_runs = budget, .n_outstanding = 1};
    struct key copy = *answer;
    struct keys seen = {&copy, 1};
    if (!reduce_open(&o, c, original, &r, &e))
        fail_msg("%s", e.text);
    while (reduce_next(r, &t)) {
        struct hash id = t->id;
        assert_int_equal(reduce_tell(r, &id, &seen), expected);
    }
    assert_true(reduce_is_done(r));
    uint32_t kept = reduce_counts(r).n_kept;
    assert_true(reduce_counts(r).n_runs <= budget);
    reduce_close(r);
    return kept;
}

/* If each candidate hangs, how many run depends on the budget alone. */
static void a_hang_takes_more_of_the_budget(void **state)
{
    struct arena a;
    struct err e = {0};
    size_t n_nets;
    (void)state;
    arena_init(&a);
    struct tcase *c = net_case(&net_list(&n_nets)[4], 5, 1, &a, &e);
    if (!c)
        fail_msg("%s", e.text);
    struct verdict v = {.wrong = WRONG_OUTCOME};
    static const enum bug_class classes[] = {BUG_NATIVE_CRASH, BUG_RESOURCE};
    uint32_t n_tried[COUNT_OF(classes)];
    for (size_t i = 0; i < COUNT_OF(classes); i++) {
        struct key key = {.class = classes[i], .guard = STR("g"), .verdict = &v};
        struct reduce_options o = {.budget_runs = 4 * REDUCE_LIMIT_RUNS, .n_outstanding = 1};
        struct key other = {.class = classes[i], .guard = STR("h"), .verdict = &v};
        struct keys seen = {&other, 1};
        struct reduction *r;
        const struct tcase *t;
        if (!reduce_open(&o, c, &key, &r, &e))
            fail_msg("%s", e.text);
        while (reduce_next(r, &t)) {
            struct hash id = t->id;
            assert_int_equal(reduce_tell(r, &id, &seen), REDUCE_TOLD_OTHER);
        }
        assert_true(reduce_is_done(r));
        n_tried[i] = reduce_counts(r).n_tried;
        reduce_close(r);
    }
    assert_true(n_tried[0] > 4);
    assert_int_equal(n_tried[1], 4);
    arena_done(&a);
}

static void another_failure_is_never_followed(void **state)
{
    static const struct {
        const char *name, *guard;
        double measure;
        enum wrong_kind wrong;
        enum reduce_told told;
    } rows[] = {
        {"same", "g", 1, WRONG_VALUE, REDUCE_TOLD_SAME},
        {"half as large", "g", 0.6, WRONG_VALUE, REDUCE_TOLD_SAME},
        {"ten times its tolerance", "g", 2e-3, WRONG_VALUE, REDUCE_TOLD_SAME},
        {"much smaller", "g", 5e-4, WRONG_VALUE, REDUCE_TOLD_OTHER},
        {"another guard", "h", 1, WRONG_VALUE, REDUCE_TOLD_OTHER},
    };
    struct arena a;
    struct err e = {0};
    size_t n_nets;
    (void)state;
    arena_init(&a);
    struct tcase *c = net_case(&net_list(&n_nets)[4], 5, 1, &a, &e);
    if (!c)
        fail_msg("%s", e.text);
    struct verdict failing = {.wrong = WRONG_VALUE, .measure = 1, .threshold = 1e-4};
    struct key original = {.class = BUG_WRONG_RESULT, .guard = STR("g"), .verdict = &failing};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct verdict v = {.wrong = rows[i].wrong, .measure = rows[i].measure, .threshold = 1e-4};
        struct key answer = {
            .class = BUG_WRONG_RESULT, .guard = str_of(rows[i].guard), .verdict = &v};
        uint32_t kept = reduce_with_answer(c, &original, &answer, 50, rows[i].told);
        ASSERT_ROW((kept > 0) == (rows[i].told == REDUCE_TOLD_SAME), rows[i].name);
    }
    arena_done(&a);
}

/* ---- answers depend on what the candidate holds, so that a test says what must be kept */

static bool graph_holds(const struct graph *g, const char *op)
{
    for (size_t k = 0; k < g->nodes.n; k++) {
        const struct node *n = &g->nodes.at[k];
        if (str_is(n->op_type, op))
            return true;
        for (uint32_t i = 0; i < n->n_attrs; i++) {
            const struct graph *body = n->attrs[i].kind == ATTR_GRAPH ? n->attrs[i].g : NULL;
            for (size_t b = 0; body && b < body->nodes.n; b++)
                if (str_is(body->nodes.at[b].op_type, op))
                    return true;
        }
    }
    return false;
}

/* Reduces as long as `fails` says so of a candidate; every candidate must pass `check`, if given.
 */
static struct reduction *reduce_where(const struct tcase *c,
                                      bool (*fails)(const struct graph *, const char *op),
                                      const char *op, bool (*check)(const struct tcase *))
{
    struct reduction *r;
    struct err e = {0};
    const struct tcase *t;
    const struct graph *g = c->graph->graph;
    struct verdict v = {.wrong = WRONG_SHAPE, .place.output = g->values.at[g->outputs.at[0]].name};
    struct key key = {.class = BUG_WRONG_RESULT, .guard = STR("g"), .verdict = &v};
    struct keys seen = {&key, 1};
    if (!reduce_open(&(struct reduce_options){.n_outstanding = 1}, c, &key, &r, &e))
        fail_msg("%s", e.text);
    while (reduce_next(r, &t)) {
        struct hash id = t->id;
        assert_true(!check || check(t));
        reduce_tell(r, &id, fails(t->graph->graph, op) ? &seen : NULL);
    }
    assert_true(reduce_is_done(r));
    return r;
}

static struct reduction *reduce_to_operator(const struct tcase *c, const char *op,
                                            bool (*check)(const struct tcase *))
{
    return reduce_where(c, graph_holds, op, check);
}

/* The body {h -> Erf(h) + outer}; that of a Loop has iteration number and condition before h. */
static struct graph *make_body(struct model *m, const char *op, uint32_t outer)
{
    static const int64_t dims[] = {3};
    bool is_loop = strcmp(op, "Loop") == 0;
    struct graph *b = graph_new(m, STR("body"));
    uint32_t h = VALUE_NONE, o = graph_add_value(m, b, m->graph->values.at[outer].name);
    if (is_loop)
        graph_add_input(m, b, STR("turn"), DTYPE_INT64, NULL, 0);
    uint32_t more = is_loop ? graph_add_input(m, b, STR("more"), DTYPE_BOOL, NULL, 0) : 0;
    if (strcmp(op, "If") != 0)
        h = graph_add_input(m, b, STR("h"), DTYPE_FLOAT, dims, 1);
    uint32_t erf = graph_add_node(m, b, "Erf", h == VALUE_NONE ? &o : &h, 1, 1);
    uint32_t sum = graph_add_node(m, b, "Add", (uint32_t[]){erf, o}, 2, 1);
    if (is_loop)
        graph_add_output(b, graph_add_node(m, b, "Identity", &more, 1, 1));
    graph_add_output(b, sum);
    if (is_loop)
        graph_add_output(b, graph_add_node(m, b, "Neg", &erf, 1, 1));
    return b;
}

/* x -> op {Erf(h) + Abs(x)} -> Neg */
static struct tcase *case_with_body(const char *op, struct arena *a)
{
    static const int64_t dims[] = {3}, rows[] = {2, 3};
    static const double ones[] = {1, 1, 1, 1, 1, 1}, two = 2, yes = 1;
    struct err e = {0};
    struct model *m = model_new(a, 21);
    bool is_scan = strcmp(op, "Scan") == 0, is_loop = strcmp(op, "Loop") == 0;
    uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 1);
    uint32_t s = is_scan ? graph_add_input(m, m->graph, STR("s"), DTYPE_FLOAT, rows, 2) : 0;
    uint32_t outer = graph_add_node(m, m->graph, "Abs", &x, 1, 1);
    struct tensor *t = arena_new_array(a, struct tensor, 2);
    assert_true(tensor_from_doubles(DTYPE_INT64, NULL, 0, &two, a, &t[0], &e) &&
                tensor_from_doubles(DTYPE_BOOL, NULL, 0, &yes, a, &t[1], &e));
    uint32_t n = is_loop ? graph_add_initializer(m, m->graph, STR("n"), &t[0]) : 0;
    uint32_t cond = is_scan ? 0 : graph_add_initializer(m, m->graph, STR("cond"), &t[1]);
    const uint32_t loop[] = {n, cond, x};
    uint32_t y = graph_add_node(m, m->graph, op,
                                is_loop   ? loop
                                : is_scan ? &s
                                          : &cond,
                                is_loop ? 3 : 1, is_loop ? 2 : 1);
    struct node *node = graph_last_node(m->graph);
    if (is_loop || is_scan)
        node_set_graph(m, node, "body", make_body(m, op, outer));
    else
        node_set_graph(m, node, "then_branch", make_body(m, op, outer));
    if (!is_loop && !is_scan)
        node_set_graph(m, node, "else_branch", make_body(m, op, outer));
    if (is_scan)
        node_set_int(m, node, "num_scan_inputs", 1);
    uint32_t last = is_loop ? y + 1 : y;
    graph_add_output(m->graph, graph_add_node(m, m->graph, "Neg", &last, 1, 1));
    if (!model_finish(m, &e) || !infer_model(m, &e))
        fail_msg("%s: %s", op, e.text);
    struct named_tensor *in = arena_new_array(a, struct named_tensor, 2);
    in[0].name = STR("x");
    in[1].name = STR("s");
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 1, ones, a, &in[0].tensor, &e) &&
                tensor_from_doubles(DTYPE_FLOAT, rows, 2, ones, a, &in[1].tensor, &e));
    return net_case_of(m, LANE_NUMERIC, &(struct tensors){in, is_scan ? 2 : 1}, a);
}

static void what_fails_in_a_body_comes_out_of_it(void **state)
{
    static const char *const ops[] = {"If", "Loop", "Scan"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ops); i++) {
        struct arena a;
        arena_init(&a);
        struct tcase *c = case_with_body(ops[i], &a);
        struct reduction *r = reduce_to_operator(c, "Erf", NULL);
        const struct graph *g = reduce_best(r)->graph->graph;
        ASSERT_ROW(g->nodes.n == 1 && str_is(g->nodes.at[0].op_type, "Erf"), ops[i]);
        reduce_close(r);
        arena_done(&a);
    }
}

static bool is_of_computed(const struct graph *g, const char *op)
{
    for (size_t k = 0; k < g->nodes.n; k++)
        if (str_is(g->nodes.at[k].op_type, op))
            return g->values.at[g->nodes.at[k].inputs[0]].origin == ORIGIN_NODE;
    return false;
}

/* x of three floats through the operators, one after the other. */
static struct tcase *case_of_chain(const char *const *ops, size_t n, struct arena *a)
{
    static const int64_t dims[] = {3};
    static const double x[] = {0.5, -1, 2};
    struct err e = {0};
    struct named_tensor *in = arena_new(a, struct named_tensor);
    struct model *m = model_new(a, 21);
    in->name = STR("x");
    uint32_t v = graph_add_input(m, m->graph, in->name, DTYPE_FLOAT, dims, 1);
    for (size_t i = 0; i < n; i++)
        v = graph_add_node(m, m->graph, ops[i], &v, 1, 1);
    graph_add_output(m->graph, v);
    assert_true(model_finish(m, &e) && infer_model(m, &e));
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 1, x, a, &in->tensor, &e));
    return net_case_of(m, LANE_NUMERIC, &(struct tensors){in, 1}, a);
}

/* A chain that fails unless Erf reads an input: how its operand is made does not matter, and the
 * smallest case says so, with the same values. */
static void what_only_has_to_be_computed_becomes_neg(void **state)
{
    static const char *const ops[] = {"Abs", "Sin", "Erf"};
    struct arena a;
    (void)state;
    arena_init(&a);
    struct reduction *r = reduce_where(case_of_chain(ops, 3, &a), is_of_computed, "Erf", NULL);
    const struct graph *g = reduce_best(r)->graph->graph;
    assert_int_equal(g->nodes.n, 2);
    assert_true(str_is(g->nodes.at[0].op_type, "Neg"));
    assert_int_equal(g->values.at[g->nodes.at[0].inputs[0]].origin, ORIGIN_INPUT);
    reduce_close(r);
    arena_done(&a);
}

static bool is_of_read(const struct graph *g, const char *op)
{
    for (size_t k = 0; k < g->nodes.n; k++)
        if (str_is(g->nodes.at[k].op_type, op))
            return !g->values.at[g->nodes.at[k].outputs[0]].is_output;
    return false;
}

/* A chain that fails unless Erf gives the output: who reads its result does not matter. */
static void what_only_has_to_be_read_is_read_by_identity(void **state)
{
    static const char *const ops[] = {"Erf", "Sin"};
    struct arena a;
    (void)state;
    arena_init(&a);
    struct reduction *r = reduce_where(case_of_chain(ops, 2, &a), is_of_read, "Erf", NULL);
    const struct graph *g = reduce_best(r)->graph->graph;
    assert_int_equal(g->nodes.n, 2);
    assert_true(str_is(g->nodes.at[1].op_type, "Identity"));
    reduce_close(r);
    arena_done(&a);
}

/* Optional inputs and attributes that the failure does not need are left out. */
static void what_an_operator_need_not_have_goes(void **state)
{
    static const struct {
        const char *op, *attr;
        uint32_t n_inputs;
    } rows[] = {{"Clip", NULL, 3}, {"LeakyRelu", "alpha", 1}};
    static const int64_t dims[] = {3};
    static const double x[] = {0.5, -1, 2}, ends[] = {-4, 4};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        struct named_tensor in = {.name = STR("x")};
        uint32_t inputs[3];
        arena_init(&a);
        struct model *m = model_new(&a, 21);
        inputs[0] = graph_add_input(m, m->graph, in.name, DTYPE_FLOAT, dims, 1);
        for (uint32_t k = 1; k < rows[i].n_inputs; k++) {
            struct tensor *end = arena_new(&a, struct tensor);
            assert_true(tensor_from_doubles(DTYPE_FLOAT, NULL, 0, &ends[k - 1], &a, end, &e));
            inputs[k] = graph_add_initializer(m, m->graph, STR("end"), end);
        }
        uint32_t y = graph_add_node(m, m->graph, rows[i].op, inputs, rows[i].n_inputs, 1);
        if (rows[i].attr)
            node_set_float(m, graph_last_node(m->graph), rows[i].attr, 0.5F);
        graph_add_output(m->graph, y);
        assert_true(model_finish(m, &e) && infer_model(m, &e));
        assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 1, x, &a, &in.tensor, &e));
        struct tcase *c = net_case_of(m, LANE_NUMERIC, &(struct tensors){&in, 1}, &a);
        struct reduction *r = reduce_to_operator(c, rows[i].op, NULL);
        const struct node *n = &reduce_best(r)->graph->graph->nodes.at[0];
        ASSERT_ROW(n->n_inputs == 1 && n->n_attrs == 0, rows[i].op);
        reduce_close(r);
        arena_done(&a);
    }
}

static bool scales_are_positive(const struct tcase *c)
{
    const struct graph *g = c->graph->graph;
    for (size_t k = 0; k < g->nodes.n; k++) {
        const struct node *n = &g->nodes.at[k];
        if (!str_is(n->op_type, "QuantizeLinear") && !str_is(n->op_type, "DequantizeLinear"))
            continue;
        const struct value *v = &c->reference[0].values[n->inputs[1]];
        for (size_t i = 0; i < v->n; i++)
            if (v->f[i] <= 0)
                return false;
    }
    return true;
}

static bool ranks_are_known(const struct tcase *c)
{
    const struct graph *g = c->graph->graph;
    for (size_t i = 0; i < g->outputs.n; i++)
        if (!g->values.at[g->outputs.at[i]].shape.known)
            return false;
    return true;
}

/* Both values are inputs of the graph, or computed, so that passes that change or cut values reach
 * them. */
static void candidates_keep_to_what_the_case_keeps_to(void **state)
{
    static const int64_t dims[] = {2, 3}, two[] = {2};
    static const double ones[] = {1, 2, 3, 4, 5, 6}, scale = 0.5, shape[] = {3, 2};
    struct arena a;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    struct model *m = model_new(&a, 21);
    uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 2);
    uint32_t s = graph_add_input(m, m->graph, STR("s"), DTYPE_FLOAT, NULL, 0);
    struct tensor *to = arena_new(&a, struct tensor);
    assert_true(tensor_from_doubles(DTYPE_INT64, two, 1, shape, &a, to, &e));
    uint32_t c = graph_add_initializer(m, m->graph, STR("to"), to);
    uint32_t same = graph_add_node(m, m->graph, "Abs", &c, 1, 1);
    uint32_t r = graph_add_node(m, m->graph, "Reshape", (uint32_t[]){x, same}, 2, 1);
    uint32_t q = graph_add_node(m, m->graph, "QuantizeLinear", (uint32_t[]){r, s}, 2, 1);
    uint32_t d = graph_add_node(m, m->graph, "DequantizeLinear", (uint32_t[]){q, s}, 2, 1);
    graph_add_output(m->graph, d);
    if (!model_finish(m, &e) || !infer_model(m, &e))
        fail_msg("%s", e.text);
    struct named_tensor in[2] = {{.name = STR("x")}, {.name = STR("s")}};
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 2, ones, &a, &in[0].tensor, &e) &&
                tensor_from_doubles(DTYPE_FLOAT, NULL, 0, &scale, &a, &in[1].tensor, &e));
    struct tcase *whole = net_case_of(m, LANE_NUMERIC, &(struct tensors){in, 2}, &a);
    assert_true(ranks_are_known(whole));
    reduce_close(reduce_to_operator(whole, "QuantizeLinear", scales_are_positive));
    reduce_close(reduce_to_operator(whole, "Reshape", ranks_are_known));
    arena_done(&a);
}

static bool pads_are_defined(const struct tcase *c)
{
    return !model_has_gap(c->graph);
}

/* A reflection that reaches beyond the data, which smaller dims would make of it, is not defined.
 */
static void candidates_have_no_new_gap(void **state)
{
    static const int64_t dims[] = {4}, two[] = {2};
    static const double ones[] = {1, 2, 3, 4}, pads[] = {2, 1};
    struct arena a;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    struct model *m = model_new(&a, 21);
    uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 1);
    struct tensor *by = arena_new(&a, struct tensor);
    assert_true(tensor_from_doubles(DTYPE_INT64, two, 1, pads, &a, by, &e));
    uint32_t p = graph_add_initializer(m, m->graph, STR("pads"), by);
    uint32_t y = graph_add_node(m, m->graph, "Pad", (uint32_t[]){x, p}, 2, 1);
    node_set_string(m, &m->graph->nodes.at[0], "mode", "reflect");
    graph_add_output(m->graph, y);
    if (!model_finish(m, &e) || !infer_model(m, &e))
        fail_msg("%s", e.text);
    struct named_tensor in = {.name = STR("x")};
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 1, ones, &a, &in.tensor, &e));
    struct tcase *whole = net_case_of(m, LANE_NUMERIC, &(struct tensors){&in, 1}, &a);
    assert_true(pads_are_defined(whole));
    reduce_close(reduce_to_operator(whole, "Pad", pads_are_defined));
    arena_done(&a);
}

static void unknown_candidates_are_refused(void **state)
{
    struct arena a;
    struct err e = {0};
    struct reduction *r = NULL;
    size_t n_nets;
    struct hash none = {{0}};
    struct key k = {.class = BUG_WRONG_RESULT, .guard = STR("g")};
    (void)state;
    arena_init(&a);
    struct tcase *c = net_case(&net_list(&n_nets)[4], 5, 1, &a, &e);
    if (!c || !reduce_open(&(struct reduce_options){0}, c, &k, &r, &e))
        fail_msg("%s", e.text);
    assert_int_equal(reduce_tell(r, &none, NULL), REDUCE_TOLD_UNKNOWN);
    assert_ptr_equal(reduce_best(r), c);
    reduce_close(r);
    arena_done(&a);
}

TEST_SUITE(reduce_reduce, TEST(planted_faults_shrink_to_few_nodes),
           TEST(a_wrong_fusion_shrinks_to_its_nodes),
           TEST(the_result_does_not_depend_on_how_many_run_at_once),
           TEST(a_hang_takes_more_of_the_budget), TEST(another_failure_is_never_followed),
           TEST(what_fails_in_a_body_comes_out_of_it),
           TEST(what_only_has_to_be_computed_becomes_neg),
           TEST(what_only_has_to_be_read_is_read_by_identity),
           TEST(what_an_operator_need_not_have_goes),
           TEST(candidates_keep_to_what_the_case_keeps_to), TEST(candidates_have_no_new_gap),
           TEST(unknown_candidates_are_refused))
