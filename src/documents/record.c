/*
 * Decides how a dump of an API becomes records. Must not know what documents mean. Invariant: a
 * line that is no record is an error with the line's number, never left out.
 */
#include "documents/record.h"

static bool read_strings(const struct json *j, const char *key, struct arena *a,
                         const struct str **out, size_t *n, struct err *e)
{
    const struct json *list;
    if (!json_need(j, key, JSON_KIND_ARRAY, &list, e))
        return false;
    struct str *rows = arena_new_array(a, struct str, list->n);
    for (size_t i = 0; i < list->n; i++) {
        if (list->items[i].kind != JSON_KIND_STRING)
            return err_set(e, ERR_DATA, "key \"%s\": strings are expected, got %s", key,
                           json_kind_name(list->items[i].kind));
        rows[i] = list->items[i].string;
    }
    *out = rows;
    *n = list->n;
    return true;
}

static bool read_parameter(const struct json *j, struct api_parameter *out, struct err *e)
{
    struct str kind;
    const struct json *value = json_get(j, "default");
    out->has_default = value && value->kind == JSON_KIND_STRING;
    out->value = out->has_default ? value->string : STR("");
    out->annotation = json_get_str(j, "annotation", STR(""));
    if (!json_need_str(j, "name", &out->name, e) || !json_need_str(j, "kind", &kind, e))
        return false;
    out->is_variadic = str_starts(kind, STR("VAR_"));
    return true;
}

static bool read_signature(const struct json *j, struct arena *a, struct api_record *out,
                           struct err *e)
{
    const struct json *signature = json_get(j, "signature");
    const struct json *rows;
    if (!signature || signature->kind != JSON_KIND_OBJECT)
        return true;
    if (!json_need(signature, "parameters", JSON_KIND_ARRAY, &rows, e))
        return false;
    struct api_parameter *list = arena_new_array(a, struct api_parameter, rows->n);
    for (size_t i = 0; i < rows->n; i++)
        if (!read_parameter(&rows->items[i], &list[i], e))
            return false;
    out->has_signature = true;
    out->parameters = list;
    out->n_parameters = rows->n;
    return true;
}

/* Older dumps have none. */
static bool read_texts(const struct json *j, struct arena *a, struct api_record *out, struct err *e)
{
    const struct json *texts = json_get(j, "texts");
    if (!texts)
        return true;
    if (texts->kind != JSON_KIND_OBJECT)
        return err_set(e, ERR_DATA, "key \"texts\": an object is expected");
    struct api_text *list = arena_new_array(a, struct api_text, texts->n);
    for (size_t i = 0; i < texts->n; i++)
        list[i] = (struct api_text){texts->keys[i], texts->items[i].string};
    out->texts = list;
    out->n_texts = texts->n;
    return true;
}

static bool read_record(const struct json *j, struct arena *a, struct api_record *out,
                        struct err *e)
{
    return json_need_str(j, "name", &out->name, e) && json_need_str(j, "op", &out->op, e) &&
           json_need_str(j, "kind", &out->kind, e) && json_need_str(j, "doc", &out->doc, e) &&
           json_need_str(j, "file", &out->file, e) && json_need_i64(j, "line", &out->line, e) &&
           read_strings(j, "names", a, &out->names, &out->n_names, e) &&
           read_strings(j, "schemas", a, &out->schemas, &out->n_schemas, e) &&
           read_texts(j, a, out, e) && read_signature(j, a, out, e);
}

bool api_records_read(struct str text, const char *name, struct arena *a, struct api_records *out,
                      struct err *e)
{
    VEC(struct api_record) rows = {0};
    struct str rest = str_trim(text), line;
    size_t number = 0;
    *out = (struct api_records){0};
    while (str_split(&rest, '\n', &line)) {
        const struct json *j;
        struct api_record r = {0};
        number++;
        if (!json_parse(line, name, a, &j, e))
            return err_wrap(e, "line %zu", number);
        if (number == 1) {
            if (!json_need_str(j, "framework", &out->framework, e) ||
                !json_need_str(j, "version", &out->version, e))
                return err_wrap(e, "%s: line 1", name);
            continue;
        }
        if (!read_record(j, a, &r, e))
            return err_wrap(e, "%s: line %zu", name, number);
        for (size_t i = 0; i < r.n_names; i++)
            map_put(&out->names, a, r.names[i], rows.n);
        vec_push(&rows, a, r);
    }
    out->at = rows.at;
    out->n = rows.n;
    return true;
}

const struct api_record *api_records_find(const struct api_records *all, struct str name)
{
    const uint64_t *at = map_get(&all->names, name);
    return at ? &all->at[*at] : NULL;
}
