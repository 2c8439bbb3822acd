/*
 * Strategies: what an edit tries next. A strategy gives each arm a factor on its starting share; an
 * arm is an operator, or an operator with the op_type it stands at, its bucket (which pattern,
 * op_type, attribute), or its neighbourhood. Determinism: a factor asked for index i depends on the
 * rewards of epochs <= i / 256 - 2 alone, in index order.
 */
#ifndef GENERATE_MUTATE_STRATEGY_P_H
#define GENERATE_MUTATE_STRATEGY_P_H

#include "generate/generate.h"

struct strategy;

struct strategy_ops {
    const char *name, *help;
    /* Factor of an arm at an epoch; 1: nothing known. */
    double (*factor)(const struct strategy *s, uint64_t epoch, uint64_t arm);
    void (*reward)(struct strategy *s, uint64_t epoch, uint64_t arm, double amount);
};

struct strategy {
    const struct strategy_ops *ops;
    struct arena a;
    struct map arms; /* arm's bytes -> struct strategy_arm * */
};

extern const struct strategy_ops strategy__random, strategy__assay;

const struct strategy_ops *strategy__find(struct str name); /* NULL */
const struct strategy_ops *const *strategy__list(size_t *n);

void strategy__open(struct strategy *s, const struct strategy_ops *ops);
void strategy__close(struct strategy *s);

/* The arms of an edit; kind says which of them. */
enum arm_kind { ARM_OPERATOR, ARM_ANCHOR, ARM_BUCKET, ARM_NEAR, ARM_KINDS };
uint64_t strategy__arm(enum arm_kind kind, struct str operator_id, struct str what);

static inline double strategy__factor(const struct strategy *s, uint64_t epoch, uint64_t arm)
{
    return s->ops->factor(s, epoch, arm);
}

/* Every arm named in the lines of r->edits shares the case's reward. */
void strategy__reward(struct strategy *s, uint64_t index, const struct reward *r);

#endif
