/* Decides whether a stage of many requests goes on after one has failed. Pure. */
#include "llm/llm.h"

enum { FAILURES_MAX = 5 }; /* in a row */

void llm_stage_take(struct llm_stage *s, const struct err *failure)
{
    s->n_asked++;
    s->n_failed += failure != NULL;
    s->n_in_row = failure ? s->n_in_row + 1 : 0;
    if (!failure)
        return;
    /* A bad reply costs only its request; a used-up budget, a refused key or a failing disk would
     * also fail the next request; a broken connection may recover. */
    s->is_over |= failure->code == ERR_LIMIT || failure->code == ERR_USAGE ||
                  failure->code == ERR_IO || s->n_in_row >= FAILURES_MAX;
    if (s->is_over || s->n_failed == 1)
        s->last = *failure;
}
