/*
 * Finds parameter names in documented signatures that no call accepts. Must not know frameworks
 * beyond their schemas. Invariant: a name that some schema has is never a finding.
 */
#include "documents/names.h"

#include "documents/schema.h"

/* Parameter names that Python calls accept and schemas do not list. */
static bool is_always_accepted(struct str name)
{
    static const char *const names[] = {"input",    "self",       "out",           "dtype",
                                        "device",   "layout",     "requires_grad", "axis",
                                        "keepdims", "pin_memory", "memory_format", "x",
                                        "x2",       "args",       "kwargs"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (str_is(name, names[i]))
            return true;
    return false;
}

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.at[i];
        bool letter = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(i && str_is_digit(c)))
            return false;
    }
    return s.n > 0;
}

static bool some_schema_has(const struct api_record *r, struct str name)
{
    for (size_t i = 0; i < r->n_schemas; i++) {
        struct schema s;
        schema_read(r->schemas[i], &s);
        for (size_t k = 0; k < s.n; k++)
            if (str_eq(s.at[k].name, name))
                return true;
    }
    return false;
}

/* The first schema's name at a documented position; signatures of methods leave out self. */
static struct str name_at(const struct api_record *r, size_t at)
{
    struct schema s;
    at += str_is(r->kind, "method");
    schema_read(r->schemas[0], &s);
    return at < s.n ? s.at[at].name : STR("");
}

/* The text in parentheses of "div(value, *, rounding_mode=None) -> Tensor"; "": no such line. */
static struct str parameters_of(const struct api_record *r, struct str line)
{
    struct str s = str_trim(line);
    if (str_starts(s, STR(".. function:: ")))
        s = str_sub(s, 14, s.n);
    size_t open = str_find_byte(s, '('), close = str_find(s, STR(") -> "));
    struct str name = str_sub(s, 0, open);
    bool ours = name.n && str_ends(r->name, name) &&
                (name.n == r->name.n || r->name.at[r->name.n - name.n - 1] == '.');
    return ours && open < close && close < s.n ? str_sub(s, open + 1, close) : STR("");
}

static void check_line(const struct api_record *r, struct str line, struct arena *a,
                       struct name_findings *out, size_t *n_compared)
{
    struct str rest = parameters_of(r, line), part;
    size_t at = 0;
    if (!rest.n || str_find_byte(rest, ':') < rest.n)
        return;
    for (; str_split(&rest, ',', &part); at++) {
        struct str name = str_trim(str_sub(part, 0, str_find_byte(part, '=')));
        if (!is_name(name) || is_always_accepted(name))
            continue;
        ++*n_compared;
        if (some_schema_has(r, name))
            continue;
        struct name_finding f = {r, name, str_trim(line), name_at(r, at)};
        vec_push(out, a, f);
    }
}

void names_check(const struct api_record *r, struct arena *a, struct name_findings *out,
                 size_t *n_compared)
{
    struct str rest = r->doc, line;
    if (r->has_signature || !r->n_schemas)
        return;
    while (str_split(&rest, '\n', &line))
        check_line(r, line, a, out, n_compared);
}
