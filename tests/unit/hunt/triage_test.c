/* Which keys are reduced: the same ones, whatever the order in which reductions end. */
#include <stdio.h>

#include "base/rng.h"
#include "hunt/campaign/triage_p.h"
#include "unit/test.h"

enum { N_KEYS = 40 };

static void nothing(void *ctx, struct triage_item *item)
{
    (void)item;
    ++*(int *)ctx;
}

/* Key i ends as bug i % 7, whose final key is "k<i % 7>": so keys 0..6 may make later ones known.
 * Runs up to n_parallel reductions at once and ends a random one each time. */
static void play(uint64_t seed, size_t n_parallel, bool strict, struct strbuf *ran)
{
    struct triage t;
    struct rng rng;
    struct str running[16];
    size_t n_running = 0;
    int n_known = 0;
    bool was_run[N_KEYS] = {false};
    triage__init(&t, strict);
    rng_init(&rng, seed, RNG_TEST, 0);
    for (int i = 0; i < N_KEYS; i++) {
        const char *key = arena_printf(&t.arena, "k%d", (i * 11) % N_KEYS);
        assert_non_null(triage__add(&t, str_of(key), STR(""), STR("f"), i));
        assert_null(triage__add(&t, str_of(key), STR(""), STR("f"), i + 100)); /* taken */
    }
    while (true) {
        struct triage_item *item;
        while (n_running < n_parallel && (item = triage__next(&t, nothing, &n_known))) {
            item->state = TRIAGE_RUNNING;
            running[n_running++] = item->name;
        }
        if (n_running == 0)
            break;
        size_t at = rng_below(&rng, n_running);
        item = triage__find(&t, running[at]);
        running[at] = running[--n_running];
        was_run[item->case_at] = true;
        const char *bug = arena_printf(&t.arena, "k%d", (int)(item->case_at % 9) * 4);
        triage__settle(&t, item, str_of(bug), str_of(bug));
    }
    assert_true(triage__is_idle(&t));
    for (int i = 0; i < N_KEYS; i++)
        strbuf_addc(ran, was_run[i] ? 'r' : 'k');
    triage__done(&t);
}

static void what_is_reduced_does_not_depend_on_time_when_strict(void **state)
{
    struct strbuf first = {0};
    (void)state;
    play(1, 1, true, &first);
    assert_non_null(strchr(first.at, 'k')); /* some were known */
    assert_non_null(strchr(first.at, 'r'));
    for (uint64_t seed = 2; seed < 200; seed++) {
        struct strbuf ran = {0};
        play(seed, 1 + seed % 8, true, &ran);
        assert_string_equal(ran.at, first.at);
        strbuf_done(&ran);
    }
    strbuf_done(&first);
}

/* Keys that differ in the producers of the culprit or in the decade have one coarse key; after
 * three that ended in one bug, later ones outside the window count as that bug. */
static void equal_coarse_keys_that_end_in_one_bug_are_reduced_no_more(void **state)
{
    static const char head[] = "wrong-result|ort|reference|", tail[] = "|float|all|value";
    static const struct {
        const char *name, *bugs[TRIAGE_SAME_END]; /* what the first three end in */
        size_t n_run;                             /* of 20 */
    } rows[] = {
        {"one bug", {"b", "b", "b"}, TRIAGE_WINDOW + 2}, /* the third is at place 2 */
        {"two bugs", {"b", "c", "b"}, 20},
        {"not reproduced", {"", "", ""}, TRIAGE_WINDOW + 2},
    };
    (void)state;
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        struct triage t;
        struct triage_item *item;
        int n_known = 0;
        size_t n_run = 0;
        triage__init(&t, true);
        for (int i = 0; i < 20; i++) {
            const char *key =
                arena_printf(&t.arena, "%sConv<Op%d%s %s", head, i, tail, i % 2 ? "small" : "huge");
            triage__add(&t, str_of(key), STR(""), STR("f"), i);
        }
        while ((item = triage__next(&t, nothing, &n_known))) {
            item->state = TRIAGE_RUNNING;
            const char *bug = n_run < TRIAGE_SAME_END ? rows[k].bugs[n_run]
                              : n_run % 2             ? rows[k].bugs[0]
                                                      : rows[k].bugs[1];
            n_run++;
            triage__settle(&t, item, str_of(bug), str_of(bug));
        }
        ASSERT_ROW(n_run == rows[k].n_run && n_run + (size_t)n_known == 20, rows[k].name);
        ASSERT_ROW(n_known == 0 || str_is(t.items.at[19].bug, rows[k].bugs[0]), rows[k].name);
        triage__done(&t);
    }
}

static void other_culprits_dtypes_and_modes_have_another_coarse_key(void **state)
{
    static const char *const keys[] = {
        "wrong-result|ort|reference|Conv|float|all|value small",
        "wrong-result|ort|reference|Conv<Pad|float|all|value huge", /* coarse key of the first */
        "wrong-result|ort|reference|Pad+Conv|float|all|value small",
        "wrong-result|ort|reference|Conv|double|all|value small",
        "wrong-result|ort|reference|Conv|float|off|value small",
        "wrong-result|ort|reference|Conv|float|all|shape",
        "wrong-result|ort|levels||Conv|float|all|value small",
        "wrong-exception|ort|FAIL|a < b|frame|all||Conv",
        "wrong-exception|ort|FAIL|a < c|frame|all||Conv",
        "wrong-exception|ort|FAIL|a < c|frame|all||Add",
        "wrong-exception|ort|FAIL|a < c|frame|all||Add<Pad,Relu", /* coarse key of the one before */
        "wrong-exception|ort|FAIL|a < c|frame|off||Add<Pad,Relu",
    };
    struct triage t;
    (void)state;
    triage__init(&t, false);
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        triage__add(&t, str_of(keys[i]), STR(""), STR("f"), (int64_t)i);
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        for (size_t k = 0; k < i; k++)
            ASSERT_ROW(str_eq(t.items.at[i].coarse, t.items.at[k].coarse) ==
                           (i == 1 || (i == 10 && k == 9)),
                       keys[i]);
    triage__done(&t);
}

/* Incidental failures run in parallel too; a key that another item has is not reduced twice. */
static void incidental_failures_do_not_depend_on_time_when_strict(void **state)
{
    struct strbuf first = {0};
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct triage t;
        struct rng rng;
        struct strbuf ran = {0};
        struct str running[16];
        struct triage_item *item;
        size_t n_running = 0, n_parallel = 1 + seed % 8;
        int n_known = 0;
        triage__init(&t, true);
        t.incidentals_too = true;
        rng_init(&rng, seed, RNG_TEST, 0);
        triage__settle(&t, triage__add(&t, STR("s3"), STR(""), STR("f"), 0), STR("s5"), STR("s5"));
        for (int i = 0; i < 24; i++) /* keys s0 .. s16, some twice */
            triage__add_incidental(&t, str_of(arena_printf(&t.arena, "side/%02d", i)),
                                   str_of(arena_printf(&t.arena, "s%d", i * 5 % 17)), STR("f"), i);
        for (;;) {
            while (n_running < n_parallel && (item = triage__next(&t, nothing, &n_known))) {
                item->state = TRIAGE_RUNNING;
                running[n_running++] = item->name;
            }
            if (n_running == 0)
                break;
            size_t at = rng_below(&rng, n_running);
            item = triage__find(&t, running[at]);
            running[at] = running[--n_running];
            struct str key = str_of(arena_printf(&t.arena, "s%d", (int)item->case_at % 4));
            triage__settle(&t, item, key, key);
        }
        assert_true(triage__is_idle(&t));
        for (size_t i = 0; i < t.incidentals.n; i++)
            strbuf_addc(&ran, t.incidentals.at[i].was_reduced ? 'r' : 'k');
        if (seed == 0) {
            first = ran;
            assert_non_null(strchr(first.at, 'k'));
            assert_non_null(strchr(first.at, 'r'));
        } else {
            assert_string_equal(ran.at, first.at);
            strbuf_done(&ran);
        }
        triage__done(&t);
    }
    strbuf_done(&first);
}

static void incidental_failures_come_last_when_strict(void **state)
{
    struct triage t;
    int n_known = 0;
    (void)state;
    triage__init(&t, true);
    triage__add(&t, STR("a"), STR(""), STR("f"), 0);
    triage__know(&t, STR("old"));
    triage__add_incidental(&t, STR("side/2"), STR("z"), STR("f"), 0);
    triage__add_incidental(&t, STR("side/1"), STR("old"), STR("f"), 0);
    struct triage_item *item = triage__next(&t, nothing, &n_known);
    assert_true(item && str_is(item->key, "a"));
    item->state = TRIAGE_RUNNING;
    assert_null(triage__next(&t, nothing, &n_known));
    triage__settle(&t, item, STR("bug"), STR("bug"));
    assert_null(triage__next(&t, nothing, &n_known)); /* not all cases are judged */
    t.incidentals_too = true;
    item = triage__next(&t, nothing, &n_known);
    assert_true(item && str_is(item->key, "z"));
    assert_int_equal(n_known, 1); /* "old" came first by name, and was known */
    triage__done(&t);
}

static void count_settled(void *ctx, struct triage_item *item)
{
    (void)item;
    ++*(size_t *)ctx;
}

/* One message may have several causes: cases of a key that share less than half of their operators
 * are reduced too, five in all. */
static void unlike_cases_of_a_key_are_reduced_too(void **state)
{
    static const struct {
        const char *ops;
        bool added;
    } rows[] = {
        {"Add/float Conv/float Relu/float", true},
        {"Add/float Conv/float Mul/float", false},    /* 2 of 4 are in both: half is enough */
        {"Add/float Gemm/float Tanh/float", true},    /* 1 of 5 */
        {"Add/double Conv/double Relu/double", true}, /* of another dtype */
        {"Softmax/float", true},
        {"LSTM/float", true},
        {"GRU/float", false}, /* the sixth */
    };
    struct triage t;
    (void)state;
    triage__init(&t, true);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct triage_item *item =
            triage__add(&t, STR("k"), str_of(rows[i].ops), STR("f"), (int64_t)i);
        ASSERT_ROW((item != NULL) == rows[i].added, rows[i].ops);
    }
    assert_int_equal(t.items.n, TRIAGE_VARIANTS);
    assert_false(t.items.at[0].is_variant);
    assert_true(str_is(t.items.at[0].alias, "k"));
    assert_true(str_is(t.items.at[1].alias, "k#triage/00000001"));
    triage__done(&t);
}

static void only_the_first_cases_of_a_key_are_looked_at(void **state)
{
    struct triage t;
    (void)state;
    triage__init(&t, true);
    for (int64_t i = 0; i < HUNT_CANDIDATES; i++)
        assert_true((triage__add(&t, STR("k"), STR("Add/float"), STR("f"), i) != NULL) == (i == 0));
    assert_null(triage__add(&t, STR("k"), STR("Mul/float"), STR("f"), 99));
    triage__done(&t);
}

/* A variant is reduced although its key is that of a bug; like others it is not when three
 * reductions with its coarse key ended in one bug. */
static void a_variant_is_reduced_until_its_like_end_alike(void **state)
{
    struct triage t;
    struct triage_item *item;
    size_t n = 0;
    (void)state;
    triage__init(&t, false);
    for (int64_t i = 0; i < TRIAGE_VARIANTS; i++) {
        char ops[16];
        snprintf(ops, sizeof ops, "Op%d/float", (int)i);
        assert_non_null(triage__add(&t, STR("k"), str_of(ops), STR("f"), i));
    }
    while ((item = triage__next(&t, count_settled, &n))) {
        triage__begin(&t, item);
        triage__settle(&t, item, STR("bug"), STR("k"));
    }
    assert_int_equal(n, TRIAGE_VARIANTS - TRIAGE_SAME_END);
    triage__done(&t);
}

/* Without a fixed order the key comes first whose coarse key was reduced least, and hangs last. */
static void the_least_familiar_comes_first(void **state)
{
    static const char *const keys[] = {"resource|e|timeout-cpu|all|||",
                                       "wrong-result|e|reference|Conv<Add|float|all|value small",
                                       "wrong-result|e|reference|Conv<Mul|float|all|value small",
                                       "wrong-result|e|reference|Gemm|float|all|value small"};
    static const int64_t order[] = {1, 3, 2, 0};
    struct triage t;
    size_t n = 0;
    (void)state;
    triage__init(&t, false);
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        triage__add(&t, str_of(keys[i]), STR(""), STR("f"), (int64_t)i);
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        struct triage_item *item = triage__next(&t, count_settled, &n);
        assert_int_equal(item->case_at, order[i]);
        triage__begin(&t, item);
    }
    triage__done(&t);
}

/* Keys that may not show again come last; when strict, one at a time. */
static void unsteady_keys_are_reduced_last_when_strict(void **state)
{
    static const char *const keys[] = {"resource|a", "b", "c|nondeterminism|x", "d"};
    (void)state;
    for (int strict = 0; strict < 2; strict++) {
        struct triage t;
        struct triage_item *item;
        struct strbuf order = {0};
        int n_known = 0;
        triage__init(&t, strict);
        for (int i = 0; i < 4; i++)
            assert_non_null(triage__add(&t, str_of(keys[i]), STR(""), STR("f"), i));
        assert_null(triage__add(&t, STR("resource|a"), STR(""), STR("f"), 9)); /* taken */
        t.incidentals_too = true;
        while ((item = triage__next(&t, nothing, &n_known))) {
            item->state = TRIAGE_RUNNING;
            bool one_at_a_time = strict && item->order == TRIAGE_LATE;
            assert_true(!one_at_a_time || !triage__next(&t, nothing, &n_known));
            strbuf_addc(&order, (char)('a' + item->case_at));
            triage__settle(&t, item, STR("bug"), STR("bug"));
        }
        assert_string_equal(order.at, "bdac");
        assert_true(triage__is_idle(&t));
        strbuf_done(&order);
        triage__done(&t);
    }
}

TEST_SUITE(hunt_triage, TEST(what_is_reduced_does_not_depend_on_time_when_strict),
           TEST(equal_coarse_keys_that_end_in_one_bug_are_reduced_no_more),
           TEST(other_culprits_dtypes_and_modes_have_another_coarse_key),
           TEST(incidental_failures_do_not_depend_on_time_when_strict),
           TEST(incidental_failures_come_last_when_strict),
           TEST(unlike_cases_of_a_key_are_reduced_too),
           TEST(only_the_first_cases_of_a_key_are_looked_at),
           TEST(a_variant_is_reduced_until_its_like_end_alike),
           TEST(the_least_familiar_comes_first), TEST(unsteady_keys_are_reduced_last_when_strict))
