/* Decides which options are a campaign's identity. Folders, limits and numbers of pilots are not:
 * they may change from one stretch of a campaign to the next. */
#include "hunt/settings_p.h"

#include "base/compiler.h"

/* The lists of names, by key. */
static const struct {
    const char *key;
    size_t offset; /* of the struct hunt_names */
} lists[] = {
    {"generators", offsetof(struct hunt_options, generators)},
    {"models", offsetof(struct hunt_options, models)},
    {"operators", offsetof(struct hunt_options, operators)},
    {"oracles", offsetof(struct hunt_options, oracles)},
    {"targets", offsetof(struct hunt_options, targets)},
};

void settings__to_json(const struct hunt_options *o, struct json_out *w)
{
    json_begin_object(w);
    json_pair_cstr(w, "strategy", o->strategy);
    json_pair_u64(w, "lanes", o->lanes);
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        const struct hunt_names *names =
            (const struct hunt_names *)(const void *)((const char *)o + lists[i].offset);
        json_key(w, lists[i].key);
        json_begin_array(w);
        for (size_t k = 0; k < names->n; k++)
            json_put_cstr(w, names->at[k]);
        json_end_array(w);
    }
    json_end_object(w);
}

static bool read_list(const struct json *j, const char *key, struct arena *a,
                      struct hunt_names *out, struct err *e)
{
    const struct json *list;
    if (!json_need(j, key, JSON_KIND_ARRAY, &list, e))
        return false;
    const char **names = arena_new_array(a, const char *, list->n);
    for (size_t i = 0; i < list->n; i++)
        names[i] = str_dup(a, list->items[i].string);
    *out = (struct hunt_names){names, list->n};
    return true;
}

bool settings__from_json(const struct json *j, struct arena *a, struct hunt_options *o,
                         struct err *e)
{
    struct str strategy;
    if (!json_need_str(j, "strategy", &strategy, e))
        return false;
    o->strategy = str_dup(a, strategy);
    o->lanes = (unsigned)json_get_i64(j, "lanes", 0);
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (!read_list(j, lists[i].key, a,
                       (struct hunt_names *)(void *)((char *)o + lists[i].offset), e))
            return false;
    return true;
}

void settings__complete(struct hunt_options *o)
{
    static const char *const mutate[] = {"mutate"}, *const ort[] = {"ort"};
    if (o->generators.n == 0)
        o->generators = (struct hunt_names){mutate, 1};
    if (o->targets.n == 0)
        o->targets = (struct hunt_names){ort, 1};
    if (!o->strategy)
        o->strategy = "assay";
}
