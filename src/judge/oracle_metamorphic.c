/*
 * metamorphic: a case made by mutation operators that preserve the function must give what its
 * parent gives on the same target and inputs, as far as the reference's noise allows.
 */
#include "judge/pair_p.h"

bool oracle__metamorphic(struct judging *j, struct err *e)
{
    for (size_t i = 0; j->ev->c->preserves_function && i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        if (!judge__has_outputs(x) || !judge__reference(j, x))
            continue;
        for (size_t k = 0; k < j->ev->n_parents; k++) {
            const struct observation *y = &j->ev->parents[k];
            if (judge__has_outputs(y) && y->input_set == x->input_set &&
                target_id_eq(&x->target, &y->target)) {
                if (!pair__judge(j, ORACLE_METAMORPHIC, x, y, "the parent", e))
                    return false;
                break;
            }
        }
    }
    return true;
}
