/*
 * Whose fault a converted model is. What a converter makes is run by another engine, and that
 * engine's own defects are not the converter's: with the unconverted model as a witness, the
 * converter answers only where its runner is right. Where the runner fails as well, nothing is said
 * about the converter. Must not know oracles.
 */
#include "judge/judge_p.h"

struct str judge__family(const struct observation *x)
{
    return x->target.runner ? x->target.runner->family : x->target.family;
}

static bool same_target(const struct target_id *x, const struct target_id *y)
{
    return str_eq(x->engine, y->engine) && str_eq(x->version, y->version) &&
           str_eq(x->mode, y->mode);
}

static bool fails(enum decision d)
{
    return d == DECISION_FAIL || d == DECISION_SECOND_OPINION || d == DECISION_REFERENCE_SUSPECT;
}

/* Did the runner, given the unconverted model, fail or get blamed? */
static bool runner_fails(const struct judging *j, const struct verdict *v)
{
    const struct target_id *runner = v->target.runner;
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *y = &j->ev->observations[i];
        if (y->input_set == v->input_set && same_target(&y->target, runner) &&
            y->outcome != OUTCOME_OK)
            return true;
    }
    for (size_t i = 0; i < j->found.n; i++) {
        const struct verdict *w = &j->found.at[i];
        if (w->input_set == v->input_set && same_target(&w->target, runner) && fails(w->decision))
            return true;
    }
    return false;
}

void judge__settle_converted(struct judging *j)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < j->found.n; i++) {
        struct verdict *v = &j->found.at[i];
        if (!v->target.runner || !fails(v->decision) || !runner_fails(j, v))
            continue;
        judge__count(j, NOT_BUG_RUNNER, 1);
        v->decision = DECISION_NOT_APPLICABLE;
        v->wrong = WRONG_NOTHING;
    }
    for (size_t i = 0; i < j->found.n; i++)
        if (!j->found.at[i].target.is_witness)
            j->found.at[n_kept++] = j->found.at[i];
    j->found.n = n_kept;
}
