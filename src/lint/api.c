/*
 * API knowledge: share/rules/api/ (one file per area; rows with the same facts are one entry), read
 * into the table of python/types.h. Knows no API itself.
 *
 * File: {"rows": [{"names": ["torch.nn.Linear", ...], "form": "call", "makes": "module", ...}],
 * "conventions": [{"name": "F", "module": "torch.nn.functional"}],
 * "instances": [{"pattern": "*loader", "type": "loader"}]}
 */
#include "lint/rule_p.h"

static bool fail(const char *file, const struct json *j, struct err *e, const char *what,
                 struct str text)
{
    return err_set(e, ERR_DATA, "%s:%u: %s \"" STR_FMT "\"", file, j->line, what, STR_ARG(text));
}

static bool read_subject(const struct json *j, struct rule_set *s, struct api_row *row)
{
    const struct json *v = json_get(j, "subject");
    row->subject = row->form == API_METHOD || row->form == API_ATTRIBUTE ? SUBJECT_RECEIVER
                   : row->role != ROLE_NONE || row->traits               ? 0
                                                                         : SUBJECT_NONE;
    if (v && v->kind == JSON_KIND_INTEGER)
        row->subject = (int)v->integer;
    else if (v && str_is(v->string, "receiver"))
        row->subject = SUBJECT_RECEIVER;
    else if (v && str_is(v->string, "result"))
        row->subject = SUBJECT_RESULT;
    else if (v && str_is(v->string, "none"))
        row->subject = SUBJECT_NONE;
    else if (v)
        return false;
    struct str name = json_get_str(j, "subject-name", (struct str){0});
    row->subject_name = name.n ? str_dup(&s->arena, name) : NULL;
    return true;
}

static bool read_facts(const char *file, const struct json *j, struct rule_set *s,
                       struct api_row *row, struct err *e)
{
    struct str form = json_get_str(j, "form", STR("call"));
    const struct json *traits = json_get(j, "traits");
    struct str text;
    row->form = str_is(form, "method")      ? API_METHOD
                : str_is(form, "attribute") ? API_ATTRIBUTE
                                            : API_CALL;
    if ((text = json_get_str(j, "receiver", STR("unknown"))).n &&
        !type_from_name(text, &row->receiver))
        return fail(file, j, e, "no type", text);
    if ((text = json_get_str(j, "makes", STR("unknown"))).n && !type_from_name(text, &row->makes))
        return fail(file, j, e, "no type", text);
    if ((text = json_get_str(j, "role", STR("none"))).n && !role_from_name(text, &row->role))
        return fail(file, j, e, "no role", text);
    if ((text = json_get_str(j, "gives", STR("any"))).n && !domain_from_name(text, &row->gives))
        return fail(file, j, e, "no domain", text);
    if ((text = json_get_str(j, "expects", STR("any"))).n && !domain_from_name(text, &row->expects))
        return fail(file, j, e, "no domain", text);
    for (size_t i = 0; traits && i < traits->n; i++) {
        uint64_t bit;
        if (!trait_from_name(traits->items[i].string, &bit))
            return fail(file, &traits->items[i], e, "no trait", traits->items[i].string);
        row->traits |= bit;
    }
    text = json_get_str(j, "same-as", (struct str){0});
    row->same_as = text.n ? str_dup(&s->arena, text) : NULL;
    row->mode_argument = (int)json_get_i64(j, "mode-argument", 0);
    text = json_get_str(j, "mode-name", (struct str){0});
    row->mode_name = text.n ? str_dup(&s->arena, text) : NULL;
    if ((text = json_get_str(j, "role-if-false", STR("none"))).n &&
        !role_from_name(text, &row->role_if_false))
        return fail(file, j, e, "no role", text);
    return read_subject(j, s, row) ||
           fail(file, j, e, "subject is a number, receiver, result or none", STR(""));
}

static const char *joined(struct arena *a, struct str x, struct str y)
{
    char *text = arena_alloc(a, x.n + y.n + 1);
    memcpy(text, x.at, x.n);
    memcpy(text + x.n, y.at, y.n);
    return text;
}

static bool read_row(const char *file, const struct json *j, struct rule_set *s,
                     struct api_lists *lists, struct err *e)
{
    static const char *const keys[] = {
        "names",         "form",          "receiver", "makes",   "role",    "subject",
        "subject-name",  "traits",        "gives",    "expects", "same-as", "mode-name",
        "role-if-false", "mode-argument", "note",     "prefix"};
    struct api_row row = {0};
    const struct json *names = json_get(j, "names");
    struct str prefix = json_get_str(j, "prefix", STR(""));
    if (!json_check_keys(j, keys, COUNT_OF(keys), e))
        return err_wrap(e, "%s", file);
    if (!names || names->kind != JSON_KIND_ARRAY)
        return fail(file, j, e, "a row needs", STR("names"));
    if (!read_facts(file, j, s, &row, e))
        return false;
    for (size_t i = 0; i < names->n; i++) {
        row.name = joined(&s->arena, prefix, names->items[i].string);
        vec_push(&lists->rows, &s->arena, row);
    }
    return true;
}

/* Reads "1.13" as 1013. */
static bool read_version(struct str text, uint32_t *out)
{
    size_t dot = str_find_byte(text, '.');
    uint64_t major, minor;
    if (!str_to_u64(str_sub(text, 0, dot), &major) ||
        !str_to_u64(str_sub(text, dot + 1, text.n), &minor) || minor > 999)
        return false;
    *out = (uint32_t)(major * 1000 + minor);
    return true;
}

/* {"names": ["torch.qr"], "since": "1.8", "gone": "2.0", "use": "torch.linalg.qr"} */
static bool read_removed(const char *file, const struct json *j, struct rule_set *s, struct err *e)
{
    static const char *const keys[] = {"names", "since", "gone", "use"};
    struct removed_api one = {0};
    const struct json *names = json_get(j, "names");
    struct str gone = json_get_str(j, "gone", STR("")), use = json_get_str(j, "use", STR(""));
    if (!json_check_keys(j, keys, COUNT_OF(keys), e))
        return err_wrap(e, "%s", file);
    if (!names || names->kind != JSON_KIND_ARRAY || !use.n)
        return fail(file, j, e, "a removed API needs", STR("names and use"));
    if (!read_version(json_get_str(j, "since", STR("")), &one.since) ||
        (gone.n && !read_version(gone, &one.gone)))
        return fail(file, j, e, "a version such as 1.13 is expected in", STR("since, gone"));
    one.use = (struct str){str_dup(&s->arena, use), use.n};
    for (size_t i = 0; i < names->n; i++) {
        one.name = str_dup(&s->arena, names->items[i].string);
        (void)paths_add(s->paths, names->items[i].string);
        vec_push(&s->removed, &s->arena, one);
    }
    return true;
}

bool api__read(struct rule_set *s, const char *name, const struct json *root,
               struct api_lists *lists, struct err *e)
{
    static const char *const keys[] = {"rows", "conventions", "instances", "$schema", "removed"};
    if (!json_check_keys(root, keys, COUNT_OF(keys), e))
        return err_wrap(e, "%s", name);
    const struct json *rows = json_get(root, "rows"), *v;
    for (size_t i = 0; rows && i < rows->n; i++)
        if (!read_row(name, &rows->items[i], s, lists, e))
            return false;
    v = json_get(root, "conventions");
    for (size_t i = 0; v && i < v->n; i++) {
        struct api_name one = {
            .pattern = str_dup(&s->arena, json_get_str(&v->items[i], "name", STR(""))),
            .module = str_dup(&s->arena, json_get_str(&v->items[i], "module", STR("")))};
        vec_push(&lists->names, &s->arena, one);
    }
    v = json_get(root, "removed");
    for (size_t i = 0; v && i < v->n; i++)
        if (!read_removed(name, &v->items[i], s, e))
            return false;
    v = json_get(root, "instances");
    for (size_t i = 0; v && i < v->n; i++) {
        struct api_name one = {0};
        one.pattern = str_dup(&s->arena, json_get_str(&v->items[i], "pattern", STR("")));
        struct str type = json_get_str(&v->items[i], "type", STR(""));
        if (!type_from_name(type, &one.type))
            return fail(name, &v->items[i], e, "no type", type);
        vec_push(&lists->names, &s->arena, one);
    }
    return true;
}

/* The other names of an API, by the name that has the row. */
static void note_aliases(struct rule_set *s, const struct api_lists *lists)
{
    for (size_t i = 0; i < lists->rows.n; i++) {
        const struct api_row *row = &lists->rows.at[i];
        if (!row->same_as || row->form == API_METHOD)
            continue;
        uint32_t name = paths_find(s->paths, str_of(row->name)),
                 canonical = paths_find(s->paths, str_of(row->same_as));
        struct api_alias there = {canonical, paths_word(s->paths, name)},
                         back = {name, paths_word(s->paths, canonical)};
        vec_push(&s->aliases, &s->arena, there);
        vec_push(&s->aliases, &s->arena, back);
    }
}

bool api__finish(struct rule_set *s, const struct api_lists *lists, struct err *e)
{
    for (size_t i = 0; i < lists->rows.n; i++) {
        struct str name = str_of(lists->rows.at[i].name);
        if (str_find_byte(name, '.') == name.n)
            (void)py_parser_word(s->parser, name);
    }
    struct api_facts facts = {lists->rows.at, lists->rows.n, lists->names.at, lists->names.n};
    if (!api_table_new(s->paths, s->parser, &facts, &s->api, e))
        return err_wrap(e, "share/rules/api");
    note_aliases(s, lists);
    return true;
}
