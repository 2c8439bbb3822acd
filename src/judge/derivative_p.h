/*
 * How the loss of a graph changes along one direction, by central differences of the float64
 * reference. The loss is a fixed weighted sum of the elements of all float outputs; the direction
 * moves every element of the float inputs that have no default (the arguments of an emitted
 * program). The sum of gradient times direction over these inputs must be this number.
 *
 * The weights are also written in the preludes of the modes that differentiate (share/targets/),
 * the direction in share/script/emitted_gradient.py.
 */
#ifndef JUDGE_DERIVATIVE_P_H
#define JUDGE_DERIVATIVE_P_H

#include "judge/reference.h"

struct derivative {
    bool is_known; /* else the loss has no derivative that could be told */
    double value;
    double error; /* of the differences: curvature, a switch in reach of the step, cancellation */
    double unit;  /* rounding unit of the coarsest value of the graph */
};

/* false: the evaluator fails by its own error. */
bool derivative__of(struct reference *r, struct derivative *out, struct err *e);

/* How far the derivative moves when every node rounds coarsely, 8 units: what a correct gradient
 * may differ by at least. Costs 16 evaluations. */
bool derivative__noise(struct reference *r, const struct derivative *d, double *out, struct err *e);

/* The factor by which an element of the argument (counted from 0) moves; in (-1, 1). */
double derivative__direction(size_t argument, size_t element);

#endif
