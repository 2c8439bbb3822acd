/* What every back end guarantees, checked on each: SQLite, the double, the double with a trace. */
#include "store/store.h"

#include <math.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "store/batch.h"
#include "unit/test.h"

struct place {
    struct arena arena;
    const char *dir;
    struct strbuf told;
};

static void tell(void *ctx, const char *line)
{
    struct place *p = ctx;
    strbuf_adds(&p->told, line);
    strbuf_addc(&p->told, '\n');
}

static const char *const backends[] = {"sqlite", "memory", "trace"};

static struct store *open_store(struct place *p, const char *name)
{
    struct err e;
    struct store *s = NULL;
    if (strcmp(name, "memory") == 0)
        return store_new_memory();
    if (strcmp(name, "trace") == 0)
        return store_new_trace(store_new_memory(), tell, p);
    if (!store_open(path_join(&p->arena, p->dir, "store.sqlite"), STORE_CREATE, &s, &e))
        fail_msg("%s", e.text);
    return s;
}

static void place_init(struct place *p)
{
    struct err e;
    *p = (struct place){0};
    arena_init(&p->arena);
    assert_true(file_make_temp_dir(&p->arena, "store", &p->dir, &e));
}

static void place_done(struct place *p)
{
    struct err e;
    assert_true(file_remove_tree(p->dir, &e));
    strbuf_done(&p->told);
    arena_done(&p->arena);
}

/* Runs a check on each back end. */
static void on_each(void (*check)(struct store *s, struct arena *a, const char *name))
{
    for (size_t i = 0; i < COUNT_OF(backends); i++) {
        struct place p;
        place_init(&p);
        struct store *s = open_store(&p, backends[i]);
        check(s, &p.arena, backends[i]);
        store_close(s);
        place_done(&p);
    }
}

static struct store_result result_row(int64_t case_at, const char *kind, const char *decision)
{
    return (struct store_result){.campaign = 1,
                                 .case_at = case_at,
                                 .case_id = hash_of(&case_at, sizeof case_at),
                                 .kind = str_of(kind),
                                 .decision = str_of(decision),
                                 .lane = STR("numeric"),
                                 .rewrites = STR("+FusedConv\n-Relu\n"),
                                 .distance = 0.5,
                                 .n_macs = 1000,
                                 .n_edits = 2,
                                 .at_ms = 100 + case_at};
}

static void put_result(struct store *s, const struct store_result *row)
{
    struct err e;
    const struct store_change change = {.kind = STORE_RESULT, .result = row};
    if (!store_commit(s, &change, 1, &e))
        fail_msg("%s", e.text);
}

static void check_results(struct store *s, struct arena *a, const char *name)
{
    struct err e;
    struct store_results got;
    struct store_result nan_row = result_row(2, "valid", "pass");
    struct store_result again = result_row(7, "illegal", "pass");
    const struct store_result rows[] = {result_row(7, "valid", "fail"),
                                        result_row(1, "illegal", "pass"),
                                        result_row(300, "none", "")};
    nan_row.distance = NAN;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        put_result(s, &rows[i]);
    put_result(s, &nan_row);
    put_result(s, &again); /* like a lost case that is run after all */
    ASSERT_ROW(store_results(s, 1, 1, 300, a, &got, &e), name);
    ASSERT_ROW(got.n == 3, name);
    ASSERT_ROW(got.at[0].case_at == 1 && got.at[1].case_at == 2 && got.at[2].case_at == 7, name);
    ASSERT_ROW(isnan(got.at[1].distance) && got.at[2].distance == 0.5, name);
    ASSERT_ROW(str_is(got.at[2].kind, "illegal") && str_is(got.at[2].decision, "pass"), name);
    ASSERT_ROW(str_is(got.at[2].rewrites, "+FusedConv\n-Relu\n"), name);
    ASSERT_ROW(hash_eq(&got.at[2].case_id, &rows[0].case_id), name);
    ASSERT_ROW(hash_is_zero(&got.at[2].content), name);
    ASSERT_ROW(store_results(s, 2, 0, 1000, a, &got, &e) && got.n == 0, name);
}

static void results_are_kept_once_and_read_in_order(void **state)
{
    (void)state;
    on_each(check_results);
}

static void check_totals(struct store *s, struct arena *a, const char *name)
{
    struct err e;
    struct store_totals t = {0};
    const struct store_result first[] = {result_row(0, "valid", "pass"),
                                         result_row(1, "valid", "fail"),
                                         result_row(2, "illegal", "pass")};
    const struct store_result second[] = {result_row(9, "lost", "fail"), result_row(3, "none", "")};
    (void)a;
    ASSERT_ROW(store_totals(s, 1, &t, &e) && t.n_cases == 0, name);
    for (size_t i = 0; i < COUNT_OF(first); i++)
        put_result(s, &first[i]);
    ASSERT_ROW(store_totals(s, 1, &t, &e), name);
    ASSERT_ROW(t.n_cases == 3 && t.n_valid == 2 && t.n_illegal == 1 && t.n_failing == 1, name);
    ASSERT_ROW(t.last_at_ms == 102 && t.n_edits == 6, name);
    for (size_t i = 0; i < COUNT_OF(second); i++)
        put_result(s, &second[i]);
    ASSERT_ROW(store_totals(s, 1, &t, &e), name); /* adds only new rows */
    ASSERT_ROW(t.n_cases == 5 && t.n_lost == 1 && t.n_none == 1 && t.n_failing == 2, name);
    ASSERT_ROW(store_totals(s, 1, &t, &e) && t.n_cases == 5, name);
}

static void totals_are_sums_over_rows_since_the_last_question(void **state)
{
    (void)state;
    on_each(check_totals);
}

static void put_job(struct store *s, const char *job_name, const char *kind, int64_t case_at)
{
    struct err e;
    const struct store_job row = {.campaign = 1,
                                  .name = str_of(job_name),
                                  .kind = str_of(kind),
                                  .case_at = case_at,
                                  .n_cases = 32,
                                  .state = STR("ready")};
    const struct store_change change = {.kind = STORE_JOB, .job = &row};
    assert_true(store_commit(s, &change, 1, &e));
}

static bool end_job(struct store *s, const struct store_job *job, int64_t epoch, const char *to)
{
    struct err e;
    const struct store_job_end end = {
        .campaign = 1, .name = job->name, .epoch = epoch, .state = str_of(to)};
    const struct store_change change = {.kind = STORE_JOB_END, .job_end = &end};
    return store_commit(s, &change, 1, &e);
}

static void check_claims(struct store *s, struct arena *a, const char *name)
{
    struct err e;
    struct store_jobs got, more, done;
    struct store_claim c = {
        .campaign = 1, .owner = STR("p1"), .now_ms = 1000, .lease_ms = 50, .n_most = 2};
    put_job(s, "run/64", "run", 64);
    put_job(s, "run/0", "run", 0);
    put_job(s, "reduce/aa", "reduce", 5);
    put_job(s, "run/0", "run", 0); /* exists already */
    ASSERT_ROW(store_claim(s, &c, a, &got, &e), name);
    ASSERT_ROW(got.n == 2 && str_is(got.at[0].name, "run/0") && str_is(got.at[1].name, "reduce/aa"),
               name);
    ASSERT_ROW(got.at[0].epoch == 1 && got.at[0].attempts == 1 && got.at[0].lease_ms == 1050, name);
    ASSERT_ROW(str_is(got.at[0].owner, "p1") && str_is(got.at[0].state, "claimed"), name);
    c.owner = STR("p2"), c.kind = STR("run"), c.n_most = 8, c.now_ms = 1051;
    ASSERT_ROW(store_claim(s, &c, a, &more, &e), name); /* run/0's claim has expired */
    ASSERT_ROW(more.n == 2 && str_is(more.at[0].name, "run/0") && more.at[0].epoch == 2, name);
    c.name = STR("reduce/aa");
    struct store_jobs none;
    ASSERT_ROW(store_claim(s, &c, a, &none, &e) && none.n == 0, name); /* another kind */
    ASSERT_ROW(end_job(s, &got.at[0], 1, "done"), name); /* the first owner is fenced off */
    ASSERT_ROW(store_jobs(s, 1, STR("done"), a, &done, &e) && done.n == 0, name);
    ASSERT_ROW(end_job(s, &more.at[0], 2, "done"), name);
    ASSERT_ROW(store_jobs(s, 1, STR("done"), a, &done, &e) && done.n == 1, name);
    ASSERT_ROW(end_job(s, &more.at[1], 1, "ready"), name);
    ASSERT_ROW(store_jobs(s, 1, STR(""), a, &done, &e) && done.n == 3, name);
    ASSERT_ROW(store_jobs(s, 1, STR("ready"), a, &done, &e) && done.n == 1, name);
}

static void a_claim_is_fenced_by_its_epoch(void **state)
{
    (void)state;
    on_each(check_claims);
}

static void put_run(struct store *s, const char *kind, int64_t at, int64_t round, bool failed)
{
    struct err e;
    const struct store_run row = {
        .bug = STR("b1"), .kind = str_of(kind), .at = at, .round = round, .failed = failed};
    const struct store_change change = {.kind = STORE_RUN, .run = &row};
    assert_true(store_commit(s, &change, 1, &e));
}

static void check_bugs(struct store *s, struct arena *a, const char *name)
{
    struct err e;
    struct store_bugs got;
    struct store_bug b = {.id = STR("b1"),
                          .key = STR("k"),
                          .campaign = 1,
                          .title = STR("Pad: wrong value"),
                          .state = STR("new"),
                          .severity = STR("S1"),
                          .first_seen_ms = 50,
                          .case_at = 9,
                          .expected = NAN,
                          .element = -1};
    struct store_alias alias = {.key = STR("p"), .bug = STR("b1"), .campaign = 1, .case_at = 9};
    struct store_failure failures[] = {
        {.campaign = 1, .case_at = 9, .key = STR("p"), .at_ms = 70},
        {.campaign = 1, .case_at = 4, .key = STR("q"), .at_ms = 90},
        {.campaign = 1, .case_at = 11, .key = STR("p"), .at_ms = 80}};
    const struct store_change changes[] = {{.kind = STORE_BUG, .bug = &b},
                                           {.kind = STORE_ALIAS, .alias = &alias},
                                           {.kind = STORE_FAILURE, .failure = &failures[0]},
                                           {.kind = STORE_FAILURE, .failure = &failures[1]},
                                           {.kind = STORE_FAILURE, .failure = &failures[2]}};
    ASSERT_ROW(store_commit(s, changes, COUNT_OF(changes), &e), name);
    for (int i = 0; i < 10; i++)
        put_run(s, "fork", i, 0, i < 4);
    for (int i = 0; i < 5; i++)
        put_run(s, "fork", i, 1, i != 2);
    put_run(s, "quick", 0, 2, true);
    b.state = STR("confirmed"), b.first_seen_ms = 40, b.case_at = 30, b.title = STR("Pad");
    ASSERT_ROW(store_commit(s, changes, 1, &e), name);
    ASSERT_ROW(store_bugs(s, STR("b"), a, &got, &e) && got.n == 1, name);
    ASSERT_ROW(str_is(got.at[0].state, "confirmed") && str_is(got.at[0].title, "Pad"), name);
    ASSERT_ROW(got.at[0].first_seen_ms == 40 && got.at[0].case_at == 9, name); /* smallest of all */
    ASSERT_ROW(got.at[0].k == 4 && got.at[0].n == 5, name); /* forks of the last round */
    ASSERT_ROW(got.at[0].n_failures == 2 && got.at[0].last_seen_ms == 80, name);
    ASSERT_ROW(isnan(got.at[0].expected) && got.at[0].element == -1, name);
    struct store_failures seen;
    ASSERT_ROW(store_failures(s, 1, STR("b1"), 0, a, &seen, &e) && seen.n == 2, name);
    ASSERT_ROW(store_failures(s, 1, STR(""), 2, a, &seen, &e) && seen.n == 2, name);
    ASSERT_ROW(seen.at[0].case_at == 4 && seen.at[1].case_at == 9, name);
}

static void bug_numbers_are_queries_over_runs_and_failures(void **state)
{
    (void)state;
    on_each(check_bugs);
}

static void check_lookup(struct store *s, struct arena *a, const char *name)
{
    static const struct {
        const char *ask, *id;
        const char *says;
    } rows[] = {
        {"3fa", "3fa2", NULL},  {"3fb", NULL, "no bug"},  {"3f", NULL, "start of 2 bugs"},
        {"3f2a", "3f2a", NULL}, {"Pad: w", "3fa2", NULL},
    };
    struct err e;
    const struct store_bug bugs[] = {
        {.id = STR("3fa2"), .title = STR("Pad: wrong"), .severity = STR("S2")},
        {.id = STR("3f2a"), .title = STR("Conv"), .severity = STR("S1"), .case_at = 5},
        {.id = STR("77aa"), .title = STR("Conv"), .severity = STR("S1"), .case_at = 3}};
    for (size_t i = 0; i < COUNT_OF(bugs); i++) {
        const struct store_change change = {.kind = STORE_BUG, .bug = &bugs[i]};
        ASSERT_ROW(store_commit(s, &change, 1, &e), name);
    }
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct store_bug got;
        bool ok = store_bug(s, str_of(rows[i].ask), a, &got, &e);
        ASSERT_ROW(ok == (rows[i].id != NULL), rows[i].ask);
        ASSERT_ROW(!ok || str_is(got.id, rows[i].id), rows[i].ask);
        ASSERT_ROW(ok || strstr(e.text, rows[i].says), rows[i].ask);
    }
    struct store_bugs all;
    ASSERT_ROW(store_bugs(s, STR(""), a, &all, &e) && all.n == 3, name);
    ASSERT_ROW(str_is(all.at[0].id, "77aa") && str_is(all.at[2].id, "3fa2"), name);
}

static void a_bug_is_found_by_the_start_of_its_id(void **state)
{
    (void)state;
    on_each(check_lookup);
}

static void check_events(struct store *s, struct arena *a, const char *name)
{
    struct err e;
    struct store_events got;
    struct store_bugs bugs;
    const struct store_bug bug = {.id = STR("b1"), .state = STR("confirmed")};
    const struct store_change change = {.kind = STORE_BUG, .bug = &bug};
    ASSERT_ROW(store_commit(s, &change, 1, &e), name);
    ASSERT_ROW(store_set_bug_state(s, &bug, "ignored", "user", "intended", &e), name);
    ASSERT_ROW(store_set_bug_state(s, &bug, "confirmed", "user", "not so", &e), name);
    ASSERT_ROW(store_events(s, STR("b1"), a, &got, &e) && got.n == 2, name);
    ASSERT_ROW(str_is(got.at[0].what, "ignored") && str_is(got.at[0].text, "intended"), name);
    ASSERT_ROW(str_is(got.at[1].what, "confirmed"), name);
    ASSERT_ROW(store_events(s, STR("b2"), a, &got, &e) && got.n == 0, name);
    ASSERT_ROW(store_bugs(s, STR(""), a, &bugs, &e) && str_is(bugs.at[0].state, "confirmed"), name);
}

static void a_persons_change_is_an_event(void **state)
{
    (void)state;
    on_each(check_events);
}

static void check_batch(struct store *s, struct arena *a, const char *name)
{
    struct err e;
    struct batch b;
    struct store_results got;
    batch_init(&b, s);
    ASSERT_ROW(!batch_is_due(&b, INT64_MAX), name); /* nothing waits */
    for (int64_t i = 0; i < BATCH_RESULTS; i++) {
        struct store_result row = result_row(i, "valid", "pass");
        ASSERT_ROW(!batch_is_due(&b, i ? b.since_ns : 0), name);
        batch_add(&b, (struct store_change){.kind = STORE_RESULT, .result = &row});
        row.kind = STR("overwritten: the batch has its own copy");
    }
    ASSERT_ROW(batch_is_due(&b, b.since_ns), name);
    ASSERT_ROW(store_results(s, 1, 0, 1000, a, &got, &e) && got.n == 0, name);
    ASSERT_ROW(batch_flush(&b, &e), name);
    ASSERT_ROW(store_results(s, 1, 0, 1000, a, &got, &e) && got.n == BATCH_RESULTS, name);
    ASSERT_ROW(str_is(got.at[5].kind, "valid"), name);
    struct store_result row = result_row(500, "valid", "pass");
    batch_add(&b, (struct store_change){.kind = STORE_RESULT, .result = &row});
    ASSERT_ROW(!batch_is_due(&b, b.since_ns + (BATCH_MS - 1) * INT64_C(1000000)), name);
    ASSERT_ROW(batch_is_due(&b, b.since_ns + BATCH_MS * INT64_C(1000000)), name);
    batch_done(&b);
}

static void a_batch_is_written_by_number_or_by_age(void **state)
{
    (void)state;
    on_each(check_batch);
}

static void a_trace_tells_each_call(void **state)
{
    struct place p;
    struct err e;
    struct store_results got;
    (void)state;
    place_init(&p);
    struct store *s = open_store(&p, "trace");
    struct store_result row = result_row(3, "valid", "pass");
    put_result(s, &row);
    assert_true(store_results(s, 1, 0, 10, &p.arena, &got, &e));
    store_close(s);
    assert_string_equal(p.told.at, "commit 1: ok\nresults 0..10 got 1: ok\nclose\n");
    place_done(&p);
}

static void a_row_comes_back_from_json(void **state)
{
    struct arena a;
    struct err e;
    const struct json *j;
    struct store_result back, row = result_row(7, "valid", "fail");
    struct strbuf text = {0};
    (void)state;
    arena_init(&a);
    row.distance = INFINITY;
    row.keys = STR("k\"1\nk2\n");
    struct json_out w = json_open(&text, JSON_COMPACT);
    store_row_to_json(STORE_RESULT, &row, &w);
    assert_true(json_parse(strbuf_str(&text), "row", &a, &j, &e));
    assert_true(store_row_from_json(STORE_RESULT, j, &a, &back, &e));
    assert_true(back.case_at == 7 && back.distance == (double)INFINITY &&
                str_eq(back.keys, row.keys));
    assert_true(hash_eq(&back.case_id, &row.case_id));
    assert_false(store_row_from_json(STORE_BUG, j, &a, &(struct store_bug){0}, &e));
    assert_non_null(strstr(e.text, "bug row: column id"));
    strbuf_done(&text);
    arena_done(&a);
}

static void check_snapshot(struct store *s, struct arena *a, const char *name)
{
    struct store_snapshot found;
    struct err e;
    assert_true(store_snapshot(s, 1, a, &found, &e));
    ASSERT_ROW(found.state.n == 0 && found.n_done == 0, name);
    for (int64_t i = 1; i < 4; i++) {
        const struct store_snapshot row = {.campaign = i % 2, .n_done = i, .state = STR("{}")};
        const struct store_change change = {.kind = STORE_SNAPSHOT, .snapshot = &row};
        assert_true(store_commit(s, &change, 1, &e));
    }
    assert_true(store_snapshot(s, 1, a, &found, &e));
    ASSERT_ROW(found.campaign == 1 && found.n_done == 3 && str_is(found.state, "{}"), name);
}

static void the_last_snapshot_of_a_campaign_counts(void **state)
{
    (void)state;
    on_each(check_snapshot);
}

/* A store from somebody else must not make commands read or run what lies elsewhere. */
static void check_folders(struct store *s, struct arena *a, const char *name)
{
    static const struct {
        const char *id, *folder;
        bool stays;
    } rows[] = {{"b0", "artifacts/3f/3f2a", true},
                {"b1", "../../etc", false},
                {"b2", "/etc", false},
                {"b3", "artifacts/../../other", false},
                {"b4", "", true}};
    struct err e;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct store_bug bug = {.id = str_of(rows[i].id), .folder = str_of(rows[i].folder)};
        const struct store_failure failure = {
            .campaign = 1, .case_at = (int64_t)i, .folder = str_of(rows[i].folder)};
        const struct store_change changes[] = {{.kind = STORE_BUG, .bug = &bug},
                                               {.kind = STORE_FAILURE, .failure = &failure}};
        ASSERT_ROW(store_commit(s, changes, COUNT_OF(changes), &e), name);
    }
    struct store_bugs bugs;
    struct store_failures failures;
    ASSERT_ROW(store_bugs(s, STR(""), a, &bugs, &e) && bugs.n == COUNT_OF(rows), name);
    ASSERT_ROW(store_failures(s, 1, STR(""), 0, a, &failures, &e), name);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *seen = rows[i].stays ? rows[i].folder : "";
        ASSERT_ROW(str_is(bugs.at[i].folder, seen), rows[i].folder);
        ASSERT_ROW(str_is(failures.at[i].folder, seen), rows[i].folder);
    }
}

static void a_folder_that_leaves_the_campaigns_counts_as_none(void **state)
{
    (void)state;
    on_each(check_folders);
}

TEST_SUITE(store_rows, TEST(a_folder_that_leaves_the_campaigns_counts_as_none),
           TEST(a_row_comes_back_from_json), TEST(results_are_kept_once_and_read_in_order),
           TEST(totals_are_sums_over_rows_since_the_last_question),
           TEST(a_claim_is_fenced_by_its_epoch),
           TEST(bug_numbers_are_queries_over_runs_and_failures),
           TEST(a_bug_is_found_by_the_start_of_its_id), TEST(a_persons_change_is_an_event),
           TEST(a_batch_is_written_by_number_or_by_age), TEST(a_trace_tells_each_call),
           TEST(the_last_snapshot_of_a_campaign_counts))
