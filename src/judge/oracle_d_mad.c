/*
 * d-mad: CRADLE's measure, as published, for comparison (off unless named): |d_M - d_N| / (d_M +
 * d_N) of two targets, d = mean |Y - label|, above 0.4 a defect. Generated models have no label, so
 * d is the distance from zero.
 */
#include <math.h>

#include "judge/pair_p.h"

static const double d_mad_threshold = 0.4;

static double mean_magnitude(const struct tensor *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->n; i++)
        sum += fabs(tensor_get_double(t, i));
    return t->n > 0 ? sum / (double)t->n : 0;
}

static double d_mad(const struct tensor *a, const struct tensor *b)
{
    double da = mean_magnitude(a), db = mean_magnitude(b);
    double d = fabs(da - db) / (da + db);
    return isfinite(d) ? d : 0;
}

bool oracle__d_mad(struct judging *j, struct err *e)
{
    (void)e;
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        const struct observation *base = judge__has_outputs(x) ? pair__baseline(j, x) : NULL;
        if (!base)
            continue;
        struct verdict v = judge__verdict(ORACLE_D_MAD, x);
        v.threshold = d_mad_threshold;
        for (size_t k = 0; k < x->outputs.n; k++) {
            const struct tensor *t = &x->outputs.at[k].tensor;
            const struct tensor *b = tensors_find(&base->outputs, x->outputs.at[k].name);
            if (b && dtype_is_float(t->dtype) && dtype_is_float(b->dtype))
                v.measure = fmax(v.measure, d_mad(t, b));
        }
        if (v.measure > v.threshold) {
            v.decision = DECISION_FAIL;
            v.wrong = WRONG_VALUE;
            v.claim = STR("the outputs of two targets have very different distances to the label");
        }
        judge__add(j, v);
    }
    return true;
}
