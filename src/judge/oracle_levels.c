/*
 * levels: each optimisation level of an engine against the same engine without optimisations, with
 * the noise of the reference for both sides. An engine that contradicts itself is wrong, whoever of
 * the two is right; that both are wrong alike is the reference oracle's finding.
 */
#include "judge/pair_p.h"

static bool is_base(struct str mode)
{
    static const char *const names[] = {"off", "eager", "none", "O0"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (str_is(mode, names[i]))
            return true;
    return false;
}

static bool same_engine(const struct target_id *a, const struct target_id *b)
{
    return str_eq(a->engine, b->engine) && str_eq(a->version, b->version);
}

static const struct observation *base_of(const struct judging *j, const struct observation *x)
{
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *y = &j->ev->observations[i];
        if (is_base(y->target.mode) && judge__has_outputs(y) && y->input_set == x->input_set &&
            same_engine(&y->target, &x->target))
            return y;
    }
    return NULL;
}

bool oracle__levels(struct judging *j, struct err *e)
{
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        if (!judge__has_outputs(x) || is_base(x->target.mode) || !judge__reference(j, x))
            continue;
        const struct observation *base = base_of(j, x);
        if (base && !pair__judge(j, ORACLE_LEVELS, x, base, "the run without optimisations", e))
            return false;
    }
    return true;
}
