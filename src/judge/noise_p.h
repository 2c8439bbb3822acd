/*
 * What an honest engine may do to the values of a reference: reruns with noise, forced ties, and
 * taint (elements whose value no rounding model can price). Made on first need, kept in the
 * reference, one entry per unit roundoff and range that targets compute in.
 */
#ifndef JUDGE_NOISE_P_H
#define JUDGE_NOISE_P_H

#include "judge/judge.h"

enum {
    NOISE_RERUNS = 3,          /* when an error is above the bare tolerance */
    NOISE_RERUNS_CONFIRM = 12, /* when it is above the noise of those too */
    NOISE_RUNS_MAX = NOISE_RERUNS + NOISE_RERUNS_CONFIRM + 2
};

/* Why an element is left out. */
enum taint { TAINT_NONE, TAINT_UNDEFINED, TAINT_RANGE, TAINT_OPEN, TAINT_SWITCH };

struct noise {
    struct noise *next;
    double unit_at_least;
    bool flushes;
    enum dtype computes_int64; /* an engine that computes it in int32 has another range */
    struct eval_result runs[NOISE_RUNS_MAX]; /* perturbed, then forced ties where there is a
                                                quantising switch */
    uint32_t n_runs;
    bool confirmed;                  /* the reruns of NOISE_RERUNS_CONFIRM are there */
    const struct value *tainted;     /* values of the top graph, undefined = union of taints */
    uint64_t n_of[TAINT_SWITCH + 1]; /* elements that started a taint, by reason */
    double tie_limit; /* F times the noise at such a switch, relative to its input's largest */
    bool has_quantum; /* a quantising switch has unstable elements */
    const uint8_t *const *unstable; /* per value: unstable elements of a quantising switch */
    const bool *open;               /* per value: even its shape depends on tainted elements */
    uint32_t n_failed; /* reruns in which noise changed a shape so that a later node refused it */
};

struct noise_need {
    const struct judge_options *o;
    struct judge_counts *counts;
    const struct target_id *target;
};
/* The entry for the target's arithmetic; false only for failures of the evaluator on a model that
 * it evaluated before. */
bool noise__get(struct reference *r, const struct noise_need *need, struct noise **out,
                struct err *e);
bool noise__confirm(struct reference *r, const struct noise_need *need, struct noise *n,
                    struct err *e);

/* max |value of a rerun - reference| of element i of the value. */
double noise__of_element(const struct noise *n, const struct reference *r, uint32_t value,
                         size_t i);

/* Is the shape of the value one that noise decides (a depth, a count, an index near a switch)? */
bool noise__moves_shape(const struct noise *n, const struct reference *r, uint32_t value);

/* Fills n->tainted, n->open and n->unstable from margins, ranges and undefined elements. */
bool taint__spread(struct reference *r, const struct noise_need *need, struct noise *n,
                   struct err *e);

/* May the integer result of node n have left its dtype? values: of the top graph. */
bool overflow__may(const struct node *n, const struct value *values, const struct value *out);

/* May a partial product of a float ReduceProd (in some order of its factors) or a square of
 * LpNormalization have left the normal range of numbers? */
bool overflow__may_on_the_way(const struct node *n, const struct value *values,
                              const struct value *out);

/* value_get_double without the switch in the loop: n numbers in the arena (or v's own). */
const double *noise__doubles(const struct value *v, struct arena *a);

#endif
