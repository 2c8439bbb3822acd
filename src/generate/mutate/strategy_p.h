/*
 * Strategies: what an edit tries next. A strategy gives each arm (generate/learned.h) a factor on
 * its starting share.
 */
#ifndef GENERATE_MUTATE_STRATEGY_P_H
#define GENERATE_MUTATE_STRATEGY_P_H

#include "generate/generate.h"

struct strategy {
    const char *name, *help;
    /* Factor of an arm at an epoch; 1: nothing known. NULL: every arm keeps its share. */
    double (*factor)(const struct learned *l, uint64_t epoch, uint64_t arm);
};

const struct strategy *strategy__find(struct str name); /* NULL */
const struct strategy *strategy__list(size_t *n);

#endif
