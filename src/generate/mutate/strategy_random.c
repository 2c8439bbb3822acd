/* Strategy random: every arm keeps its starting share. The baseline that others are compared
 * with. */
#include "generate/mutate/strategy_p.h"

static double factor(const struct strategy *s, uint64_t epoch, uint64_t arm)
{
    (void)s;
    (void)epoch;
    (void)arm;
    return 1;
}

static void reward(struct strategy *s, uint64_t epoch, uint64_t arm, double amount)
{
    (void)s;
    (void)epoch;
    (void)arm;
    (void)amount;
}

const struct strategy_ops strategy__random = {"random", "every operator by its fixed share", factor,
                                              reward};
