/* Decides which findings are known, and as what. Must not know how they were found. */
#include "documents/judged.h"

#include "base/share.h"
#include "base/vec.h"

static void read_strings(const struct json *list, struct arena *a, const struct str **out,
                         size_t *n)
{
    struct str *rows = arena_new_array(a, struct str, list ? list->n : 0);
    for (size_t i = 0; list && i < list->n; i++)
        rows[i] = list->items[i].string;
    *out = rows;
    *n = list ? list->n : 0;
}

static bool read_row(const struct json *j, bool is_defect, struct arena *a, struct judged_row *r,
                     struct err *e)
{
    *r = (struct judged_row){0};
    if (!json_need_str(j, "api", &r->api, e) || !json_need_str(j, "kind", &r->kind, e))
        return false;
    if (!is_defect)
        return json_need_str(j, "why", &r->why, e);
    read_strings(json_get(j, "also"), a, &r->also, &r->n_also);
    read_strings(json_get(j, "script"), a, &r->script, &r->n_script);
    r->link = json_get_str(j, "link", STR(""));
    if (!r->n_script)
        return err_set(e, ERR_DATA, "line %u: a script is expected", j->line);
    return json_need_str(j, "class", &r->class, e) && json_need_str(j, "source", &r->source, e) &&
           json_need_str(j, "sentence", &r->sentence, e) &&
           json_need_str(j, "happens", &r->happens, e);
}

bool judged_load(struct str framework, struct arena *a, struct judged *out, struct err *e)
{
    static const char *const lists[] = {"defects", "right"};
    VEC(struct judged_row) rows = {0};
    const char *name = arena_printf(a, "documents/" STR_FMT ".json", STR_ARG(framework));
    const struct json *root, *list;
    struct str text;
    *out = (struct judged){0};
    if (!share_find(name, &text))
        return true;
    if (!json_parse(text, name, a, &root, e))
        return false;
    for (size_t k = 0; k < COUNT_OF(lists); k++) {
        if (!json_need(root, lists[k], JSON_KIND_ARRAY, &list, e))
            return err_wrap(e, "%s", name);
        for (size_t i = 0; i < list->n; i++) {
            struct judged_row r;
            if (!read_row(&list->items[i], k == 0, a, &r, e))
                return err_wrap(e, "%s: %s", name, lists[k]);
            vec_push(&rows, a, r);
        }
    }
    *out = (struct judged){rows.at, rows.n, json_get_str(root, "version", STR(""))};
    return true;
}

static bool is_of(const struct judged_row *r, struct str api, bool *also)
{
    *also = false;
    if (str_eq(r->api, api))
        return true;
    for (size_t i = 0; i < r->n_also; i++)
        *also = *also || str_eq(r->also[i], api);
    return *also;
}

const struct judged_row *judged_find(const struct judged *all, struct str api, const char *kind,
                                     struct str source)
{
    struct str line = str_trim(str_sub(source, 0, str_find_byte(source, '\n')));
    const struct judged_row *other = NULL;
    for (size_t i = 0; i < all->n; i++) {
        const struct judged_row *r = &all->at[i];
        bool also;
        if (!str_is(r->kind, kind) || !is_of(r, api, &also))
            continue;
        if (!r->source.n || str_eq(r->source, line))
            return r;
        other = r; /* another statement of a document with a judged passage */
    }
    return other;
}
