/*
 * struct learned: the rewards that a campaign's cases earned, as totals per arm (of a bandit). An
 * arm is a choice of a strategy that cases share: a mutation operator, or a mutation operator with
 * the op_type of its node, its neighbourhood or its bucket. Each line of a case's provenance.edits
 * names its arms: "N18 near-miss-fusion at=Relu near=Conv>Add bucket=gelu-erf".
 *
 *     struct learned l = {0};
 *     learned_reward(&l, index, &reward);              // in order of index
 *     struct learned_total t = learned_total(&l, index / GENERATE_EPOCH, arm);
 *
 * The totals for epoch n hold the rewards of the epochs up to n - 2, so a case does not depend on
 * whether rewards of later ones have arrived. They are kept until rewards of epoch n + 1 arrive.
 * Memory is bounded: LEARNED_ARMS_MAX arms, after which new arms are ignored, with three totals
 * each.
 *
 * learned_save writes everything as text, learned_load restores it exactly: a new pilot and a
 * resumed campaign start from it instead of from all rewards.
 */
#ifndef GENERATE_LEARNED_H
#define GENERATE_LEARNED_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum { LEARNED_ARMS_MAX = 1 << 16, LEARNED_TOTALS = 3 };

/* Deterministic facts about a judged case that steer later ones; never time or memory. */
struct reward {
    uint32_t n_new_rewrites; /* optimiser rewrites not seen before */
    uint32_t n_new_cells;    /* of the operator table, not met before (generate/reach.h) */
    uint32_t n_failing_keys; /* provisional bucket keys, before reduction */
    uint64_t n_macs;
    struct str edits; /* the case's provenance.edits: names the arms that share the reward */
};

struct learned_total {
    uint64_t epoch; /* n and sum are over all epochs up to this one */
    uint64_t n;     /* how often the arm was rewarded */
    double sum;
};

struct learned_arm {
    uint64_t id;
    uint32_t n_totals;
    struct learned_total totals[LEARNED_TOTALS]; /* in order of epoch */
};

struct learned {
    VEC(struct learned_arm) arms; /* heap */
    uint32_t *slots;              /* hash table by id: place in arms + 1, or 0 */
    size_t n_slots;               /* a power of two, or 0 */
};

void learned_done(struct learned *l); /* empty again, as {0} is */

enum arm_kind { ARM_OPERATOR, ARM_ANCHOR, ARM_BUCKET, ARM_NEAR, ARM_KINDS };
enum { ARM_ALL = 0 }; /* the arm of every case */
uint64_t learned_arm_id(enum arm_kind kind, struct str operator_id, struct str what);

/* Adds the reward of a case to every arm named in the lines of r->edits. index: the case's. */
void learned_reward(struct learned *l, uint64_t index, const struct reward *r);

/* Zero for an arm that is not known. */
struct learned_total learned_total(const struct learned *l, uint64_t epoch, uint64_t arm);

/* The bandit's factor on an arm's initial share, from 1/4 to 4: the mean reward of its cases,
 * shrunk towards the mean of all (as if 24 average cases had been seen before), with a bonus for
 * rarely tried arms; 1: nothing is known. Only + - * / are used, which round alike on every
 * machine. */
double learned_factor(const struct learned *l, uint64_t epoch, uint64_t arm);

void learned_save(const struct learned *l, struct strbuf *out);
/* Replaces all totals. ERR_DATA: not a text of learned_save; then `l` is empty. */
bool learned_load(struct learned *l, struct str text, struct err *e);

#endif
