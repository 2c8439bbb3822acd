/*
 * Decides which changes are made to a call. Must not know what they lead to. Invariant: exactly one
 * argument differs, which change_apply checks on the call that was read back.
 */
#include "generate/foretell/change.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"

struct making {
    const struct api_call *c;
    struct arena *a;
    struct changes *out;
    size_t at;
};

static void add(const struct making *m, enum change_kind kind, struct strbuf *text)
{
    struct change x = {.kind = kind, .at = m->at, .text = strbuf_dup(text, m->a)};
    vec_push(m->out, m->a, x);
    strbuf_done(text);
}

static void add_text(const struct making *m, enum change_kind kind, const char *json)
{
    struct strbuf text = {0};
    strbuf_adds(&text, json);
    add(m, kind, &text);
}

/* Tensors -------------------------------------------------------------------------------------*/

/* Writes an element; for integer types as a whole number that each of them has, from 0 to 100. */
static void put_element(struct json_out *w, const struct json *v, bool whole)
{
    if (!whole || v->kind == JSON_KIND_BOOL)
        json_put_json(w, v);
    else if (v->kind == JSON_KIND_INTEGER)
        json_put_i64(w, llabs(v->integer % 101));
    else
        json_put_i64(w, v->kind == JSON_KIND_REAL ? (int64_t)fmin(fabs(v->real), 100) : 0);
}

static bool is_whole(struct str dtype)
{
    return str_starts(dtype, STR("int")) || str_starts(dtype, STR("uint"));
}

/* Puts a tensor of this shape whose elements repeat those of `t`. */
static void put_tensor(const struct json *t, struct str dtype, const int64_t *dims, size_t rank,
                       struct json_out *w)
{
    const struct json *values = json_get(t, "values");
    bool retyped = !str_eq(dtype, json_get_str(t, "dtype", STR("")));
    int64_t n = 1;
    json_begin_object(w);
    json_key(w, "tensor");
    json_begin_object(w);
    json_pair_str(w, "dtype", dtype);
    json_key(w, "shape");
    json_begin_array(w);
    for (size_t i = 0; i < rank; i++) {
        n *= dims[i];
        json_put_i64(w, dims[i]);
    }
    json_end_array(w);
    json_key(w, "values");
    json_begin_array(w);
    for (int64_t i = 0; i < n; i++) {
        if (values->n)
            put_element(w, &values->items[(size_t)i % values->n], retyped && is_whole(dtype));
        else
            json_put_i64(w, 1);
    }
    json_end_array(w);
    json_end_object(w);
    json_end_object(w);
}

static void write_tensor(const struct json *t, struct str dtype, const int64_t *dims, size_t rank,
                         struct strbuf *out)
{
    struct json_out w = json_open(out, JSON_COMPACT);
    put_tensor(t, dtype, dims, rank, &w);
}

/* Reads a tensor's shape, after a 1; false: it is none, or has more than CALL_DIMS_MAX dims. */
static bool read_dims(const struct json *t, int64_t dims[CALL_DIMS_MAX + 1], size_t *rank)
{
    const struct json *shape = json_get(t, "shape");
    if (!shape || shape->n > CALL_DIMS_MAX || !json_get(t, "values"))
        return false;
    dims[0] = 1;
    for (size_t i = 0; i < shape->n; i++)
        dims[i + 1] = shape->items[i].integer;
    *rank = shape->n;
    return true;
}

static void change_dtype(const struct making *m, const struct json *t, const int64_t *dims,
                         size_t rank)
{
    static const char *const dtypes[] = {"float32", "float64", "float16", "bfloat16", "int64",
                                         "int32",   "uint8",   "bool",    "complex64"};
    struct str own = json_get_str(t, "dtype", STR(""));
    bool is_complex = str_starts(own, STR("complex"));
    for (size_t i = 0; i < COUNT_OF(dtypes); i++) {
        struct strbuf text = {0};
        if (str_is(own, dtypes[i]) || is_complex)
            continue;
        write_tensor(t, str_of(dtypes[i]), dims, rank, &text);
        add(m, CHANGE_DTYPE, &text);
    }
}

static void change_tensor(const struct making *m, const struct json *t)
{
    struct str dtype = json_get_str(t, "dtype", STR(""));
    int64_t dims[CALL_DIMS_MAX + 1];
    size_t rank;
    struct strbuf text = {0};
    if (!read_dims(t, dims, &rank))
        return;
    change_dtype(m, t, dims + 1, rank);
    write_tensor(t, dtype, dims, rank + 1, &text);
    add(m, CHANGE_RANK, &text);
    if (rank) {
        write_tensor(t, dtype, dims + 2, rank - 1, &text);
        add(m, CHANGE_RANK, &text);
        dims[rank]++;
        write_tensor(t, dtype, dims + 1, rank, &text);
        add(m, CHANGE_DIM, &text);
        dims[rank]--;
        dims[1] = 0;
        write_tensor(t, dtype, dims + 1, rank, &text);
        add(m, CHANGE_EMPTY, &text);
    }
    add_text(m, CHANGE_NUMBER, "2");
    add_text(m, CHANGE_TEXT_TENSOR, "\"x\"");
}

/* Numbers, words, lists ------------------------------------------------------------------------*/

static void change_int(const struct making *m, int64_t v)
{
    const int64_t others[] = {-v, v + 1, 0, 1000};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (others[i] != v)
            add_text(m, CHANGE_INT, arena_printf(m->a, "%lld", (long long)others[i]));
    add_text(m, CHANGE_FRACTION, "1.5");
    add_text(m, CHANGE_TEXT, "\"x\"");
}

static void change_float(const struct making *m, double v)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    if (v != 0) {
        json_put_double(&w, -v);
        add(m, CHANGE_FLOAT, &text);
    }
    add_text(m, CHANGE_FLOAT, "0.0");
    add_text(m, CHANGE_FLOAT, "{\"float\": \"nan\"}");
    add_text(m, CHANGE_FLOAT, "1e30");
    add_text(m, CHANGE_TEXT_FLOAT, "\"x\"");
}

/* The list with another first tensor. */
static void add_first(const struct making *m, enum change_kind kind, const struct json *list,
                      struct str dtype, const int64_t *dims, size_t rank)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_array(&w);
    put_tensor(json_get(&list->items[0], "tensor"), dtype, dims, rank, &w);
    for (size_t i = 1; i < list->n; i++)
        json_put_json(&w, &list->items[i]);
    json_end_array(&w);
    add(m, kind, &text);
}

static void change_first(const struct making *m, const struct json *list)
{
    static const char *const dtypes[] = {"float32", "float64", "int64", "bool"};
    const struct json *t = json_get(&list->items[0], "tensor");
    struct str own = json_get_str(t, "dtype", STR(""));
    int64_t dims[CALL_DIMS_MAX + 1];
    size_t rank;
    if (!read_dims(t, dims, &rank))
        return;
    for (size_t i = 0; i < COUNT_OF(dtypes) && !str_starts(own, STR("complex")); i++)
        if (!str_is(own, dtypes[i]))
            add_first(m, CHANGE_ITEM_DTYPE, list, str_of(dtypes[i]), dims + 1, rank);
    add_first(m, CHANGE_ITEM_SHAPE, list, own, dims, rank + 1);
    if (!rank)
        return;
    add_first(m, CHANGE_ITEM_SHAPE, list, own, dims + 2, rank - 1);
    dims[rank]++;
    add_first(m, CHANGE_ITEM_SHAPE, list, own, dims + 1, rank);
}

static void change_items(const struct making *m, const struct json *list)
{
    struct strbuf text = {0};
    change_first(m, list);
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_array(&w);
    for (size_t i = 1; i < list->n; i++)
        json_put_json(&w, &list->items[i]);
    json_end_array(&w);
    add(m, CHANGE_ITEMS, &text);
}

static void change_list(const struct making *m, const struct json *value)
{
    const struct json *list = value->kind == JSON_KIND_ARRAY ? value : json_get(value, "tuple");
    if (list->n && json_get(&list->items[0], "tensor")) {
        change_items(m, list);
        return;
    }
    for (size_t i = 0; i < list->n; i++)
        if (list->items[i].kind != JSON_KIND_INTEGER)
            return;
    for (int how = -1; list->n && how <= 1; how++) {
        struct strbuf text = {0};
        struct json_out w = json_open(&text, JSON_COMPACT);
        json_begin_array(&w);
        for (size_t i = 0; i < list->n - (how < 0); i++)
            json_put_i64(&w,
                         how == 0 && i == 0 ? -list->items[i].integer - 1 : list->items[i].integer);
        if (how > 0)
            json_put_i64(&w, 1);
        json_end_array(&w);
        add(m, CHANGE_LIST, &text);
    }
}

static void change_argument(const struct making *m, const struct argument *x)
{
    switch (x->kind) {
    case ARGUMENT_TENSOR:
        change_tensor(m, json_get(x->value, "tensor"));
        break;
    case ARGUMENT_INT:
        change_int(m, x->value->integer);
        break;
    case ARGUMENT_FLOAT:
        change_float(m, x->value->real);
        break;
    case ARGUMENT_BOOL:
        add_text(m, CHANGE_BOOL, x->value->truth ? "false" : "true");
        break;
    case ARGUMENT_WORD:
        add_text(m, CHANGE_WORD, "\"no_such_word\"");
        break;
    case ARGUMENT_DTYPE:
        add_text(m, CHANGE_TYPE, "{\"dtype\": \"float64\"}");
        add_text(m, CHANGE_TYPE, "{\"dtype\": \"int32\"}");
        break;
    case ARGUMENT_LIST:
        change_list(m, x->value);
        break;
    case ARGUMENT_NONE:
    case ARGUMENT_COMPLEX:
        break;
    }
}

void changes_of(const struct api_call *c, struct arena *a, struct changes *out)
{
    *out = (struct changes){0};
    for (size_t i = 0; i < c->n_arguments; i++) {
        const struct making m = {c, a, out, i};
        change_argument(&m, &c->arguments[i]);
    }
}

static struct str text_of(const struct json *value, struct arena *a)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_put_json(&w, value);
    struct str s = strbuf_dup(&text, a);
    strbuf_done(&text);
    return s;
}

bool change_apply(const struct api_call *seed, const struct change *by, struct arena *a,
                  struct api_call *out)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    struct api_calls read;
    struct err e = {0};
    size_t n_changed = 0;
    api_call_write(seed, by->at, by->text, &w);
    bool ok = api_calls_read(strbuf_str(&text), "changed call", a, &read, &e) && read.n == 1 &&
              read.at[0].n_arguments == seed->n_arguments;
    strbuf_done(&text);
    for (size_t i = 0; ok && i < seed->n_arguments; i++)
        n_changed += !str_eq(text_of(seed->arguments[i].value, a),
                             text_of(read.at[0].arguments[i].value, a));
    if (ok)
        *out = read.at[0];
    return ok && n_changed == 1;
}

const char *change_name(enum change_kind kind)
{
    static const char *const names[] = {
#define CHANGE(id, name, of, help) name,
#include "generate/foretell/change.def"
#undef CHANGE
    };
    return names[kind];
}
