/*
 * Strategies: what an edit tries next. A strategy gives each arm a factor on its starting share; an
 * arm is an operator, or an operator with the op_type it stands at, its bucket (which pattern,
 * recipe, attribute), or its neighbourhood. Determinism: a factor asked for index i depends on the
 * rewards of epochs <= i / 256 - 2 alone, in index order.
 */
#ifndef GENERATE_MUTATE_PICK_P_H
#define GENERATE_MUTATE_PICK_P_H

#include "generate/generate.h"

struct pick;

struct pick_ops {
    const char *name, *help;
    /* Factor of an arm at an epoch; 1: nothing known. */
    double (*factor)(const struct pick *p, uint64_t epoch, uint64_t arm);
    void (*reward)(struct pick *p, uint64_t epoch, uint64_t arm, double amount);
};

struct pick {
    const struct pick_ops *ops;
    struct arena a;
    struct map arms; /* arm's bytes -> struct pick_arm * */
};

extern const struct pick_ops pick__random, pick__assay;

const struct pick_ops *pick__find(struct str name); /* NULL */
const struct pick_ops *const *pick__list(size_t *n);

void pick__open(struct pick *p, const struct pick_ops *ops);
void pick__close(struct pick *p);

/* Arms of an edit: kind says of what. */
enum arm_kind { ARM_OPERATOR, ARM_ANCHOR, ARM_BUCKET, ARM_NEAR, ARM_KINDS };
uint64_t pick__arm(enum arm_kind kind, struct str operator_id, struct str what);

static inline double pick__factor(const struct pick *p, uint64_t epoch, uint64_t arm)
{
    return p->ops->factor(p, epoch, arm);
}

/* Every arm named in the lines of r->edits shares the case's reward. */
void pick__reward(struct pick *p, uint64_t index, const struct reward *r);

#endif
