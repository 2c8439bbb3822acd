/*
 * The whole feedback loop: rewards of cases go through the store's rows to the arms that made them,
 * and change what is generated two epochs later. A campaign that is stopped and resumed generates
 * the same.
 */
#include "hunt/campaign/schedule_p.h"
#include "hunt/pilot/pilot_p.h"
#include "unit/test.h"

enum { EPOCH = GENERATE_EPOCH };

static const char *const stem[] = {"stem"}, *const mutate[] = {"mutate"};
static const char favourite[] = "N11 "; /* quantise-pair: a share of 5 in 120 before learning */

static struct hunt_options options(void)
{
    return (struct hunt_options){
        .seed = 5, .strategy = "assay", .models = {stem, 1}, .generators = {mutate, 1}};
}

static void open_generators(struct generators *g)
{
    struct err e;
    struct hunt_options o = options();
    *g = (struct generators){0};
    if (!generators__open(g, &o, &e))
        fail_msg("%s", e.text);
}

static void close_generators(struct generators *g)
{
    generators__close(g);
}

static const struct tcase *make(struct generators *g, uint64_t index, struct arena *a)
{
    struct tcase *c;
    struct generate_counts counts;
    struct err e;
    if (!generators__next(g, index, a, &c, &counts, &e))
        fail_msg("%s", e.text);
    return c;
}

static size_t count_favourite(struct str edits)
{
    struct str rest = edits, line;
    size_t n = 0;
    while (str_split(&rest, '\n', &line))
        n += str_starts(line, str_of(favourite));
    return n;
}

/* Makes the cases of an epoch: returns the number of edits by the favourite, appends all ids. */
static size_t play_epoch(struct generators *g, uint64_t epoch, size_t n_cases, struct strbuf *ids)
{
    struct arena a;
    size_t n = 0;
    arena_init(&a);
    for (uint64_t i = 0; i < n_cases; i++) {
        char hex[HASH_HEX_SIZE];
        const struct tcase *c = make(g, epoch * EPOCH + i, &a);
        if (!c)
            continue;
        hash_to_hex(&c->id, hex);
        strbuf_adds(ids, hex);
        n += count_favourite(c->from.edits);
        arena_reset(&a);
    }
    arena_done(&a);
    return n;
}

/* How the invented verdicts of a campaign depend on the edits. */
enum worth { NOTHING, FAVOURITE_FAILS, ALL_FAIL };

static void put_epoch(struct schedule *s, uint64_t epoch, enum worth worth)
{
    struct generators g;
    struct arena a;
    arena_init(&a);
    open_generators(&g);
    for (uint64_t i = epoch * EPOCH; i < (epoch + 1) * EPOCH; i++) {
        const struct tcase *c = make(&g, i, &a);
        struct str edits = c ? c->from.edits : STR("");
        bool fails = worth == ALL_FAIL || (worth == FAVOURITE_FAILS && count_favourite(edits));
        const struct store_result row = {
            .case_at = (int64_t)i, .edits = edits, .keys = fails ? STR("k\n") : STR("")};
        assert_true(schedule__put(s, &row, NULL, 0));
        arena_reset(&a); /* the schedule has copies */
        while (schedule__advance(s))
            ;
    }
    close_generators(&g);
    arena_done(&a);
}

/* Gives the generators the rewards that they lack of the indices below n. */
static void give(struct generators *g, const struct schedule *s, uint64_t n)
{
    while (g->learning.n_rewards < n)
        learning_reward(&g->learning, schedule__reward(s, g->learning.n_rewards));
}

static void rewards_move_the_shares_of_what_earned_them(void **state)
{
    size_t n[2];
    (void)state;
    for (int fails = 0; fails < 2; fails++) {
        struct schedule s;
        struct generators g;
        struct strbuf ids = {0};
        schedule__init(&s, 1, EPOCH, 32, 0);
        put_epoch(&s, 0, fails ? FAVOURITE_FAILS : NOTHING);
        open_generators(&g);
        give(&g, &s, EPOCH);
        n[fails] = play_epoch(&g, 2, EPOCH, &ids);
        strbuf_done(&ids);
        close_generators(&g);
        schedule__done(&s);
    }
    if (n[1] < 2 * n[0] || n[0] == 0)
        fail_msg("%zu edits by %s with rewards, %zu without", n[1], favourite, n[0]);
}

/* Epoch 2 depends on epoch 0 at most, epoch 3 on epoch 1 too. */
static void an_epoch_depends_on_those_two_and_more_before(void **state)
{
    static const struct {
        const char *name;
        enum worth of_epoch_1;
        uint64_t n_applied; /* rewards that have come when epoch 2 begins, later ones too */
    } rows[] = {
        {"first", NOTHING, EPOCH},
        {"epoch 1 earned something", ALL_FAIL, EPOCH},
        {"and has arrived already", FAVOURITE_FAILS, 2 * EPOCH},
    };
    struct strbuf second = {0}, third = {0};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct schedule s;
        struct generators g;
        struct strbuf ids = {0}, later = {0};
        schedule__init(&s, 1, EPOCH, 32, 0);
        put_epoch(&s, 0, FAVOURITE_FAILS);
        put_epoch(&s, 1, rows[i].of_epoch_1);
        open_generators(&g);
        give(&g, &s, rows[i].n_applied);
        play_epoch(&g, 2, 64, &ids);
        give(&g, &s, 2 * EPOCH);
        play_epoch(&g, 3, 64, &later);
        if (i == 0) {
            second = ids;
            third = later;
        } else {
            ASSERT_ROW(str_eq(strbuf_str(&ids), strbuf_str(&second)), rows[i].name);
            ASSERT_ROW(!str_eq(strbuf_str(&later), strbuf_str(&third)), rows[i].name);
            strbuf_done(&ids);
            strbuf_done(&later);
        }
        close_generators(&g);
        schedule__done(&s);
    }
    strbuf_done(&second);
    strbuf_done(&third);
}

/* A pilot that has run ahead is given a range of an earlier epoch: what it generates is the same.
 */
static void a_pilot_that_ran_ahead_makes_the_same_cases(void **state)
{
    struct schedule s;
    struct generators g;
    struct strbuf before = {0}, after = {0};
    (void)state;
    schedule__init(&s, 1, EPOCH, 32, 0);
    put_epoch(&s, 0, FAVOURITE_FAILS);
    put_epoch(&s, 1, FAVOURITE_FAILS);
    open_generators(&g);
    give(&g, &s, EPOCH);
    play_epoch(&g, 2, 32, &before);
    give(&g, &s, 2 * EPOCH);
    play_epoch(&g, 2, 32, &after);
    assert_true(str_eq(strbuf_str(&before), strbuf_str(&after)));
    strbuf_done(&before);
    strbuf_done(&after);
    close_generators(&g);
    schedule__done(&s);
}

/* A pilot that starts late gets what was learned as a text, and a resumed campaign a snapshot. */
static void a_late_start_makes_the_same_cases(void **state)
{
    struct schedule s, resumed;
    struct generators early, late;
    struct strbuf ids[2] = {{0}}, text = {0};
    struct err e;
    (void)state;
    schedule__init(&s, 1, EPOCH, 32, 0);
    schedule__init(&resumed, 1, EPOCH, 32, 0);
    put_epoch(&s, 0, FAVOURITE_FAILS);
    put_epoch(&s, 1, FAVOURITE_FAILS);
    schedule__save(&s, &text);
    assert_true(schedule__load(&resumed, strbuf_str(&text), &e));
    put_epoch(&s, 2, FAVOURITE_FAILS);
    put_epoch(&resumed, 2, FAVOURITE_FAILS);
    strbuf_clear(&text);
    learning_save(&resumed.learning, &text);
    open_generators(&early);
    open_generators(&late);
    give(&early, &s, 3 * EPOCH);
    assert_true(learning_load(&late.learning, strbuf_str(&text), &e));
    play_epoch(&early, 4, 48, &ids[0]);
    play_epoch(&late, 4, 48, &ids[1]);
    assert_true(str_eq(strbuf_str(&ids[0]), strbuf_str(&ids[1])));
    close_generators(&early);
    close_generators(&late);
    strbuf_done(&text);
    strbuf_done(&ids[0]);
    strbuf_done(&ids[1]);
    schedule__done(&s);
    schedule__done(&resumed);
}

/* A failure earns no reward when a process of its family hit a limit or was lost. */
static void the_load_of_the_machine_earns_nothing(void **state)
{
    static const struct {
        const char *name, *family;
        enum outcome outcome;
        bool depends;
    } rows[] = {
        {"timeout", "a", OUTCOME_TIMEOUT_CPU, true},
        {"blocked", "a", OUTCOME_TIMEOUT_BLOCKED, true},
        {"memory", "a", OUTCOME_OOM_KERNEL, true},
        {"lost", "a", OUTCOME_LOST_WORKER, true},
        {"another family's", "b", OUTCOME_TIMEOUT_CPU, false},
        {"crash", "a", OUTCOME_SIGNAL, false},
        {"fine", "a", OUTCOME_OK, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct verdict v = {.target.family = STR("a")};
        const struct key k = {.verdict = &v};
        const struct observation seen = {.outcome = rows[i].outcome,
                                         .target.family = str_of(rows[i].family)};
        const struct judged j = {.observations = &seen, .n_observations = 1};
        ASSERT_ROW(judged_is_load_dependent(&j, &k) == rows[i].depends, rows[i].name);
    }
}

TEST_SUITE(hunt_reward, TEST(the_load_of_the_machine_earns_nothing),
           TEST(rewards_move_the_shares_of_what_earned_them),
           TEST(an_epoch_depends_on_those_two_and_more_before),
           TEST(a_pilot_that_ran_ahead_makes_the_same_cases),
           TEST(a_late_start_makes_the_same_cases))
