/*
 * Makes the input values of a graph from the case's seed, by dtype and shape. Ranges keep operators
 * in their domain. Half of the sets lie on a grid of quarters in [-4, 4] (exact in every float
 * dtype down to float8; shows ties), half are normally distributed. Integers are small, bools true
 * half of the time, strings of a few words. Symbolic dims get the size of `symbol_size`.
 */
#ifndef CASE_INPUTS_H
#define CASE_INPUTS_H

#include "base/rng.h"
#include "onnx/model.h"
#include "onnx/tensor.h"

enum input_style {
    INPUT_GRID,     /* multiples of 1/4 in [-4, 4] */
    INPUT_NORMAL,   /* normally distributed, mean 0, variance 1 */
    INPUT_POSITIVE, /* uniform in [0.25, 4] */
    INPUT_CORNER    /* grid with a stated share of 0, -0, the smallest subnormal and normal, the
                       largest finite, infinities, NaN (LANE_VALUES) */
};
enum { INPUT_CORNER_PERCENT = 10 };

struct input_options {
    enum input_style style;
    int64_t symbol_size; /* of each unknown dim; 0: 2 */
};

/* Makes one set of values for all inputs of the graph without a default. ERR_UNSUPPORTED: an input
 * is no tensor, or one of complex numbers or unknown rank. */
bool inputs_generate(const struct model *m, const struct input_options *o, struct rng *r,
                     struct arena *a, struct tensors *out, struct err *e);

#endif
