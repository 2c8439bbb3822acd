/*
 * The reference evaluator: every node in float64 (integers in int64 or uint64), written from the
 * standard's text alone.
 *
 * Contract. Stored inputs and initializers are taken as given. Results of Cast, quantisation and
 * integer operators are rounded or wrapped to the declared dtype at every node; other floats never.
 * What the standard leaves undefined (signed overflow in division, out-of-range cast, duplicate
 * scatter index) is marked per element and taints what follows; nothing traps. Beyond its budget
 * the evaluator refuses with ERR_LIMIT. It knows no engine.
 *
 *     struct eval_result r;
 *     if (!eval_run(model, &inputs, &(struct eval_options){0}, arena, &r, e)) ...
 *     const struct value *y = &r.values[model->graph->outputs.at[0]];
 */
#ifndef ONNX_EVAL_H
#define ONNX_EVAL_H

#include "onnx/model.h"

enum storage { STORAGE_F64, STORAGE_I64, STORAGE_U64, STORAGE_BOOL, STORAGE_STRING };

/* A working value: numbers in wide storage, and what is known about their error. Immutable once its
 * node has run. */
struct value {
    enum dtype dtype; /* declared; DTYPE_UNDEFINED: not evaluated */
    enum storage storage;
    uint32_t rank;
    const int64_t *dims;
    size_t n;
    union {
        const double *f;     /* STORAGE_F64 */
        const int64_t *i;    /* STORAGE_I64 */
        const uint64_t *u;   /* STORAGE_U64: uint64 only */
        const uint8_t *b;    /* STORAGE_BOOL: 0 or 1 */
        const struct str *s; /* STORAGE_STRING */
    };
    /* Of the rounding model u|y| + u s + eta: s for the whole value, or per element when scales is
     * given. Where s differs by element (sums, norms, |x|) it is filled when perturbing only. */
    double noise_scale;
    const double *scales;
    double unit; /* u inherited downstream: the coarsest dtype on the way here; 0: exact so far */
    bool exact;  /* every value and partial sum on the way is representable in the declared dtype */
    const uint8_t *undefined; /* per element: 1 where the standard defines no value, or taint of
                                 such; NULL: none */
    const double *
        margin; /* per element: distance of the input to the nearest switch; NULL: no switch here */
};

enum eval_ties { EVAL_TIES_AS_IS, EVAL_TIES_UP, EVAL_TIES_DOWN };

/* Multiply-adds and bytes one run may use; 0: the default (2^31 multiply-adds, 2^31 bytes). */
struct eval_budget {
    uint64_t n_macs, n_bytes;
};

struct eval_options {
    uint64_t perturb_seed; /* != 0: data inputs and weights by +-u relative, and each node's
                              rounding model injected */
    double unit_at_least;  /* perturbing: u of a target that computes coarser than the model
                              declares; 0: none */
    bool flushes;          /* perturbing: the target may flush denormals to zero */
    enum eval_ties ties; /* elements whose margin is below margin_limit x scale are forced this way;
                            scale is max|x| of the input */
    double margin_limit;
    bool want_margins; /* fill value.margin (costs a little) */
    struct eval_budget budget;
    /* Given values that are used instead of evaluating (localisation, the parent's cache): indexed
     * by value of the top graph; NULL or an entry with dtype UNDEFINED: evaluate. */
    const struct value *given;
};

struct eval_result {
    struct value
        *values; /* by value index of the top graph; not evaluated ones have dtype UNDEFINED */
    size_t n_values;
    uint64_t n_macs; /* used */
};

/* inputs by name; a missing one without default, or of another dtype or shape than declared, is
 * ERR_DATA. */
bool eval_run(const struct model *m, const struct tensors *inputs,
              const struct eval_options *options, struct arena *a, struct eval_result *out,
              struct err *e);

/* Stored form to working form and back (rounding once to the dtype). */
bool value_from_tensor(const struct tensor *t, struct arena *a, struct value *out, struct err *e);
bool value_to_tensor(const struct value *v, struct arena *a, struct tensor *out, struct err *e);

double value_get_double(const struct value *v, size_t i);

#endif
