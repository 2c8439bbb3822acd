/* Decides how tensors are laid out in an exchange file; the reader checks every number against the
 * file. */
#include "target/pack_p.h"

enum { PACK_ALIGN = 64 };

static const char padding[PACK_ALIGN];

static void add_part(struct pack *pack, struct arena *a, const void *at, size_t n)
{
    if (n)
        vec_push(&pack->parts, a, (struct str){at, n});
    pack->n_bytes += n;
}

static size_t add_strings(const struct tensor *t, struct pack *pack, struct arena *a)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        unsigned char *length = arena_alloc(a, 4);
        for (int b = 0; b < 4; b++)
            length[b] = (unsigned char)(t->strings[i].n >> (8 * b));
        add_part(pack, a, length, 4);
        add_part(pack, a, t->strings[i].at, t->strings[i].n);
        n += 4 + t->strings[i].n;
    }
    return n;
}

static void add_tensor(const struct named_tensor *named, struct pack *pack, struct arena *a,
                       struct json_out *w)
{
    const struct tensor *t = &named->tensor;
    uint64_t at = pack->n_bytes;
    size_t n = t->dtype == DTYPE_STRING ? add_strings(t, pack, a) : dtype_size(t->dtype, t->n);
    if (t->dtype != DTYPE_STRING)
        add_part(pack, a, t->data, n);
    add_part(pack, a, padding, (PACK_ALIGN - pack->n_bytes % PACK_ALIGN) % PACK_ALIGN);
    json_begin_object(w);
    json_pair_str(w, "name", named->name);
    json_pair_i64(w, "dtype", t->dtype);
    json_key(w, "dims");
    json_begin_array(w);
    for (uint32_t i = 0; i < t->rank; i++)
        json_put_i64(w, t->dims[i]);
    json_end_array(w);
    json_pair_u64(w, "at", at);
    json_pair_u64(w, "n", n);
    json_end_object(w);
}

void pack__tensors(const struct tensors *t, struct pack *pack, struct arena *a, struct json_out *w)
{
    json_begin_array(w);
    for (size_t i = 0; i < t->n; i++)
        add_tensor(&t->at[i], pack, a, w);
    json_end_array(w);
}

static bool read_strings(struct str bytes, struct arena *a, struct tensor *t, struct err *e)
{
    if (t->n > bytes.n / 4)
        return err_set(e, ERR_DATA, "%zu strings in %zu bytes", t->n, bytes.n);
    struct str *strings = arena_new_array(a, struct str, t->n);
    size_t at = 0;
    for (size_t i = 0; i < t->n; i++) {
        size_t n = 0;
        for (size_t b = 0; b < 4 && bytes.n - at >= 4; b++)
            n |= (size_t)(unsigned char)bytes.at[at + b] << (8 * b);
        if (bytes.n - at < 4 || n > bytes.n - at - 4)
            return err_set(e, ERR_DATA, "a string goes beyond the file");
        strings[i] = str_sub(bytes, at + 4, at + 4 + n);
        at += 4 + n;
    }
    t->strings = strings;
    return true;
}

static bool read_dims(const struct json *dims, struct arena *a, struct tensor *t, struct err *e)
{
    if (dims->n > TENSOR_RANK_MAX)
        return err_set(e, ERR_DATA, "a tensor of rank %zu", dims->n);
    int64_t *numbers = arena_new_array(a, int64_t, dims->n);
    for (size_t i = 0; i < dims->n; i++) {
        if (dims->items[i].kind != JSON_KIND_INTEGER)
            return err_set(e, ERR_DATA, "a dim is no integer");
        numbers[i] = dims->items[i].integer;
    }
    t->rank = (uint32_t)dims->n;
    t->dims = numbers;
    return tensor_count(t->dtype, t->dims, t->rank, &t->n) ||
           err_set(e, ERR_DATA, "dims of a tensor are out of range");
}

static bool read_tensor(const struct json *j, struct str bytes, struct arena *a,
                        struct named_tensor *out, struct err *e)
{
    struct tensor *t = &out->tensor;
    const struct json *dims;
    int64_t dtype, at, n;
    if (!json_need_str(j, "name", &out->name, e) || !json_need_i64(j, "dtype", &dtype, e) ||
        !json_need(j, "dims", JSON_KIND_ARRAY, &dims, e) || !json_need_i64(j, "at", &at, e) ||
        !json_need_i64(j, "n", &n, e))
        return false;
    if (dtype <= DTYPE_UNDEFINED || dtype >= DTYPE_COUNT)
        return err_set(e, ERR_DATA, "no dtype has the number %lld", (long long)dtype);
    if (at < 0 || n < 0 || (uint64_t)at > bytes.n || (uint64_t)n > bytes.n - (uint64_t)at ||
        at % PACK_ALIGN != 0)
        return err_set(e, ERR_DATA, "a tensor lies outside its file");
    t->dtype = (enum dtype)dtype;
    if (!read_dims(dims, a, t, e))
        return false;
    struct str data = str_sub(bytes, (size_t)at, (size_t)at + (size_t)n);
    if (t->dtype == DTYPE_STRING)
        return read_strings(data, a, t, e);
    if (data.n != dtype_size(t->dtype, t->n))
        return err_set(e, ERR_DATA, "a tensor has %zu bytes instead of %zu", data.n,
                       dtype_size(t->dtype, t->n));
    t->data = data.at;
    return true;
}

bool pack__read(const struct json *list, struct str bytes, struct arena *a, struct tensors *out,
                struct err *e)
{
    if (list->kind != JSON_KIND_ARRAY)
        return err_set(e, ERR_DATA, "a list of tensors is expected");
    *out = (struct tensors){arena_new_array(a, struct named_tensor, list->n), list->n};
    for (size_t i = 0; i < list->n; i++)
        if (!read_tensor(&list->items[i], bytes, a, &out->at[i], e))
            return false;
    return true;
}
