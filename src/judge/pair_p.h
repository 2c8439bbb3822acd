/* Compares two observations of the same inputs by the reference's noise. */
#ifndef JUDGE_PAIR_P_H
#define JUDGE_PAIR_P_H

#include "judge/judge_p.h"

/* Adds the verdict of oracle o about x; `what` names the other side in the claim. Outputs are
 * matched by name; those that the other side lacks are left out. */
bool pair__judge(struct judging *j, enum oracle o, const struct observation *x,
                 const struct observation *other, const char *what, struct err *e);

/* The observation that the papers' oracles compare x with: the first one before x of the same input
 * set and another target that has outputs; NULL: none. */
const struct observation *pair__baseline(const struct judging *j, const struct observation *x);

/* mean |a - b| over elements that are finite in both; NAN: there are none, or the shapes differ. */
double pair__mean_distance(const struct tensor *a, const struct tensor *b);

/* plain.c: compares without a reference: outputs by name, structure and integers exactly, floats
 * within the default tolerances of torch.testing for the dtype. In a graph a finite difference is
 * never a failure, since it is unknown how much rounding explains: beyond 1,000 tolerances it needs
 * a second opinion. */
void plain__judge(struct judging *j, enum oracle o, const struct observation *x,
                  const struct observation *other, const char *what);

#endif
