/* Answers questions about a judged case: by key, by outcome. Pure. */
#include "hunt/runner/runner.h"

bool judged_has_timeout(const struct judged *j)
{
    for (size_t i = 0; i < j->n_observations; i++)
        if (j->observations[i].outcome == OUTCOME_TIMEOUT_CPU ||
            j->observations[i].outcome == OUTCOME_TIMEOUT_BLOCKED)
            return true;
    return false;
}

static bool depends_on_load(enum outcome o)
{
    return o == OUTCOME_TIMEOUT_CPU || o == OUTCOME_TIMEOUT_BLOCKED || o == OUTCOME_OOM_LIMIT ||
           o == OUTCOME_OOM_ALLOCATOR || o == OUTCOME_OOM_KERNEL || o == OUTCOME_OUTPUT_FLOOD ||
           o == OUTCOME_LOST_WORKER || o == OUTCOME_IMPORT_FAILURE;
}

bool judged_is_load_dependent(const struct judged *j, const struct key *k)
{
    for (size_t i = 0; i < j->n_observations; i++)
        if (depends_on_load(j->observations[i].outcome) &&
            (!k->verdict || str_eq(j->observations[i].target.family, k->verdict->target.family)))
            return true;
    return false;
}

bool judged_needs_second_look(const struct judged *j)
{
    for (size_t i = 0; i < j->n_observations; i++) {
        enum outcome o = j->observations[i].outcome;
        if (o == OUTCOME_OOM_LIMIT || o == OUTCOME_OOM_ALLOCATOR || o == OUTCOME_OOM_KERNEL ||
            o == OUTCOME_LOST_WORKER)
            return true;
    }
    for (size_t i = 0; i < j->verdicts.n; i++)
        if (j->verdicts.at[i].decision == DECISION_FAIL)
            return true;
    return j->keys.n > 0 || judged_has_timeout(j);
}

const struct key *judged_find_guard(const struct judged *j, struct str guard)
{
    for (size_t i = 0; i < j->keys.n; i++)
        if (str_eq(j->keys.at[i].guard, guard))
            return &j->keys.at[i];
    return NULL;
}

const struct key *judged_find_strict(const struct judged *j, struct str strict)
{
    for (size_t i = 0; i < j->keys.n; i++)
        if (str_eq(j->keys.at[i].strict, strict))
            return &j->keys.at[i];
    return NULL;
}

const struct observation *judged_observation(const struct judged *j, const struct key *k)
{
    const struct verdict *v = k->verdict;
    const struct observation *found = NULL;
    for (size_t i = 0; v && i < j->n_observations; i++) {
        const struct observation *o = &j->observations[i];
        if (o->input_set != v->input_set || !target_id_eq(&o->target, &v->target))
            continue;
        if (!found || (outcome_is_failure(o->outcome) && !outcome_is_failure(found->outcome)))
            found = o;
    }
    return found;
}
