/*
 * The validity filter: a mutant must pass it to be emitted, before any engine runs. In order: no
 * dim of 0 (except in LANE_SHAPES), the budget, finite outputs (except in LANE_VALUES), ranges of
 * intermediate values, and the no-op check against the parent. Only values that the edits reach are
 * evaluated; the others come from the seed's cache.
 */
#ifndef GENERATE_MUTATE_FILTER_P_H
#define GENERATE_MUTATE_FILTER_P_H

#include "case/case.h"
#include "generate/generate.h"
#include "generate/mutate/seed_p.h"

struct filter {
    const struct seed *seed;
    struct model *m;
    enum lane lane;
    enum input_style style;
    bool preserves; /* promised by the edits; false when the reference disproves it */
    struct rng *r;
    struct arena *a;
    struct generate_counts *counts;
    struct tensors inputs;     /* out */
    struct eval_result result; /* out */
};

/* Has the model no dim of 0? */
bool filter__has_no_zero_dim(const struct model *m);

/* A graph's outputs must have a shape (onnx.checker: "Field 'shape' of 'type' is required but
 * missing"). Where inference does not know the shape, the output is declared with the computed rank
 * and unknown dims. */
void filter__declare_outputs(struct model *m, const struct eval_result *r, struct arena *a);

/* False: the mutant is discarded and counted. */
bool filter__pass(struct filter *f);

#endif
