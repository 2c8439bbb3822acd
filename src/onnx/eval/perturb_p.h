/* Perturbed runs: the noise that is added to values. */
#ifndef ONNX_EVAL_PERTURB_P_H
#define ONNX_EVAL_PERTURB_P_H

#include "onnx/eval.h"

/* Random signs for perturbing. */
struct rng;

/* Moves every element of v by its rounding model, u|y| + u s + eta; the new data are in the arena.
 */
void perturb__result(struct value *v, double unit, double eta, struct rng *r, struct arena *a);
/* Moves every element of v by +-u relative. */
void perturb__input(struct value *v, double unit, struct rng *r, struct arena *a);
/* The unit to perturb by: never finer than that of the reference's own numbers. */
double perturb__unit(double unit, double at_least);
/* Half the smallest subnormal; the smallest normal where a target may flush. */
double perturb__eta(enum dtype t, bool flushes);

#endif
