/*
 * Strategy assay: a bandit over arms. The factor of an arm is the mean reward of its cases, shrunk
 * towards the mean of all (as if 24 average cases had been seen before), with a bonus for arms
 * seldom tried, between 1/4 and 4. Only + - * / are used: exactly rounded everywhere.
 */
#include "generate/mutate/strategy_p.h"

double strategy__assay(const struct learned *l, uint64_t epoch, uint64_t arm)
{
    const double prior = 24;
    struct learned_total all = learned_total(l, epoch, ARM_ALL), own = learned_total(l, epoch, arm);
    if (all.n < 1 || all.sum <= 0)
        return 1;
    double n_all = (double)all.n, n_own = (double)own.n;
    double mean = all.sum / n_all, value = (own.sum + prior * mean) / (n_own + prior);
    double bonus = n_all / (n_all + 40 * n_own); /* 1 for an arm never tried */
    double f = value / mean + 0.5 * bonus;
    return f < 0.25 ? 0.25 : f > 4 ? 4 : f;
}
