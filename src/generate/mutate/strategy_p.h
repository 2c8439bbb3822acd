/*
 * Strategies: what an edit tries next. A strategy multiplies the starting share of each arm
 * (generate/learned.h) by a factor.
 */
#ifndef GENERATE_MUTATE_STRATEGY_P_H
#define GENERATE_MUTATE_STRATEGY_P_H

#include "generate/generate.h"

struct strategy {
    const char *name, *help;
    /* The factor of an arm at an epoch; 1 while nothing is known. NULL: every arm keeps its
     * share. */
    double (*factor)(const struct learned *l, uint64_t epoch, uint64_t arm);
};

const struct strategy *strategy__find(struct str name); /* NULL: none */
const struct strategy *strategy__list(size_t *n);

#endif
