/*
 * Lists of named tensors in a folder: NAME.npy, or NAME.raw for dtypes that .npy lacks, with dtype,
 * shape and SHA-256 of the file in the JSON beside them. The JSON is trusted for names and order
 * only: dtype, shape and hash are compared with the file. A .raw file holds the bytes of
 * TensorProto.raw_data or, for strings, an 8-byte little-endian length and the bytes of each.
 */
#include "base/file.h"
#include "base/path.h"
#include "case/npy.h"
#include "onnx/model.h"

static void raw_encode(const struct tensor *t, struct strbuf *out)
{
    if (t->dtype != DTYPE_STRING) {
        size_t n_bytes = dtype_size(t->dtype, t->n);
        if (n_bytes > 0)
            strbuf_add(out, t->data, n_bytes);
        return;
    }
    for (size_t i = 0; i < t->n; i++) {
        for (unsigned b = 0; b < 8; b++)
            strbuf_addc(out, (char)((uint64_t)t->strings[i].n >> (8 * b) & 0xff));
        strbuf_addstr(out, t->strings[i]);
    }
}

static bool decode_strings(struct str bytes, const char *name, struct arena *a, struct tensor *t,
                           struct err *e)
{
    if (t->n > bytes.n / 8)
        return err_set(e, ERR_DATA, "%s: too short for %zu strings", name, t->n);
    struct str *strings = arena_new_array(a, struct str, t->n);
    for (size_t i = 0; i < t->n; i++) {
        uint64_t n = 0;
        if (bytes.n < 8)
            return err_set(e, ERR_DATA, "%s: ends inside string %zu", name, i);
        for (unsigned b = 0; b < 8; b++)
            n |= (uint64_t)(uint8_t)bytes.at[b] << (8 * b);
        bytes = str_sub(bytes, 8, bytes.n);
        if (n > bytes.n)
            return err_set(e, ERR_DATA, "%s: ends inside string %zu", name, i);
        strings[i] = (struct str){str_dup(a, str_sub(bytes, 0, n)), n};
        bytes = str_sub(bytes, n, bytes.n);
    }
    t->strings = strings;
    return bytes.n == 0 || err_set(e, ERR_DATA, "%s: %zu bytes too many", name, bytes.n);
}

static bool raw_decode(struct str bytes, const char *name, enum dtype dtype, struct shape shape,
                       struct arena *a, struct tensor *out, struct err *e)
{
    int64_t dims[TENSOR_RANK_MAX];
    void *data;
    size_t n;
    shape_to_dims(&shape, dims);
    if (!tensor_count(dtype, dims, shape.rank, &n))
        return err_set(e, ERR_LIMIT, "%s: shape of more than %zu bytes", name, TENSOR_BYTES_MAX);
    if (dtype == DTYPE_STRING) {
        *out = (struct tensor){.dtype = dtype,
                               .rank = shape.rank,
                               .dims = arena_dup(a, dims, shape.rank * sizeof *dims),
                               .n = n};
        return decode_strings(bytes, name, a, out, e);
    }
    if (dtype_size(dtype, n) != bytes.n)
        return err_set(e, ERR_DATA, "%s: shape and dtype need %zu bytes, %zu are there", name,
                       dtype_size(dtype, n), bytes.n);
    if (!tensor_make(dtype, dims, shape.rank, a, out, &data, e))
        return err_wrap(e, "%s", name);
    if (bytes.n > 0)
        memcpy(data, bytes.at, bytes.n);
    return true;
}

static bool write_one(const char *dir, const struct named_tensor *t, struct json_out *w,
                      struct arena *scratch, struct err *e)
{
    struct strbuf bytes = {0};
    char hex[HASH_HEX_SIZE];
    bool npy = npy_knows(t->tensor.dtype);
    const char *file =
        arena_printf(scratch, "%s.%s", path_encode_name(scratch, t->name), npy ? "npy" : "raw");
    if (npy)
        npy_encode(&t->tensor, &bytes);
    else
        raw_encode(&t->tensor, &bytes);
    struct hash h = hash_of(bytes.at, bytes.n);
    hash_to_hex(&h, hex);
    json_begin_object(w);
    json_pair_str(w, "name", t->name);
    json_pair_cstr(w, "file", file);
    json_pair_cstr(w, "dtype", dtype_name(t->tensor.dtype));
    json_key(w, "shape");
    json_begin_array(w);
    for (uint32_t i = 0; i < t->tensor.rank; i++)
        json_put_i64(w, t->tensor.dims[i]);
    json_end_array(w);
    json_pair_cstr(w, "sha256", hex);
    json_end_object(w);
    bool ok = file_write(path_join(scratch, dir, file), bytes.n ? bytes.at : "", bytes.n, e);
    strbuf_done(&bytes);
    return ok;
}

bool tensors_write_dir(const char *dir, const struct tensors *t, struct json_out *w, struct err *e)
{
    struct arena scratch;
    bool ok = t->n == 0 || file_make_dirs(dir, e);
    arena_init(&scratch);
    json_begin_array(w);
    for (size_t i = 0; ok && i < t->n; i++)
        ok = write_one(dir, &t->at[i], w, &scratch, e);
    json_end_array(w);
    arena_done(&scratch);
    return ok;
}

static bool read_shape(const struct json *j, struct arena *a, struct shape *out, struct err *e)
{
    const struct json *dims;
    int64_t d[TENSOR_RANK_MAX];
    if (!json_need(j, "shape", JSON_KIND_ARRAY, &dims, e))
        return false;
    if (dims->n > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "line %u: rank above %d", dims->line, (int)TENSOR_RANK_MAX);
    for (size_t i = 0; i < dims->n; i++) {
        if (dims->items[i].kind != JSON_KIND_INTEGER || dims->items[i].integer < 0)
            return err_set(e, ERR_DATA, "line %u: a dim is a number >= 0", dims->items[i].line);
        d[i] = dims->items[i].integer;
    }
    *out = shape_from_dims(d, (uint32_t)dims->n, a);
    return true;
}

static bool same_description(const struct tensor *t, enum dtype dtype, const struct shape *shape)
{
    if (t->dtype != dtype || t->rank != shape->rank)
        return false;
    for (uint32_t i = 0; i < t->rank; i++) {
        if (t->dims[i] != shape->dims[i].value)
            return false;
    }
    return true;
}

static bool read_one(const char *dir, const struct json *j, struct arena *a,
                     struct named_tensor *out, struct err *e)
{
    struct str name, file, dtype_text, hex, bytes;
    struct shape shape = {0};
    struct hash wanted, got;
    if (!json_need_str(j, "name", &name, e) || !json_need_str(j, "file", &file, e) ||
        !json_need_str(j, "dtype", &dtype_text, e) || !json_need_str(j, "sha256", &hex, e) ||
        !read_shape(j, a, &shape, e))
        return false;
    enum dtype dtype = dtype_find(dtype_text);
    if (dtype == DTYPE_UNDEFINED || !hash_from_hex(hex, &wanted))
        return err_set(e, ERR_DATA, "line %u: bad dtype or sha256", j->line);
    if (!path_is_inside(file) || str_find_byte(file, '/') != file.n)
        return err_set(e, ERR_DATA, "line %u: file \"" STR_FMT "\" is not a name in the folder",
                       j->line, STR_ARG(file));
    const char *path = path_join(a, dir, str_dup(a, file));
    if (!file_map(path, TENSOR_BYTES_MAX + ((size_t)1 << 17), a, &bytes, e))
        return false;
    got = hash_of(bytes.at, bytes.n);
    if (!hash_eq(&got, &wanted))
        return err_set(e, ERR_DATA, "%s: its SHA-256 is not the one in the case", path);
    out->name = (struct str){str_dup(a, name), name.n};
    if (!npy_knows(dtype))
        return raw_decode(bytes, path, dtype, shape, a, &out->tensor, e);
    if (!npy_decode(bytes, path, a, &out->tensor, e))
        return false;
    return same_description(&out->tensor, dtype, &shape) ||
           err_set(e, ERR_DATA, "%s: dtype or shape is not the one in the case", path);
}

bool tensors_read_dir(const char *dir, const struct json *list, struct arena *a,
                      struct tensors *out, struct err *e)
{
    if (list->kind != JSON_KIND_ARRAY)
        return err_set(e, ERR_DATA, "line %u: a list of tensors is expected", list->line);
    out->n = list->n;
    out->at = arena_new_array(a, struct named_tensor, list->n);
    for (size_t i = 0; i < list->n; i++) {
        if (!read_one(dir, &list->items[i], a, &out->at[i], e))
            return false;
    }
    return true;
}

bool tensors_read_loose(const char *dir, struct arena *a, struct tensors *out, struct err *e)
{
    struct file_list files;
    out->n = 0;
    if (!file_list_dir(dir, a, &files, e))
        return false;
    out->at = arena_new_array(a, struct named_tensor, files.n);
    for (size_t i = 0; i < files.n; i++) {
        struct str file = str_of(files.names[i]);
        struct named_tensor *t = &out->at[out->n];
        if (!str_ends(file, STR(".npy")))
            continue;
        if (!path_decode_name(a, str_sub(file, 0, file.n - 4), &t->name))
            t->name = (struct str){str_dup(a, str_sub(file, 0, file.n - 4)), file.n - 4};
        if (!npy_read(path_join(a, dir, files.names[i]), a, &t->tensor, e))
            return false;
        out->n++;
    }
    return true;
}
