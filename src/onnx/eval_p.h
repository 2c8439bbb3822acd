/* One run of the evaluator, as kernel helpers see it. */
#ifndef ONNX_EVAL_P_H
#define ONNX_EVAL_P_H

#include "onnx/eval.h"

struct eval_state;
struct eval_frame;

bool eval__charge_bytes(struct eval_state *s, uint64_t n_bytes, struct err *e);
bool eval__charge_macs(struct eval_state *s, uint64_t n_macs, struct err *e);

struct eval_call {
    const struct value *const *inputs;
    size_t n_inputs;
    struct value *outputs;
};

/* A subgraph inside frame outer. */
bool eval__graph(struct eval_state *s, struct eval_frame *outer, const struct graph *g,
                 const struct eval_call *call, struct err *e);

/* Random signs for perturbing. */
struct rng;

/* v with every element moved by its rounding model: u|y| + u s + eta; data in the arena. */
void perturb__result(struct value *v, double unit, double eta, struct rng *r, struct arena *a);
/* v with every element moved by +-u relative. */
void perturb__input(struct value *v, double unit, struct rng *r, struct arena *a);
/* The unit to perturb by: never finer than the reference itself computes. */
double perturb__unit(double unit, double at_least);
/* Half the smallest subnormal; the smallest normal where a target may flush. */
double perturb__eta(enum dtype t, bool flushes);

#endif
