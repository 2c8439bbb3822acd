/*
 * TensorProto to struct tensor. raw_data is borrowed from the unpacked message or from the mapped
 * external file; the typed fields are packed into the raw form.
 *
 * External data must be inside the model's folder after links are resolved, and inside its file.
 */
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "onnx.pb-c.h"
#include "onnx/read_p.h"
#include "onnx/wire_p.h"

static bool open_external(struct reader *r, struct str location, struct str *out, struct err *e)
{
    const uint64_t *known = map_get(&r->files, location);
    if (known) {
        *out = r->mapped.at[*known];
        return true;
    }
    if (!r->dir)
        return err_set(e, ERR_DATA, "external data '" STR_FMT "' without a folder to look in",
                       STR_ARG(location));
    if (!path_is_inside(location))
        return err_set(e, ERR_DATA, "external data '" STR_FMT "' lies outside the model's folder",
                       STR_ARG(location));
    if (!r->real_dir && !file_real_path(r->dir, r->a, &r->real_dir, e))
        return false;
    const char *path = path_join(r->a, r->dir, str_dup(r->a, location)), *real;
    if (file_stat(path).kind == FILE_MISSING)
        return err_set(e, ERR_DATA, "external data '" STR_FMT "' is missing: there is no %s",
                       STR_ARG(location), path);
    if (!file_real_path(path, r->a, &real, e))
        return err_wrap(e, "external data '" STR_FMT "'", STR_ARG(location));
    size_t n_dir = strlen(r->real_dir);
    if (strncmp(real, r->real_dir, n_dir) != 0 || (real[n_dir] != '/' && n_dir > 1))
        return err_set(e, ERR_DATA,
                       "external data '" STR_FMT "' is a link out of the model's folder",
                       STR_ARG(location));
    if (file_stat(real).kind != FILE_REGULAR)
        return err_set(e, ERR_DATA, "external data '" STR_FMT "' is no ordinary file",
                       STR_ARG(location));
    if (!file_map(real, (size_t)1 << 40, r->a, out, e))
        return false;
    map_put(&r->files, r->a, location, r->mapped.n);
    vec_push(&r->mapped, r->a, *out);
    return true;
}

static bool external_bytes(struct reader *r, const OnnxPb__TensorProto *t, size_t n_bytes,
                           struct str *out, struct err *e)
{
    struct str location = {0}, file;
    uint64_t offset = 0, length = n_bytes;
    for (size_t i = 0; i < t->n_external_data; i++) {
        struct str key, value;
        if (!read__name(t->external_data[i]->key, "external_data.key", &key, e) ||
            !read__name(t->external_data[i]->value, "external_data.value", &value, e))
            return false;
        if (str_is(key, "location"))
            location = value;
        if ((str_is(key, "offset") && !str_to_u64(value, &offset)) ||
            (str_is(key, "length") && !str_to_u64(value, &length)))
            return err_set(e, ERR_DATA, "external_data." STR_FMT " is no number: '" STR_FMT "'",
                           STR_ARG(key), STR_ARG(value));
    }
    if (!location.n)
        return err_set(e, ERR_DATA, "external data without location");
    if (!open_external(r, location, &file, e))
        return false;
    if (length != n_bytes)
        return err_set(e, ERR_DATA, "external data of %llu bytes, but the shape wants %zu",
                       (unsigned long long)length, n_bytes);
    if (offset > file.n || length > file.n - offset)
        return err_set(e, ERR_DATA,
                       "external data '" STR_FMT "': bytes %llu to %llu of a file of %zu",
                       STR_ARG(location), (unsigned long long)offset,
                       (unsigned long long)(offset + length), file.n);
    *out = (struct str){file.at + offset, n_bytes};
    return true;
}

/* Entries of the typed field that holds this dtype. Narrow types are packed byte by byte into an
 * int32. */
static size_t typed_count(const OnnxPb__TensorProto *t, enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_FLOAT:
    case DTYPE_COMPLEX64:
        return t->n_float_data;
    case DTYPE_DOUBLE:
    case DTYPE_COMPLEX128:
        return t->n_double_data;
    case DTYPE_INT64:
        return t->n_int64_data;
    case DTYPE_UINT32:
    case DTYPE_UINT64:
        return t->n_uint64_data;
    case DTYPE_STRING:
        return t->n_string_data;
    default:
        return t->n_int32_data;
    }
}

static const void *pack_typed(struct reader *r, const OnnxPb__TensorProto *t, enum dtype dtype,
                              size_t n)
{
    unsigned bits = dtype_row(dtype)->n_bits;
    switch (dtype) {
    case DTYPE_FLOAT:
    case DTYPE_COMPLEX64:
        return t->float_data;
    case DTYPE_DOUBLE:
    case DTYPE_COMPLEX128:
        return t->double_data;
    case DTYPE_INT64:
        return t->int64_data;
    case DTYPE_UINT64:
        return t->uint64_data;
    default:
        break;
    }
    size_t width = bits < 8 ? 1 : bits / 8;
    size_t count = bits < 8 ? dtype_size(dtype, n) : n;
    char *packed = arena_alloc(r->a, count * width);
    for (size_t i = 0; i < count; i++) {
        uint64_t v = dtype == DTYPE_UINT32 ? t->uint64_data[i] : (uint64_t)t->int32_data[i];
        if (dtype == DTYPE_BOOL)
            v = v != 0;
        memcpy(packed + i * width, &v, width);
    }
    return packed;
}

static bool read_strings(struct reader *r, const OnnxPb__TensorProto *t, struct tensor *out,
                         struct err *e)
{
    if (t->n_string_data != out->n)
        return err_set(e, ERR_DATA, "%zu strings, but the shape wants %zu", t->n_string_data,
                       out->n);
    struct str *strings = arena_new_array(r->a, struct str, out->n);
    for (size_t i = 0; i < out->n; i++)
        strings[i] = (struct str){(const char *)t->string_data[i].data, t->string_data[i].len};
    out->strings = strings;
    return true;
}

static bool typed_data(struct reader *r, const OnnxPb__TensorProto *t, struct tensor *out,
                       struct err *e)
{
    enum dtype dtype = out->dtype;
    size_t wanted = dtype_row(dtype)->n_bits < 8 ? dtype_size(dtype, out->n) : out->n;
    if (dtype_row(dtype)->class == DTYPE_CLASS_COMPLEX)
        wanted *= 2;
    if (typed_count(t, dtype) != wanted)
        return err_set(e, ERR_DATA, "%zu numbers, but the shape wants %zu", typed_count(t, dtype),
                       wanted);
    out->data = out->n ? pack_typed(r, t, dtype, out->n) : arena_alloc(r->a, 0);
    return true;
}

static void normalise_bools(struct reader *r, struct tensor *t)
{
    const uint8_t *bytes = t->data;
    size_t i = 0;
    while (i < t->n && bytes[i] <= 1)
        i++;
    if (i == t->n)
        return;
    uint8_t *fixed = arena_alloc(r->a, t->n);
    for (i = 0; i < t->n; i++)
        fixed[i] = bytes[i] != 0;
    t->data = fixed;
}

bool read__tensor(struct reader *r, const OnnxPb__TensorProto *t, struct tensor *out, struct err *e)
{
    if (t->data_type <= 0 || t->data_type >= DTYPE_COUNT)
        return err_set(e, t->data_type > 0 ? ERR_UNSUPPORTED : ERR_DATA, "data_type %d is unknown",
                       t->data_type);
    if (t->segment)
        return err_set(e, ERR_UNSUPPORTED, "tensors in segments are not supported");
    *out = (struct tensor){.dtype = (enum dtype)t->data_type};
    if (t->n_dims > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "rank %zu, at most %d is read", t->n_dims, TENSOR_RANK_MAX);
    out->rank = (uint32_t)t->n_dims;
    out->dims = arena_dup(r->a, t->dims, t->n_dims * sizeof *t->dims);
    if (!tensor_count(out->dtype, out->dims, out->rank, &out->n))
        return err_set(e, ERR_DATA, "a dim is negative, or the tensor exceeds %zu bytes",
                       TENSOR_BYTES_MAX);
    if (out->dtype == DTYPE_STRING)
        return read_strings(r, t, out, e);
    size_t n_bytes = dtype_size(out->dtype, out->n);
    struct str bytes = {(const char *)t->raw_data.data, t->raw_data.len};
    if (t->data_location == 1) {
        if (!external_bytes(r, t, n_bytes, &bytes, e))
            return false;
    } else if (!t->has_raw_data) {
        return typed_data(r, t, out, e);
    }
    if (bytes.n != n_bytes)
        return err_set(e, ERR_DATA, "%zu bytes of raw_data, but the shape wants %zu", bytes.n,
                       n_bytes);
    out->data = n_bytes ? bytes.at : arena_alloc(r->a, 0);
    if (out->dtype == DTYPE_BOOL)
        normalise_bools(r, out);
    return true;
}

bool tensor_read_pb(struct str bytes, struct arena *a, struct named_tensor *out, struct err *e)
{
    struct reader r = {.a = a};
    if (!wire__scan(bytes, &onnx_pb__tensor_proto__descriptor, e))
        return false;
    ProtobufCAllocator allocator = read__allocator(a);
    OnnxPb__TensorProto *t =
        onnx_pb__tensor_proto__unpack(&allocator, bytes.n, (const uint8_t *)bytes.at);
    if (!t)
        return err_set(e, ERR_DATA, "the bytes are no TensorProto");
    return read__name(t->name, "name", &out->name, e) && read__tensor(&r, t, &out->tensor, e);
}
