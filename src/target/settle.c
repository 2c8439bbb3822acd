/* Decides how a lost process is settled: by the first row whose facts all hold. */
#include "target/settle_p.h"

#include <stddef.h>

#include "base/compiler.h"

struct settle_row {
    unsigned facts; /* all of them hold */
    enum settle_action action;
};

static enum settle_action first_that_holds(const struct settle_row *rows, unsigned facts)
{
    while ((rows->facts & facts) != rows->facts)
        rows++;
    return rows->action;
}

enum settle_action settle__after_loss(unsigned facts)
{
    static const struct settle_row rows[] = {
        {SETTLE_FACT_UNWANTED, SETTLE_NO_ANSWER},
        {SETTLE_FACT_FOREIGN | SETTLE_FACT_TOO_OFTEN, SETTLE_GIVE_UP},
        {SETTLE_FACT_FOREIGN, SETTLE_TRY_AGAIN},
        {SETTLE_FACT_UNSTARTED | SETTLE_FACT_TOO_OFTEN, SETTLE_GIVE_UP},
        {SETTLE_FACT_UNSTARTED, SETTLE_TRY_AGAIN},
        {SETTLE_FACT_REPLAY, SETTLE_BLAME_IN_COMPANY},
        {SETTLE_FACT_ALONE, SETTLE_BLAME},
        {SETTLE_FACT_SUSPECT | SETTLE_FACT_PRESUMES, SETTLE_PRESUME},
        {SETTLE_FACT_SUSPECT, SETTLE_QUARANTINE},
        {SETTLE_FACT_COMPANY, SETTLE_RUN_ALONE},
        {0, SETTLE_BLAME},
    };
    return first_that_holds(rows, facts);
}

enum settle_action settle__after_pass(unsigned facts)
{
    static const struct settle_row rows[] = {
        {SETTLE_FACT_ALONE | SETTLE_FACT_TIMED_OUT, SETTLE_REFUTED},
        {SETTLE_FACT_ALONE, SETTLE_RUN_COMPANY},
        {0, SETTLE_PASSED},
    };
    return first_that_holds(rows, facts);
}
