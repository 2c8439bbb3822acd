/*
 * Decides which failing keys are reduced, in which order, and which are known already. Must not
 * know pilots or time. Pointers to items are valid until the next add.
 */
#include "hunt/triage_p.h"

void triage__init(struct triage *t, bool strict)
{
    *t = (struct triage){.strict = strict};
    arena_init(&t->arena);
}

void triage__done(struct triage *t)
{
    arena_done(&t->arena);
}

void triage__know(struct triage *t, struct str key)
{
    bool added;
    if (key.n)
        map_at(&t->known, &t->arena, key, &added);
}

static struct str keep(struct triage *t, struct str s)
{
    return (struct str){str_dup(&t->arena, s), s.n};
}

struct triage_item *triage__add(struct triage *t, struct str key, struct str folder,
                                int64_t case_at)
{
    bool added;
    map_at(&t->taken, &t->arena, key, &added);
    if (!added)
        return NULL;
    const char *name = arena_printf(&t->arena, "triage/%08zu", t->items.n);
    const struct triage_item item = {
        .name = str_of(name), .key = keep(t, key), .folder = keep(t, folder), .case_at = case_at};
    vec_push(&t->items, &t->arena, item);
    return &vec_last(&t->items);
}

struct triage_item *triage__add_side(struct triage *t, struct str name, struct str key,
                                     struct str folder, int64_t case_at)
{
    const struct triage_item item = {.name = keep(t, name),
                                     .key = keep(t, key),
                                     .folder = keep(t, folder),
                                     .case_at = case_at,
                                     .is_side = true};
    size_t at = t->sides.n;
    vec_push(&t->sides, &t->arena, item);
    for (; at > 0 && str_cmp(t->sides.at[at - 1].name, item.name) > 0; at--)
        t->sides.at[at] = t->sides.at[at - 1];
    t->sides.at[at] = item;
    return &t->sides.at[at];
}

/* Known by an item that stands at least the window before this one, or by anything when not strict.
 */
static bool is_known(const struct triage *t, struct str key, size_t place)
{
    const uint64_t *by = map_get(&t->known, key);
    return by && (!t->strict || *by + TRIAGE_WINDOW <= place + 1);
}

static bool window_is_settled(const struct triage *t, size_t place)
{
    for (size_t i = 0; t->strict && i + TRIAGE_WINDOW <= place; i++)
        if (t->items.at[i].state != TRIAGE_SETTLED)
            return false;
    return true;
}

static struct triage_item *
next_case_item(struct triage *t, void (*on_known)(void *ctx, struct triage_item *item), void *ctx)
{
    for (size_t i = 0; i < t->items.n; i++) {
        struct triage_item *item = &t->items.at[i];
        if (item->state != TRIAGE_WAITING)
            continue;
        if (!window_is_settled(t, i))
            return NULL;
        if (!is_known(t, item->key, i))
            return item;
        item->state = TRIAGE_SETTLED;
        on_known(ctx, item);
    }
    return NULL;
}

/* Side finds run one after the other, so that each knows all before it. */
static struct triage_item *
next_side_item(struct triage *t, void (*on_known)(void *ctx, struct triage_item *item), void *ctx)
{
    for (size_t i = 0; i < t->sides.n; i++) {
        struct triage_item *item = &t->sides.at[i];
        if (item->state == TRIAGE_RUNNING && t->strict)
            return NULL;
        if (item->state != TRIAGE_WAITING)
            continue;
        if (!map_get(&t->known, item->key) && !map_get(&t->taken, item->key))
            return item;
        item->state = TRIAGE_SETTLED;
        on_known(ctx, item);
    }
    return NULL;
}

struct triage_item *triage__next(struct triage *t,
                                 void (*on_known)(void *ctx, struct triage_item *item), void *ctx)
{
    struct triage_item *item = next_case_item(t, on_known, ctx);
    if (item)
        return item;
    for (size_t i = 0; t->strict && i < t->items.n; i++)
        if (t->items.at[i].state != TRIAGE_SETTLED)
            return NULL;
    return t->strict && !t->sides_too ? NULL : next_side_item(t, on_known, ctx);
}

void triage__settle(struct triage *t, struct triage_item *item, struct str final_key)
{
    bool added;
    uint64_t place = item->is_side ? 0 : (uint64_t)(item - t->items.at) + 1;
    item->state = TRIAGE_SETTLED;
    if (item->is_side)
        map_at(&t->taken, &t->arena, item->key, &added);
    if (final_key.n == 0)
        return;
    uint64_t *by = map_at(&t->known, &t->arena, final_key, &added);
    if (added || *by > place)
        *by = place;
}

struct triage_item *triage__find(struct triage *t, struct str name)
{
    for (size_t i = 0; i < t->items.n; i++)
        if (str_eq(t->items.at[i].name, name))
            return &t->items.at[i];
    for (size_t i = 0; i < t->sides.n; i++)
        if (str_eq(t->sides.at[i].name, name))
            return &t->sides.at[i];
    return NULL;
}

size_t triage__n_waiting(const struct triage *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->items.n; i++)
        n += t->items.at[i].state == TRIAGE_WAITING;
    for (size_t i = 0; i < t->sides.n; i++)
        n += t->sides.at[i].state == TRIAGE_WAITING;
    return n;
}

bool triage__is_idle(const struct triage *t)
{
    for (size_t i = 0; i < t->items.n; i++)
        if (t->items.at[i].state != TRIAGE_SETTLED)
            return false;
    for (size_t i = 0; i < t->sides.n; i++)
        if (t->sides.at[i].state != TRIAGE_SETTLED)
            return false;
    return true;
}
