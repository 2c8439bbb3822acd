/*
 * The .npy format (NumPy Enhancement Proposal 1; versions 1.0 to 3.0 are read, 1.0 is written). The
 * bytes may be hostile: every length is checked against the size of the file before it is used.
 * Decides nothing about names or folders (npy_dir.c). A tensor that was read always owns an
 * aligned, row-major, little-endian copy.
 */
#include "case/npy.h"

#include "base/file.h"
#include "base/number.h"

enum { NPY_HEADER_MAX = 1 << 16, NPY_PREFIX = 10, NPY_ALIGN = 64 };

static const struct {
    enum dtype dtype;
    const char *descr;
} npy_types[] = {
    {DTYPE_BOOL, "|b1"},      {DTYPE_INT8, "|i1"},        {DTYPE_UINT8, "|u1"},
    {DTYPE_INT16, "<i2"},     {DTYPE_UINT16, "<u2"},      {DTYPE_INT32, "<i4"},
    {DTYPE_UINT32, "<u4"},    {DTYPE_INT64, "<i8"},       {DTYPE_UINT64, "<u8"},
    {DTYPE_FLOAT16, "<f2"},   {DTYPE_FLOAT, "<f4"},       {DTYPE_DOUBLE, "<f8"},
    {DTYPE_COMPLEX64, "<c8"}, {DTYPE_COMPLEX128, "<c16"},
};

static const char *descr_of(enum dtype t)
{
    for (size_t i = 0; i < COUNT_OF(npy_types); i++) {
        if (npy_types[i].dtype == t)
            return npy_types[i].descr;
    }
    return NULL;
}

bool npy_knows(enum dtype t)
{
    return descr_of(t) != NULL;
}

void npy_encode(const struct tensor *t, struct strbuf *out)
{
    struct strbuf head = {0};
    strbuf_printf(&head, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr_of(t->dtype));
    for (uint32_t i = 0; i < t->rank; i++)
        strbuf_printf(&head, i + 1 < t->rank ? "%lld, " : (t->rank == 1 ? "%lld," : "%lld"),
                      (long long)t->dims[i]);
    strbuf_adds(&head, "), }");
    while ((NPY_PREFIX + head.n + 1) % NPY_ALIGN != 0)
        strbuf_addc(&head, ' ');
    strbuf_addc(&head, '\n');
    strbuf_add(out, "\x93NUMPY\x01\x00", 8);
    strbuf_addc(out, (char)(head.n & 0xff));
    strbuf_addc(out, (char)(head.n >> 8));
    strbuf_add(out, head.at, head.n);
    size_t n_bytes = dtype_size(t->dtype, t->n);
    if (n_bytes > 0)
        strbuf_add(out, t->data, n_bytes);
    strbuf_done(&head);
}

bool npy_write(const char *path, const struct tensor *t, struct err *e)
{
    struct strbuf b = {0};
    if (!npy_knows(t->dtype))
        return err_set(e, ERR_UNSUPPORTED, "%s: .npy has no dtype for %s", path,
                       dtype_name(t->dtype));
    npy_encode(t, &b);
    bool ok = file_write(path, b.at, b.n, e);
    strbuf_done(&b);
    return ok;
}

/* The header's dictionary, read from left to right. */
struct header {
    enum dtype dtype;
    bool fortran, has_descr, has_order, has_shape;
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank;
};

static void skip_blanks(struct str *s)
{
    while (s->n > 0 && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t'))
        s->at++, s->n--;
}

static bool take_char(struct str *s, char c)
{
    skip_blanks(s);
    if (s->n == 0 || *s->at != c)
        return false;
    s->at++, s->n--;
    return true;
}

static bool take_quoted(struct str *s, struct str *out)
{
    skip_blanks(s);
    if (s->n < 2 || (*s->at != '\'' && *s->at != '"'))
        return false;
    char quote = *s->at;
    struct str inner = str_sub(*s, 1, s->n);
    size_t end = str_find_byte(inner, quote);
    if (end == inner.n)
        return false;
    *out = str_sub(inner, 0, end);
    *s = str_sub(inner, end + 1, inner.n);
    return true;
}

static bool take_word(struct str *s, const char *word)
{
    skip_blanks(s);
    if (!str_starts(*s, str_of(word)))
        return false;
    *s = str_sub(*s, strlen(word), s->n);
    return true;
}

static bool take_shape(struct str *s, struct header *h, const char *name, struct err *e)
{
    if (!take_char(s, '('))
        return err_set(e, ERR_DATA, "%s: .npy header: a tuple is expected as shape", name);
    while (!take_char(s, ')')) {
        size_t n = 0;
        skip_blanks(s);
        while (n < s->n && s->at[n] >= '0' && s->at[n] <= '9')
            n++;
        if (h->rank == TENSOR_RANK_MAX)
            return err_set(e, ERR_LIMIT, "%s: rank above %d", name, (int)TENSOR_RANK_MAX);
        if (n == 0 || !str_to_i64(str_sub(*s, 0, n), &h->dims[h->rank++]))
            return err_set(e, ERR_DATA, "%s: .npy header: bad number in shape", name);
        *s = str_sub(*s, n, s->n);
        if (!take_char(s, ',') && (s->n == 0 || *s->at != ')'))
            return err_set(e, ERR_DATA, "%s: .npy header: shape is not closed", name);
    }
    h->has_shape = true;
    return true;
}

static bool dtype_of_descr(struct str descr, enum dtype *out)
{
    for (size_t i = 0; i < COUNT_OF(npy_types); i++) {
        struct str known = str_of(npy_types[i].descr);
        bool same_size = str_eq(str_sub(descr, 1, descr.n), str_sub(known, 1, known.n));
        bool one_byte = descr.n == 3 && descr.at[2] == '1';
        if (same_size && (descr.at[0] == '<' || descr.at[0] == '=' || descr.at[0] == '|' ||
                          (one_byte && descr.at[0] == '>'))) {
            *out = npy_types[i].dtype;
            return true;
        }
    }
    return false;
}

static bool parse_entry(struct str *s, struct header *h, const char *name, struct err *e)
{
    struct str key, descr;
    if (!take_quoted(s, &key) || !take_char(s, ':'))
        return err_set(e, ERR_DATA, "%s: .npy header: 'key': is expected", name);
    if (str_is(key, "descr")) {
        if (!take_quoted(s, &descr) || descr.n < 3)
            return err_set(e, ERR_UNSUPPORTED, "%s: .npy with a structured dtype", name);
        if (!dtype_of_descr(descr, &h->dtype))
            return err_set(e, ERR_UNSUPPORTED,
                           "%s: .npy dtype '" STR_FMT "'; little-endian numbers and bool are read",
                           name, STR_ARG(descr));
        h->has_descr = true;
        return true;
    }
    if (str_is(key, "fortran_order")) {
        h->has_order = true;
        h->fortran = take_word(s, "True");
        if (h->fortran || take_word(s, "False"))
            return true;
        return err_set(e, ERR_DATA, "%s: .npy header: fortran_order is True or False", name);
    }
    if (str_is(key, "shape"))
        return take_shape(s, h, name, e);
    return err_set(e, ERR_DATA, "%s: .npy header: unknown key '" STR_FMT "'", name, STR_ARG(key));
}

static bool parse_header(struct str s, struct header *h, const char *name, struct err *e)
{
    if (!take_char(&s, '{'))
        return err_set(e, ERR_DATA, "%s: .npy header does not begin with {", name);
    while (!take_char(&s, '}')) {
        if (!parse_entry(&s, h, name, e))
            return false;
        if (!take_char(&s, ',') && (s.n == 0 || *s.at != '}'))
            return err_set(e, ERR_DATA, "%s: .npy header is not closed", name);
    }
    if (!h->has_descr || !h->has_order || !h->has_shape)
        return err_set(e, ERR_DATA, "%s: .npy header lacks descr, fortran_order or shape", name);
    return true;
}

/* Column-major to row-major, element by element. */
static void reorder(const struct tensor *t, const uint8_t *from, uint8_t *to)
{
    size_t size = dtype_size(t->dtype, 1);
    int64_t index[TENSOR_RANK_MAX] = {0};
    for (size_t i = 0; i < t->n; i++) {
        size_t at = 0, stride = 1;
        for (uint32_t d = 0; d < t->rank; d++) {
            at += (size_t)index[d] * stride;
            stride *= (size_t)t->dims[d];
        }
        memcpy(to + i * size, from + at * size, size);
        for (uint32_t d = t->rank; d-- > 0;) {
            if (++index[d] < t->dims[d])
                break;
            index[d] = 0;
        }
    }
}

static bool split_file(struct str bytes, const char *name, struct str *head, struct str *body,
                       struct err *e)
{
    const uint8_t *b = (const uint8_t *)bytes.at;
    if (bytes.n < NPY_PREFIX || memcmp(b, "\x93NUMPY", 6) != 0)
        return err_set(e, ERR_DATA, "%s: not a .npy file (no magic bytes)", name);
    if (b[6] < 1 || b[6] > 3)
        return err_set(e, ERR_UNSUPPORTED, "%s: .npy version %d; 1 to 3 are read", name, b[6]);
    size_t at = b[6] == 1 ? NPY_PREFIX : NPY_PREFIX + 2;
    if (bytes.n < at)
        return err_set(e, ERR_DATA, "%s: .npy file ends inside its header", name);
    size_t n = (size_t)b[8] | (size_t)b[9] << 8;
    if (b[6] > 1)
        n |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    if (n > NPY_HEADER_MAX)
        return err_set(e, ERR_LIMIT, "%s: .npy header of %zu bytes", name, n);
    if (bytes.n - at < n)
        return err_set(e, ERR_DATA, "%s: .npy file ends inside its header", name);
    *head = str_sub(bytes, at, at + n);
    *body = str_sub(bytes, at + n, bytes.n);
    return true;
}

bool npy_decode(struct str bytes, const char *name, struct arena *a, struct tensor *out,
                struct err *e)
{
    struct str head, body;
    struct header h = {0};
    void *data;
    size_t n;
    if (!split_file(bytes, name, &head, &body, e) || !parse_header(head, &h, name, e))
        return false;
    if (!tensor_count(h.dtype, h.dims, h.rank, &n))
        return err_set(e, ERR_LIMIT, "%s: shape of more than %zu bytes", name, TENSOR_BYTES_MAX);
    size_t n_bytes = dtype_size(h.dtype, n);
    if (body.n != n_bytes)
        return err_set(e, ERR_DATA, "%s: shape and dtype need %zu bytes of data, %zu are there",
                       name, n_bytes, body.n);
    if (!tensor_make(h.dtype, h.dims, h.rank, a, out, &data, e))
        return err_wrap(e, "%s", name);
    if (h.fortran)
        reorder(out, (const uint8_t *)body.at, data);
    else if (n_bytes > 0)
        memcpy(data, body.at, n_bytes);
    if (h.dtype == DTYPE_BOOL) {
        uint8_t *b = data;
        for (size_t i = 0; i < n; i++)
            b[i] = b[i] != 0;
    }
    return true;
}

bool npy_read(const char *path, struct arena *a, struct tensor *out, struct err *e)
{
    struct arena scratch;
    struct str bytes;
    arena_init(&scratch);
    bool ok = file_map(path, TENSOR_BYTES_MAX + NPY_HEADER_MAX + NPY_ALIGN, &scratch, &bytes, e) &&
              npy_decode(bytes, path, a, out, e);
    arena_done(&scratch);
    return ok;
}
