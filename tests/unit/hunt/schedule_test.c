/* The schedule: what may be handed out when, and rewards in order of index whatever the order of
 * results. */
#include "hunt/campaign/schedule_p.h"

#include <stdio.h>

#include "unit/test.h"

static struct store_result row_of(uint64_t index)
{
    static char texts[3][16], numbers[3][32];
    char *text = texts[index % 3], *cells = numbers[index % 3];
    snprintf(cells, sizeof numbers[0], "999 %llu", (unsigned long long)(index / 2));
    snprintf(text, sizeof texts[0], "+R%llu\n", (unsigned long long)(index % 5));
    return (struct store_result){.case_at = (int64_t)index,
                                 .rewrites = str_of(text),
                                 .cells = str_of(cells),
                                 .keys = index % 4 ? STR("") : STR("k\n"),
                                 .distance = (double)index,
                                 .n_macs = 7,
                                 .edits = index % 2 ? STR("odd") : STR("even")};
}

static void put(struct schedule *s, uint64_t index)
{
    struct store_result row = row_of(index);
    assert_true(schedule__put(s, &row, NULL, 0));
}

static void an_epoch_waits_for_the_one_before_the_last(void **state)
{
    struct schedule s;
    struct range r;
    uint64_t expected = 0;
    (void)state;
    schedule__init(&s, 1, 8, 4, 0);
    while (schedule__next(&s, true, &r)) {
        assert_int_equal(r.from, expected);
        expected = r.to;
    }
    assert_int_equal(expected, 16); /* epochs 0 and 1 */
    for (uint64_t i = 1; i < 16; i++)
        put(&s, i);
    while (schedule__advance(&s))
        fail(); /* index 0 has no result yet */
    assert_false(schedule__next(&s, true, &r));
    put(&s, 0);
    for (uint64_t i = 0; i < 16; i++)
        assert_int_equal(schedule__advance(&s)->row.case_at, i);
    while (schedule__next(&s, true, &r))
        expected = r.to;
    assert_int_equal(expected, 32); /* epochs 0 and 1 are done: 2 and 3 */
    assert_int_equal(schedule__n_rewards(&s, 15), 0);
    assert_int_equal(schedule__n_rewards(&s, 16), 8);
    assert_int_equal(schedule__n_rewards(&s, 31), 16);
    schedule__done(&s);
}

static void rewards_do_not_depend_on_the_order_of_results(void **state)
{
    static const uint64_t orders[][8] = {
        {0, 1, 2, 3, 4, 5, 6, 7}, {7, 6, 5, 4, 3, 2, 1, 0}, {3, 0, 7, 1, 5, 2, 6, 4}};
    (void)state;
    for (size_t k = 0; k < COUNT_OF(orders); k++) {
        struct schedule s;
        schedule__init(&s, 1, 8, 4, 8);
        for (size_t i = 0; i < 8; i++) {
            put(&s, orders[k][i]);
            while (schedule__advance(&s))
                ;
        }
        assert_true(schedule__is_finished(&s));
        for (size_t i = 0; i < 8; i++) {
            const struct reward *r = schedule__reward(&s, i);
            assert_int_equal(r->n_new_rewrites, i < 5);
            assert_int_equal(r->n_new_cells, i % 2 == 0 ? 1 + (i == 0) : 0);
            assert_int_equal(r->n_failing_keys, i % 4 == 0);
            assert_true(str_eq(r->edits, i % 2 ? STR("odd") : STR("even")));
        }
        schedule__done(&s);
    }
}

/* Failures that a busy machine may have caused do not influence later cases. */
static void only_steady_keys_are_rewarded(void **state)
{
    static const struct {
        const char *keys;
        uint32_t n;
    } rows[] = {
        {"", 0},
        {"wrong-result|ort|reference|Conv|float|off|value small\n", 1},
        {"resource|ort|timeout|all||\n", 0},
        {"wrong-result|ort|nondeterminism|||float|all|bits\n", 0},
        {"resource|ort|timeout|all||\nnative-crash|ort|signal 11|||\na\n", 2},
    };
    struct schedule s;
    (void)state;
    schedule__init(&s, 1, 8, 4, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct store_result row = {.case_at = (int64_t)i, .keys = str_of(rows[i].keys)};
        assert_true(schedule__put(&s, &row, NULL, 0));
        assert_non_null(schedule__advance(&s));
        ASSERT_ROW(schedule__reward(&s, i)->n_failing_keys == rows[i].n, rows[i].keys);
    }
    schedule__done(&s);
}

/* Only the last epochs' rewards are kept, each in its place, also after a snapshot that was taken
 * within an epoch. */
static void old_rewards_are_dropped(void **state)
{
    struct schedule s, resumed;
    struct strbuf text = {0};
    struct err e;
    (void)state;
    schedule__init(&s, 1, 8, 4, 0);
    schedule__init(&resumed, 1, 8, 4, 0);
    for (uint64_t i = 0; i < 100; i++) {
        put(&s, i);
        assert_non_null(schedule__advance(&s));
        assert_true(s.n_done - s.recent_from <= SCHEDULE_EPOCHS * s.epoch_size);
        assert_true(i < 32 || s.n_done - s.recent_from > 2 * s.epoch_size);
        for (uint64_t k = s.recent_from; k <= i; k++)
            assert_int_equal(schedule__reward(&s, k)->n_failing_keys, k % 4 == 0);
        if (i == 50) {
            schedule__save(&s, &text);
            assert_true(schedule__load(&resumed, strbuf_str(&text), &e));
            assert_int_equal(resumed.n_done, 51);
        }
        if (i <= 50)
            continue;
        put(&resumed, i);
        assert_non_null(schedule__advance(&resumed));
        for (uint64_t k = resumed.recent_from; k <= i; k++) {
            assert_int_equal(schedule__reward(&resumed, k)->n_new_rewrites, 0);
            assert_int_equal(schedule__reward(&resumed, k)->n_new_cells,
                             schedule__reward(&s, k)->n_new_cells);
        }
    }
    strbuf_done(&text);
    schedule__done(&s);
    schedule__done(&resumed);
}

static void careful_ranges_wait_for_those_who_may_take_them(void **state)
{
    struct schedule s;
    struct range a, b;
    (void)state;
    schedule__init(&s, 1, 64, 4, 8);
    assert_true(schedule__next(&s, false, &a) && !schedule__has_lost(&s));
    schedule__give_back(&s, a, true);
    assert_true(schedule__has_lost(&s));
    assert_true(schedule__next(&s, false, &b) && b.from == 4 && !b.careful);
    assert_false(schedule__next(&s, false, &b));
    assert_true(schedule__next(&s, true, &b) && b.from == 0 && b.careful);
    schedule__done(&s);
}

static void a_lost_range_is_handed_out_again_first_and_carefully(void **state)
{
    struct schedule s;
    struct range a, b, c;
    (void)state;
    schedule__init(&s, 1, 64, 4, 12);
    assert_true(schedule__next(&s, true, &a) && schedule__next(&s, true, &b));
    put(&s, 5);
    schedule__give_back(&s, b, true);
    schedule__give_back(&s, a, true);
    assert_true(schedule__next(&s, true, &c) && c.from == 0 && c.to == 4 && c.careful);
    assert_true(schedule__next(&s, true, &c) && c.from == 4 && c.to == 8 && c.careful);
    assert_true(schedule__next(&s, true, &c) && c.from == 8 && !c.careful);
    assert_false(schedule__next(&s, true, &c));
    for (uint64_t i = 0; i < 12; i++)
        if (i != 5)
            put(&s, i);
    struct store_result again = row_of(5);
    assert_false(schedule__put(&s, &again, NULL, 0));
    schedule__give_back(&s, a, true); /* all its results are in: nothing is handed out again */
    assert_false(schedule__next(&s, true, &c));
    assert_int_equal(s.n_out, 0);
    schedule__done(&s);
}

static void a_limit_cuts_the_last_range(void **state)
{
    struct schedule s;
    struct range r;
    (void)state;
    schedule__init(&s, 1, 256, 32, 40);
    assert_true(schedule__next(&s, true, &r) && r.to == 32);
    assert_true(schedule__next(&s, true, &r) && r.from == 32 && r.to == 40);
    assert_false(schedule__next(&s, true, &r));
    schedule__done(&s);
}

static void what_is_not_ready_waits(void **state)
{
    struct schedule s;
    struct range r;
    (void)state;
    schedule__init(&s, 1, 256, 32, 40);
    schedule__ready(&s, 0);
    assert_false(schedule__next(&s, true, &r));
    schedule__ready(&s, 3);
    assert_true(schedule__next(&s, true, &r) && r.from == 0 && r.to == 3);
    assert_false(schedule__next(&s, true, &r));
    schedule__ready(&s, UINT64_MAX);
    assert_true(schedule__next(&s, true, &r) && r.from == 3 && r.to == 35);
    schedule__done(&s);
}

TEST_SUITE(hunt_schedule, TEST(what_is_not_ready_waits),
           TEST(an_epoch_waits_for_the_one_before_the_last),
           TEST(rewards_do_not_depend_on_the_order_of_results), TEST(only_steady_keys_are_rewarded),
           TEST(old_rewards_are_dropped), TEST(careful_ranges_wait_for_those_who_may_take_them),
           TEST(a_lost_range_is_handed_out_again_first_and_carefully),
           TEST(a_limit_cuts_the_last_range))
