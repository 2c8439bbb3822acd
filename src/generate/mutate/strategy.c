/* The list of strategies. `random` is the baseline that others are compared with. */
#include "generate/mutate/strategy_p.h"

static const struct strategy strategies[] = {
    {"assay", "a bandit over operators, anchors, buckets and neighbourhoods", learned_factor},
    {"random", "every operator by its fixed share", NULL},
};

const struct strategy *strategy__find(struct str name)
{
    for (size_t i = 0; i < COUNT_OF(strategies); i++) {
        if (str_is(name, strategies[i].name))
            return &strategies[i];
    }
    return NULL;
}

const struct strategy *strategy__list(size_t *n)
{
    *n = COUNT_OF(strategies);
    return strategies;
}
