/*
 * One case of the ONNX standard's node tests against the reference evaluator:
 *
 *     DIR/model.onnx, DIR/test_data_set_N/input_I.pb, output_I.pb
 *
 * Floats are compared as by numpy.allclose with equal NaN, at the tolerance of the standard's
 * runner (rtol 1e-3, for bfloat16 two units in the last place; atol 1e-7); everything else, shapes
 * and dtypes too, exactly. Elements that the reference marks as undefined by the standard are not
 * compared; a case that leaves nothing to compare fails.
 */
#ifndef ONNX_CONFORM_H
#define ONNX_CONFORM_H

#include "onnx/eval.h"

enum conform_outcome { CONFORM_PASSED, CONFORM_FAILED, CONFORM_UNSUPPORTED };

struct conform_result {
    enum conform_outcome outcome;
    char reason[400]; /* empty when passed */
};

/* One data set of a case. The reference is compared with it here, a target in cli/. */
struct conform_set {
    struct tensors inputs, outputs; /* outputs with the names of the model's */
};
struct conform_case {
    struct model *model;
    struct conform_set *sets;
    size_t n_sets;
    double absolute;   /* tolerance */
    const char *doubt; /* why the expected numbers hold only at a wider tolerance, or NULL. A case
                          within that counts as unsupported, beyond it as failed */
};

/* Reads a case. Errors: ERR_UNSUPPORTED (sequences, unknown types), ERR_DATA, ERR_IO. */
bool conform_read_case(const char *dir, struct arena *a, struct conform_case *out, struct err *e);

/* Compares one output with what the case expects. `undefined`: per element, 1 where nothing is
 * compared; or NULL. */
bool conform_compare(const struct conform_case *c, const struct tensor *got,
                     const struct tensor *expected, const uint8_t *undefined, struct err *e);

/* Reads, checks, infers, evaluates and compares one case. */
struct conform_result conform_run_case(const char *dir);

const char *conform_outcome_name(enum conform_outcome o); /* "passed", ... */

#endif
