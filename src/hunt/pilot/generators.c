/*
 * Decides which generator makes the case of an index, and in which state. Invariant: before a case
 * is made, the rewards of exactly the indices that the schedule names are in, so the case does not
 * depend on what else this pilot has done.
 */
#include "hunt/pilot/pilot_p.h"

#include "base/compiler.h"

bool generators__open(struct generators *g, const struct hunt_options *o, struct err *e)
{
    const struct generate_options options = {.seed = o->seed,
                                             .strategy = o->strategy,
                                             .seed_models = o->models.n ? o->models.at : NULL,
                                             .n_seed_models = o->models.n,
                                             .operators = o->operators.n ? o->operators.at : NULL,
                                             .n_operators = o->operators.n,
                                             .lanes = o->lanes};
    g->n = 0;
    g->n_applied = 0;
    if (o->generators.n > COUNT_OF(g->at))
        return err_set(e, ERR_USAGE, "%zu generators, at most %zu are joined", o->generators.n,
                       COUNT_OF(g->at));
    for (size_t i = 0; i < o->generators.n; i++) {
        const struct generator_ops *ops = generator_find(str_of(o->generators.at[i]));
        if (!ops)
            return err_set(e, ERR_USAGE, "generator \"%s\" does not exist", o->generators.at[i]);
        if (!ops->open(&options, &g->at[g->n], e))
            return false;
        g->n++;
    }
    return true;
}

void generators__close(struct generators *g)
{
    for (size_t i = 0; i < g->n; i++)
        g->at[i]->ops->close(g->at[i]);
    g->n = 0;
}

bool generators__apply(struct generators *g, const struct hunt_options *o, uint64_t n,
                       struct err *e)
{
    if (n > g->rewards.n)
        return err_set(e, ERR_INTERNAL, "%llu rewards are needed, %zu have come",
                       (unsigned long long)n, g->rewards.n);
    if (g->n_applied > n) {
        generators__close(g);
        if (!generators__open(g, o, e))
            return false;
    }
    for (; g->n_applied < n; g->n_applied++) {
        struct generator *one = g->at[g->n_applied % g->n];
        one->ops->reward(one, g->n_applied / g->n, &g->rewards.at[g->n_applied]);
    }
    return true;
}

/* The difference between two states of the counts. */
static struct generate_counts counts_since(const struct generate_counts *old,
                                           const struct generate_counts *now)
{
    return (struct generate_counts){
        .n_edits = now->n_edits - old->n_edits,
        .n_discarded_check = now->n_discarded_check - old->n_discarded_check,
        .n_discarded_infer = now->n_discarded_infer - old->n_discarded_infer,
        .n_discarded_budget = now->n_discarded_budget - old->n_discarded_budget,
        .n_discarded_range = now->n_discarded_range - old->n_discarded_range,
        .n_discarded_noop = now->n_discarded_noop - old->n_discarded_noop,
        .n_emitted = now->n_emitted - old->n_emitted,
        .n_gave_up = now->n_gave_up - old->n_gave_up,
    };
}

bool generators__next(struct generators *g, uint64_t index, struct arena *a, struct tcase **out,
                      struct generate_counts *counts, struct err *e)
{
    struct generator *one = g->at[index % g->n];
    struct generate_counts before = {0}, after = {0};
    one->ops->counts(one, &before);
    bool ok = one->ops->next(one, index / g->n, a, out, e);
    one->ops->counts(one, &after);
    *counts = counts_since(&before, &after);
    return ok;
}
