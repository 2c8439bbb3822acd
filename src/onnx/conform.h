/*
 * One case of the ONNX standard's node tests against the reference evaluator:
 *
 *     DIR/model.onnx, DIR/test_data_set_N/input_I.pb, output_I.pb
 *
 * Floats are compared at the cases' own tolerance (rtol 1e-3, for bfloat16 two units in the
 * last place, as the standard's runner has it; atol 1e-7; as numpy.allclose with equal NaN),
 * everything else exactly, shapes and dtypes too. Elements that the reference marks as undefined by
 * the standard are not compared; a case that leaves nothing to compare fails.
 */
#ifndef ONNX_CONFORM_H
#define ONNX_CONFORM_H

#include "onnx/eval.h"

enum conform_outcome { CONFORM_PASSED, CONFORM_FAILED, CONFORM_UNSUPPORTED };

struct conform_result {
    enum conform_outcome outcome;
    char reason[400]; /* empty when passed */
};

/* What a case compares; the reference is compared here, a target in cli/. */
struct conform_set {
    struct tensors inputs, outputs; /* outputs with the names of the model's */
};
struct conform_case {
    struct model *model;
    struct conform_set *sets;
    size_t n_sets;
    double absolute;   /* tolerance */
    const char *doubt; /* why the expected numbers hold only at a wider tolerance, or NULL. Within
                          that tolerance such a case counts as unsupported, beyond it as failed */
};

/* False with ERR_UNSUPPORTED (sequences, unknown types) or ERR_DATA, ERR_IO. */
bool conform_read_case(const char *dir, struct arena *a, struct conform_case *out, struct err *e);

/* One output against what the case expects. undefined: per element, 1 where nothing is compared;
 * or NULL. */
bool conform_compare(const struct conform_case *c, const struct tensor *got,
                     const struct tensor *expected, const uint8_t *undefined, struct err *e);

/* Reads, checks, infers, evaluates, compares. */
struct conform_result conform_run_case(const char *dir);

const char *conform_outcome_name(enum conform_outcome o); /* "passed", ... */

#endif
