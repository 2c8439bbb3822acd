/*
 * The oracles: compare what targets did with a case with the reference, with each other, and with
 * the case's parent. Each has a row of oracles.def and a file; judge_case runs those that are on
 * and collects their verdicts.
 *
 *     struct evidence ev = {.c = c, .refs = refs, .observations = seen, .n_observations = n};
 *     struct verdicts v;
 *     if (!judge_case(&(struct judge_options){0}, &ev, arena, &v, e)) ...
 *     const struct verdict *worst = verdicts_worst(&v);
 *
 * There is a verdict per oracle and observation it applies to, about the worst place there. False
 * alarms are the worst error: a difference that the standard leaves open, that rounding may
 * explain, or that is due to a feature that an engine says it lacks, is counted (not_bug.def) and
 * never becomes DECISION_FAIL.
 */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "case/verdict.h"
#include "judge/reference.h"

enum oracle {
#define ORACLE(id, name, is_default, against, run, help) ORACLE_##id,
#include "judge/oracles.def"
#undef ORACLE
    ORACLE_COUNT
};

const char *oracle_name(enum oracle o); /* "reference" */
const char *oracle_help(enum oracle o); /* one sentence */
bool oracle_find(struct str name, enum oracle *out);
static inline uint32_t oracle_bit(enum oracle o)
{
    return 1u << o;
}
uint32_t oracle_defaults(void); /* the set of those that are on by default */
/* Turns names into a set of oracle_bit. ERR_USAGE: no such oracle; the message lists the known
 * ones. */
bool oracle_choose(const char *const *names, size_t n, uint32_t *out, struct err *e);

/* What an oracle compares an observation with. */
enum against {
#define AGAINST(id, is_proof, expected, observed, source) AGAINST_##id,
#include "judge/against.def"
#undef AGAINST
    AGAINST_COUNT
};
struct against_row {
    bool is_proof;
    const char *expected, *observed, *source;
};
const struct against_row *against_row(enum against kind);
enum against oracle_against(struct str name); /* AGAINST_TARGETS for an unknown oracle */
/* Does an oracle of the set compare with this kind, such as a second run or a run of the parent? */
bool oracles_against(uint32_t set, enum against kind);

/* Differences that are not defects, each counted and never reported. */
enum not_bug {
#define NOT_BUG(id, name, meaning) NOT_BUG_##id,
#include "judge/not_bug.def"
#undef NOT_BUG
    NOT_BUG_COUNT
};
const char *not_bug_name(enum not_bug n);
const char *not_bug_meaning(enum not_bug n);

struct judge_counts {
    uint64_t of[NOT_BUG_COUNT]; /* observations; elements for the element-wise kinds */
    uint64_t n_compared;        /* tensors compared with the reference */
    uint64_t n_reruns;          /* evaluations with noise or forced ties */
};

struct judge_options {
    uint32_t oracles;            /* set of oracle_bit; 0: oracle_defaults() */
    double factor;               /* F for all families and dtypes; 0: tolerance.def */
    struct judge_counts *counts; /* counts are added here; NULL: nowhere */
};

/* The case's parent, which the same targets must run for the metamorphic oracle; NULL: that oracle
 * is off, or the case has no parent (case_of_parent). */
struct tcase *judge_parent(const struct judge_options *o, const struct tcase *c, struct arena *a);

/* Everything known about a case when it is judged. */
struct evidence {
    const struct tcase *c;
    struct reference *refs; /* one per input set, with reruns added on need; NULL: none */
    const struct observation *observations;
    size_t n_observations;
    /* The same targets' observations of the case's parent, for the metamorphic oracle; may be
     * empty. Outputs are compared by name. */
    const struct observation *parents;
    size_t n_parents;
};

/* Fails only by our own errors, such as ERR_INTERNAL; a strange observation is judged. */
bool judge_case(const struct judge_options *o, const struct evidence *ev, struct arena *a,
                struct verdicts *out, struct err *e);

/* How far apart the outputs of two runs are, without a reference: the worst element in units of
 * torch.testing's default tolerance for its dtype. 0: within it everywhere; INFINITY: outputs,
 * shapes or dtypes differ, or a difference is infinite. */
double judge_apart(const struct observation *x, const struct observation *y, struct arena *a);

/* How far one tensor is from the reference's value, as the reference oracle measures it: for
 * figures, localisation and calibration. */
struct distance {
    double error;    /* e_X */
    double noise;    /* max(e_cond, 4u) */
    double factor;   /* F */
    size_t element;  /* the worst; SIZE_MAX: none */
    size_t n_unlike; /* elements of another class (NaN, infinities) */
};
bool judge_distance(const struct judge_options *o, struct reference *r, uint32_t value,
                    const struct tensor *seen, const struct target_id *target, struct distance *out,
                    struct err *e);

#endif
