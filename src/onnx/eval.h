/*
 * The reference evaluator: every node in float64 (integers in int64 or uint64), written from the
 * standard's text alone.
 *
 * Contract. Stored inputs and initializers are taken as given. Results of Cast, quantisation and
 * integer operators are rounded or wrapped to the declared dtype at every node; other floats are
 * never rounded. What the standard leaves undefined (signed overflow in division, out-of-range
 * cast, duplicate scatter index) is marked per element and taints what follows; nothing traps.
 * Beyond its budget the evaluator refuses with ERR_LIMIT. It knows no engine.
 *
 *     struct eval_result r;
 *     if (!eval_run(model, &inputs, &(struct eval_options){0}, arena, &r, e)) ...
 *     const struct value *y = &r.values[model->graph->outputs.at[0]];
 */
#ifndef ONNX_EVAL_H
#define ONNX_EVAL_H

#include "onnx/model.h"
#include "onnx/value.h"

enum eval_ties { EVAL_TIES_AS_IS, EVAL_TIES_UP, EVAL_TIES_DOWN };

/* Multiply-adds and bytes one run may use; 0: the default (2^31 multiply-adds, 2^31 bytes). */
struct eval_budget {
    uint64_t n_macs, n_bytes;
};

struct eval_options {
    uint64_t perturb_seed; /* != 0: moves data inputs and weights by +-u relative and adds the noise
                              of each node's rounding model */
    double unit_at_least;  /* perturbing: u of a target that computes more coarsely than the model
                              declares; 0: none */
    bool flushes;          /* perturbing: the target may flush denormals to zero */
    enum eval_ties ties; /* how elements are forced whose margin is below margin_limit times max|x|
                            of the input */
    double margin_limit;
    bool want_margins; /* fill value.margin (costs a little) */
    struct eval_budget budget;
    /* Values to use instead of evaluating (for localisation, and from the parent's run): indexed by
     * value of the top graph; entries with dtype UNDEFINED are evaluated; NULL: all are. */
    const struct value *given;
    /* Perturbing: the values of the run without noise, indexed like given; Unique takes for equal
     * what is equal there. NULL: none. */
    const struct value *exact;
};

/* Inputs are found by name; one that is missing without a default, or of another dtype or shape
 * than declared, is ERR_DATA. */
bool eval_run(const struct model *m, const struct tensors *inputs,
              const struct eval_options *options, struct arena *a, struct eval_result *out,
              struct err *e);

#endif
