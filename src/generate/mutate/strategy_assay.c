/*
 * Strategy assay: a bandit over arms. The factor of an arm is the mean reward of its cases, shrunk
 * towards the mean of all (as if 24 average cases had been seen before), with a bonus for arms
 * seldom tried, between 1/4 and 4. Only + - * / are used: exactly rounded everywhere.
 *
 * An arm keeps its totals for each epoch, so that a pilot that lags behind can ask for an earlier
 * one and gets the same answer.
 */
#include "generate/mutate/strategy_p.h"

struct strategy_total {
    uint64_t epoch;
    double n, sum; /* of all epochs up to this one */
};

struct strategy_arm {
    VEC(struct strategy_total) totals;
};

static struct strategy_arm *arm_of(const struct strategy *s, uint64_t arm)
{
    uint64_t *at = map_get(&s->arms, (struct str){(const char *)&arm, sizeof arm});
    return at ? (struct strategy_arm *)(uintptr_t)*at : NULL;
}

static struct strategy_total total_at(const struct strategy *s, uint64_t epoch, uint64_t arm)
{
    const struct strategy_arm *a = arm_of(s, arm);
    for (size_t i = a && epoch >= 2 ? a->totals.n : 0; i-- > 0;) {
        if (a->totals.at[i].epoch <= epoch - 2)
            return a->totals.at[i];
    }
    return (struct strategy_total){0};
}

enum { ALL = 0 }; /* the arm of every case */

static double factor(const struct strategy *s, uint64_t epoch, uint64_t arm)
{
    const double prior = 24;
    struct strategy_total all = total_at(s, epoch, ALL), own = total_at(s, epoch, arm);
    if (all.n < 1 || all.sum <= 0)
        return 1;
    double mean = all.sum / all.n, value = (own.sum + prior * mean) / (own.n + prior);
    double bonus = all.n / (all.n + 40 * own.n); /* 1 for an arm never tried */
    double f = value / mean + 0.5 * bonus;
    return f < 0.25 ? 0.25 : f > 4 ? 4 : f;
}

static void add(struct strategy *s, uint64_t epoch, uint64_t arm, double amount)
{
    bool added;
    uint64_t *at = map_at(&s->arms, &s->a, (struct str){(const char *)&arm, sizeof arm}, &added);
    if (added)
        *at = (uint64_t)(uintptr_t)arena_new(&s->a, struct strategy_arm);
    struct strategy_arm *a = (struct strategy_arm *)(uintptr_t)*at;
    if (a->totals.n == 0 || vec_last(&a->totals).epoch != epoch) {
        struct strategy_total t = {0};
        if (a->totals.n > 0)
            t = vec_last(&a->totals);
        t.epoch = epoch;
        vec_push(&a->totals, &s->a, t);
    }
    vec_last(&a->totals).n += 1;
    vec_last(&a->totals).sum += amount;
}

static void reward(struct strategy *s, uint64_t epoch, uint64_t arm, double amount)
{
    add(s, epoch, arm, amount);
    add(s, epoch, ALL, amount);
}

const struct strategy_ops strategy__assay = {
    "assay", "a bandit over operators, anchors, buckets and neighbourhoods", factor, reward};
