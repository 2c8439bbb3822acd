/*
 * JSON (RFC 8259): reading through jansson into a tree in an arena, and writing as a stream of
 * calls.
 *
 *     const struct json *root;
 *     struct str name;
 *     if (!json_parse(text, "rule.json", arena, &root, e)) ...  // "rule.json:3:14: '}' expected"
 *     if (!json_need_str(root, "name", &name, e)) ...           // "line 1: key "name": a string"
 *     for (size_t i = 0; i < root->n; i++) use(root->keys[i], &root->items[i]);
 *
 *     struct json_out w = json_open(&buffer, JSON_PRETTY);
 *     json_begin_object(&w);
 *     json_key(&w, "nodes");
 *     json_put_i64(&w, 13);
 *     json_end_object(&w);
 *
 * A tree is immutable; each value knows its line. Duplicate keys, depth over 200 and non-UTF-8 are
 * refused. Numbers of tensors never travel as JSON text.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum json_kind {
    JSON_KIND_NULL,
    JSON_KIND_BOOL,
    JSON_KIND_INTEGER,
    JSON_KIND_REAL,
    JSON_KIND_STRING,
    JSON_KIND_ARRAY,
    JSON_KIND_OBJECT
};

struct json {
    enum json_kind kind;
    uint32_t line;            /* from 1, where the value begins */
    uint32_t column;          /* from 1, in bytes */
    bool truth;               /* JSON_KIND_BOOL */
    int64_t integer;          /* JSON_KIND_INTEGER */
    double real;              /* JSON_KIND_REAL and JSON_KIND_INTEGER */
    struct str string;        /* JSON_KIND_STRING: UTF-8, followed by a NUL */
    size_t n;                 /* of items */
    const struct json *items; /* JSON_KIND_ARRAY, JSON_KIND_OBJECT, in order of the text */
    const struct str *keys;   /* JSON_KIND_OBJECT, in order of the text */
};

/* name: for messages. The tree holds copies, so the text may be freed. */
bool json_parse(struct str text, const char *name, struct arena *a, const struct json **out,
                struct err *e);
/* Like json_parse, but strings may hold NUL: for texts of files, which have a length. */
bool json_parse_with_nul(struct str text, const char *name, struct arena *a,
                         const struct json **out, struct err *e);
bool json_read_file(const char *path, size_t max_bytes, struct arena *a, const struct json **out,
                    struct err *e);

/* The value of a key; NULL: j is no object or lacks the key. */
const struct json *json_get(const struct json *j, const char *key);
const struct json *json_member(const struct json *j, struct str key);

/* The value of a key, or `otherwise` if it is absent or of another kind. */
struct str json_get_str(const struct json *j, const char *key, struct str otherwise);
int64_t json_get_i64(const struct json *j, const char *key, int64_t otherwise);
double json_get_double(const struct json *j, const char *key, double otherwise);
bool json_get_bool(const struct json *j, const char *key, bool otherwise);

/* The key must be there with this kind; the message gives line, key, expected and got. */
bool json_need(const struct json *j, const char *key, enum json_kind kind, const struct json **out,
               struct err *e);
bool json_need_str(const struct json *j, const char *key, struct str *out, struct err *e);
bool json_need_i64(const struct json *j, const char *key, int64_t *out, struct err *e);

/* ERR_DATA: a key is none of `known`; the message names the nearest of these. */
bool json_check_keys(const struct json *j, const char *const *known, size_t n_known, struct err *e);

const char *json_kind_name(enum json_kind kind); /* "a string", "an object", ... */

enum json_style { JSON_COMPACT, JSON_PRETTY };
enum { JSON_OUT_DEPTH_MAX = 64 };

struct json_out {
    struct strbuf *to;
    enum json_style style;
    unsigned depth;
    bool has_items[JSON_OUT_DEPTH_MAX];
    bool after_key;
};

struct json_out json_open(struct strbuf *to, enum json_style style);
void json_begin_object(struct json_out *w);
void json_end_object(struct json_out *w);
void json_begin_array(struct json_out *w);
void json_end_array(struct json_out *w);
void json_key(struct json_out *w, const char *key);
void json_put_str(struct json_out *w, struct str s);   /* bytes that are not UTF-8 become U+FFFD */
void json_put_cstr(struct json_out *w, const char *s); /* NULL writes null */
void json_put_i64(struct json_out *w, int64_t v);
void json_put_u64(struct json_out *w, uint64_t v);
void json_put_double(struct json_out *w,
                     double v); /* shortest text that reads back as v, or "nan", "inf", "-inf" */
void json_put_bool(struct json_out *w, bool v);
void json_put_null(struct json_out *w);

/* Writes a value that was read: only for data of ours, since its depth must not exceed
 * JSON_OUT_DEPTH_MAX. */
void json_put_json(struct json_out *w, const struct json *j);
void json_put_raw(struct json_out *w, struct str text); /* text: one value, already JSON */

/* key and value in one call */
void json_pair_str(struct json_out *w, const char *key, struct str s);
void json_pair_cstr(struct json_out *w, const char *key, const char *s);
void json_pair_i64(struct json_out *w, const char *key, int64_t v);
void json_pair_u64(struct json_out *w, const char *key, uint64_t v);
void json_pair_double(struct json_out *w, const char *key, double v);
void json_pair_bool(struct json_out *w, const char *key, bool v);

#endif
