/*
 * Stored tensors: reading and writing single elements of every dtype.
 *
 * Bytes are little-endian as in TensorProto.raw_data, and so is every machine assay runs on. Data
 * may begin at any address (mapped files), so elements are moved by memcpy.
 */
#include "onnx/tensor.h"

#include <math.h>
#include <string.h>

const struct tensor *tensors_find(const struct tensors *t, struct str name)
{
    for (size_t i = 0; i < t->n; i++)
        if (str_eq(t->at[i].name, name))
            return &t->at[i].tensor;
    return NULL;
}

bool tensor_count(enum dtype dtype, const int64_t *dims, uint32_t rank, size_t *n)
{
    size_t count = 1;
    bool is_empty = false;
    for (uint32_t i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return false;
        if (dims[i] == 0)
            is_empty = true;
        else if (CHECKED_MUL(count, (size_t)dims[i], &count) || count > TENSOR_BYTES_MAX)
            return false; /* also where a dim is 0: strides are computed from all dims */
    }
    *n = is_empty ? 0 : count;
    size_t n_bytes = dtype == DTYPE_STRING ? *n * sizeof(struct str) : dtype_size(dtype, *n);
    return *n <= TENSOR_BYTES_MAX && n_bytes <= TENSOR_BYTES_MAX;
}

bool tensor_make(enum dtype dtype, const int64_t *dims, uint32_t rank, struct arena *a,
                 struct tensor *out, void **data, struct err *e)
{
    size_t n;
    if (rank > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "a tensor of rank %u, at most %d is read", rank,
                       TENSOR_RANK_MAX);
    if (!tensor_count(dtype, dims, rank, &n))
        return err_set(e, ERR_LIMIT, "a %s tensor has a negative dim or more than %zu bytes",
                       dtype_name(dtype), TENSOR_BYTES_MAX);
    size_t n_bytes = dtype == DTYPE_STRING ? n * sizeof(struct str) : dtype_size(dtype, n);
    *data = arena_alloc(a, n_bytes);
    *out = (struct tensor){.dtype = dtype, .rank = rank, .n = n};
    out->dims = arena_dup(a, dims, rank * sizeof *dims);
    if (dtype == DTYPE_STRING)
        out->strings = *data;
    else
        out->data = *data;
    return true;
}

/* The bits of element i, in the low end. */
static uint64_t get_bits(const void *data, size_t i, unsigned n_bits)
{
    const unsigned char *bytes = data;
    uint64_t bits = 0;
    if (n_bits < 8) {
        size_t at = i * n_bits;
        return (unsigned)bytes[at / 8] >> at % 8 & ((1u << n_bits) - 1);
    }
    memcpy(&bits, bytes + i * (n_bits / 8), n_bits / 8);
    return bits;
}

static void put_bits(void *data, size_t i, unsigned n_bits, uint64_t bits)
{
    unsigned char *bytes = data;
    if (n_bits >= 8) {
        memcpy(bytes + i * (n_bits / 8), &bits, n_bits / 8);
        return;
    }
    size_t at = i * n_bits;
    unsigned mask = ((1u << n_bits) - 1) << at % 8;
    bytes[at / 8] = (unsigned char)((bytes[at / 8] & ~mask) | ((unsigned)bits << at % 8 & mask));
}

double tensor_get_double(const struct tensor *t, size_t i)
{
    const struct dtype_row *row = dtype_row(t->dtype);
    if (t->dtype == DTYPE_FLOAT) {
        float f;
        memcpy(&f, (const char *)t->data + i * sizeof f, sizeof f);
        return f;
    }
    if (t->dtype == DTYPE_DOUBLE) {
        double f;
        memcpy(&f, (const char *)t->data + i * sizeof f, sizeof f);
        return f;
    }
    if (row->format)
        return number_decode(row->format, (uint32_t)get_bits(t->data, i, row->n_bits));
    if (t->dtype == DTYPE_UINT64)
        return (double)get_bits(t->data, i, 64);
    return (double)tensor_get_i64(t, i);
}

int64_t tensor_get_i64(const struct tensor *t, size_t i)
{
    const struct dtype_row *row = dtype_row(t->dtype);
    switch (row->class) {
    case DTYPE_CLASS_SIGNED:
        return number_wrap_signed((int64_t)get_bits(t->data, i, row->n_bits), row->n_bits);
    case DTYPE_CLASS_UNSIGNED:
        return (int64_t)get_bits(t->data, i, row->n_bits);
    case DTYPE_CLASS_BOOL:
        return get_bits(t->data, i, 8) != 0;
    default:
        return 0;
    }
}

void tensor_put_double(enum dtype dtype, void *data, size_t i, double x)
{
    const struct dtype_row *row = dtype_row(dtype);
    if (dtype == DTYPE_FLOAT) {
        float f = (float)x;
        memcpy((char *)data + i * sizeof f, &f, sizeof f);
    } else if (dtype == DTYPE_DOUBLE) {
        memcpy((char *)data + i * sizeof x, &x, sizeof x);
    } else if (row->format) {
        put_bits(data, i, row->n_bits,
                 number_encode(row->format, x, NUMBER_NEAREST_EVEN, NUMBER_OVERFLOW));
    } else if (dtype == DTYPE_BOOL) {
        put_bits(data, i, 8, x != 0);
    } else if (dtype == DTYPE_UINT64) {
        uint64_t u;
        number_to_u64(x, &u);
        put_bits(data, i, 64, u);
    } else {
        int64_t v;
        number_to_i64(x, &v);
        tensor_put_i64(dtype, data, i, v);
    }
}

void tensor_put_i64(enum dtype dtype, void *data, size_t i, int64_t v)
{
    if (dtype_is_float(dtype))
        tensor_put_double(dtype, data, i, (double)v);
    else if (dtype == DTYPE_BOOL)
        put_bits(data, i, 8, v != 0);
    else
        put_bits(data, i, dtype_row(dtype)->n_bits, (uint64_t)v);
}

bool tensor_from_doubles(enum dtype dtype, const int64_t *dims, uint32_t rank, const double *values,
                         struct arena *a, struct tensor *out, struct err *e)
{
    void *data;
    if (dtype_row(dtype)->class >= DTYPE_CLASS_STRING)
        return err_set(e, ERR_UNSUPPORTED, "a %s tensor cannot be made of numbers",
                       dtype_name(dtype));
    if (!tensor_make(dtype, dims, rank, a, out, &data, e))
        return false;
    for (size_t i = 0; i < out->n; i++)
        tensor_put_double(dtype, data, i, values[i]);
    return true;
}

struct tensor tensor_from_i64s(const int64_t *values, size_t n, struct arena *a)
{
    int64_t *dims = arena_new(a, int64_t);
    dims[0] = (int64_t)n;
    return (struct tensor){.dtype = DTYPE_INT64,
                           .rank = 1,
                           .dims = dims,
                           .n = n,
                           .data = arena_dup(a, values, n * sizeof *values)};
}

struct tensor tensor_scalar_double(enum dtype dtype, double value, struct arena *a)
{
    void *data = arena_alloc(a, 16);
    tensor_put_double(dtype, data, 0, value);
    return (struct tensor){.dtype = dtype, .n = 1, .dims = arena_alloc(a, 0), .data = data};
}

bool tensor_same_shape(const struct tensor *a, const struct tensor *b)
{
    return a->rank == b->rank &&
           (a->rank == 0 || memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0);
}

bool tensor_same_bits(const struct tensor *a, const struct tensor *b)
{
    if (a->dtype != b->dtype || !tensor_same_shape(a, b))
        return false;
    if (a->dtype != DTYPE_STRING)
        return a->n == 0 || memcmp(a->data, b->data, dtype_size(a->dtype, a->n)) == 0;
    for (size_t i = 0; i < a->n; i++)
        if (!str_eq(a->strings[i], b->strings[i]))
            return false;
    return true;
}

void tensor_hash(const struct tensor *t, struct hasher *h)
{
    hasher_add_u64(h, t->dtype);
    hasher_add_u64(h, t->rank);
    for (uint32_t i = 0; i < t->rank; i++)
        hasher_add_u64(h, (uint64_t)t->dims[i]);
    if (t->dtype == DTYPE_STRING)
        for (size_t i = 0; i < t->n; i++)
            hasher_add_str(h, t->strings[i]);
    else
        hasher_add(h, t->data, dtype_size(t->dtype, t->n));
}
