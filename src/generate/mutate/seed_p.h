/*
 * struct seed: a model that mutants are made from, with its inputs and the reference's values for
 * them, so that only what a mutant's edits reach is evaluated.
 */
#ifndef GENERATE_MUTATE_SEED_P_H
#define GENERATE_MUTATE_SEED_P_H

#include "base/rng.h"
#include "case/inputs.h"
#include "onnx/eval.h"
#include "onnx/model.h"

enum { SEED_STYLES = 2 }; /* INPUT_GRID and INPUT_NORMAL have cached values */

struct seed {
    const char *name;
    struct model *m;
    struct hash content;
    bool is_stem; /* only inputs, no node: their values are drawn when the mutant is known */
    struct tensors inputs[SEED_STYLES];
    struct eval_result values[SEED_STYLES];
    bool has_values[SEED_STYLES];
};

/* Has the seed the reference's values for inputs of this style? */
static inline bool seed__caches(const struct seed *s, enum input_style style)
{
    return (int)style < (int)SEED_STYLES && s->has_values[style];
}

/* Prepares a model: inference, inputs and reference. Everything lives in `a`. */
bool seed__prepare(struct seed *s, const char *name, struct model *m, uint64_t seed,
                   struct arena *a, struct err *e);

/* A model of one or two inputs and no node, drawn from r. zero_dim: one dim is 0. */
struct model *seed__stem(struct rng *r, bool zero_dim, struct arena *a);

/* m with a dim of 0: the first of every input (the batch), or any one. NULL: inference does not
 * allow it. */
struct model *seed__emptied(const struct model *m, struct rng *r, struct arena *a);

/* Draws an opset for a stem, by weight. */
int seed__draw_opset(struct rng *r);
/* Draws an opset that knows the operator; newer ones, with their dtypes and attributes, more
 * often. */
int seed__draw_operator_opset(struct rng *r, const char *op_type);

#endif
