/*
 * Reads TOML 1.0.0 (toml.io/en/v1.0.0) in one pass. Later headers and dotted keys may add to any
 * table, so tables are growing nodes until the end, where they become the immutable tree.
 */
#include "base/toml.h"

#include "base/vec.h"

enum { DEPTH_MAX = 64 };

struct table_entry {
    struct str key;
    struct building *value;
};

struct building {
    struct json done;                /* complete for scalars; of others kind and line */
    VEC(struct table_entry) entries; /* JSON_KIND_OBJECT */
    VEC(struct building *) items;    /* JSON_KIND_ARRAY */
    bool is_header;                  /* named by a [header] */
    bool is_closed;                  /* inline table or literal array: takes nothing more */
};

struct reader {
    const char *at, *end;
    uint32_t line;
    const char *name;
    struct arena *arena;
    struct err *err;
};

static bool fail(struct reader *r, const char *what)
{
    return err_set(r->err, ERR_DATA, "%s:%u: not TOML: %s", r->name, r->line, what);
}

static int peek(const struct reader *r, size_t ahead)
{
    return (size_t)(r->end - r->at) > ahead ? (unsigned char)r->at[ahead] : -1;
}

static bool looking_at(const struct reader *r, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(r->end - r->at) >= n && memcmp(r->at, text, n) == 0;
}

static void skip_blanks(struct reader *r)
{
    while (peek(r, 0) == ' ' || peek(r, 0) == '\t')
        r->at++;
}

/* Skips blanks, comments and line ends. */
static void skip_lines(struct reader *r)
{
    for (;;) {
        int c = peek(r, 0);
        if (c == '#') {
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        } else if (c == '\n') {
            r->line++;
            r->at++;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            r->at++;
        } else {
            return;
        }
    }
}

static struct building *building_new(struct reader *r, enum json_kind kind)
{
    struct building *b = arena_new(r->arena, struct building);
    b->done.kind = kind;
    b->done.line = r->line;
    return b;
}

static struct building *table_find(const struct building *table, struct str key)
{
    for (size_t i = 0; i < table->entries.n; i++)
        if (str_eq(table->entries.at[i].key, key))
            return table->entries.at[i].value;
    return NULL;
}

static void add_utf8(struct strbuf *out, uint32_t c)
{
    if (c < 0x80) {
        strbuf_addc(out, (char)c);
    } else if (c < 0x800) {
        strbuf_addc(out, (char)(0xc0 | c >> 6));
        strbuf_addc(out, (char)(0x80 | (c & 63)));
    } else if (c < 0x10000) {
        strbuf_addc(out, (char)(0xe0 | c >> 12));
        strbuf_addc(out, (char)(0x80 | (c >> 6 & 63)));
        strbuf_addc(out, (char)(0x80 | (c & 63)));
    } else {
        strbuf_addc(out, (char)(0xf0 | c >> 18));
        strbuf_addc(out, (char)(0x80 | (c >> 12 & 63)));
        strbuf_addc(out, (char)(0x80 | (c >> 6 & 63)));
        strbuf_addc(out, (char)(0x80 | (c & 63)));
    }
}

static bool read_unicode_escape(struct reader *r, int n_digits, struct strbuf *out)
{
    uint32_t c = 0;
    for (int i = 0; i < n_digits; i++, r->at++) {
        int d = peek(r, 0);
        int v = d >= '0' && d <= '9'                 ? d - '0'
                : (d | 32) >= 'a' && (d | 32) <= 'f' ? (d | 32) - 'a' + 10
                                                     : -1;
        if (v < 0)
            return fail(r, "a hexadecimal digit is expected in the escape");
        c = c << 4 | (uint32_t)v;
    }
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return fail(r, "the escape is no Unicode scalar value");
    add_utf8(out, c);
    return true;
}

static bool read_escape(struct reader *r, bool multi_line, struct strbuf *out)
{
    static const char letters[] = "btnfr\"\\", values[] = "\b\t\n\f\r\"\\";
    int c = peek(r, 0);
    const char *hit = c > 0 ? strchr(letters, c) : NULL;
    if (multi_line && (c == '\n' || c == ' ' || c == '\t' || c == '\r')) {
        skip_blanks(r);
        if (peek(r, 0) != '\n' && peek(r, 0) != '\r')
            return fail(r, "unknown escape");
        while (peek(r, 0) == '\n' || peek(r, 0) == ' ' || peek(r, 0) == '\t' || peek(r, 0) == '\r')
            r->line += *r->at++ == '\n';
        return true;
    }
    r->at++;
    if (c == 'u' || c == 'U')
        return read_unicode_escape(r, c == 'u' ? 4 : 8, out);
    if (!hit)
        return fail(r, "unknown escape");
    strbuf_addc(out, values[hit - letters]);
    return true;
}

/* Reads a string from its opening quotes on. The four kinds differ in their end, their escapes, and
 * whether they may span lines. */
static bool read_string_into(struct reader *r, struct strbuf *out)
{
    char quote = *r->at;
    const char *three = quote == '"' ? "\"\"\"" : "'''";
    bool multi_line = looking_at(r, three);
    r->at += multi_line ? 3 : 1;
    if (multi_line && looking_at(r, "\r\n"))
        r->at++;
    if (multi_line && peek(r, 0) == '\n')
        r->at++, r->line++;
    for (;;) {
        int c = peek(r, 0);
        if (c < 0 || (c == '\n' && !multi_line))
            return fail(r, "the string does not end");
        if (multi_line ? looking_at(r, three) : c == quote) {
            r->at += multi_line ? 3 : 1;
            while (multi_line &&
                   peek(r, 0) == quote) /* up to two quotes may stand before the end */
                strbuf_addc(out, *r->at++);
            return true;
        }
        r->at++;
        if (c == '\\' && quote == '"') {
            if (!read_escape(r, multi_line, out))
                return false;
            continue;
        }
        r->line += c == '\n';
        strbuf_addc(out, (char)c);
    }
}

static bool read_string(struct reader *r, struct str *out)
{
    struct strbuf text = {0};
    bool ok = read_string_into(r, &text);
    *out = strbuf_dup(&text, r->arena);
    strbuf_done(&text);
    return ok;
}

static bool is_bare(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

static bool read_key(struct reader *r, struct str *out)
{
    skip_blanks(r);
    if (peek(r, 0) == '"' || peek(r, 0) == '\'')
        return read_string(r, out);
    const char *from = r->at;
    while (is_bare(peek(r, 0)))
        r->at++;
    *out = (struct str){from, (size_t)(r->at - from)};
    return out->n || fail(r, "a key is expected");
}

/* Reads a number, a date, or a bare word. */
static bool read_plain(struct reader *r, struct building *value)
{
    const char *from = r->at;
    while (is_bare(peek(r, 0)) || peek(r, 0) == '+' || peek(r, 0) == '.' || peek(r, 0) == ':' ||
           (peek(r, 0) == ' ' && r->at - from == 10 && from[4] == '-' && peek(r, 1) >= '0' &&
            peek(r, 1) <= '9'))
        r->at++;
    struct str word = {from, (size_t)(r->at - from)};
    struct json *out = &value->done;
    if (str_is(word, "true") || str_is(word, "false")) {
        out->kind = JSON_KIND_BOOL;
        out->truth = str_is(word, "true");
        return true;
    }
    char digits[64];
    size_t n = 0;
    for (size_t i = 0; i < word.n && n + 1 < sizeof digits; i++)
        if (word.at[i] != '_')
            digits[n++] = word.at[i];
    digits[n] = '\0';
    struct str number = {digits, n};
    char *end = digits;
    if (n > 2 && digits[0] == '0' && strchr("xob", digits[1]))
        out->integer = strtoll(digits + 2, &end, digits[1] == 'x' ? 16 : digits[1] == 'o' ? 8 : 2);
    if (end == digits + n || str_to_i64(number, &out->integer)) {
        out->kind = JSON_KIND_INTEGER;
        out->real = (double)out->integer;
        return n > 0 || fail(r, "a value is expected");
    }
    if (str_to_double(number, &out->real)) {
        out->kind = JSON_KIND_REAL;
        return true;
    }
    if (word.n >= 5 && word.at[0] >= '0' && word.at[0] <= '9' &&
        (memchr(word.at, '-', word.n) || memchr(word.at, ':', word.n))) {
        out->kind = JSON_KIND_STRING;
        out->string = (struct str){str_dup(r->arena, word), word.n};
        return true;
    }
    return fail(r, "a value is expected");
}

static bool read_value(struct reader *r, unsigned depth, struct building **out);
static bool read_pair(struct reader *r, struct building *table, unsigned depth);

static bool read_array(struct reader *r, unsigned depth, struct building *array)
{
    array->is_closed = true;
    for (r->at++;;) {
        struct building *item;
        skip_lines(r);
        if (peek(r, 0) == ']')
            break;
        if (!read_value(r, depth + 1, &item))
            return false;
        vec_push(&array->items, r->arena, item);
        skip_lines(r);
        if (peek(r, 0) == ',')
            r->at++;
        else if (peek(r, 0) != ']')
            return fail(r, "',' or ']' is expected");
    }
    r->at++;
    return true;
}

static bool read_inline_table(struct reader *r, unsigned depth, struct building *table)
{
    r->at++;
    skip_blanks(r);
    while (peek(r, 0) != '}') {
        if (!read_pair(r, table, depth + 1))
            return false;
        skip_blanks(r);
        if (peek(r, 0) == ',')
            r->at++;
        else if (peek(r, 0) != '}')
            return fail(r, "',' or '}' is expected");
        skip_blanks(r);
    }
    r->at++;
    table->is_closed = true;
    return true;
}

static bool read_value(struct reader *r, unsigned depth, struct building **out)
{
    int c = peek(r, 0);
    if (depth > DEPTH_MAX)
        return fail(r, "nested deeper than 64");
    *out = building_new(r, c == '['   ? JSON_KIND_ARRAY
                           : c == '{' ? JSON_KIND_OBJECT
                                      : JSON_KIND_STRING);
    if (c == '[')
        return read_array(r, depth, *out);
    if (c == '{')
        return read_inline_table(r, depth, *out);
    if (c == '"' || c == '\'')
        return read_string(r, &(*out)->done.string);
    return read_plain(r, *out);
}

/* Moves *table to the table of a key, which is made if absent; of an array of tables the last. */
static bool step_into(struct reader *r, struct building **table, struct str key)
{
    struct building *next = table_find(*table, key);
    if (!next) {
        next = building_new(r, JSON_KIND_OBJECT);
        vec_push(&(*table)->entries, r->arena,
                 (struct table_entry){{str_dup(r->arena, key), key.n}, next});
    }
    if (next->done.kind == JSON_KIND_ARRAY && !next->is_closed)
        next = vec_last(&next->items);
    if (next->done.kind != JSON_KIND_OBJECT || next->is_closed)
        return fail(r, "the key already has a value");
    *table = next;
    return true;
}

/* Follows a dotted key up to its last part, which *last gets. */
static bool walk_key(struct reader *r, struct building **table, struct str *last)
{
    for (;;) {
        if (!read_key(r, last))
            return false;
        skip_blanks(r);
        if (peek(r, 0) != '.')
            return true;
        r->at++;
        if (!step_into(r, table, *last))
            return false;
    }
}

static bool read_pair(struct reader *r, struct building *table, unsigned depth)
{
    struct str key;
    struct building *value;
    if (!walk_key(r, &table, &key))
        return false;
    if (peek(r, 0) != '=')
        return fail(r, "'=' is expected after the key");
    r->at++;
    skip_blanks(r);
    if (table_find(table, key))
        return fail(r, "the key already has a value");
    if (!read_value(r, depth, &value))
        return false;
    vec_push(&table->entries, r->arena,
             (struct table_entry){{str_dup(r->arena, key), key.n}, value});
    return true;
}

static bool read_header(struct reader *r, struct building *root, struct building **current)
{
    bool is_array = looking_at(r, "[[");
    struct building *table = root;
    struct str key;
    r->at += is_array ? 2 : 1;
    if (!walk_key(r, &table, &key))
        return false;
    if (!looking_at(r, is_array ? "]]" : "]"))
        return fail(r, "']' is expected after the table's name");
    r->at += is_array ? 2 : 1;
    if (is_array) {
        struct building *array = table_find(table, key);
        if (!array) {
            array = building_new(r, JSON_KIND_ARRAY);
            vec_push(&table->entries, r->arena,
                     (struct table_entry){{str_dup(r->arena, key), key.n}, array});
        }
        if (array->done.kind != JSON_KIND_ARRAY || array->is_closed)
            return fail(r, "the key already has a value");
        *current = building_new(r, JSON_KIND_OBJECT);
        vec_push(&array->items, r->arena, *current);
        return true;
    }
    if (!step_into(r, &table, key))
        return false;
    if (table->is_header)
        return fail(r, "the table is defined twice");
    table->is_header = true;
    *current = table;
    return true;
}

/* Turns growing nodes into the tree. The depth of values is at most DEPTH_MAX; that of headers and
 * dotted keys depends on their lines and is checked here. */
static bool finish(struct reader *r, const struct building *from, unsigned depth, struct json *to)
{
    if (depth > 2 * DEPTH_MAX)
        return fail(r, "nested deeper than 128");
    *to = from->done;
    bool is_object = from->done.kind == JSON_KIND_OBJECT;
    to->n = is_object ? from->entries.n : from->items.n;
    struct json *items = arena_new_array(r->arena, struct json, to->n);
    struct str *keys = arena_new_array(r->arena, struct str, to->n);
    for (size_t i = 0; i < to->n; i++) {
        if (is_object)
            keys[i] = from->entries.at[i].key;
        if (!finish(r, is_object ? from->entries.at[i].value : from->items.at[i], depth + 1,
                    &items[i]))
            return false;
    }
    to->items = items;
    to->keys = is_object ? keys : NULL;
    return true;
}

bool toml_parse(struct str text, const char *name, struct arena *a, const struct json **out,
                struct err *e)
{
    struct reader r = {text.at, text.at + text.n, 1, name, a, e};
    struct building *root = building_new(&r, JSON_KIND_OBJECT), *current = root;
    for (skip_lines(&r); r.at < r.end; skip_lines(&r)) {
        if (!(*r.at == '[' ? read_header(&r, root, &current) : read_pair(&r, current, 0)))
            return false;
        skip_blanks(&r);
        if (r.at < r.end && !strchr("\n\r#", *r.at))
            return fail(&r, "the line should end here");
    }
    struct json *done = arena_new(a, struct json);
    *out = done;
    return finish(&r, root, 0, done);
}
