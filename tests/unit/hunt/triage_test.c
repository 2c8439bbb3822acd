/* Which keys are reduced: the same ones, whatever the order in which reductions end. */
#include "base/rng.h"
#include "hunt/triage_p.h"
#include "unit/test.h"

enum { N_KEYS = 40 };

static void nothing(void *ctx, struct triage_item *item)
{
    (void)item;
    ++*(int *)ctx;
}

/* Key i ends as bug i % 7, whose key is "k<i % 7>" itself: keys 0..6 may make later equal ones
 * known. Runs up to n_parallel at once and ends a random one each time. */
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
        assert_non_null(triage__add(&t, str_of(key), STR("f"), i));
        assert_null(triage__add(&t, str_of(key), STR("f"), i + 100)); /* taken */
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
        triage__settle(&t, item, str_of(bug));
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

static void side_finds_come_last_when_strict(void **state)
{
    struct triage t;
    int n_known = 0;
    (void)state;
    triage__init(&t, true);
    triage__add(&t, STR("a"), STR("f"), 0);
    triage__know(&t, STR("old"));
    triage__add_side(&t, STR("side/2"), STR("z"), STR("f"), 0);
    triage__add_side(&t, STR("side/1"), STR("old"), STR("f"), 0);
    struct triage_item *item = triage__next(&t, nothing, &n_known);
    assert_true(item && str_is(item->key, "a"));
    item->state = TRIAGE_RUNNING;
    assert_null(triage__next(&t, nothing, &n_known));
    triage__settle(&t, item, STR("bug"));
    assert_null(triage__next(&t, nothing, &n_known)); /* cases still come */
    t.sides_too = true;
    item = triage__next(&t, nothing, &n_known);
    assert_true(item && str_is(item->key, "z"));
    assert_int_equal(n_known, 1); /* "old" came first by name, and was known */
    triage__done(&t);
}

TEST_SUITE(hunt_triage, TEST(what_is_reduced_does_not_depend_on_time_when_strict),
           TEST(side_finds_come_last_when_strict))
