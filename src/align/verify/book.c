/* Reads the tables of share/align/. Must not know results of an alignment. */
#include "align/verify/book.h"

#include "align/tensors.h"
#include "base/share.h"

static bool read_table(const char *name, struct arena *a, const struct json **out, struct err *e)
{
    return share_json(arena_printf(a, "align/%s", name), a, out, e);
}

static bool check_draws(const struct arg *v, unsigned depth)
{
    struct tensor_spec s;
    if (v->kind == ARG_TENSOR)
        return tensor_spec_parse(v->text, &s) && tensors_knows_draw(s.draw);
    for (size_t i = 0; i < v->n && depth < ARG_DEPTH_MAX; i++)
        if (!check_draws(&v->items[i], depth + 1))
            return false;
    return true;
}

static bool check_part(const struct call_part *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (!check_draws(&p->at[i].value, 0))
            return false;
    return true;
}

static bool read_calls(const struct json *list, struct arena *a, struct calls *out, struct err *e)
{
    struct call *calls = arena_new_array(a, struct call, list->n);
    for (size_t i = 0; i < list->n; i++) {
        const struct json *text = &list->items[i];
        if (text->kind != JSON_KIND_STRING)
            return err_set(e, ERR_DATA, "calls.json:%u: a call as text is expected", text->line);
        if (!call_parse(text->string, a, &calls[i], e))
            return err_wrap(e, "calls.json:%u", text->line);
        if (!check_part(&calls[i].make) || !check_part(&calls[i].args))
            return err_set(e, ERR_DATA, "calls.json:%u: a draw that is not known", text->line);
    }
    *out = (struct calls){calls, list->n};
    return true;
}

static bool read_all_calls(struct arena *a, struct book *out, struct err *e)
{
    const struct json *root, *generic, *samples;
    int64_t n_brief;
    if (!read_table("calls.json", a, &root, e) || !json_need_i64(root, "brief", &n_brief, e) ||
        !json_need(root, "generic", JSON_KIND_ARRAY, &generic, e) ||
        !json_need(root, "samples", JSON_KIND_OBJECT, &samples, e) ||
        !read_calls(generic, a, &out->generic, e))
        return false;
    out->n_brief = MIN((size_t)MAX(n_brief, 0), out->generic.n);
    for (size_t i = 0; i < samples->n; i++) {
        struct calls list;
        if (!read_calls(&samples->items[i], a, &list, e))
            return false;
        map_put(&out->samples, a, samples->keys[i], out->sample_lists.n);
        vec_push(&out->sample_lists, a, list);
    }
    return true;
}

static void read_groups(const struct json *list, struct arena *a, struct map *out)
{
    for (size_t i = 0; i < list->n; i++)
        for (size_t k = 0; k < list->items[i].n; k++)
            map_put(out, a, list->items[i].items[k].string, i + 1);
}

static bool read_injections(const struct json *table, struct arena *a, struct book *out,
                            struct err *e)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct json *list = &table->items[i];
        struct arg *values = arena_new_array(a, struct arg, list->n);
        for (size_t k = 0; k < list->n; k++)
            if (!arg_parse(list->items[k].string, a, &values[k], e))
                return err_wrap(e, "names.json:%u", list->line);
        vec_push(&out->injections, a, (struct injection){table->keys[i], values, list->n});
    }
    return true;
}

static bool read_names(struct arena *a, struct book *out, struct err *e)
{
    const struct json *root, *operators, *parameters, *injections;
    if (!read_table("names.json", a, &root, e) ||
        !json_need(root, "operators", JSON_KIND_ARRAY, &operators, e) ||
        !json_need(root, "parameters", JSON_KIND_ARRAY, &parameters, e) ||
        !json_need(root, "inject", JSON_KIND_OBJECT, &injections, e))
        return false;
    read_groups(operators, a, &out->operators);
    read_groups(parameters, a, &out->parameters);
    return read_injections(injections, a, out, e);
}

static bool read_proposals(struct arena *a, struct book *out, struct err *e)
{
    const struct json *root, *list;
    struct adapter parsed;
    if (!read_table("adapters.json", a, &root, e) ||
        !json_need(root, "adapters", JSON_KIND_ARRAY, &list, e))
        return false;
    for (size_t i = 0; i < list->n; i++) {
        const struct json *row = &list->items[i];
        if (row->n != 3 || row->items[2].kind != JSON_KIND_STRING)
            return err_set(e, ERR_DATA, "adapters.json:%u: two symbols and an adapter are expected",
                           row->line);
        if (!adapter_parse(row->items[2].string, a, &parsed, e))
            return err_wrap(e, "adapters.json:%u", row->line);
        vec_push(&out->proposals, a,
                 (struct proposal_row){row->items[0].string, row->items[1].string,
                                       row->items[2].string});
    }
    return true;
}

bool book_load(struct arena *a, struct book *out, struct err *e)
{
    *out = (struct book){0};
    return read_all_calls(a, out, e) && read_names(a, out, e) && read_proposals(a, out, e);
}

struct calls book_samples(const struct book *b, const struct symbol *s)
{
    const uint64_t *at = map_get(&b->samples, s->name);
    at = at ? at : map_get(&b->samples, s->op);
    return at ? b->sample_lists.at[*at] : (struct calls){0};
}

static uint64_t group_of(const struct map *groups, struct str name)
{
    const uint64_t *at = map_get(groups, name);
    return at ? *at : 0;
}

bool book_same_operator(const struct book *b, struct str x, struct str y)
{
    uint64_t group = group_of(&b->operators, x);
    return str_eq(x, y) || (group && group == group_of(&b->operators, y));
}

bool book_same_parameter(const struct book *b, struct str x, struct str y)
{
    uint64_t group = group_of(&b->parameters, x);
    return str_eq(x, y) || (group && group == group_of(&b->parameters, y));
}

const struct injection *book_injection(const struct book *b, struct str parameter)
{
    for (size_t i = 0; i < b->injections.n; i++)
        if (str_eq(b->injections.at[i].parameter, parameter))
            return &b->injections.at[i];
    return NULL;
}
