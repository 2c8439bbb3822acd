/*
 * struct value: a tensor in the evaluator's wide numbers, and what is known about its error. Judges
 * and reducers read values; only the evaluator makes new ones.
 */
#ifndef ONNX_VALUE_H
#define ONNX_VALUE_H

#include "onnx/tensor.h"

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
    /* s of the rounding model u|y| + u s + eta: of the whole value, or per element where `scales`
     * is not NULL. An s that differs by element (sums, norms, |x|) is filled only when perturbing.
     */
    double noise_scale;
    const double *scales;
    double unit; /* u of the coarsest dtype so far, for later nodes too; 0: exact so far */
    bool exact;  /* every value and partial sum on the way is representable in the declared dtype */
    const uint8_t *undefined; /* per element: 1 where the standard defines no value, or the element
                                 depends on such a one; NULL: none */
    const double *
        margin; /* per element: distance of the input to the nearest switch; NULL: no switch here */
};

/* The values of one run of the evaluator. */
struct eval_result {
    struct value *values; /* by value index of the top graph; dtype UNDEFINED: not evaluated */
    size_t n_values;
    uint64_t n_macs; /* used */
};

enum storage storage_of(enum dtype t);
size_t storage_size(enum storage s); /* bytes of one element */

/* Convert a stored tensor to a working value, and back, rounding once to the dtype. */
bool value_from_tensor(const struct tensor *t, struct arena *a, struct value *out, struct err *e);
bool value_to_tensor(const struct value *v, struct arena *a, struct tensor *out, struct err *e);

/* A value that shares no memory with v. */
struct value value_copy(const struct value *v, struct arena *a);

double value_get_double(const struct value *v, size_t i);

#endif
