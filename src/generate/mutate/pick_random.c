/* Strategy random: every arm keeps its starting share. The ground that others are compared with. */
#include "generate/mutate/pick_p.h"

static double factor(const struct pick *p, uint64_t epoch, uint64_t arm)
{
    (void)p;
    (void)epoch;
    (void)arm;
    return 1;
}

static void reward(struct pick *p, uint64_t epoch, uint64_t arm, double amount)
{
    (void)p;
    (void)epoch;
    (void)arm;
    (void)amount;
}

const struct pick_ops pick__random = {"random", "every operator by its fixed share", factor,
                                      reward};
