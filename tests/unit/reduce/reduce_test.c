/* Reduction: small results, the same failure to the end, the same result however it is run. */
#include "reduce/reduce.h"

#include <stdlib.h>

#include "base/clock.h"
#include "onnx/check.h"
#include "planted/nets.h"
#include "unit/reduce/shim_run.h"
#include "unit/test.h"

enum { OUTSTANDING_MAX = 16 };

/* Runs a reduction to its end with n candidates at once, answered in an order that seed shuffles.
 */
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

static void planted_faults_shrink_to_few_nodes(void **state)
{
    enum { MAX = 400 };
    static int nodes[MAX];
    size_t n_nets, n = 0;
    int64_t longest = 0, began = clock_now_ns();
    uint64_t n_runs = 0;
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
        {"a shadow of it", "g", 5e-4, WRONG_VALUE, REDUCE_TOLD_OTHER},
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

static void unknown_candidates_are_refused(void **state)
{
    struct arena a;
    struct err e = {0};
    struct reduction *r;
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
           TEST(another_failure_is_never_followed), TEST(unknown_candidates_are_refused))
