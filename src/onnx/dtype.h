/*
 * Element types of tensors: ONNX's TensorProto.DataType, with size, class and format of each.
 *
 * Sets of dtypes are bit masks (dtype_bit), because the standard's type constraints are sets.
 */
#ifndef ONNX_DTYPE_H
#define ONNX_DTYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/number.h"
#include "base/str.h"

enum dtype {
    DTYPE_UNDEFINED = 0,
#define DTYPE(id, number, name, bits, class, format) DTYPE_##id = number,
#include "onnx/dtype.def"
#undef DTYPE
    DTYPE_COUNT
};

enum dtype_class {
    DTYPE_CLASS_FLOAT,
    DTYPE_CLASS_SIGNED,
    DTYPE_CLASS_UNSIGNED,
    DTYPE_CLASS_BOOL,
    DTYPE_CLASS_STRING,
    DTYPE_CLASS_COMPLEX
};

struct dtype_row {
    const char *name; /* "float16" */
    uint8_t n_bits;   /* of one element; 0 for strings */
    enum dtype_class class;
    const struct number_format *format; /* of floats narrower than double, else NULL */
};

const struct dtype_row *dtype_row(enum dtype t); /* of DTYPE_UNDEFINED: name "undefined", 0 bits */
const char *dtype_name(enum dtype t);
enum dtype dtype_find(struct str name); /* DTYPE_UNDEFINED when unknown */

static inline uint32_t dtype_bit(enum dtype t)
{
    return 1u << t;
}

bool dtype_is_float(enum dtype t);
bool dtype_is_wide_float(enum dtype t); /* of 16 bits or more: frameworks differentiate by it */
bool dtype_is_integer(enum dtype t);    /* signed or unsigned, not bool */

/* Unit roundoff u of a float dtype: 2^-53 for double; 0 for others. */
double dtype_unit(enum dtype t);

/* Bytes of n elements packed as in TensorProto.raw_data: 4-bit and 2-bit types share bytes, the
 * first element in the low bits. SIZE_MAX: more than a size_t holds. */
size_t dtype_size(enum dtype t, size_t n);

#endif
