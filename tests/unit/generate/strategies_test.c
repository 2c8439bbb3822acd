/* Strategies: the bandit favours what was rewarded, whatever the order of queries; random never
 * learns. The learned state has a bounded size and is restored from its text exactly. */
#include <stdio.h>

#include "generate/mutate/strategy_p.h"
#include "unit/test.h"

static void give(struct learned *l, uint64_t index, const char *edits, uint32_t n_keys)
{
    struct reward r = {.n_failing_keys = n_keys, .edits = str_of(edits)};
    learned_reward(l, index, &r);
}

static void fill(struct learned *l)
{
    for (uint64_t i = 0; i < 2 * GENERATE_EPOCH; i++) {
        give(l, i, "N18 near-miss-fusion at=Conv near=a>b bucket=good\n", i % 3 == 0);
        give(l, i, "PM parameter at=Relu near=a>b bucket=bad\n", i % 50 == 0);
    }
}

static void what_paid_is_tried_more_often(void **state)
{
    struct learned l = {0};
    (void)state;
    fill(&l);
    double good = learned_factor(&l, 5, learned_arm_id(ARM_BUCKET, STR("N18"), STR("good")));
    double bad = learned_factor(&l, 5, learned_arm_id(ARM_BUCKET, STR("PM"), STR("bad")));
    double other = learned_factor(&l, 5, learned_arm_id(ARM_BUCKET, STR("PM"), STR("never")));
    assert_true(good > 1.2 && bad < 0.8);
    assert_true(other > bad && other < good);
    assert_true(good <= 4 && bad >= 0.25);
    learned_done(&l);
}

static void nothing_is_known_of_the_last_two_epochs(void **state)
{
    struct learned l = {0};
    uint64_t arm = learned_arm_id(ARM_OPERATOR, STR("N18"), STR(""));
    (void)state;
    fill(&l);
    assert_true(learned_factor(&l, 0, arm) == 1 && learned_factor(&l, 1, arm) == 1);
    double at_2 = learned_factor(&l, 2, arm), at_3 = learned_factor(&l, 3, arm);
    assert_true(at_2 != 1);
    give(&l, 2 * GENERATE_EPOCH, "N18 x at=c near=d bucket=e\n", 2);
    assert_true(learned_factor(&l, 2, arm) == at_2 && learned_factor(&l, 3, arm) == at_3);
    assert_true(learned_factor(&l, 4, arm) != at_3);
    learned_done(&l);
}

/* The epoch being rewarded and later ones can be queried; older totals are dropped. */
static void old_totals_go_and_asked_ones_stay(void **state)
{
    struct learned l = {0};
    uint64_t often = learned_arm_id(ARM_OPERATOR, STR("often"), STR(""));
    uint64_t seldom = learned_arm_id(ARM_OPERATOR, STR("seldom"), STR(""));
    (void)state;
    for (uint64_t epoch = 0; epoch < 50; epoch++) {
        if (epoch % 10 == 0)
            give(&l, epoch * GENERATE_EPOCH, "seldom x\n", 1);
        for (uint64_t i = 1; i < 4; i++)
            give(&l, epoch * GENERATE_EPOCH + i, "often x\n", 1);
        for (uint64_t asked = epoch; asked < epoch + 4; asked++) {
            uint64_t n = asked < 2 ? 0 : MIN(asked - 1, epoch + 1);
            assert_int_equal(learned_total(&l, asked, often).n, 3 * n);
            assert_int_equal(learned_total(&l, asked, seldom).n, (n + 9) / 10);
        }
    }
    for (size_t i = 0; i < l.arms.n; i++)
        assert_true(l.arms.at[i].n_totals <= LEARNED_TOTALS);
    learned_done(&l);
}

static void arms_are_bounded(void **state)
{
    struct learned l = {0};
    (void)state;
    for (uint64_t i = 0; i < LEARNED_ARMS_MAX + 100; i++) {
        char line[64];
        snprintf(line, sizeof line, "X%d x at=none\n", (int)i);
        give(&l, 0, line, 1);
    }
    assert_int_equal(l.arms.n, LEARNED_ARMS_MAX);
    uint64_t late = learned_arm_id(ARM_OPERATOR, STR("X65600"), STR(""));
    assert_int_equal(learned_total(&l, 9, late).n, 0);
    assert_int_equal(learned_total(&l, 9, learned_arm_id(ARM_OPERATOR, STR("X7"), STR(""))).n, 1);
    learned_done(&l);
}

static void what_was_learned_comes_back_from_its_text(void **state)
{
    static const char *const wrong[] = {"x 0:1:0x1p+0\n",
                                        "1\n",
                                        "1 0:1\n",
                                        "1 0:1:z\n",
                                        "1 0:1:0x1p+0\n1 0:1:0x1p+0\n",
                                        "1 0:1:1 1:2:1 2:3:1 3:4:1\n"};
    struct learned l = {0}, copy = {0};
    struct strbuf text = {0}, again = {0};
    struct err e;
    (void)state;
    fill(&l);
    learned_save(&l, &text);
    give(&copy, 0, "other x\n", 1);
    assert_true(learned_load(&copy, strbuf_str(&text), &e));
    for (uint64_t i = 2 * GENERATE_EPOCH; i < 3 * GENERATE_EPOCH; i++) {
        give(&l, i, "N18 x at=Conv\n", i % 7 == 0);
        give(&copy, i, "N18 x at=Conv\n", i % 7 == 0);
    }
    strbuf_clear(&text);
    learned_save(&l, &text);
    learned_save(&copy, &again);
    assert_true(str_eq(strbuf_str(&text), strbuf_str(&again)));
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        ASSERT_ROW(!learned_load(&copy, str_of(wrong[i]), &e), wrong[i]);
        ASSERT_ROW(copy.arms.n == 0, wrong[i]);
    }
    strbuf_done(&text);
    strbuf_done(&again);
    learned_done(&l);
    learned_done(&copy);
}

static void strategies_are_found_by_name(void **state)
{
    size_t n;
    const struct strategy *list = strategy__list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++)
        assert_ptr_equal(strategy__find(str_of(list[i].name)), &list[i]);
    assert_null(strategy__find(STR("none")));
    assert_null(strategy__find(STR("random"))->factor);
}

TEST_SUITE(generate_strategies, TEST(what_paid_is_tried_more_often),
           TEST(nothing_is_known_of_the_last_two_epochs), TEST(old_totals_go_and_asked_ones_stay),
           TEST(arms_are_bounded), TEST(what_was_learned_comes_back_from_its_text),
           TEST(strategies_are_found_by_name))
