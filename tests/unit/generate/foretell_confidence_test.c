/* Confidence is the share of what was right where a feature tells situations apart, and the share
 * of all where none does. */
#include "generate/foretell/confidence.h"

#include <math.h>

#include "unit/test.h"

enum { SAMPLES = 400 };

struct row {
    const char *name;
    unsigned right_of_ten[2]; /* with feature "a", with feature "b" */
    bool tells;               /* samples have the feature */
    double a, b;              /* confidence */
};

static const struct row rows[] = {
    {"a feature that tells right from wrong", {10, 0}, true, 1, 0},
    {"one that tells half as much", {9, 4}, true, 0.9, 0.4},
    {"one that tells nothing", {7, 7}, true, 0.7, 0.7},
    {"no feature", {9, 5}, false, 0.7, 0.7},
};

static void fit(const struct row *row, struct confidence *c, struct arena *a)
{
    static const struct str names[] = {TEXT("a"), TEXT("b")};
    for (size_t i = 0; i < SAMPLES; i++)
        confidence_add(c, &names[i % 2], row->tells, i / 2 % 10 < row->right_of_ten[i % 2],
                       i / 20 % 2, a);
    confidence_fit(c, a);
}

static void confidence_is_the_share_of_what_was_right(void **state)
{
    static const struct str names[] = {TEXT("a"), TEXT("b"), TEXT("never seen")};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct confidence c = {0}, again = {0};
        arena_init(&a);
        fit(&rows[i], &c, &a);
        fit(&rows[i], &again, &a);
        ASSERT_ROW(fabs(confidence_of(&c, &names[0], 1) - rows[i].a) < 0.05, rows[i].name);
        ASSERT_ROW(fabs(confidence_of(&c, &names[1], 1) - rows[i].b) < 0.05, rows[i].name);
        ASSERT_ROW(confidence_of(&c, &names[2], 1) == confidence_of(&c, NULL, 0), rows[i].name);
        ASSERT_ROW(confidence_of(&c, names, 3) == confidence_of(&again, names, 3), rows[i].name);
        arena_done(&a);
    }
}

/* Forty features, each right or wrong in all of its five samples of a fold. */
static double prior_of(bool other_fold_agrees)
{
    struct arena a;
    struct confidence c = {0};
    arena_init(&a);
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t feature = i % 40;
        bool fold = i / 200;
        struct str name = str_of(arena_printf(&a, "f%zu", feature));
        confidence_add(&c, &name, 1, (feature % 2) ^ (fold && !other_fold_agrees), fold, &a);
    }
    confidence_fit(&c, &a);
    arena_done(&a);
    return c.prior;
}

static void the_prior_is_as_strong_as_features_are_unreliable(void **state)
{
    (void)state;
    assert_true(prior_of(true) == 0.3);
    assert_true(prior_of(false) == 10);
}

static void nothing_is_known_before_a_fit(void **state)
{
    struct confidence c = {0};
    struct str a = STR("a");
    (void)state;
    assert_true(confidence_of(&c, &a, 1) == 0.5);
}

TEST_SUITE(generate_foretell_confidence, TEST(confidence_is_the_share_of_what_was_right),
           TEST(the_prior_is_as_strong_as_features_are_unreliable),
           TEST(nothing_is_known_before_a_fit))
