/*
 * nan: Test Oracle 1 of the mutation study, as published, for comparison (off unless named): a
 * target gives NaN or infinity where another does not. It knows no reference and allows nothing.
 */
#include <math.h>

#include "judge/pair_p.h"

static size_t count_nonfinite(const struct observation *x)
{
    size_t n = 0;
    for (size_t k = 0; k < x->outputs.n; k++) {
        const struct tensor *t = &x->outputs.at[k].tensor;
        for (size_t i = 0; dtype_is_float(t->dtype) && i < t->n; i++)
            n += !isfinite(tensor_get_double(t, i));
    }
    return n;
}

bool oracle__nan(struct judging *j, struct err *e)
{
    (void)e;
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        if (!judge__has_outputs(x))
            continue;
        struct verdict v = judge__verdict(ORACLE_NAN, x);
        bool others_finite = false;
        for (size_t k = 0; k < j->ev->n_observations; k++) {
            const struct observation *y = &j->ev->observations[k];
            others_finite =
                others_finite || (judge__has_outputs(y) && y->input_set == x->input_set && y != x &&
                                  count_nonfinite(y) == 0);
        }
        v.measure = (double)count_nonfinite(x);
        if (v.measure > 0 && others_finite) {
            v.decision = DECISION_FAIL;
            v.wrong = WRONG_NAN;
            v.claim = STR("NaN or infinity where another target has none");
        }
        judge__add(j, v);
    }
    return true;
}
