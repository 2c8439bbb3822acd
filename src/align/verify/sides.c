/*
 * Decides which public symbols of a framework take part in an alignment. Must not know what they
 * do.
 */
#include "align/verify/sides.h"

#include <ctype.h>

#include "base/json.h"
#include "base/share.h"

enum { SUMMARY_MAX = 400, OVERLOADS_MAX = 8 };

/* An empty array if the key is absent. */
static struct text_array read_texts(const struct json *j, const char *key, struct arena *a)
{
    const struct json *list = json_get(j, key);
    size_t n = list && list->kind == JSON_KIND_ARRAY ? list->n : 0;
    struct str *at = arena_new_array(a, struct str, n);
    for (size_t i = 0; i < n; i++)
        at[i] = list->items[i].string;
    return (struct text_array){at, n};
}

struct side *sides_find(const struct sides *s, struct str name)
{
    for (size_t i = 0; i < s->n; i++)
        if (str_eq(s->at[i].name, name))
            return &s->at[i];
    return NULL;
}

/* A side that is the same library as one before has its symbols. */
static bool read_side(const struct json *j, const struct sides *before, struct arena *a,
                      struct side *out, struct err *e)
{
    struct str of = json_get_str(j, "of", STR(""));
    const struct side *same = of.n ? sides_find(before, of) : NULL;
    if (of.n && !same)
        return err_set(e, ERR_DATA, "line %u: of what side before it is expected", j->line);
    *out = same ? *same
                : (struct side){.also = read_texts(j, "also", a),
                                .use = read_texts(j, "use", a),
                                .classes = read_texts(j, "classes", a),
                                .leave = read_texts(j, "leave", a),
                                .keep = read_texts(j, "keep", a)};
    out->of = of;
    out->also = same ? (struct text_array){0} : out->also;
    out->is_slow = json_get_bool(j, "slow", false);
    const struct json *backends = json_get(j, "backends");
    out->backend_folder = json_get_str(backends, "folder", STR(""));
    out->backend_of = json_get_str(backends, "of", STR(""));
    out->backend_files = read_texts(backends, "files", a);
    return json_need_str(j, "side", &out->name, e) && json_need_str(j, "engine", &out->engine, e) &&
           json_need_str(j, "opens", &out->opens, e) &&
           json_need_str(j, "records", &out->records, e);
}

bool sides_load(struct arena *a, struct sides *out, struct err *e)
{
    const struct json *root, *list, *pairs;
    *out = (struct sides){0};
    if (!share_json("align/sides.json", a, &root, e) ||
        !json_need(root, "sides", JSON_KIND_ARRAY, &list, e) ||
        !json_need(root, "pairs", JSON_KIND_ARRAY, &pairs, e))
        return false;
    out->at = arena_new_array(a, struct side, list->n);
    for (size_t i = 0; i < list->n; i++, out->n++)
        if (!read_side(&list->items[i], out, a, &out->at[i], e))
            return false;
    for (size_t i = 0; i < pairs->n; i++) {
        const struct json *two = &pairs->items[i];
        struct side *x = two->n == 2 ? sides_find(out, two->items[0].string) : NULL;
        struct side *y = x ? sides_find(out, two->items[1].string) : NULL;
        if (!y)
            return err_set(e, ERR_DATA, "line %u: a pair of two sides is expected", two->line);
        vec_push(&out->pairs, a, (struct side_pair){(size_t)(x - out->at), (size_t)(y - out->at)});
    }
    return true;
}

/* Records ---------------------------------------------------------------------------------------*/

static bool is_member(struct str name, const struct text_array *prefixes)
{
    for (size_t i = 0; i < prefixes->n; i++) {
        struct str p = prefixes->at[i];
        if (str_starts(name, p) && str_find_byte(str_sub(name, p.n, name.n), '.') == name.n - p.n)
            return true;
    }
    return false;
}

static bool is_listed(struct str name, const struct text_array *patterns)
{
    for (size_t i = 0; i < patterns->n; i++)
        if (str_like(name, patterns->at[i], false))
            return true;
    return false;
}

static bool has_listed(const struct text_array *names, const struct text_array *patterns)
{
    for (size_t i = 0; i < names->n; i++)
        if (is_listed(names->at[i], patterns))
            return true;
    return false;
}

/* Users write tf for tensorflow. */
struct str side_short_name(struct str name, struct arena *a)
{
    if (!str_starts(name, STR("tensorflow.")))
        return str_of(str_dup(a, name));
    return str_of(arena_printf(a, "tf." STR_FMT, STR_ARG(str_sub(name, 11, name.n))));
}

static struct text_array parameters_of(const struct json *record, struct arena *a)
{
    const struct json *list = json_get(json_get(record, "signature"), "parameters");
    VEC(struct str) names = {0};
    for (size_t i = 0; list && i < list->n; i++) {
        struct str kind = json_get_str(&list->items[i], "kind", STR(""));
        if (!str_starts(kind, STR("VAR_")))
            vec_push(&names, a, str_of(str_dup(a, json_get_str(&list->items[i], "name", STR("")))));
    }
    return (struct text_array){names.at, names.n};
}

/* Parameter names of "aten::sum.dim(Tensor self, int[1]? dim, *, ScalarType? dtype=None)". */
static struct text_array schema_parameters(struct str schema, struct arena *a)
{
    size_t open = str_find_byte(schema, '('), end = open;
    VEC(struct str) names = {0};
    int depth = 0;
    for (size_t from = open + 1; end < schema.n; end++) {
        char c = schema.at[end];
        depth += c == '(' || c == '[';
        depth -= c == ')' || c == ']';
        if (depth > 1 || (c != ',' && depth > 0))
            continue;
        struct str one = str_trim(str_sub(schema, from, end));
        one = str_sub(one, 0, str_find_byte(one, '='));
        size_t space = one.n;
        while (space > 0 && one.at[space - 1] != ' ')
            space--;
        if (space > 0)
            vec_push(&names, a, str_of(str_dup(a, str_sub(one, space, one.n))));
        from = end + 1;
        if (depth <= 0)
            break;
    }
    return (struct text_array){names.at, names.n};
}

static struct str summary_of(struct str doc, struct arena *a)
{
    size_t at = str_find(doc, STR("\n\n"));
    struct str first = str_sub(doc, 0, at);
    /* Documents of builtins begin with their signature. */
    if (str_find(first, STR("->")) < first.n || str_find_byte(first, '(') < MIN(first.n, 40)) {
        struct str rest = str_trim(str_sub(doc, at, doc.n));
        first = str_sub(rest, 0, str_find(rest, STR("\n\n")));
    }
    return str_of(str_dup(a, str_sub(first, 0, SUMMARY_MAX)));
}

static void add_symbol(struct side *s, const struct json *record, struct arena *a)
{
    const struct json *names = json_get(record, "names"), *schemas = json_get(record, "schemas");
    struct str kind = json_get_str(record, "kind", STR(""));
    bool is_class = str_is(kind, "class");
    struct symbol one = {.is_class = is_class};
    if (!names || (!is_class && !str_is(kind, "function") && !str_is(kind, "method")))
        return;
    struct str *all = arena_new_array(a, struct str, names->n);
    for (size_t i = 0; i < names->n; i++) {
        all[i] = side_short_name(names->items[i].string, a);
        bool fits = is_member(all[i], is_class ? &s->classes : &s->use) &&
                    (!is_listed(all[i], &s->leave) || is_listed(all[i], &s->keep));
        if (fits && !one.name.n)
            one.name = all[i];
    }
    one.names = (struct text_array){all, names->n};
    if (!one.name.n || (s->only.n && !has_listed(&one.names, &s->only)))
        return;
    one.op = str_of(str_dup(a, json_get_str(record, "op", STR(""))));
    one.summary = summary_of(json_get_str(record, "doc", STR("")), a);
    one.parameters = parameters_of(record, a);
    one.n_overloads = schemas ? MIN(schemas->n, (size_t)OVERLOADS_MAX) : 0;
    one.overloads = arena_new_array(a, struct text_array, one.n_overloads);
    for (size_t i = 0; i < one.n_overloads; i++)
        one.overloads[i] = schema_parameters(schemas->items[i].string, a);
    for (size_t i = 0; i < one.names.n; i++)
        map_put(&s->by_name, a, all[i], s->symbols.n);
    vec_push(&s->symbols, a, one);
}

bool side_read_records(struct side *s, struct str lines, struct arena *a, struct err *e)
{
    struct str rest = lines, line;
    bool first = true;
    while (str_split(&rest, '\n', &line)) {
        struct arena own;
        const struct json *j;
        if (!line.n)
            continue;
        arena_init(&own);
        bool ok = json_parse(line, "records", &own, &j, e);
        if (ok && first)
            s->version = str_of(str_dup(a, json_get_str(j, "version", STR(""))));
        else if (ok)
            add_symbol(s, j, a);
        first = false;
        arena_done(&own);
        if (!ok)
            return err_wrap(e, "records of " STR_FMT, STR_ARG(s->name));
    }
    return s->symbols.n > 0 ||
           err_set(e, s->only.n ? ERR_USAGE : ERR_DATA, STR_FMT " has no public symbol%s",
                   STR_ARG(s->name), s->only.n ? " of the names that --symbol gives" : "");
}

const struct symbol *side_symbol(const struct side *s, struct str name)
{
    const uint64_t *at = map_get(&s->by_name, name);
    return at ? &s->symbols.at[*at] : NULL;
}
