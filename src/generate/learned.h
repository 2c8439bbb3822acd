/*
 * struct learned: what a campaign has learned from its cases, as totals of arms. An arm is
 * something that cases have in common and a strategy may choose: a mutation operator, or an
 * operator with the op_type it stands at, its neighbourhood, its bucket. Each line of a case's
 * provenance.edits names its arms: "N18 near-miss-fusion at=Relu near=Conv>Add bucket=gelu-erf".
 *
 *     struct learned l;
 *     learned_init(&l);
 *     learned_reward(&l, index, &reward);              // in order of index
 *     struct learned_total t = learned_total(&l, index / GENERATE_EPOCH, arm);
 *
 * Totals asked for at epoch n hold the rewards of the epochs up to n - 2, so a case is the same
 * whether later ones have come already or not. Epoch n may be asked for until rewards of epoch
 * n + 1 come. Memory is bounded: LEARNED_ARMS_MAX arms, those that
 * come later stay unknown; three totals an arm.
 *
 * learned_save writes everything as text, learned_load takes it back exactly: a new pilot and a
 * resumed campaign begin with it instead of all rewards.
 */
#ifndef GENERATE_LEARNED_H
#define GENERATE_LEARNED_H

#include "base/err.h"
#include "base/map.h"

enum { LEARNED_ARMS_MAX = 1 << 16, LEARNED_TOTALS = 3 };

/* Deterministic facts about a judged case that steer later ones; never time or memory. */
struct reward {
    uint32_t n_new_rewrites; /* optimiser rewrites not seen before */
    uint32_t n_failing_keys; /* provisional bucket keys, before reduction */
    uint64_t n_macs;
    struct str edits; /* the case's provenance.edits: names the arms that share the reward */
};

struct learned_total {
    uint64_t epoch; /* n and sum are of all epochs up to this one */
    uint64_t n;     /* how often the arm was rewarded */
    double sum;
};

struct learned_arm {
    uint64_t id;
    uint32_t n_totals;
    struct learned_total totals[LEARNED_TOTALS]; /* in order of epoch */
};

struct learned {
    struct arena a;
    VEC(struct learned_arm) arms;
    struct map places; /* bytes of the arm's id -> place in arms */
};

void learned_init(struct learned *l);
void learned_done(struct learned *l);

enum arm_kind { ARM_OPERATOR, ARM_ANCHOR, ARM_BUCKET, ARM_NEAR, ARM_KINDS };
enum { ARM_ALL = 0 }; /* the arm of every case */
uint64_t learned_arm_id(enum arm_kind kind, struct str operator_id, struct str what);

/* Every arm named in the lines of r->edits shares the case's reward. index: of the generator. */
void learned_reward(struct learned *l, uint64_t index, const struct reward *r);

/* Zero for an arm that is not known. */
struct learned_total learned_total(const struct learned *l, uint64_t epoch, uint64_t arm);

/* The bandit's factor on an arm's starting share, from 1/4 to 4: the mean reward of its cases,
 * shrunk towards the mean of all (as if 24 average cases had been seen before), with a bonus for
 * arms seldom tried; 1 where nothing is known. Only + - * / are used: exactly rounded everywhere.
 */
double learned_factor(const struct learned *l, uint64_t epoch, uint64_t arm);

void learned_save(const struct learned *l, struct strbuf *out);
/* Replaces everything. ERR_DATA: not what learned_save wrote; then nothing is known. */
bool learned_load(struct learned *l, struct str text, struct err *e);

#endif
