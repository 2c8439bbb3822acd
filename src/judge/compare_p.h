/*
 * Compares one tensor of a target with the reference's value, or with another tensor by the
 * reference's noise, for the reference, levels and metamorphic oracles alike.
 */
#ifndef JUDGE_COMPARE_P_H
#define JUDGE_COMPARE_P_H

#include "judge/judge_p.h"
#include "judge/noise_p.h"
#include "judge/tolerance_p.h"

enum { COMPARE_PEERS_MAX = 8 };

struct sight {
    struct reference *ref;
    uint32_t value; /* of the top graph */
    const struct tensor *seen;
    const struct target_id *target;
    const struct tensor *other; /* compared with this; NULL: with the reference */
    const struct tensor *peers[COMPARE_PEERS_MAX]; /* the same output from other families */
    size_t n_peers;
};

struct finding {
    enum decision decision; /* PASS, FAIL, UNSURE (nothing left to compare), NOT_APPLICABLE */
    enum wrong_kind wrong;
    double measure, threshold;
    double expected, observed;
    size_t element; /* SIZE_MAX: none */
    double noise;   /* of the worst slice, relative: max(e_cond, 4u) */
    size_t n_unlike;
};

bool compare__tensor(struct judging *j, const struct sight *s, struct finding *out, struct err *e);

/* The numbers and working storage of one comparison, for the parts of compare__tensor. */
struct compared {
    struct judging *j;
    const struct sight *s;
    const struct value *v;
    struct gauge gauge;
    struct noise_need need;
    const double *x, *r; /* n numbers each */
    const uint8_t *skip; /* elements left out so far; NULL: none */
};
bool compare__exact(struct compared *c, struct finding *out, struct err *e);
bool compare__float(struct compared *c, struct finding *out, struct err *e);

/* The elements of a stored tensor as doubles, in the arena. */
const double *compare__doubles(const struct tensor *t, struct arena *a);

/* Sets decision FAIL, with the expected and the observed value at the element. */
void compare__fail(const struct compared *c, enum wrong_kind wrong, size_t element,
                   struct finding *out);

#endif
