/*
 * Which operators are blamed for a reduced crash or refusal, and what happens to a failure when it
 * is no longer certain who is wrong. The engines are the double of tests/fake, which dies of models
 * with certain operators, refuses them, or lacks one.
 */
#include "case/disk.h"
#include "hunt/reproduce/reproduce.h"
#include "hunt/runner/key.h"

#include "case/disk.h"
#include "store/artifact.h"
#include "unit/hunt/fake_bench.h"
#include "unit/test.h"

#define PICKY(rest) "{\"fault\":\"picky\"," rest "}"

static void make(struct fake_bench *b, const struct tcase *c, bool whole, struct reproducer *made)
{
    struct err e;
    struct judged seen;
    const struct reproducer_options o = {
        .out = b->out, .scratch = "test", .timeless = true, .whole = whole};
    check_ok(runner_run(&b->runner, runner_plan(&b->runner, POOL_FRESH_FORK), c, RUNNER_CULPRITS,
                        &b->arena, &seen, &e),
             &e);
    assert_int_equal(seen.keys.n, 1);
    check_ok(reproduce_case(&b->runner, &o, c, seen.keys.at[0].strict, &b->arena, made, &e), &e);
}

/* The smallest part that fails in the same way is blamed, whether the engine names it, another node
 * or none. */
static void crashes_and_refusals_are_laid_to_a_part(void **state)
{
    static const char *const ops[] = {"Neg", "Abs", "Relu", "Exp"};
    static const struct {
        const char *name, *options;
        bool whole; /* it is not shrunk */
        int64_t nodes;
        const char *op_type, *key_end;
    } rows[] = {
        {"a crash of one node", PICKY("\"ops\":[\"Abs\"]"), false, 1, "Abs", "|Abs"},
        {"a crash that was not shrunk", PICKY("\"ops\":[\"Relu\"]"), true, 4, "Relu", "|Relu<Abs"},
        {"a crash of two nodes", PICKY("\"ops\":[\"Abs\",\"Relu\"]"), false, 2, "Abs+Relu",
         "|Abs+Relu"},
        {"a refusal that names nothing", PICKY("\"ops\":[\"Abs\",\"Relu\"],\"text\":\"No.\""),
         false, 2, "Abs+Relu", "|Abs+Relu"},
        {"a refusal of one node that names nothing", PICKY("\"ops\":[\"Abs\"],\"text\":\"No.\""),
         false, 1, "Abs", "|Abs"},
        {"a refusal that names an optimiser's own node",
         PICKY("\"ops\":[\"Relu\"],\"text\":\"Node (r) Op (FusedRelu) is bad\""), true, 4, "Relu",
         "|Relu<Abs"},
        {"a refusal that names its node",
         PICKY("\"ops\":[\"Abs\",\"Exp\"],\"text\":\"Node () Op (Abs) is bad\""), true, 4, "Abs",
         "|Abs<Neg"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fake_mode mode = {.name = "off", .options = rows[i].options, .runs = true};
        struct fake_bench b;
        struct reproducer made;
        fake_bench_open(&b, &mode, 1);
        make(&b, fake_chain(ops, COUNT_OF(ops), &b.arena), rows[i].whole, &made);
        const struct store_bug *bug = &made.bug;
        if (!str_is(bug->op_type, rows[i].op_type) || !str_ends(bug->key, str_of(rows[i].key_end)))
            print_message("%s: " STR_FMT "\n", rows[i].name, STR_ARG(bug->key));
        ASSERT_ROW(made.state == CONFIRM_CONFIRMED && !made.second_opinion, rows[i].name);
        ASSERT_ROW(bug->nodes == rows[i].nodes, rows[i].name);
        ASSERT_ROW(str_is(bug->op_type, rows[i].op_type) && bug->node.n > 0, rows[i].name);
        ASSERT_ROW(str_ends(bug->key, str_of(rows[i].key_end)), rows[i].name);
        ASSERT_ROW(str_starts(bug->title, str_of(rows[i].op_type)), rows[i].name);
        fake_bench_close(&b);
    }
}

/* The double returns its input, so Neg alone is wrong, and Abs and Relu of positive numbers are
 * right: a refusal of Neg and Abs is blamed on the wrong value, one of Abs and Relu is not. */
static void a_refusal_behind_a_wrong_value_is_that_value(void **state)
{
    static const char *const ops[] = {"Relu", "Exp", "Abs", "Relu"};
    static const struct {
        const char *name, *options, *class, *ops;
    } rows[] = {
        {"the value before is wrong", PICKY("\"ops\":[\"Exp\",\"Abs\"],\"text\":\"No.\""),
         "wrong-result", "Exp"},
        {"it is right", PICKY("\"ops\":[\"Abs\",\"Relu\"],\"text\":\"No.\""), "wrong-exception",
         "Relu Abs"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fake_mode mode = {.name = "off", .options = rows[i].options, .runs = true};
        struct fake_bench b;
        struct reproducer made;
        fake_bench_open(&b, &mode, 1);
        make(&b, fake_chain(ops, COUNT_OF(ops), &b.arena), false, &made);
        if (!str_is(made.bug.class, rows[i].class) || !str_is(made.bug.ops, rows[i].ops))
            fail_msg("%s: " STR_FMT ", " STR_FMT, rows[i].name, STR_ARG(made.bug.key),
                     STR_ARG(made.bug.ops));
        ASSERT_ROW(made.state == CONFIRM_CONFIRMED, rows[i].name);
        fake_bench_close(&b);
    }
}

/* One engine refuses the case and the other lacks Neg, so the refusal counts. Without Neg both
 * refuse it. */
static void what_nobody_can_judge_any_more_needs_a_second_opinion(void **state)
{
    static const char *const ops[] = {"Neg", "Abs"};
    static const char refuses[] = PICKY("\"ops\":[\"Abs\"],\"text\":\"No.\"");
    static const struct {
        const char *name, *other;
        const char *state;
    } rows[] = {
        {"the other one refuses what is left",
         PICKY("\"ops\":[\"Abs\"],\"text\":\"Never.\",\"lacks\":\"Neg\""), "needs-second-opinion"},
        {"the other one lacks what is left", PICKY("\"ops\":[],\"lacks\":\"Abs\""), "confirmed"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fake_mode modes[] = {
            {.name = "off", .options = refuses, .runs = true},
            {.family = "other", .name = "off", .options = rows[i].other, .runs = true}};
        struct fake_bench b;
        struct reproducer made;
        struct tcase *back;
        struct err e;
        fake_bench_open(&b, modes, COUNT_OF(modes));
        make(&b, fake_chain(ops, COUNT_OF(ops), &b.arena), false, &made);
        bool in_doubt = i == 0;
        const struct store_bug *bug = &made.bug;
        ASSERT_ROW(made.second_opinion == in_doubt, rows[i].name);
        ASSERT_ROW(str_is(bug->state, rows[i].state), rows[i].name);
        ASSERT_ROW(store_bug_counts(bug) == !in_doubt, rows[i].name);
        ASSERT_ROW(store_bug_needs_opinion(bug) == in_doubt, rows[i].name);
        ASSERT_ROW(bug->nodes == 1 && bug->nodes_before == 2, rows[i].name);
        ASSERT_ROW((made.runs.n_runs == 0) == in_doubt, rows[i].name);
        ASSERT_ROW(str_eq(bug->key, key_without_doubt(bug->key)) == !in_doubt, rows[i].name);
        ASSERT_ROW(str_eq(bug->id, store_bug_id(bug->key, &b.arena)), rows[i].name);
        check_ok(case_read(artifact_path(b.out, bug->folder, &b.arena), &b.arena, &back, &e), &e);
        ASSERT_ROW(back->graph->graph->nodes.n == 1, rows[i].name);
        fake_bench_close(&b);
    }
}

TEST_SUITE(hunt_culprit, TEST(crashes_and_refusals_are_laid_to_a_part),
           TEST(a_refusal_behind_a_wrong_value_is_that_value),
           TEST(what_nobody_can_judge_any_more_needs_a_second_opinion))
