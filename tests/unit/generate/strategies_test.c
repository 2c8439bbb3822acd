/* Strategies: the bandit favours what paid, in any order of asking; random never learns. */
#include "generate/mutate/strategy_p.h"
#include "unit/test.h"

static void give(struct strategy *s, uint64_t index, const char *edits, uint32_t n_keys)
{
    struct reward r = {.n_failing_keys = n_keys, .edits = str_of(edits)};
    strategy__reward(s, index, &r);
}

static void fill(struct strategy *s)
{
    for (uint64_t i = 0; i < 2 * GENERATE_EPOCH; i++) {
        give(s, i, "N18 near-miss-fusion at=Conv near=a>b bucket=good\n", i % 3 == 0);
        give(s, i, "PM parameter at=Relu near=a>b bucket=bad\n", i % 50 == 0);
    }
}

static void what_paid_is_tried_more_often(void **state)
{
    struct strategy s;
    (void)state;
    strategy__open(&s, &strategy__assay);
    fill(&s);
    double good = strategy__factor(&s, 5, strategy__arm(ARM_BUCKET, STR("N18"), STR("good")));
    double bad = strategy__factor(&s, 5, strategy__arm(ARM_BUCKET, STR("PM"), STR("bad")));
    double other = strategy__factor(&s, 5, strategy__arm(ARM_BUCKET, STR("PM"), STR("never")));
    assert_true(good > 1.2 && bad < 0.8);
    assert_true(other > bad && other < good);
    assert_true(good <= 4 && bad >= 0.25);
    strategy__close(&s);
}

static void nothing_is_known_of_the_last_two_epochs(void **state)
{
    struct strategy s;
    uint64_t arm = strategy__arm(ARM_OPERATOR, STR("N18"), STR(""));
    (void)state;
    strategy__open(&s, &strategy__assay);
    fill(&s);
    assert_true(strategy__factor(&s, 0, arm) == 1 && strategy__factor(&s, 1, arm) == 1);
    double at_2 = strategy__factor(&s, 2, arm), at_3 = strategy__factor(&s, 3, arm);
    assert_true(at_2 != 1);
    give(&s, 2 * GENERATE_EPOCH, "N18 x at=c near=d bucket=e\n", 2);
    assert_true(strategy__factor(&s, 2, arm) == at_2 && strategy__factor(&s, 3, arm) == at_3);
    assert_true(strategy__factor(&s, 4, arm) != at_3);
    strategy__close(&s);
}

static void random_keeps_every_share(void **state)
{
    struct strategy s;
    (void)state;
    strategy__open(&s, &strategy__random);
    fill(&s);
    assert_true(strategy__factor(&s, 9, strategy__arm(ARM_BUCKET, STR("N18"), STR("good"))) == 1);
    strategy__close(&s);
}

static void strategies_are_found_by_name(void **state)
{
    size_t n;
    const struct strategy_ops *const *list = strategy__list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++)
        assert_ptr_equal(strategy__find(str_of(list[i]->name)), list[i]);
    assert_null(strategy__find(STR("none")));
}

TEST_SUITE(generate_strategies, TEST(what_paid_is_tried_more_often),
           TEST(nothing_is_known_of_the_last_two_epochs), TEST(random_keeps_every_share),
           TEST(strategies_are_found_by_name))
