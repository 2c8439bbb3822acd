/*
 * Looks names up in the table of the target, and keeps the reasons why a program is not translated.
 * Decides nothing: the table is data (share/transfer/).
 */
#include "generate/transfer/translate_p.h"

struct str translate__fail(struct translating *w, const char *what, struct str name)
{
    struct str why = str_of(arena_printf(w->a, "%s: " STR_FMT, what, STR_ARG(name)));
    if (!w->out->reason.n)
        w->out->reason = why;
    vec_push(&w->out->reasons, w->a, why);
    return (struct str){0};
}

static struct str find_row(const struct json *rows, struct str name)
{
    for (size_t i = 0; rows && i < rows->n; i++)
        if (str_eq(rows->keys[i], name))
            return rows->items[i].string;
    return (struct str){0};
}

struct str translate__row(const struct translating *w, const char *table, struct str name)
{
    struct str own = find_row(json_get(w->t->table, table), name);
    return own.n ? own : find_row(json_get(w->t->shared, table), name);
}

static bool has_word(const struct json *words, struct str name)
{
    for (size_t i = 0; words && i < words->n; i++)
        if (str_eq(words->items[i].string, name))
            return true;
    return false;
}

bool translate__is_listed(const struct translating *w, const char *list, struct str name)
{
    return has_word(json_get(w->t->table, list), name) ||
           has_word(json_get(w->t->shared, list), name);
}

static bool is_below(const struct json *above, struct str name)
{
    for (size_t i = 0; above && i < above->n; i++) {
        struct str a = above->items[i].string;
        if (str_starts(name, a) && (name.n == a.n || name.at[a.n] == '.'))
            return true;
    }
    return false;
}

bool translate__is_below(const struct translating *w, const char *list, struct str name)
{
    return is_below(json_get(w->t->table, list), name) ||
           is_below(json_get(w->t->shared, list), name);
}
