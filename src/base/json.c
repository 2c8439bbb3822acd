/*
 * Reading: jansson decides what is JSON; its tree is copied into the arena. jansson keeps the order
 * of the text but no positions. So while the tree is copied, a scanner walks the text, which is
 * known to be valid, and finds the line of each value. Writing: see json_out.c.
 */
#include "base/json.h"

#include <jansson.h>

#include "base/file.h"

enum { DEPTH_MAX = 200 };

struct scanner {
    const char *at, *end;
    uint32_t line;
    const char *line_start;
};

static void skip_string(struct scanner *s)
{
    for (s->at++; s->at < s->end && *s->at != '"'; s->at++)
        if (*s->at == '\\')
            s->at++;
    s->at++;
}

/* Moves to the first byte of the next value or key. */
static void seek_token(struct scanner *s)
{
    for (; s->at < s->end; s->at++) {
        if (*s->at == '\n') {
            s->line++;
            s->line_start = s->at + 1;
        } else if (*s->at && !strchr(" \t\r,:]}", *s->at)) {
            return;
        }
    }
}

static void skip_scalar(struct scanner *s)
{
    if (*s->at == '"') {
        skip_string(s);
        return;
    }
    while (s->at < s->end && !strchr(" \t\r\n,:]}", *s->at))
        s->at++;
}

struct copy {
    struct arena *arena;
    struct scanner scan;
};

static struct str copy_string(struct arena *a, const json_t *from)
{
    struct str s = {json_string_value(from), json_string_length(from)};
    return (struct str){str_dup(a, s), s.n};
}

static void copy_value(struct copy *c, json_t *from, struct json *to);

static void copy_object(struct copy *c, json_t *from, struct json *to)
{
    to->kind = JSON_KIND_OBJECT;
    to->n = json_object_size(from);
    struct json *items = arena_new_array(c->arena, struct json, to->n);
    struct str *keys = arena_new_array(c->arena, struct str, to->n);
    size_t i = 0;
    for (void *it = json_object_iter(from); it; it = json_object_iter_next(from, it), i++) {
        seek_token(&c->scan);
        skip_string(&c->scan);
        const char *key = json_object_iter_key(it);
        keys[i] = (struct str){arena_strdup(c->arena, key), strlen(key)};
        copy_value(c, json_object_iter_value(it), &items[i]);
    }
    to->items = items;
    to->keys = keys;
}

static void copy_array(struct copy *c, json_t *from, struct json *to)
{
    to->kind = JSON_KIND_ARRAY;
    to->n = json_array_size(from);
    struct json *items = arena_new_array(c->arena, struct json, to->n);
    for (size_t i = 0; i < to->n; i++)
        copy_value(c, json_array_get(from, i), &items[i]);
    to->items = items;
}

static void copy_scalar(struct copy *c, const json_t *from, struct json *to)
{
    switch (json_typeof(from)) {
    case JSON_STRING:
        to->kind = JSON_KIND_STRING;
        to->string = copy_string(c->arena, from);
        break;
    case JSON_INTEGER:
        to->kind = JSON_KIND_INTEGER;
        to->integer = json_integer_value(from);
        to->real = (double)to->integer;
        break;
    case JSON_REAL:
        to->kind = JSON_KIND_REAL;
        to->real = json_real_value(from);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        to->kind = JSON_KIND_BOOL;
        to->truth = json_is_true(from);
        break;
    default:
        to->kind = JSON_KIND_NULL;
    }
    skip_scalar(&c->scan);
}

/* The caller has checked that the depth is at most DEPTH_MAX. */
static void copy_value(struct copy *c, json_t *from, struct json *to)
{
    seek_token(&c->scan);
    to->line = c->scan.line;
    to->column = (uint32_t)(c->scan.at - c->scan.line_start) + 1;
    if (json_is_object(from)) {
        c->scan.at++;
        copy_object(c, from, to);
    } else if (json_is_array(from)) {
        c->scan.at++;
        copy_array(c, from, to);
    } else {
        copy_scalar(c, from, to);
    }
}

static size_t deepest(struct str text)
{
    size_t depth = 0, most = 0;
    struct scanner s = {text.at, text.at + text.n, 1, text.at};
    while (s.at < s.end) {
        if (*s.at == '"') {
            skip_string(&s);
            continue;
        }
        if (*s.at == '{' || *s.at == '[') {
            depth++; /* not inside MAX, which evaluates it twice */
            most = MAX(most, depth);
        } else if ((*s.at == '}' || *s.at == ']') && depth) {
            depth--;
        }
        s.at++;
    }
    return most;
}

static bool parse(struct str text, const char *name, size_t flags, struct arena *a,
                  const struct json **out, struct err *e)
{
    json_error_t why;
    if (deepest(text) > DEPTH_MAX)
        return err_set(e, ERR_LIMIT, "%s: JSON nested deeper than %d", name, DEPTH_MAX);
    json_t *root =
        json_loadb(text.at, text.n, flags | JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &why);
    if (!root)
        return err_set(e, ERR_DATA, "%s:%d:%d: not JSON: %s", name, why.line, why.column, why.text);
    struct copy c = {a, {text.at, text.at + text.n, 1, text.at}};
    struct json *copy = arena_new(a, struct json);
    copy_value(&c, root, copy);
    json_decref(root);
    *out = copy;
    return true;
}

bool json_parse(struct str text, const char *name, struct arena *a, const struct json **out,
                struct err *e)
{
    return parse(text, name, 0, a, out, e);
}

bool json_parse_with_nul(struct str text, const char *name, struct arena *a,
                         const struct json **out, struct err *e)
{
    return parse(text, name, JSON_ALLOW_NUL, a, out, e);
}

bool json_read_file(const char *path, size_t max_bytes, struct arena *a, const struct json **out,
                    struct err *e)
{
    struct str text;
    return file_read(path, max_bytes, a, &text, e) && json_parse(text, path, a, out, e);
}

const struct json *json_member(const struct json *j, struct str key)
{
    if (!j || j->kind != JSON_KIND_OBJECT)
        return NULL;
    for (size_t i = 0; i < j->n; i++)
        if (str_eq(j->keys[i], key))
            return &j->items[i];
    return NULL;
}

const struct json *json_get(const struct json *j, const char *key)
{
    return json_member(j, str_of(key));
}

static const struct json *get_kind(const struct json *j, const char *key, enum json_kind kind)
{
    const struct json *v = json_get(j, key);
    return v && v->kind == kind ? v : NULL;
}

struct str json_get_str(const struct json *j, const char *key, struct str otherwise)
{
    const struct json *v = get_kind(j, key, JSON_KIND_STRING);
    return v ? v->string : otherwise;
}

int64_t json_get_i64(const struct json *j, const char *key, int64_t otherwise)
{
    const struct json *v = get_kind(j, key, JSON_KIND_INTEGER);
    return v ? v->integer : otherwise;
}

double json_get_double(const struct json *j, const char *key, double otherwise)
{
    const struct json *v = json_get(j, key);
    return v && (v->kind == JSON_KIND_REAL || v->kind == JSON_KIND_INTEGER) ? v->real : otherwise;
}

bool json_get_bool(const struct json *j, const char *key, bool otherwise)
{
    const struct json *v = get_kind(j, key, JSON_KIND_BOOL);
    return v ? v->truth : otherwise;
}

const char *json_kind_name(enum json_kind kind)
{
    static const char *const names[] = {"null",     "true or false", "an integer", "a number",
                                        "a string", "an array",      "an object"};
    return names[kind];
}

bool json_need(const struct json *j, const char *key, enum json_kind kind, const struct json **out,
               struct err *e)
{
    const struct json *v = json_get(j, key);
    if (!v)
        return err_set(e, ERR_DATA, "line %u: key \"%s\" is missing, %s is expected", j->line, key,
                       json_kind_name(kind));
    if (v->kind != kind)
        return err_set(e, ERR_DATA, "line %u: key \"%s\": %s is expected, got %s", v->line, key,
                       json_kind_name(kind), json_kind_name(v->kind));
    *out = v;
    return true;
}

bool json_need_str(const struct json *j, const char *key, struct str *out, struct err *e)
{
    const struct json *v = NULL;
    if (!json_need(j, key, JSON_KIND_STRING, &v, e))
        return false;
    *out = v->string;
    return true;
}

bool json_need_i64(const struct json *j, const char *key, int64_t *out, struct err *e)
{
    const struct json *v = NULL;
    if (!json_need(j, key, JSON_KIND_INTEGER, &v, e))
        return false;
    *out = v->integer;
    return true;
}

bool json_check_keys(const struct json *j, const char *const *known, size_t n_known, struct err *e)
{
    for (size_t i = 0; i < j->n; i++) {
        size_t k = 0;
        while (k < n_known && !str_is(j->keys[i], known[k]))
            k++;
        if (k < n_known)
            continue;
        const char *near = str_nearest(j->keys[i], known, n_known);
        return err_set(e, ERR_DATA, "line %u: unknown key \"" STR_FMT "\"%s%s%s", j->items[i].line,
                       STR_ARG(j->keys[i]), near ? ", did you mean \"" : "", near ? near : "",
                       near ? "\"?" : "");
    }
    return true;
}
