/*
 * levels: compares each optimisation level of an engine with the same engine without optimisations,
 * by the noise of the reference for both sides, or without a reference by default tolerances
 * (plain.c). An engine that contradicts itself is wrong, whichever of its two results is right.
 * When both are wrong in the same way, the reference oracle finds it.
 */
#include "judge/pair_p.h"

static bool same_engine(const struct target_id *a, const struct target_id *b)
{
    return str_eq(a->engine, b->engine) && str_eq(a->version, b->version);
}

static const struct observation *base_of(const struct judging *j, const struct observation *x)
{
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *y = &j->ev->observations[i];
        if (y->target.is_base && judge__has_outputs(y) && y->input_set == x->input_set &&
            same_engine(&y->target, &x->target))
            return y;
    }
    return NULL;
}

bool oracle__levels(struct judging *j, struct err *e)
{
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        const struct observation *base = base_of(j, x);
        if (!judge__has_outputs(x) || x->target.is_base || !base || judge__is_measured(base))
            continue;
        if (!judge__reference(j, x))
            plain__judge(j, ORACLE_LEVELS, x, base, "the run without optimisations");
        else if (!pair__judge(j, ORACLE_LEVELS, x, base, "the run without optimisations", e))
            return false;
    }
    return true;
}
