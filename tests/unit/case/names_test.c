/* Names of outcomes, lanes, decisions; the worst of several verdicts. */
#include "case/case.h"
#include "case/observation.h"
#include "case/verdict.h"
#include "unit/test.h"

static void names_read_back_to_what_they_name(void **state)
{
    (void)state;
    for (unsigned i = 0; i < OUTCOME_COUNT; i++) {
        enum outcome o;
        assert_true(outcome_find(str_of(outcome_name((enum outcome)i)), &o));
        assert_int_equal(o, i);
    }
    for (unsigned i = 0; i < LANE_COUNT; i++) {
        enum lane l;
        assert_true(lane_find(str_of(lane_name((enum lane)i)), &l));
        assert_int_equal(l, i);
    }
    for (unsigned i = 0; i <= DECISION_NOT_APPLICABLE; i++) {
        enum decision d;
        assert_true(decision_find(str_of(decision_name((enum decision)i)), &d));
        assert_int_equal(d, i);
    }
    for (unsigned i = 0; i <= WRONG_SLOW; i++) {
        enum wrong_kind k;
        assert_true(wrong_kind_find(str_of(wrong_kind_name((enum wrong_kind)i)), &k));
        assert_int_equal(k, i);
    }
    enum outcome o;
    assert_false(outcome_find(STR("no-such-outcome"), &o));
}

static void failures_are_marked_in_the_table(void **state)
{
    (void)state;
    assert_false(outcome_is_failure(OUTCOME_OK));
    assert_false(outcome_is_failure(OUTCOME_UNSUPPORTED));
    assert_true(outcome_is_failure(OUTCOME_SIGNAL));
    assert_true(outcome_is_failure(OUTCOME_EXCEPTION));
}

static void the_worst_verdict_is_the_one_that_counts(void **state)
{
    static const struct {
        const char *name;
        enum decision given[3];
        enum decision worst;
    } rows[] = {
        {"fail wins", {DECISION_PASS, DECISION_FAIL, DECISION_UNSURE}, DECISION_FAIL},
        {"suspect before second opinion",
         {DECISION_SECOND_OPINION, DECISION_REFERENCE_SUSPECT, DECISION_PASS},
         DECISION_REFERENCE_SUSPECT},
        {"unsure before pass",
         {DECISION_PASS, DECISION_UNSURE, DECISION_NOT_APPLICABLE},
         DECISION_UNSURE},
        {"pass before not-applicable",
         {DECISION_NOT_APPLICABLE, DECISION_PASS, DECISION_NOT_APPLICABLE},
         DECISION_PASS},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct verdict at[3] = {0};
        for (size_t j = 0; j < 3; j++)
            at[j].decision = rows[i].given[j];
        struct verdicts v = {at, 3};
        ASSERT_ROW(verdicts_worst(&v)->decision == rows[i].worst, rows[i].name);
    }
    assert_null(verdicts_worst(&(struct verdicts){NULL, 0}));
}

static void targets_print_as_engine_version_mode(void **state)
{
    struct strbuf b = {0};
    struct target_id t = {.engine = STR("ort"), .version = STR("1.31.1"), .mode = STR("all")};
    (void)state;
    t.n_threads = 1;
    target_id_print(&t, &b);
    assert_string_equal(b.at, "ort@1.31.1/all");
    strbuf_clear(&b);
    t.n_threads = 4;
    target_id_print(&t, &b);
    assert_string_equal(b.at, "ort@1.31.1/all threads=4");
    strbuf_done(&b);
}

TEST_SUITE(case_names, TEST(names_read_back_to_what_they_name),
           TEST(failures_are_marked_in_the_table), TEST(the_worst_verdict_is_the_one_that_counts),
           TEST(targets_print_as_engine_version_mode))
