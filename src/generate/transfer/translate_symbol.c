/*
 * Decides what a call of the source's symbol becomes: a row of the table, or the first verified
 * pair that applies, from either of its sides. Must not know trees. Invariant: what has neither is
 * a reason why the program is not translated.
 */
#include <ctype.h>

#include "generate/transfer/translate_p.h"

struct str translate__last_name(struct str dotted)
{
    size_t at = dotted.n;
    while (at > 0 && (dotted.at[at - 1] == '_' || isalnum((unsigned char)dotted.at[at - 1])))
        at--;
    return str_sub(dotted, at, dotted.n);
}

/* The first name that the row calls: "keras.ops.sum", "_conv". */
static struct str called_by(struct str row)
{
    size_t end = 0;
    while (end < row.n &&
           (row.at[end] == '.' || row.at[end] == '_' || isalnum((unsigned char)row.at[end])))
        end++;
    return str_sub(row, 0, end);
}

bool translate__may_pair(const struct translator *t, struct str from, struct str to)
{
    struct str a = translate__last_name(from), b = translate__last_name(to);
    while (b.n && b.at[0] == '_') /* a helper of the table */
        b = str_sub(b, 1, b.n);
    return !t->without.alignment || str_eq(a, b);
}

enum direction translate__direction(const struct translator *t, const struct pair_file *file)
{
    const struct json *sides = json_get(t->table, "sides");
    if (pair_has_name(sides, file->b) && str_is(file->a, t->source))
        return DIRECTION_ON;
    if (pair_has_name(sides, file->a) && pair_has_name(json_get(t->table, "source_sides"), file->b))
        return DIRECTION_BACK;
    return DIRECTION_NONE;
}

/* Is it in one of the modules of "prefer": those of jax.numpy take more dtypes than jax.lax? */
static bool is_preferred(const struct translating *w, struct str symbol)
{
    const struct json *modules = json_get(w->t->table, "prefer");
    for (size_t i = 0; modules && i < modules->n; i++)
        if (str_starts(symbol, modules->items[i].string))
            return true;
    return !modules;
}

/* The call by the first pair of the file that applies, to a preferred symbol or to another one;
 * `any`: there is a pair. */
static struct str call_by_file(struct translating *w, const struct pair_file *file, bool preferred,
                               struct str symbol, const struct texts *args, bool *any)
{
    enum direction way = translate__direction(w->t, file);
    struct str made = {0};
    for (size_t k = 0; way != DIRECTION_NONE && k < file->n && !made.n; k++) {
        const struct pair_row *r = &file->rows[k];
        bool on = way == DIRECTION_ON;
        struct str to = on ? r->b : r->a;
        if (!r->is_verified || !pair_has_name(on ? r->names_a : r->names_b, symbol) ||
            is_preferred(w, to) != preferred || !translate__may_pair(w->t, symbol, to))
            continue;
        *any = true;
        made = w->t->without.distinction ? translate__unchanged(w, to, args)
               : on                      ? translate__by_pair(w, r, args)
                                         : translate__by_pair_back(w, r, args);
    }
    return made;
}

struct str translate__symbol(struct translating *w, struct str symbol, const struct texts *args)
{
    struct str row = translate__row(w, "calls", symbol);
    w->out->n_calls++;
    if (!row.n && translate__is_below(w, "settings", symbol))
        return STR("None");
    if (row.n && !translate__may_pair(w->t, symbol, called_by(row)))
        return translate__fail(w, "no pair", symbol);
    if (row.n) {
        struct str made = w->t->without.distinction && called_by(row).n
                              ? translate__unchanged(w, called_by(row), args)
                              : translate__by_row(w, row, args);
        return made.n ? made : translate__fail(w, "other arguments", symbol);
    }
    bool any = false;
    struct str made = {0};
    for (size_t i = 0; i < 2 * w->t->pairs.n && !made.n; i++)
        made = call_by_file(w, &w->t->pairs.at[i % w->t->pairs.n], i < w->t->pairs.n, symbol, args,
                            &any);
    w->out->n_paired += made.n > 0;
    if (made.n)
        return made;
    return translate__fail(w, any ? "other arguments" : "no pair", symbol);
}

/* The call of a method, its object being the first argument, by a row or a pair; empty: it is
 * unknown, or a reason is given. */
struct str translate__method(struct translating *w, struct str name, const struct texts *args)
{
    struct str row = translate__row(w, "methods", name);
    if (row.n) {
        struct str made = translate__by_row(w, row, args);
        w->out->n_calls++;
        return made.n ? made : translate__fail(w, "other arguments", name);
    }
    struct str class = json_get_str(w->t->table, "tensor_class", STR(""));
    struct str module = w->reader->table.module;
    struct str symbol =
        str_of(arena_printf(w->a, STR_FMT "." STR_FMT, STR_ARG(class), STR_ARG(name)));
    struct str function =
        str_of(arena_printf(w->a, STR_FMT "." STR_FMT, STR_ARG(module), STR_ARG(name)));
    for (size_t i = 0; class.n && i < w->t->pairs.n; i++)
        for (size_t k = 0; k < w->t->pairs.at[i].n; k++)
            if (translate__direction(w->t, &w->t->pairs.at[i]) == DIRECTION_ON &&
                pair_has_name(w->t->pairs.at[i].rows[k].names_a, symbol))
                return translate__symbol(
                    w, translate__row(w, "calls", function).n ? function : symbol, args);
    return (struct str){0};
}
