/* Stored tensors to working values and back. Widening is exact; the way back rounds once. */
#include "onnx/value.h"

#include <math.h>
#include <string.h>

enum storage storage_of(enum dtype t)
{
    switch (dtype_row(t)->class) {
    case DTYPE_CLASS_FLOAT:
        return STORAGE_F64;
    case DTYPE_CLASS_BOOL:
        return STORAGE_BOOL;
    case DTYPE_CLASS_STRING:
        return STORAGE_STRING;
    default:
        return t == DTYPE_UINT64 ? STORAGE_U64 : STORAGE_I64;
    }
}

size_t storage_size(enum storage s)
{
    return s == STORAGE_BOOL ? 1 : s == STORAGE_STRING ? sizeof(struct str) : 8;
}

static const double *widen_floats(const struct tensor *t, struct arena *a)
{
    double *f = arena_new_array(a, double, t->n);
    const char *bytes = t->data;
    if (t->dtype == DTYPE_DOUBLE && t->n) {
        memcpy(f, bytes, t->n * sizeof *f);
    } else if (t->dtype == DTYPE_FLOAT) {
        for (size_t i = 0; i < t->n; i++) {
            float x;
            memcpy(&x, bytes + i * sizeof x, sizeof x);
            f[i] = x;
        }
    } else {
        for (size_t i = 0; i < t->n; i++)
            f[i] = tensor_get_double(t, i);
    }
    return f;
}

static const int64_t *widen_integers(const struct tensor *t, struct arena *a)
{
    int64_t *v = arena_new_array(a, int64_t, t->n);
    if (t->dtype == DTYPE_INT64 && t->n)
        memcpy(v, t->data, t->n * sizeof *v);
    for (size_t i = 0; t->dtype != DTYPE_INT64 && i < t->n; i++)
        v[i] = tensor_get_i64(t, i);
    return v;
}

bool value_from_tensor(const struct tensor *t, struct arena *a, struct value *out, struct err *e)
{
    if (dtype_row(t->dtype)->class == DTYPE_CLASS_COMPLEX || t->dtype == DTYPE_UNDEFINED)
        return err_set(e, ERR_UNSUPPORTED, "%s tensors are not evaluated", dtype_name(t->dtype));
    *out = (struct value){.dtype = t->dtype,
                          .storage = storage_of(t->dtype),
                          .rank = t->rank,
                          .dims = t->dims,
                          .n = t->n,
                          .unit = dtype_unit(t->dtype),
                          .exact = true};
    switch (out->storage) {
    case STORAGE_F64:
        out->f = widen_floats(t, a);
        break;
    case STORAGE_I64:
        out->i = widen_integers(t, a);
        break;
    case STORAGE_U64:
        out->u = arena_dup(a, t->data, t->n * sizeof *out->u);
        break;
    case STORAGE_BOOL:
        out->b = arena_dup(a, t->data, t->n);
        break;
    case STORAGE_STRING:
        out->s = t->strings;
        break;
    }
    return true;
}

bool value_to_tensor(const struct value *v, struct arena *a, struct tensor *out, struct err *e)
{
    void *data;
    if (v->dtype == DTYPE_UNDEFINED)
        return err_set(e, ERR_INTERNAL, "a value that was not evaluated");
    if (!tensor_make(v->dtype, v->dims, v->rank, a, out, &data, e))
        return false;
    switch (v->storage) {
    case STORAGE_F64:
        for (size_t i = 0; i < v->n; i++)
            tensor_put_double(v->dtype, data, i, v->f[i]);
        break;
    case STORAGE_I64:
        for (size_t i = 0; i < v->n; i++)
            tensor_put_i64(v->dtype, data, i, v->i[i]);
        break;
    default:
        if (v->n)
            memcpy(data, v->b, v->n * storage_size(v->storage));
        break;
    }
    return true;
}

struct value value_copy(const struct value *v, struct arena *a)
{
    struct value copy = *v;
    if (v->storage == STORAGE_STRING) {
        struct str *texts = arena_new_array(a, struct str, v->n);
        for (size_t i = 0; i < v->n; i++)
            texts[i] = (struct str){str_dup(a, v->s[i]), v->s[i].n};
        copy.s = texts;
    } else {
        copy.b = arena_dup(a, v->b, v->n * storage_size(v->storage));
    }
    copy.dims = arena_dup(a, v->dims, v->rank * sizeof *v->dims);
    copy.scales = v->scales ? arena_dup(a, v->scales, v->n * sizeof *v->scales) : NULL;
    copy.undefined = v->undefined ? arena_dup(a, v->undefined, v->n) : NULL;
    copy.margin = v->margin ? arena_dup(a, v->margin, v->n * sizeof *v->margin) : NULL;
    return copy;
}

double value_get_double(const struct value *v, size_t i)
{
    switch (v->storage) {
    case STORAGE_F64:
        return v->f[i];
    case STORAGE_I64:
        return (double)v->i[i];
    case STORAGE_U64:
        return (double)v->u[i];
    case STORAGE_BOOL:
        return v->b[i];
    default:
        return (double)NAN;
    }
}
