/*
 * The validity filter: what a mutant must pass to be emitted, before any engine runs. In order:
 * zero-size dims outside LANE_SHAPES, budget, finite outputs outside LANE_VALUES, ranges inside,
 * and the no-op check against the parent. Only values that the edits reach are evaluated; the
 * others come from the seed's cache.
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
    bool preserves; /* what the edits promise; false when the reference shows otherwise */
    struct rng *r;
    struct arena *a;
    struct generate_counts *counts;
    struct tensors inputs;     /* out */
    struct eval_result result; /* out */
};

/* No dim of the model is 0. */
bool filter__has_no_zero_dim(const struct model *m);

/* Whether the model is free of gaps of the standard, where every difference would be a false alarm:
 * pool windows that start in the padding under ceil_mode, output_padding of a stride or more. */
bool filter__is_unambiguous(const struct model *m);

/* A graph's outputs must have a shape (onnx.checker: "Field 'shape' of 'type' is required but
 * missing"). Where inference does not know it, the output is declared with the computed rank and
 * unknown dims. */
void filter__declare_outputs(struct model *m, const struct eval_result *r, struct arena *a);

/* false: discarded and counted. */
bool filter__pass(struct filter *f);

#endif
