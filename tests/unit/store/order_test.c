/* Rows put in no order come back in the stated one, those of the campaign or subject alone, from
 * each back end. */
#include "base/file.h"
#include "base/path.h"
#include "store/store.h"
#include "unit/test.h"

struct filled {
    struct store *s;
    struct arena arena;
    const char *name;
};

static void put(struct filled *f, enum store_change_kind kind, const void *row)
{
    struct err e;
    const struct store_change change = {.kind = kind, .row = row};
    if (!store_commit(f->s, &change, 1, &e))
        fail_msg("%s: %s", f->name, e.text);
}

/* Appends to the text that a list is compared as. */
static void add(struct strbuf *out, struct str text, int64_t number)
{
    strbuf_printf(out, "%s" STR_FMT ":%lld", out->n ? " " : "", STR_ARG(text), (long long)number);
}

static void assert_list(struct filled *f, struct strbuf *got, const char *expected)
{
    if (!str_is(strbuf_str(got), expected))
        fail_msg("%s: \"%s\" is expected, not \"%s\"", f->name, expected, got->at);
    strbuf_done(got);
    *got = (struct strbuf){0};
}

static void check_targets_and_jobs(struct filled *f)
{
    struct err e;
    struct strbuf got = {0};
    struct store_targets targets;
    struct store_jobs jobs;
    static const struct store_target target[] = {{.campaign = 1, .name = TEXT("ort/off")},
                                                 {.campaign = 2, .name = TEXT("ort/aaa")},
                                                 {.campaign = 1, .name = TEXT("ort/all")},
                                                 {.campaign = 1, .name = TEXT("openvino/f32")}};
    static const struct store_job job[] = {
        {.campaign = 1, .name = TEXT("run/9"), .case_at = 9, .state = TEXT("ready")},
        {.campaign = 1, .name = TEXT("reduce/b"), .case_at = 4, .state = TEXT("ready")},
        {.campaign = 2, .name = TEXT("run/1"), .case_at = 1, .state = TEXT("ready")},
        {.campaign = 1, .name = TEXT("reduce/a"), .case_at = 4, .state = TEXT("ready")},
        {.campaign = 1, .name = TEXT("run/10"), .case_at = 10, .state = TEXT("dead")}};
    for (size_t i = 0; i < COUNT_OF(target); i++)
        put(f, STORE_TARGET, &target[i]);
    for (size_t i = 0; i < COUNT_OF(job); i++)
        put(f, STORE_JOB, &job[i]);
    assert_true(store_targets(f->s, 1, &f->arena, &targets, &e));
    for (size_t i = 0; i < targets.n; i++)
        add(&got, targets.at[i].name, targets.at[i].campaign);
    assert_list(f, &got, "openvino/f32:1 ort/all:1 ort/off:1");
    assert_true(store_jobs(f->s, 1, STR(""), &f->arena, &jobs, &e));
    for (size_t i = 0; i < jobs.n; i++)
        add(&got, jobs.at[i].name, jobs.at[i].case_at);
    assert_list(f, &got, "reduce/a:4 reduce/b:4 run/9:9 run/10:10");
    assert_true(store_jobs(f->s, 1, STR("ready"), &f->arena, &jobs, &e));
    for (size_t i = 0; i < jobs.n; i++)
        add(&got, jobs.at[i].name, jobs.at[i].case_at);
    assert_list(f, &got, "reduce/a:4 reduce/b:4 run/9:9");
}

static void check_lost_and_failures(struct filled *f)
{
    struct err e;
    struct strbuf got = {0};
    struct store_results lost;
    struct store_failures failures;
    static const struct store_result result[] = {
        {.campaign = 1, .case_at = 9, .kind = TEXT("lost")},
        {.campaign = 1, .case_at = 5, .kind = TEXT("valid")},
        {.campaign = 2, .case_at = 1, .kind = TEXT("lost")},
        {.campaign = 1, .case_at = 2, .kind = TEXT("lost")}};
    static const struct store_failure failure[] = {{.campaign = 1, .case_at = 9, .key = TEXT("p")},
                                                   {.campaign = 1, .case_at = 4, .key = TEXT("q")},
                                                   {.campaign = 2, .case_at = 3, .key = TEXT("p")},
                                                   {.campaign = 1, .case_at = 4, .key = TEXT("p")}};
    static const struct store_alias alias = {.key = TEXT("p"), .bug = TEXT("b"), .campaign = 1};
    for (size_t i = 0; i < COUNT_OF(result); i++)
        put(f, STORE_RESULT, &result[i]);
    for (size_t i = 0; i < COUNT_OF(failure); i++)
        put(f, STORE_FAILURE, &failure[i]);
    put(f, STORE_ALIAS, &alias);
    assert_true(store_lost(f->s, 1, &f->arena, &lost, &e));
    for (size_t i = 0; i < lost.n; i++)
        add(&got, lost.at[i].kind, lost.at[i].case_at);
    assert_list(f, &got, "lost:2 lost:9");
    assert_true(store_failures(f->s, 1, STR(""), 0, &f->arena, &failures, &e));
    for (size_t i = 0; i < failures.n; i++)
        add(&got, failures.at[i].key, failures.at[i].case_at);
    assert_list(f, &got, "p:4 q:4 p:9");
    assert_true(store_failures(f->s, 1, STR(""), 2, &f->arena, &failures, &e));
    assert_int_equal(failures.n, 2);
    assert_true(store_failures(f->s, 1, STR("b"), 0, &f->arena, &failures, &e));
    for (size_t i = 0; i < failures.n; i++)
        add(&got, failures.at[i].key, 10 * failures.at[i].campaign + failures.at[i].case_at);
    assert_list(f, &got, "p:14 p:19 p:23"); /* of all campaigns */
}

static void check_bugs_and_aliases(struct filled *f)
{
    struct err e;
    struct strbuf got = {0};
    struct store_bugs bugs;
    struct store_aliases aliases;
    static const struct store_bug bug[] = {
        {.id = TEXT("d"), .severity = TEXT("S2"), .case_at = 1},
        {.id = TEXT("c"), .severity = TEXT("S1"), .case_at = 7},
        {.id = TEXT("b"), .severity = TEXT("S1"), .case_at = 7},
        {.id = TEXT("e"), .severity = TEXT("S1"), .case_at = 3, .traits = TEXT(STORE_TRAIT_SEED)},
        {.id = TEXT("a"), .severity = TEXT("S1"), .case_at = 9}};
    static const struct store_alias alias[] = {{.key = TEXT("z"), .bug = TEXT("a"), .case_at = 1},
                                               {.key = TEXT("x"), .bug = TEXT("b"), .case_at = 3},
                                               {.key = TEXT("y"), .bug = TEXT("b"), .case_at = 2}};
    for (size_t i = 0; i < COUNT_OF(bug); i++)
        put(f, STORE_BUG, &bug[i]);
    for (size_t i = 0; i < COUNT_OF(alias); i++)
        put(f, STORE_ALIAS, &alias[i]);
    assert_true(store_bugs(f->s, STR(""), &f->arena, &bugs, &e));
    for (size_t i = 0; i < bugs.n; i++)
        add(&got, bugs.at[i].id, bugs.at[i].case_at);
    assert_list(f, &got, "b:7 c:7 a:9 e:3 d:1");
    assert_true(store_aliases(f->s, 1, &f->arena, &aliases, &e));
    for (size_t i = 0; i < aliases.n; i++)
        add(&got, aliases.at[i].key, aliases.at[i].case_at);
    assert_list(f, &got, "x:3 y:2 z:1");
}

static void check_runs_and_events(struct filled *f)
{
    struct err e;
    struct strbuf got = {0};
    struct store_runs runs;
    struct store_events events;
    static const struct store_run run[] = {
        {.bug = TEXT("a"), .kind = TEXT("quick"), .round = 1, .at = 0},
        {.bug = TEXT("a"), .kind = TEXT("fork"), .round = 1, .at = 2},
        {.bug = TEXT("b"), .kind = TEXT("fork"), .round = 0, .at = 0},
        {.bug = TEXT("a"), .kind = TEXT("fork"), .round = 1, .at = 1},
        {.bug = TEXT("a"), .kind = TEXT("quick"), .round = 0, .at = 3}};
    static const struct store_event event[] = {
        {.at_ms = 9, .what = TEXT("ignore"), .subject = TEXT("a")},
        {.at_ms = 3, .what = TEXT("start"), .subject = TEXT("campaign/1")},
        {.at_ms = 7, .what = TEXT("merge"), .subject = TEXT("a")}};
    for (size_t i = 0; i < COUNT_OF(run); i++)
        put(f, STORE_RUN, &run[i]);
    for (size_t i = 0; i < COUNT_OF(event); i++)
        put(f, STORE_EVENT, &event[i]);
    assert_true(store_runs(f->s, STR("a"), &f->arena, &runs, &e));
    for (size_t i = 0; i < runs.n; i++)
        add(&got, runs.at[i].kind, 10 * runs.at[i].round + runs.at[i].at);
    assert_list(f, &got, "quick:3 fork:11 fork:12 quick:10");
    assert_true(store_events(f->s, STR(""), &f->arena, &events, &e));
    for (size_t i = 0; i < events.n; i++)
        add(&got, events.at[i].what, events.at[i].at_ms);
    assert_list(f, &got, "ignore:9 start:3 merge:7"); /* as they were written */
    assert_true(store_events(f->s, STR("a"), &f->arena, &events, &e));
    for (size_t i = 0; i < events.n; i++)
        add(&got, events.at[i].what, events.at[i].at_ms);
    assert_list(f, &got, "ignore:9 merge:7");
}

static void lists_come_in_their_stated_order(void **state)
{
    static void (*const checks[])(struct filled *) = {
        check_targets_and_jobs, check_lost_and_failures, check_bugs_and_aliases,
        check_runs_and_events};
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(checks); i++) {
        struct filled f = {.name = i % 2 ? "memory" : "sqlite"};
        struct err e;
        const char *dir;
        arena_init(&f.arena);
        assert_true(file_make_temp_dir(&f.arena, "store", &dir, &e));
        if (i % 2)
            f.s = store_new_memory();
        else if (!store_open(path_join(&f.arena, dir, "store.sqlite"), STORE_CREATE, &f.s, &e))
            fail_msg("%s", e.text);
        checks[i / 2](&f);
        store_close(f.s);
        assert_true(file_remove_tree(dir, &e));
        arena_done(&f.arena);
    }
}

TEST_SUITE(store_order, TEST(lists_come_in_their_stated_order))
