/*
 * Whole campaigns with real pilots on a native double of an engine with planted faults: each fault
 * is a bug of its own, whatever they have in common, and what was removed from the disk is made
 * again.
 */
#include "base/file.h"
#include "base/path.h"
#include "unit/hunt/double_fixture.h"
#include "unit/hunt/fake_bench.h"
#include "unit/test.h"

static const struct store_bug *find_bug(const struct store_bugs *bugs, const char *mode,
                                        const char *pass, const char *op_type)
{
    for (size_t i = 0; i < bugs->n; i++) {
        const struct store_bug *b = &bugs->at[i];
        if ((!mode || str_is(b->mode, mode)) && (!pass || str_is(b->pass, pass)) &&
            (!op_type || str_is(b->op_type, op_type)))
            return b;
    }
    return NULL;
}

static void faults_that_end_in_one_message_are_bugs_of_their_own(void **state)
{
    struct double_campaign c;
    struct hunt_end end;
    struct err e;
    (void)state;
    double_campaign_open(&c);
    const struct hunt_options o = double_campaign_options(&c);
    check_ok(hunt_run(&o, NULL, &end, &e), &e);
    for (size_t k = 0; k < N_OF_GROUP; k++) {
        ASSERT_ROW(find_bug(&end.bugs, NULL, planted_optimizers[k], "Conv"), planted_optimizers[k]);
        ASSERT_ROW(find_bug(&end.bugs, planted_levels[k], "", "Conv"), planted_levels[k]);
        ASSERT_ROW(find_bug(&end.bugs, "off", "", planted_sources[k]), planted_sources[k]);
    }
    assert_int_equal(end.bugs.n, N_PLANTED);
    hunt_end_done(&end);
    double_campaign_close(&c);
}

/* Makes the first reduction wait again. */
static void put_first_job_back(const char *out, struct arena *a)
{
    struct store *s;
    struct store_jobs jobs;
    struct err e;
    check_ok(store_open(path_join(a, out, "store.sqlite"), STORE_WRITE, &s, &e), &e);
    check_ok(store_jobs(s, 1, STR(""), a, &jobs, &e), &e);
    const struct store_job_end end = {.campaign = 1,
                                      .name = jobs.at[0].name,
                                      .epoch = jobs.at[0].epoch,
                                      .from = jobs.at[0].state,
                                      .state = STR("ready"),
                                      .add_attempts = -jobs.at[0].attempts};
    check_ok(store_commit(s, &(struct store_change){.kind = STORE_JOB_END, .job_end = &end}, 1, &e),
             &e);
    store_close(s);
}

/* Both a reproducer and the case of a failure that waits for its reduction are made again from the
 * index, with the same bytes. */
static void evidence_that_was_removed_is_made_again(void **state)
{
    enum { SOME = 3 };
    struct double_campaign c;
    struct hunt_end end;
    struct err e;
    (void)state;
    double_campaign_open(&c);
    struct hunt_options o = double_campaign_options(&c);
    o.models.n = o.n_cases = SOME;
    check_ok(hunt_run(&o, NULL, &end, &e), &e);
    assert_int_equal(end.bugs.n, SOME);
    hunt_end_done(&end);
    put_first_job_back(c.out, &c.arena);
    check_ok(file_remove_tree(path_join(&c.arena, c.out, "artifacts"), &e), &e);
    o.resume = true;
    check_ok(hunt_run(&o, NULL, &end, &e), &e);
    assert_int_equal(end.bugs.n, SOME);
    assert_int_equal(end.statistics.remains.n_given_up + end.statistics.remains.n_waiting, 0);
    for (size_t i = 0; i < end.bugs.n; i++) {
        const char *folder = path_join(&c.arena, c.out, str_dup(&c.arena, end.bugs.at[i].folder));
        assert_int_equal(file_stat(path_join(&c.arena, folder, "model.onnx")).kind, FILE_REGULAR);
        assert_int_equal(end.bugs.at[i].k, 10);
    }
    hunt_end_done(&end);
    double_campaign_close(&c);
}

TEST_SUITE(hunt_double, TEST(evidence_that_was_removed_is_made_again),
           TEST(faults_that_end_in_one_message_are_bugs_of_their_own))
