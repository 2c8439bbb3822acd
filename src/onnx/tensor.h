/*
 * struct tensor: stored numbers in their declared dtype, as they travel to files and engines:
 * little-endian, row-major, packed like TensorProto.raw_data. Immutable once made; data is borrowed
 * (an arena, a mapped file), so weights are shared between models and never copied.
 *
 * The evaluator's working values are another type (struct value, value.h).
 */
#ifndef ONNX_TENSOR_H
#define ONNX_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/str.h"
#include "onnx/dtype.h"

enum {
    TENSOR_RANK_MAX = 32,
};
#define TENSOR_BYTES_MAX ((size_t)1 << 31)

struct tensor {
    enum dtype dtype;
    uint32_t rank;
    const int64_t *dims;       /* rank numbers >= 0 */
    size_t n;                  /* elements: the product of dims; 1 for rank 0 */
    const void *data;          /* dtype_size(dtype, n) bytes; not for strings */
    const struct str *strings; /* DTYPE_STRING only: n of them */
};

/* One entry of a list with names: inputs of a model, outputs of a run. */
struct named_tensor {
    struct str name;
    struct tensor tensor;
};
struct tensors {
    struct named_tensor *at;
    size_t n;
};
const struct tensor *tensors_find(const struct tensors *t, struct str name); /* NULL when absent */

/* *n is the product of dims; false when a dim is negative or the bytes exceed TENSOR_BYTES_MAX. */
bool tensor_count(enum dtype dtype, const int64_t *dims, uint32_t rank, size_t *n);

/* Zero-filled storage in the arena; *data is where to write. dims are copied. */
bool tensor_make(enum dtype dtype, const int64_t *dims, uint32_t rank, struct arena *a,
                 struct tensor *out, void **data, struct err *e);

/* Element i as a number. Floats decode exactly; _double rounds int64 and uint64 beyond 2^53. */
double tensor_get_double(const struct tensor *t, size_t i);
int64_t tensor_get_i64(const struct tensor *t, size_t i); /* integers and bool; uint64 wraps */

/* Writes element i: one rounding for narrow floats, wrapping for integers, x != 0 for bool. */
void tensor_put_double(enum dtype dtype, void *data, size_t i, double x);
void tensor_put_i64(enum dtype dtype, void *data, size_t i, int64_t v);

/* Makes a tensor of numbers, converted as above: for tests, zoo and literals. */
bool tensor_from_doubles(enum dtype dtype, const int64_t *dims, uint32_t rank, const double *values,
                         struct arena *a, struct tensor *out, struct err *e);
struct tensor tensor_from_i64s(const int64_t *values, size_t n,
                               struct arena *a); /* rank 1, int64 */
struct tensor tensor_scalar_double(enum dtype dtype, double value, struct arena *a); /* rank 0 */

bool tensor_same_shape(const struct tensor *a, const struct tensor *b);
bool tensor_same_bits(const struct tensor *a, const struct tensor *b); /* dtype, shape and bytes */

/* Content hash: dtype, shape, bytes. */
void tensor_hash(const struct tensor *t, struct hasher *h);

#endif
