/*
 * Reads what workers wrote and compares it. Must not know frameworks nor pairs. Invariant: a chunk
 * is added whole (its values first), so the store of a killed run is valid, only smaller.
 */
#include "align/verify/outputs.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/path.h"

enum { LINE_MAX = 1 << 20, SHOWN_MAX = 6 };
#define CHUNK_MAX ((size_t)1 << 30)

static const char *const kind_names[] = {"ok",    "raised",    "died",
                                         "hangs", "no-symbol", "unreadable"};

const char *output_kind_name(enum output_kind kind)
{
    return kind_names[kind];
}

/* Elements --------------------------------------------------------------------------------------*/

static const struct {
    const char *name;
    size_t size;
    char kind; /* f, i, u, b, c */
} stored_dtypes[] = {{"float64", 8, 'f'},   {"float32", 4, 'f'},    {"float16", 2, 'f'},
                     {"int64", 8, 'i'},     {"int32", 4, 'i'},      {"int16", 2, 'i'},
                     {"int8", 1, 'i'},      {"uint64", 8, 'u'},     {"uint32", 4, 'u'},
                     {"uint16", 2, 'u'},    {"uint8", 1, 'u'},      {"bool", 1, 'b'},
                     {"complex64", 8, 'c'}, {"complex128", 16, 'c'}};

static size_t stored_at(struct str name)
{
    size_t i = 0;
    while (i < COUNT_OF(stored_dtypes) && !str_is(name, stored_dtypes[i].name))
        i++;
    return i;
}

static size_t size_of(struct str stored)
{
    size_t at = stored_at(stored);
    return at < COUNT_OF(stored_dtypes) ? stored_dtypes[at].size : 0;
}

static char kind_of(struct str stored)
{
    size_t at = stored_at(stored);
    return at < COUNT_OF(stored_dtypes) ? stored_dtypes[at].kind : '?';
}

size_t leaf_n(const struct leaf *l)
{
    size_t n = 1;
    for (size_t i = 0; i < l->rank; i++)
        n *= (size_t)l->dims[i];
    return n;
}

static double float_at(const char *p, size_t size)
{
    double wide;
    float single;
    uint16_t half;
    if (size == 8)
        return memcpy(&wide, p, 8), wide;
    if (size == 4)
        return memcpy(&single, p, 4), (double)single;
    memcpy(&half, p, 2);
    return number_decode(&number_float16, half);
}

static double integer_at(const char *p, size_t size, bool is_signed)
{
    uint64_t raw = 0;
    memcpy(&raw, p, size);
    return is_signed ? (double)number_wrap_signed((int64_t)raw, (unsigned)(8 * size)) : (double)raw;
}

static double part_at(const struct leaf *l, size_t at, bool imaginary)
{
    size_t size = size_of(l->stored);
    char kind = kind_of(l->stored);
    if (!size || (at + 1) * size > l->bytes.n)
        return (double)NAN;
    const char *p = l->bytes.at + at * size;
    if (kind == 'c')
        return float_at(p + (imaginary ? size / 2 : 0), size / 2);
    if (imaginary)
        return 0;
    return kind == 'f' ? float_at(p, size) : integer_at(p, size, kind == 'i');
}

double leaf_value(const struct leaf *l, size_t at)
{
    return part_at(l, at, false);
}

/* Reading ---------------------------------------------------------------------------------------*/

static bool read_leaf(const struct json *j, struct str values, struct arena *a, struct leaf *out)
{
    const struct json *dims = json_get(j, "dims");
    int64_t at = json_get_i64(j, "at", -1), n = json_get_i64(j, "n", 0);
    *out = (struct leaf){.dtype = str_of(str_dup(a, json_get_str(j, "dtype", STR("")))),
                         .stored = str_of(str_dup(a, json_get_str(j, "stored", STR("")))),
                         .hash = str_of(str_dup(a, json_get_str(j, "hash", STR(""))))};
    if (!dims || dims->n > ARG_RANK_MAX)
        return false;
    out->rank = dims->n;
    for (size_t i = 0; i < dims->n; i++)
        out->dims[i] = dims->items[i].integer;
    if (at >= 0) {
        if (n < 0 || (uint64_t)at + (uint64_t)n > values.n ||
            (size_t)n != leaf_n(out) * size_of(out->stored))
            return false;
        out->bytes = str_sub(values, (size_t)at, (size_t)(at + n));
    }
    return at >= 0 || out->hash.n;
}

static uint64_t digest_leaf(const struct leaf *l, uint64_t h)
{
    char text[32];
    for (size_t i = 0; i < l->rank; i++)
        h = hash_mix64(h ^ (uint64_t)l->dims[i]);
    if (l->hash.n)
        return h ^ hash_bytes64(l->hash.at, l->hash.n);
    for (size_t i = 0; i < leaf_n(l); i++) {
        for (int part = 0; part < (kind_of(l->stored) == 'c' ? 2 : 1); part++) {
            double x = part_at(l, i, part);
            int n = isnan(x) ? snprintf(text, sizeof text, "nan")
                             : snprintf(text, sizeof text, "%.3g", fabs(x) < 1e-6 ? 0.0 : x);
            h = hash_mix64(h ^ hash_bytes64(text, (size_t)n));
        }
    }
    return h;
}

static enum output_kind find_kind(struct str name)
{
    for (size_t i = 0; i < COUNT_OF(kind_names); i++)
        if (str_is(name, kind_names[i]))
            return (enum output_kind)i;
    return OUTPUT_UNREADABLE;
}

static bool read_output(const struct json *j, struct str values, struct arena *a,
                        struct output *out)
{
    const struct json *leaves = json_get(j, "leaves");
    *out = (struct output){.kind = find_kind(json_get_str(j, "outcome", STR(""))),
                           .form = str_of(str_dup(a, json_get_str(j, "form", STR("")))),
                           .type = str_of(str_dup(a, json_get_str(j, "type", STR("")))),
                           .message = str_of(str_dup(a, json_get_str(j, "message", STR(""))))};
    if (out->kind != OUTPUT_OK)
        return true;
    if (!leaves)
        return false;
    struct leaf *list = arena_new_array(a, struct leaf, leaves->n);
    for (size_t i = 0; i < leaves->n; i++) {
        if (!read_leaf(&leaves->items[i], values, a, &list[i]))
            return false;
        out->digest = digest_leaf(&list[i], out->digest + 1);
        out->typed = hash_mix64(out->typed ^ hash_bytes64(list[i].dtype.at, list[i].dtype.n));
    }
    out->typed ^= out->digest;
    out->leaves = list;
    out->n = leaves->n;
    return true;
}

static bool read_line(struct outputs *o, struct str line, struct str values, struct err *e)
{
    struct arena a;
    const struct json *j;
    struct output out;
    struct str key;
    arena_init(&a);
    bool ok = json_parse(line, "results", &a, &j, e) && json_need_str(j, "key", &key, e);
    if (ok && read_output(j, values, o->a, &out)) {
        map_put(&o->by_key, o->a, key, o->list.n);
        vec_push(&o->list, o->a, out);
    }
    arena_done(&a);
    return ok;
}

static bool read_chunk(struct outputs *o, struct str results, struct str values, struct err *e)
{
    struct str rest = results, line;
    while (str_split(&rest, '\n', &line))
        if (line.n && line.n < LINE_MAX && !read_line(o, line, values, e))
            return false;
    o->n_chunks++;
    return true;
}

static const char *chunk_path(const struct outputs *o, const char *what, const char *kind)
{
    return path_join(o->a, o->folder, arena_printf(o->a, "%s-%04zu.%s", what, o->n_chunks, kind));
}

bool outputs_open(struct outputs *o, const char *folder, struct arena *a, struct err *e)
{
    *o = (struct outputs){.a = a, .folder = str_dup(a, str_of(folder))};
    if (!file_make_dirs(folder, e))
        return false;
    for (;;) {
        struct str results, values;
        const char *path = chunk_path(o, "results", "jsonl");
        if (file_stat(path).kind != FILE_REGULAR)
            return true;
        if (!file_map(path, CHUNK_MAX, a, &results, e) ||
            !file_map(chunk_path(o, "values", "bin"), CHUNK_MAX, a, &values, e) ||
            !read_chunk(o, results, values, e))
            return err_wrap(e, "stored outputs %s", path);
    }
}

bool outputs_add(struct outputs *o, struct str results, struct str values, struct err *e)
{
    struct str kept = str_of(arena_dup(o->a, values.n ? values.at : "", values.n + !values.n));
    kept.n = values.n;
    return file_write(chunk_path(o, "values", "bin"), kept.at, kept.n, e) &&
           file_write(chunk_path(o, "results", "jsonl"), results.at, results.n, e) &&
           read_chunk(o, results, kept, e);
}

const struct output *outputs_find(const struct outputs *o, struct str key)
{
    const uint64_t *at = map_get(&o->by_key, key);
    return at ? &o->list.at[*at] : NULL;
}

/* Comparing -------------------------------------------------------------------------------------*/

struct tolerance {
    double relative, absolute;
};

static struct tolerance tolerance_of(struct str dtype)
{
    static const struct {
        const char *dtype;
        struct tolerance t;
    } rows[] = {{"float64", {1e-6, 1e-8}}, {"complex128", {1e-6, 1e-8}},
                {"float32", {2e-4, 2e-5}}, {"complex64", {2e-4, 2e-5}},
                {"float16", {1e-2, 5e-3}}, {"bfloat16", {4e-2, 2e-2}}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (str_is(dtype, rows[i].dtype))
            return rows[i].t;
    return (struct tolerance){0, 0};
}

static bool near(double x, double y, struct tolerance t, double scale)
{
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (isinf(x) || isinf(y))
        return x == y;
    return fabs(x - y) <= t.absolute * scale + t.relative * fmax(fabs(x), fabs(y));
}

static double scale_of(const struct leaf *l)
{
    double largest = 1;
    for (size_t i = 0; i < leaf_n(l); i++) {
        double x = fabs(part_at(l, i, false));
        if (isfinite(x) && x > largest)
            largest = x;
    }
    return largest;
}

static bool equal_values(const struct leaf *a, const struct leaf *b)
{
    struct tolerance ta = tolerance_of(a->dtype), tb = tolerance_of(b->dtype);
    struct tolerance t = ta.relative > tb.relative ? ta : tb;
    double scale = scale_of(a);
    if (a->hash.n || b->hash.n)
        return str_eq(a->hash, b->hash);
    for (size_t i = 0; i < leaf_n(a); i++)
        if (!near(part_at(a, i, false), part_at(b, i, false), t, scale) ||
            !near(part_at(a, i, true), part_at(b, i, true), t, scale))
            return false;
    return true;
}

/* Moves the last dimension to the second place (nchw), or swaps the second and third (swap12) or
 * the last two dimensions (t). */
static struct leaf moved(const struct leaf *l, const struct adapter *x, struct arena *a)
{
    bool nchw = x->result_nchw, swap12 = x->result_swap12;
    struct leaf out = *l;
    size_t size = size_of(l->stored), rank = l->rank, n = leaf_n(l);
    size_t perm[ARG_RANK_MAX], strides[ARG_RANK_MAX], step = size;
    if (rank < 2 + (size_t)(nchw || swap12) || !size || l->hash.n)
        return out;
    for (size_t i = 0; i < rank; i++)
        perm[i] = swap12 ? (i == 1   ? 2
                            : i == 2 ? 1
                                     : i)
                  : nchw ? (i == 0   ? 0
                            : i == 1 ? rank - 1
                                     : i - 1)
                         : (i + 2 == rank   ? rank - 1
                            : i + 1 == rank ? rank - 2
                                            : i);
    for (size_t i = rank; i-- > 0;) {
        strides[i] = step;
        step *= (size_t)l->dims[i];
    }
    char *bytes = arena_alloc(a, n * size + 1);
    for (size_t i = 0; i < rank; i++)
        out.dims[i] = l->dims[perm[i]];
    for (size_t at = 0; at < n; at++) {
        size_t rest = at, from = 0;
        for (size_t i = rank; i-- > 0;) {
            from += rest % (size_t)out.dims[i] * strides[perm[i]];
            rest /= (size_t)out.dims[i];
        }
        memcpy(bytes + at * size, l->bytes.at + from, size);
    }
    out.bytes = (struct str){bytes, n * size};
    return out;
}

struct element {
    double real, imaginary;
    const char *at;
};

static int by_value(const void *x, const void *y)
{
    const struct element *a = x, *b = y;
    double scale = 1e-4 * fmax(1, fmax(fabs(a->real), fabs(b->real)));
    if (fabs(a->real - b->real) > scale)
        return a->real < b->real ? -1 : 1;
    return a->imaginary < b->imaginary ? -1 : a->imaginary > b->imaginary;
}

/* Sorts each row, for results without a defined order, such as eigenvalues. */
static struct leaf sorted(const struct leaf *l, struct arena *a)
{
    struct leaf out = *l;
    size_t n = leaf_n(l), row = l->rank ? (size_t)l->dims[l->rank - 1] : 1,
           size = size_of(l->stored);
    if (l->hash.n || !n || !size)
        return out;
    struct element *list = arena_new_array(a, struct element, n);
    char *bytes = arena_alloc(a, n * size);
    for (size_t i = 0; i < n; i++)
        list[i] =
            (struct element){part_at(l, i, false), part_at(l, i, true), l->bytes.at + i * size};
    for (size_t i = 0; i < n; i += row)
        qsort(list + i, row, sizeof *list, by_value);
    for (size_t i = 0; i < n; i++)
        memcpy(bytes + i * size, list[i].at, size);
    out.bytes = (struct str){bytes, n * size};
    return out;
}

static enum agreement compare_leaves(const struct leaf *a, const struct leaf *b)
{
    char ka = kind_of(a->stored), kb = kind_of(b->stored);
    if (a->rank != b->rank)
        return AGREE_SHAPE;
    for (size_t i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return AGREE_SHAPE;
    bool whole = (ka == 'i' || ka == 'u') && (kb == 'i' || kb == 'u');
    if (ka != kb && !whole)
        return AGREE_KIND;
    if (!equal_values(a, b))
        return AGREE_VALUE;
    return str_eq(a->dtype, b->dtype) ? AGREE_EQUAL : AGREE_DTYPE;
}

/* A list of one leaf, "(t)", is the same as that leaf, "t". */
static struct str plain_form(struct str form)
{
    while (form.n > 2 && form.at[0] == '(' && form.at[form.n - 1] == ')' && form.n == 3)
        form = str_sub(form, 1, form.n - 1);
    return form;
}

static bool same_form(struct str a, struct str b)
{
    a = plain_form(a);
    b = plain_form(b);
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++) { /* a number and a tensor of rank 0 are alike */
        bool leaves = (a.at[i] == 't' || a.at[i] == 'n') && (b.at[i] == 't' || b.at[i] == 'n');
        if (a.at[i] != b.at[i] && !leaves)
            return false;
    }
    return true;
}

enum agreement outputs_compare(const struct output *a, const struct output *b,
                               const struct adapter *x, struct arena *scratch)
{
    enum agreement worst = AGREE_EQUAL;
    bool picks = x && (x->leaf_a >= 0 || x->leaf_b >= 0);
    size_t from_a = picks && x->leaf_a >= 0 ? (size_t)x->leaf_a : 0;
    size_t from_b = picks && x->leaf_b >= 0 ? (size_t)x->leaf_b : 0;
    size_t n = picks ? 1 : a->n;
    if (picks ? (from_a >= a->n || from_b >= b->n) : (a->n != b->n || !a->n))
        return AGREE_FORM;
    if (!picks && !same_form(a->form, b->form))
        return AGREE_FORM;
    for (size_t i = 0; i < n; i++) {
        struct leaf of_a = a->leaves[from_a + i], of_b = b->leaves[from_b + i];
        if (x && (x->result_nchw || x->result_t || x->result_swap12))
            of_b = moved(&of_b, x, scratch);
        if (x && x->result_sorted) {
            of_a = sorted(&of_a, scratch);
            of_b = sorted(&of_b, scratch);
        }
        enum agreement one = compare_leaves(&of_a, &of_b);
        worst = one > worst ? one : worst;
    }
    return worst;
}

static bool is_all(const struct output *o, double value)
{
    for (size_t i = 0; i < o->n; i++) {
        const struct leaf *l = &o->leaves[i];
        for (size_t k = 0; k < leaf_n(l); k++)
            if (l->hash.n || leaf_value(l, k) != value)
                return false;
    }
    return true;
}

bool output_is_fill(const struct output *o)
{
    return is_all(o, 0) || is_all(o, 1);
}

/* Telling ---------------------------------------------------------------------------------------*/

static void print_leaf(const struct leaf *l, struct strbuf *out)
{
    size_t n = leaf_n(l);
    strbuf_printf(out, STR_FMT "[", STR_ARG(l->dtype));
    for (size_t i = 0; i < l->rank; i++)
        strbuf_printf(out, "%s%lld", i ? "," : "", (long long)l->dims[i]);
    strbuf_adds(out, "]");
    if (l->hash.n)
        return;
    for (size_t i = 0; i < n && i < SHOWN_MAX; i++)
        strbuf_printf(out, " %.6g", leaf_value(l, i));
    strbuf_adds(out, n > SHOWN_MAX ? " ..." : "");
}

void output_print(const struct output *o, struct strbuf *out)
{
    if (o->kind != OUTPUT_OK) {
        strbuf_printf(out, "%s " STR_FMT ": ", kind_names[o->kind], STR_ARG(o->type));
        strbuf_add_line(out, str_sub(o->message, 0, 160));
        return;
    }
    for (size_t i = 0; i < o->n; i++) {
        strbuf_adds(out, i ? "; " : "");
        print_leaf(&o->leaves[i], out);
    }
}
