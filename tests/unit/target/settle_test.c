/* What the pool does after a process died, and after a rerun that passed. */
#include "target/settle_p.h"
#include "unit/test.h"

static void a_loss_is_settled_by_what_is_known(void **state)
{
    enum {
        UNWANTED = SETTLE_FACT_UNWANTED,
        UNSTARTED = SETTLE_FACT_UNSTARTED,
        OFTEN = SETTLE_FACT_TOO_OFTEN,
        ALONE = SETTLE_FACT_ALONE,
        REPLAY = SETTLE_FACT_REPLAY,
        SUSPECT = SETTLE_FACT_SUSPECT,
        PRESUMES = SETTLE_FACT_PRESUMES,
        COMPANY = SETTLE_FACT_COMPANY,
        FOREIGN = SETTLE_FACT_FOREIGN
    };
    static const struct {
        const char *name;
        unsigned facts;
        enum settle_action action;
    } rows[] = {
        {"first case of its process", 0, SETTLE_BLAME},
        {"after other cases", COMPANY, SETTLE_RUN_ALONE},
        {"again alone", ALONE, SETTLE_BLAME},
        {"alone, though the child had company before", ALONE | COMPANY, SETTLE_BLAME},
        {"in company only", REPLAY, SETTLE_BLAME_IN_COMPANY},
        {"killed from outside", FOREIGN, SETTLE_TRY_AGAIN},
        {"killed from outside while alone", FOREIGN | ALONE, SETTLE_TRY_AGAIN},
        {"killed from outside again and again", FOREIGN | OFTEN | COMPANY, SETTLE_GIVE_UP},
        {"not begun", UNSTARTED, SETTLE_TRY_AGAIN},
        {"not begun while alone", UNSTARTED | ALONE, SETTLE_TRY_AGAIN},
        {"never begun", UNSTARTED | OFTEN | REPLAY, SETTLE_GIVE_UP},
        {"begun after too many tries that did not begin", OFTEN, SETTLE_BLAME},
        {"seems to hang", SUSPECT | COMPANY, SETTLE_QUARANTINE},
        {"seems to hang as its mode does", SUSPECT | PRESUMES, SETTLE_PRESUME},
        {"died in a mode that hangs", PRESUMES | COMPANY, SETTLE_RUN_ALONE},
        {"a canary, or a request cancelled", UNWANTED | UNSTARTED | SUSPECT, SETTLE_NO_ANSWER},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(settle__after_loss(rows[i].facts) == rows[i].action, rows[i].name);
}

static void a_pass_is_settled_by_what_was_lost(void **state)
{
    static const struct {
        const char *name;
        unsigned facts;
        enum settle_action action;
    } rows[] = {
        {"alone after a death", SETTLE_FACT_ALONE, SETTLE_RUN_COMPANY},
        {"alone after a deadline", SETTLE_FACT_ALONE | SETTLE_FACT_TIMED_OUT, SETTLE_REFUTED},
        {"in company after a death", SETTLE_FACT_REPLAY, SETTLE_PASSED},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(settle__after_pass(rows[i].facts) == rows[i].action, rows[i].name);
}

TEST_SUITE(target_settle, TEST(a_loss_is_settled_by_what_is_known),
           TEST(a_pass_is_settled_by_what_was_lost))
