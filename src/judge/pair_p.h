/* Two observations of the same inputs, held against each other with the reference's noise. */
#ifndef JUDGE_PAIR_P_H
#define JUDGE_PAIR_P_H

#include "judge/judge_p.h"

/* Adds the verdict of oracle o about x; `what` names the other side in its claim. Outputs are
 * matched by name; those the other side lacks are left out. */
bool pair__judge(struct judging *j, enum oracle o, const struct observation *x,
                 const struct observation *other, const char *what, struct err *e);

/* What the papers' oracles compare x with: the first observation before x, of the same input set
 * and another target, that has outputs; NULL: none. */
const struct observation *pair__baseline(const struct judging *j, const struct observation *x);

/* mean |a - b| over elements finite on both sides; NAN: no such element, or other shapes. */
double pair__mean_distance(const struct tensor *a, const struct tensor *b);

/* plain.c: the same without a reference: outputs by name, structure and integers exactly, floats
 * within torch's default tolerances for the dtype (torch.testing). In a graph a finite difference
 * is never a failure, since nobody can say what rounding explains: beyond 1,000 tolerances it needs
 * a second opinion. */
void plain__judge(struct judging *j, enum oracle o, const struct observation *x,
                  const struct observation *other, const char *what);

#endif
