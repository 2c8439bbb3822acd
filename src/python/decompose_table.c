/* Reads the table of a framework from JSON. Must not know what its symbols mean. */
#include "python/decompose.h"

static struct str copy(struct str s, struct arena *a)
{
    return (struct str){str_dup(a, s), s.n};
}

static struct text_list texts_of(const struct json *list, struct arena *a)
{
    VEC(struct str) found = {0};
    for (size_t i = 0; list && list->kind == JSON_KIND_ARRAY && i < list->n; i++)
        if (list->items[i].kind == JSON_KIND_STRING)
            vec_push(&found, a, copy(list->items[i].string, a));
    return (struct text_list){found.at, found.n};
}

struct text_list framework_table_list(const struct framework_table *t, const char *key,
                                      struct arena *a)
{
    return texts_of(json_get(t->root, key), a);
}

static bool read_row(const struct json *j, struct arena *a, struct optimizer_row *out,
                     struct err *e)
{
    struct str symbol;
    if (!json_need_str(j, "symbol", &symbol, e) || !json_need_i64(j, "model", &out->model, e))
        return false;
    out->symbol = copy(symbol, a);
    out->inputs = json_get_i64(j, "inputs", -1);
    out->oracle = copy(json_get_str(j, "oracle", STR("outcome")), a);
    out->status = copy(json_get_str(j, "status", STR("supported")), a);
    out->level = copy(json_get_str(j, "level", STR("")), a);
    out->levels = texts_of(json_get(j, "levels"), a);
    return true;
}

static bool read_rows(const struct json *j, struct arena *a, struct framework_table *out,
                      struct err *e)
{
    const struct json *list;
    if (!json_need(j, "optimizers", JSON_KIND_ARRAY, &list, e))
        return false;
    struct optimizer_row *rows = arena_new_array(a, struct optimizer_row, list->n);
    for (size_t i = 0; i < list->n; i++)
        if (!read_row(&list->items[i], a, &rows[i], e))
            return err_wrap(e, "optimizers, row %zu", i + 1);
    out->optimizers = rows;
    out->n_optimizers = list->n;
    return true;
}

static bool read_table(const struct json *j, struct arena *a, struct framework_table *out,
                       struct err *e)
{
    struct str framework, module, method, layers;
    if (!json_need_str(j, "framework", &framework, e) || !json_need_str(j, "module", &module, e) ||
        !json_need_str(j, "model_method", &method, e) || !json_need_str(j, "layers", &layers, e) ||
        !read_rows(j, a, out, e))
        return false;
    out->framework = copy(framework, a);
    out->module = copy(module, a);
    out->model_method = copy(method, a);
    out->layers = copy(layers, a);
    out->model_bases = texts_of(json_get(j, "model_bases"), a);
    out->factories = texts_of(json_get(j, "factories"), a);
    out->devices = texts_of(json_get(j, "devices"), a);
    out->device_methods = texts_of(json_get(j, "device_methods"), a);
    out->model_methods = texts_of(json_get(j, "model_methods"), a);
    out->wrappers = texts_of(json_get(j, "wrappers"), a);
    out->root = j;
    return true;
}

bool framework_table_read(struct str text, const char *name, struct arena *a,
                          struct framework_table *out, struct err *e)
{
    const struct json *j;
    *out = (struct framework_table){0};
    if (!json_parse(text, name, a, &j, e))
        return false;
    return read_table(j, a, out, e) || err_wrap(e, "%s", name);
}
