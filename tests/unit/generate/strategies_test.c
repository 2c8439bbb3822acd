/* Strategies: the bandit favours what paid, in any order of asking; random never learns. */
#include "generate/mutate/pick_p.h"
#include "unit/test.h"

static void give(struct pick *p, uint64_t index, const char *edits, uint32_t n_keys)
{
    struct reward r = {.n_failing_keys = n_keys, .edits = str_of(edits)};
    pick__reward(p, index, &r);
}

static void fill(struct pick *p)
{
    for (uint64_t i = 0; i < 2 * GENERATE_EPOCH; i++) {
        give(p, i, "N18 near-miss-fusion at=Conv near=a>b bucket=good\n", i % 3 == 0);
        give(p, i, "PM parameter at=Relu near=a>b bucket=bad\n", i % 50 == 0);
    }
}

static void what_paid_is_tried_more_often(void **state)
{
    struct pick p;
    (void)state;
    pick__open(&p, &pick__assay);
    fill(&p);
    double good = pick__factor(&p, 5, pick__arm(ARM_BUCKET, STR("N18"), STR("good")));
    double bad = pick__factor(&p, 5, pick__arm(ARM_BUCKET, STR("PM"), STR("bad")));
    double other = pick__factor(&p, 5, pick__arm(ARM_BUCKET, STR("PM"), STR("never")));
    assert_true(good > 1.2 && bad < 0.8);
    assert_true(other > bad && other < good);
    assert_true(good <= 4 && bad >= 0.25);
    pick__close(&p);
}

static void nothing_is_known_of_the_last_two_epochs(void **state)
{
    struct pick p;
    uint64_t arm = pick__arm(ARM_OPERATOR, STR("N18"), STR(""));
    (void)state;
    pick__open(&p, &pick__assay);
    fill(&p);
    assert_true(pick__factor(&p, 0, arm) == 1 && pick__factor(&p, 1, arm) == 1);
    double at_2 = pick__factor(&p, 2, arm), at_3 = pick__factor(&p, 3, arm);
    assert_true(at_2 != 1);
    give(&p, 2 * GENERATE_EPOCH, "N18 x at=c near=d bucket=e\n", 2);
    assert_true(pick__factor(&p, 2, arm) == at_2 && pick__factor(&p, 3, arm) == at_3);
    assert_true(pick__factor(&p, 4, arm) != at_3);
    pick__close(&p);
}

static void random_keeps_every_share(void **state)
{
    struct pick p;
    (void)state;
    pick__open(&p, &pick__random);
    fill(&p);
    assert_true(pick__factor(&p, 9, pick__arm(ARM_BUCKET, STR("N18"), STR("good"))) == 1);
    pick__close(&p);
}

static void strategies_are_found_by_name(void **state)
{
    size_t n;
    const struct pick_ops *const *list = pick__list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++)
        assert_ptr_equal(pick__find(str_of(list[i]->name)), list[i]);
    assert_null(pick__find(STR("none")));
}

TEST_SUITE(generate_strategies, TEST(what_paid_is_tried_more_often),
           TEST(nothing_is_known_of_the_last_two_epochs), TEST(random_keeps_every_share),
           TEST(strategies_are_found_by_name))
