/*
 * Compiles JSON to predicates: captures become numbers, names become words and paths, a guard's
 * name is replaced by its predicates. Every message gives the file, the line and what was expected.
 *
 * Invariant: after compiling, no name is looked up as text again.
 */
#include "lint/rule_p.h"

uint32_t rule_set__word(struct rule_set *s, struct str text)
{
    return py_parser_word(s->parser, text);
}

uint32_t rule_set__path(struct rule_set *s, struct str dotted)
{
    return paths_add(s->paths, dotted);
}

bool compile__fail(const struct compile *c, const struct json *j, struct err *e, const char *fmt,
                   ...)
{
    struct strbuf text = {0};
    va_list args;
    va_start(args, fmt);
    strbuf_vprintf(&text, fmt, args);
    va_end(args);
    err_set(e, ERR_DATA, "%s:%u:%u: %s", c->file, j->line, j->column, text.at ? text.at : "");
    strbuf_done(&text);
    return false;
}

/* Inside a guard a capture is the caller's, or the guard's own under a name that no other has. */
static struct str renamed(struct compile *c, struct str name)
{
    if (!c->renames)
        return name;
    for (size_t i = 0; i < c->renames->n; i++)
        if (c->renames->kind == JSON_KIND_OBJECT && str_eq(c->renames->keys[i], name))
            return c->renames->items[i].string;
    return name;
}

static bool capture_number(struct compile *c, const struct json *j, uint8_t *out, struct err *e)
{
    if (j->kind != JSON_KIND_STRING || j->string.n < 2 || j->string.at[0] != '$')
        return compile__fail(c, j, e, "a capture such as \"$model\" is expected, got %s",
                             json_kind_name(j->kind));
    bool added;
    uint64_t *at = map_at(&c->captures, c->arena, renamed(c, j->string), &added);
    if (added && c->n_captures == CAPTURES_MAX)
        return compile__fail(c, j, e, "more than %d captures in one check", CAPTURES_MAX);
    if (added)
        *at = c->n_captures++;
    *out = (uint8_t)*at;
    return true;
}

bool compile__capture(struct compile *c, const struct json *j, const char *key, uint8_t *out,
                      struct err *e)
{
    const struct json *v = json_get(j, key);
    *out = CAPTURE_NO;
    return !v || v->kind == JSON_KIND_NULL || capture_number(c, v, out, e);
}

bool compile__need_capture(struct compile *c, const struct json *j, const char *key, uint8_t *out,
                           struct err *e)
{
    const struct json *v = json_get(j, key);
    if (!v || v->kind == JSON_KIND_NULL)
        return compile__fail(c, j, e, "key \"%s\" with a capture is expected", key);
    return compile__capture(c, j, key, out, e);
}

bool compile__strings(struct compile *c, const struct json *j, const char *key,
                      const struct str **out, size_t *n, struct err *e)
{
    const struct json *v = json_get(j, key);
    *out = NULL;
    *n = 0;
    if (!v)
        return true;
    if (v->kind != JSON_KIND_STRING && v->kind != JSON_KIND_ARRAY)
        return compile__fail(c, v, e,
                             "key \"%s\": a string or a list of strings is expected, got %s", key,
                             json_kind_name(v->kind));
    *n = v->kind == JSON_KIND_ARRAY ? v->n : 1;
    struct str *list = arena_new_array(c->arena, struct str, *n);
    for (size_t i = 0; i < *n; i++) {
        const struct json *item = v->kind == JSON_KIND_ARRAY ? &v->items[i] : v;
        if (item->kind != JSON_KIND_STRING)
            return compile__fail(c, item, e, "key \"%s\": a string is expected, got %s", key,
                                 json_kind_name(item->kind));
        list[i] = (struct str){str_dup(c->arena, item->string), item->string.n};
    }
    *out = list;
    return true;
}

bool compile__words(struct compile *c, const struct json *j, const char *key, uint32_t **out,
                    size_t *n, struct err *e)
{
    const struct str *list;
    if (!compile__strings(c, j, key, &list, n, e))
        return false;
    *out = arena_new_array(c->arena, uint32_t, *n);
    for (size_t i = 0; i < *n; i++)
        (*out)[i] = rule_set__word(c->set, list[i]);
    return true;
}

/* Reads a list of names into bits; `fn` looks each up in a table. */
#define BITS(fn, type, expression)                                                                 \
    const struct str *list;                                                                        \
    size_t n;                                                                                      \
    *out = 0;                                                                                      \
    if (!compile__strings(c, j, key, &list, &n, e))                                                \
        return false;                                                                              \
    for (size_t i = 0; i < n; i++) {                                                               \
        type one;                                                                                  \
        if (!fn(list[i], &one))                                                                    \
            return compile__fail(c, json_get(j, key), e, "\"" STR_FMT "\" is no %s",               \
                                 STR_ARG(list[i]), key);                                           \
        *out |= (expression);                                                                      \
    }                                                                                              \
    return true

bool compile__roles(struct compile *c, const struct json *j, const char *key, uint64_t *out,
                    struct err *e)
{
    BITS(role_from_name, enum role, UINT64_C(1) << one);
}

bool compile__types(struct compile *c, const struct json *j, const char *key, uint64_t *out,
                    struct err *e)
{
    BITS(type_from_name, enum value_type, UINT64_C(1) << one);
}

bool compile__traits(struct compile *c, const struct json *j, const char *key, uint64_t *out,
                     struct err *e)
{
    BITS(trait_from_name, uint64_t, one);
}

bool compile__domains(struct compile *c, const struct json *j, const char *key, uint64_t *out,
                      struct err *e)
{
    BITS(domain_from_name, enum domain, UINT64_C(1) << one);
}

/* The "with" of a guard used inside a guard names captures of the outer one: they are renamed
 * first. */
static const struct json *renames_of(struct compile *c, const struct json *with)
{
    if (!with || !c->renames)
        return with;
    struct json *copy = arena_dup(c->arena, with, sizeof *with);
    struct json *items = arena_dup(c->arena, with->items, with->n * sizeof *items);
    for (size_t i = 0; i < with->n; i++)
        items[i].string = renamed(c, items[i].string);
    copy->items = items;
    return copy;
}

/* {"guard": "ema", "with": {"$module": "$m"}}: the guard's own predicates, under the caller's
 * names. A guard is a list of alternatives of which one must hold. */
static bool compile_guard(struct compile *c, const struct json *j, struct predicate *out,
                          struct err *e)
{
    static const char *const keys[] = {"guard", "with"};
    struct str name;
    if (!json_check_keys(j, keys, COUNT_OF(keys), e) || !json_need_str(j, "guard", &name, e))
        return err_wrap(e, "%s", c->file);
    uint64_t *at = c->guards ? map_get(c->guards, name) : NULL;
    if (!at)
        return compile__fail(c, j, e, "no guard \"" STR_FMT "\" in guards.json", STR_ARG(name));
    const struct json *body = (const struct json *)(uintptr_t)*at;
    const struct json *kept = c->renames;
    const char *kept_file = c->file;
    c->renames = renames_of(c, json_get(j, "with"));
    c->file = "share/rules/guards.json";
    bool ok = compile__predicate(c, json_get(body, "when"), out, e);
    c->renames = kept;
    c->file = kept_file;
    return ok;
}

/* The one key that names a predicate. */
static const struct predicate_kind *find_kind(const struct compile *c, const struct json *j)
{
    for (size_t i = 0; i < j->n; i++)
        for (size_t k = 0; k < c->n_kinds; k++)
            if (str_is(j->keys[i], c->kinds[k]->name))
                return c->kinds[k];
    return NULL;
}

static bool fail_unknown_kind(struct compile *c, const struct json *j, struct err *e)
{
    const char *names[64];
    struct str first = j->n ? j->keys[0] : STR("");
    size_t n = MIN(c->n_kinds, COUNT_OF(names));
    for (size_t i = 0; i < n; i++)
        names[i] = c->kinds[i]->name;
    const char *near = str_nearest(first, names, n);
    return compile__fail(c, j, e, "unknown predicate \"" STR_FMT "\"%s%s%s", STR_ARG(first),
                         near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

bool compile__predicate(struct compile *c, const struct json *j, struct predicate *out,
                        struct err *e)
{
    if (!j || j->kind != JSON_KIND_OBJECT) {
        static const struct json nowhere = {.line = 1, .column = 1};
        return compile__fail(c, j ? j : &nowhere, e, "a predicate (an object) is expected, got %s",
                             j ? json_kind_name(j->kind) : "nothing");
    }
    if (++c->n_predicates > RULE_PREDICATES_MAX || c->depth >= RULE_DEPTH_MAX)
        return compile__fail(c, j, e, "more than %d predicates, or nested deeper than %d",
                             RULE_PREDICATES_MAX, RULE_DEPTH_MAX);
    c->depth++;
    bool ok;
    const struct predicate_kind *f = find_kind(c, j);
    out->line = j->line;
    if (json_get(j, "guard")) {
        ok = compile_guard(c, j, out, e);
    } else if (!f) {
        ok = fail_unknown_kind(c, j, e);
    } else {
        void *data = NULL;
        ok = json_check_keys(j, f->keys, f->n_keys, e) || err_wrap(e, "%s", c->file);
        ok = ok && f->compile(c, j, &data, e);
        out->kind = f;
        out->data = data;
    }
    c->depth--;
    return ok;
}

bool compile__predicates(struct compile *c, const struct json *list, struct predicates *out,
                         struct err *e)
{
    *out = (struct predicates){0};
    if (!list)
        return true;
    if (list->kind != JSON_KIND_ARRAY)
        return compile__fail(c, list, e, "a list of predicates is expected, got %s",
                             json_kind_name(list->kind));
    struct predicate *at = arena_new_array(c->arena, struct predicate, list->n);
    for (size_t i = 0; i < list->n; i++)
        if (!compile__predicate(c, &list->items[i], &at[i], e))
            return false;
    *out = (struct predicates){at, list->n};
    return true;
}
