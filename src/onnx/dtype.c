/* The rows of dtype.def as an array by number, and what follows from them. */
#include "onnx/dtype.h"

static const struct dtype_row rows[DTYPE_COUNT] = {
    [DTYPE_UNDEFINED] = {"undefined", 0, DTYPE_CLASS_STRING, NULL},
#define DTYPE(id, number, name, bits, class, format)                                               \
    [DTYPE_##id] = {name, bits, DTYPE_CLASS_##class, format},
#include "onnx/dtype.def"
#undef DTYPE
};

const struct dtype_row *dtype_row(enum dtype t)
{
    return &rows[(unsigned)t < DTYPE_COUNT ? t : DTYPE_UNDEFINED];
}

const char *dtype_name(enum dtype t)
{
    return dtype_row(t)->name;
}

enum dtype dtype_find(struct str name)
{
    for (unsigned t = 1; t < DTYPE_COUNT; t++)
        if (str_is(name, rows[t].name))
            return (enum dtype)t;
    return DTYPE_UNDEFINED;
}

bool dtype_is_float(enum dtype t)
{
    return t != DTYPE_UNDEFINED && dtype_row(t)->class == DTYPE_CLASS_FLOAT;
}

bool dtype_is_wide_float(enum dtype t)
{
    return dtype_is_float(t) && dtype_row(t)->n_bits >= 16;
}

bool dtype_is_integer(enum dtype t)
{
    return dtype_row(t)->class == DTYPE_CLASS_SIGNED || dtype_row(t)->class == DTYPE_CLASS_UNSIGNED;
}

double dtype_unit(enum dtype t)
{
    if (!dtype_is_float(t))
        return 0;
    return t == DTYPE_DOUBLE ? 0x1p-53 : number_unit(dtype_row(t)->format);
}

size_t dtype_size(enum dtype t, size_t n)
{
    size_t bits = dtype_row(t)->n_bits;
    if (bits >= 8)
        return n > SIZE_MAX / (bits / 8) ? SIZE_MAX : n * (bits / 8);
    if (!bits)
        return n ? SIZE_MAX : 0;
    size_t per_byte = 8 / bits;
    return n / per_byte + (n % per_byte != 0);
}
