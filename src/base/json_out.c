/* Writes JSON: the order of calls decides commas and indentation; text is made valid UTF-8. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"

struct json_out json_open(struct strbuf *to, enum json_style style)
{
    return (struct json_out){.to = to, .style = style};
}

static void new_line(struct json_out *w)
{
    if (w->style == JSON_COMPACT)
        return;
    strbuf_addc(w->to, '\n');
    for (unsigned i = 0; i < w->depth; i++)
        strbuf_adds(w->to, "  ");
}

/* Writes the comma, line break and indentation that come before a value or key. */
static void before(struct json_out *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    if (w->depth == 0)
        return;
    if (w->has_items[w->depth])
        strbuf_addc(w->to, ',');
    w->has_items[w->depth] = true;
    new_line(w);
}

static void begin(struct json_out *w, char bracket)
{
    before(w);
    strbuf_addc(w->to, bracket);
    if (w->depth + 1 >= JSON_OUT_DEPTH_MAX)
        abort(); /* the writer's nesting is fixed by the program, never by data */
    w->has_items[++w->depth] = false;
}

static void end(struct json_out *w, char bracket)
{
    bool had_items = w->has_items[w->depth--];
    if (had_items)
        new_line(w);
    strbuf_addc(w->to, bracket);
}

void json_begin_object(struct json_out *w)
{
    begin(w, '{');
}

void json_end_object(struct json_out *w)
{
    end(w, '}');
}

void json_begin_array(struct json_out *w)
{
    begin(w, '[');
}

void json_end_array(struct json_out *w)
{
    end(w, ']');
}

/* The bytes of the UTF-8 sequence at the start of s (RFC 3629); 0: it is none. */
static size_t utf8_length(struct str s)
{
    const unsigned char *b = (const unsigned char *)s.at;
    size_t n = b[0] < 0x80   ? 1
               : b[0] < 0xc2 ? 0
               : b[0] < 0xe0 ? 2
               : b[0] < 0xf0 ? 3
               : b[0] < 0xf5 ? 4
                             : 0;
    if (n == 0 || n > s.n)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((b[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (b[0] == 0xe0 && b[1] < 0xa0) || (b[0] == 0xf0 && b[1] < 0x90);
    bool surrogate = b[0] == 0xed && b[1] >= 0xa0;
    bool too_large = b[0] == 0xf4 && b[1] >= 0x90;
    return overlong || surrogate || too_large ? 0 : n;
}

static void put_quoted(struct strbuf *to, struct str s)
{
    static const char escapes[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
    strbuf_addc(to, '"');
    while (s.n) {
        size_t n = utf8_length(s);
        const char *escape = s.at[0] ? strchr(escapes, s.at[0]) : NULL;
        if (escape) {
            strbuf_addc(to, '\\');
            strbuf_addc(to, letters[escape - escapes]);
        } else if (n == 0) {
            strbuf_adds(to, "\xef\xbf\xbd");
        } else if ((unsigned char)s.at[0] < 0x20) {
            strbuf_printf(to, "\\u%04x", (unsigned)s.at[0]);
        } else {
            strbuf_add(to, s.at, n);
        }
        n = MAX(n, (size_t)1);
        s = str_sub(s, n, s.n);
    }
    strbuf_addc(to, '"');
}

void json_key(struct json_out *w, const char *key)
{
    before(w);
    put_quoted(w->to, str_of(key));
    strbuf_adds(w->to, w->style == JSON_PRETTY ? ": " : ":");
    w->after_key = true;
}

void json_put_str(struct json_out *w, struct str s)
{
    before(w);
    put_quoted(w->to, s);
}

void json_put_cstr(struct json_out *w, const char *s)
{
    if (s)
        json_put_str(w, str_of(s));
    else
        json_put_null(w);
}

void json_put_raw(struct json_out *w, struct str text)
{
    before(w);
    strbuf_addstr(w->to, text);
}

void json_put_i64(struct json_out *w, int64_t v)
{
    before(w);
    strbuf_printf(w->to, "%" PRId64, v);
}

void json_put_u64(struct json_out *w, uint64_t v)
{
    before(w);
    strbuf_printf(w->to, "%" PRIu64, v);
}

void json_put_double(struct json_out *w, double v)
{
    before(w);
    if (!isfinite(v)) {
        strbuf_adds(w->to, isnan(v) ? "\"nan\"" : v > 0 ? "\"inf\"" : "\"-inf\"");
        return;
    }
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v)
            break;
    }
    strbuf_adds(w->to, text);
    if (!strpbrk(text, ".e"))
        strbuf_adds(w->to, ".0");
}

void json_put_bool(struct json_out *w, bool v)
{
    before(w);
    strbuf_adds(w->to, v ? "true" : "false");
}

void json_put_null(struct json_out *w)
{
    before(w);
    strbuf_adds(w->to, "null");
}

void json_pair_str(struct json_out *w, const char *key, struct str s)
{
    json_key(w, key);
    json_put_str(w, s);
}

void json_pair_cstr(struct json_out *w, const char *key, const char *s)
{
    json_key(w, key);
    json_put_cstr(w, s);
}

void json_pair_i64(struct json_out *w, const char *key, int64_t v)
{
    json_key(w, key);
    json_put_i64(w, v);
}

void json_pair_u64(struct json_out *w, const char *key, uint64_t v)
{
    json_key(w, key);
    json_put_u64(w, v);
}

void json_pair_double(struct json_out *w, const char *key, double v)
{
    json_key(w, key);
    json_put_double(w, v);
}

void json_pair_bool(struct json_out *w, const char *key, bool v)
{
    json_key(w, key);
    json_put_bool(w, v);
}

static void put_scalar(struct json_out *w, const struct json *j)
{
    switch (j->kind) {
    case JSON_KIND_BOOL:
        json_put_bool(w, j->truth);
        return;
    case JSON_KIND_INTEGER:
        json_put_i64(w, j->integer);
        return;
    case JSON_KIND_REAL:
        json_put_double(w, j->real);
        return;
    case JSON_KIND_STRING:
        json_put_str(w, j->string);
        return;
    default:
        json_put_null(w);
    }
}

/* Keeps a stack of open lists and objects instead of recursing. */
void json_put_json(struct json_out *w, const struct json *j)
{
    struct {
        const struct json *list;
        size_t at;
    } open[JSON_OUT_DEPTH_MAX];
    size_t depth = 0;
    for (;;) {
        if (j->kind == JSON_KIND_ARRAY || j->kind == JSON_KIND_OBJECT) {
            begin(w, j->kind == JSON_KIND_ARRAY ? '[' : '{');
            open[depth].list = j;
            open[depth++].at = 0;
        } else {
            put_scalar(w, j);
        }
        while (depth && open[depth - 1].at == open[depth - 1].list->n)
            end(w, open[--depth].list->kind == JSON_KIND_ARRAY ? ']' : '}');
        if (!depth)
            return;
        const struct json *list = open[depth - 1].list;
        size_t at = open[depth - 1].at++;
        if (list->kind == JSON_KIND_OBJECT) {
            struct strbuf key = {0};
            strbuf_addstr(&key, list->keys[at]);
            json_key(w, key.at ? key.at : "");
            strbuf_done(&key);
        }
        j = &list->items[at];
    }
}
