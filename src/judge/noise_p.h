/*
 * How far a correct engine may stray from the values of a reference: reruns with noise, forced
 * ties, and taint (elements whose error no rounding model bounds). Made on first need and kept in
 * the reference, one entry per unit roundoff and range that targets compute in.
 */
#ifndef JUDGE_NOISE_P_H
#define JUDGE_NOISE_P_H

#include "judge/judge.h"

enum {
    NOISE_RERUNS = 3,          /* made when an error is above the bare tolerance */
    NOISE_RERUNS_CONFIRM = 12, /* made when it is above the noise of those three too */
    NOISE_RUNS_MAX = NOISE_RERUNS + NOISE_RERUNS_CONFIRM + 2
};

/* Why an element is left out. */
enum taint { TAINT_NONE, TAINT_UNDEFINED, TAINT_RANGE, TAINT_OPEN, TAINT_SWITCH };

struct noise {
    struct noise *next;
    double unit_at_least;
    bool flushes;
    enum dtype computes_int64; /* dtype for int64: an engine that takes int32 has its range */
    struct eval_result runs[NOISE_RUNS_MAX]; /* perturbed, then forced ties where there is a
                                                quantising switch */
    uint32_t n_runs;
    bool confirmed;                  /* the NOISE_RERUNS_CONFIRM are among the runs */
    const struct value *tainted;     /* values of the top graph; undefined: their taints too */
    uint64_t n_of[TAINT_SWITCH + 1]; /* elements that started a taint, by reason */
    double tie_limit; /* F times the noise at a quantising switch, over its largest input */
    bool has_quantum; /* a quantising switch has unstable elements */
    const uint8_t *const *unstable; /* per value: unstable elements of a quantising switch */
    const bool *open;               /* per value: tainted elements decide even its shape or order */
    uint32_t n_failed; /* reruns that failed, since noise changed a shape or an index */
};

struct noise_need {
    const struct judge_options *o;
    struct judge_counts *counts;
    const struct target_id *target;
};
/* The entry for the target's arithmetic. false: the evaluator fails on a model that it evaluated
 * before. */
bool noise__get(struct reference *r, const struct noise_need *need, struct noise **out,
                struct err *e);
bool noise__confirm(struct reference *r, const struct noise_need *need, struct noise *n,
                    struct err *e);

/* The largest |rerun - reference| of element i of the value over all reruns. */
double noise__of_element(const struct noise *n, const struct reference *r, uint32_t value,
                         size_t i);

/* Does a rerun have the value in its size? Without one nothing is known of its noise. */
bool noise__measures(const struct noise *n, const struct reference *r, uint32_t value);

/* Does noise decide the shape of the value (by a depth, a count, an index near a switch)? */
bool noise__moves_shape(const struct noise *n, const struct reference *r, uint32_t value);

/* Fills n->tainted, n->open and n->unstable from margins, ranges and undefined elements. */
bool taint__spread(struct reference *r, const struct noise_need *need, struct noise *n,
                   struct err *e);

/* May the integer result `out` of node n exceed its dtype? values: of the top graph. */
bool overflow__may(const struct node *n, const struct value *values, const struct value *out);

/* May a partial product of a float ReduceProd, in some order of its factors, or a square in
 * LpNormalization leave the range of normal numbers? */
bool overflow__may_on_the_way(const struct node *n, const struct value *values,
                              const struct value *out);

/* The n elements of v as doubles, in the arena or v's own: faster than value_get_double. */
const double *noise__doubles(const struct value *v, struct arena *a);

#endif
