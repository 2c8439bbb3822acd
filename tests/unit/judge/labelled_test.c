/*
 * The labelled set of campaign.md: compares failures that a person sorted into bugs with the
 * buckets that our keys make. Precision falls when two bugs share a key, recall when one bug has
 * several; BCubed (Bagga and Baldwin, 1998) measures both per failure.
 */
#include "judge/bucket.h"
#include "planted/nets.h"
#include "unit/test.h"

static const struct labelled {
    const char *bug, *ops;
    enum outcome outcome;
    const char *type, *message, *stack;
} rows[] = {
#define LABELLED(bug, ops, outcome, type, message, stack)                                          \
    {bug, ops, OUTCOME_##outcome, type, message, stack},
#include "unit/judge/labelled.def"
#undef LABELLED
};

/* A chain of these operators; its nodes are named n0, n1, ..., as in the messages. */
static struct tcase *chain_of(const char *ops, struct arena *a)
{
    static const int64_t dims[] = {1};
    struct model *m = model_new(a, 21);
    struct str rest = str_of(ops), op;
    uint32_t v = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 1);
    for (int i = 0; str_split(&rest, ' ', &op); i++) {
        v = graph_add_node(m, m->graph, str_dup(a, op), &v, 1, 1);
        graph_last_node(m->graph)->name = str_of(arena_printf(a, "n%d", i));
    }
    graph_add_output(m->graph, v);
    return net_case_of(m, LANE_NUMERIC, &(struct tensors){NULL, 0}, a);
}

static struct str key_of(const struct labelled *row, struct arena *a)
{
    const struct tcase *c = chain_of(row->ops, a);
    struct observation *x = arena_new(a, struct observation);
    struct verdict *v = arena_new(a, struct verdict);
    struct keys k;
    x->outcome = row->outcome;
    x->signal = row->outcome == OUTCOME_SIGNAL ? 11 : 0;
    x->target = (struct target_id){
        .engine = STR("e"), .version = STR("1"), .mode = STR("all"), .family = STR("e")};
    x->message = (struct message){
        .raw = str_of(row->message), .type = str_of(row->type), .stack = str_of(row->stack)};
    *v = (struct verdict){
        .oracle = "crash", .decision = DECISION_FAIL, .wrong = WRONG_OUTCOME, .target = x->target};
    struct evidence ev = {.c = c, .observations = x, .n_observations = 1};
    bucket_keys(&ev, &(struct verdicts){v, 1}, a, &k);
    assert_int_equal(k.n, 1);
    return k.at[0].strict;
}

static void buckets_follow_the_labels(void **state)
{
    enum { N = COUNT_OF(rows) };
    struct arena a;
    struct str keys[N];
    double precision = 0, recall = 0;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < N; i++)
        keys[i] = key_of(&rows[i], &a);
    for (size_t i = 0; i < N; i++) {
        double n_key = 0, n_bug = 0, n_both = 0;
        for (size_t k = 0; k < N; k++) {
            bool same_key = str_eq(keys[i], keys[k]);
            bool same_bug = strcmp(rows[i].bug, rows[k].bug) == 0;
            n_key += same_key;
            n_bug += same_bug;
            n_both += same_key && same_bug;
            if (same_key != same_bug && k > i)
                print_message("%s: %s: " STR_FMT "\n%s: " STR_FMT "\n",
                              same_key ? "thrown together" : "split", rows[i].bug, STR_ARG(keys[i]),
                              rows[k].bug, STR_ARG(keys[k]));
        }
        precision += n_both / n_key / N;
        recall += n_both / n_bug / N;
    }
    double f1 = 2 * precision * recall / (precision + recall);
    print_message("BCubed precision %.3f, recall %.3f, F1 %.3f over %d failures\n", precision,
                  recall, f1, (int)N);
    assert_true(precision >= 0.99 && f1 >= 0.95);
    arena_done(&a);
}

TEST_SUITE(judge_labelled, TEST(buckets_follow_the_labels))
