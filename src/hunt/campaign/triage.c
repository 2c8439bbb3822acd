/*
 * Decides which failing keys are reduced, in which order, and which are known already. Must not
 * know pilots or time. Pointers to items are valid until the next add.
 */
#include "hunt/campaign/triage_p.h"

#include "hunt/runner/key.h"

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

static bool is_wanted(struct triage *t, struct triage_key *k, struct str ops, bool is_late)
{
    const struct triage_item *list = is_late ? t->late.at : t->items.at;
    if (++k->n_seen > HUNT_CANDIDATES || k->n_items == TRIAGE_VARIANTS)
        return false;
    for (uint32_t i = 0; i < k->n_items; i++)
        if (key_words_are_alike(ops, list[k->items[i]].ops))
            return false;
    return true;
}

struct triage_item *triage__add(struct triage *t, struct str key, struct str ops, struct str folder,
                                int64_t case_at)
{
    bool added, is_late = t->strict && !key_is_steady(key);
    uint64_t *place = map_at(&t->taken, &t->arena, key, &added);
    if (added) {
        *place = t->taken_by.n;
        vec_push(&t->taken_by, &t->arena, (struct triage_key){0});
    }
    struct triage_key *k = &t->taken_by.at[*place];
    if (!is_wanted(t, k, ops, is_late))
        return NULL;
    size_t at = is_late ? t->late.n : t->items.n;
    const char *name = arena_printf(&t->arena, "%s/%08zu", is_late ? "late" : "triage", at);
    struct triage_item item = {.name = str_of(name),
                               .key = keep(t, key),
                               .coarse = key_coarse(key, &t->arena),
                               .folder = keep(t, folder),
                               .ops = keep(t, ops),
                               .case_at = case_at,
                               .is_variant = k->n_items > 0,
                               .order = is_late ? TRIAGE_LATE : TRIAGE_CASE};
    item.alias = item.is_variant
                     ? str_of(arena_printf(&t->arena, STR_FMT "#%s", STR_ARG(key), name))
                     : item.key;
    k->items[k->n_items++] = at;
    if (is_late) {
        vec_push(&t->late, &t->arena, item);
        return &vec_last(&t->late);
    }
    vec_push(&t->items, &t->arena, item);
    return &vec_last(&t->items);
}

struct triage_item *triage__add_incidental(struct triage *t, struct str name, struct str key,
                                           struct str folder, int64_t case_at)
{
    const struct triage_item item = {.name = keep(t, name),
                                     .key = keep(t, key),
                                     .coarse = key_coarse(key, &t->arena),
                                     .folder = keep(t, folder),
                                     .alias = keep(t, key),
                                     .case_at = case_at,
                                     .order = TRIAGE_INCIDENTAL};
    size_t at = t->incidentals.n;
    vec_push(&t->incidentals, &t->arena, item);
    for (; at > 0 && str_cmp(t->incidentals.at[at - 1].name, item.name) > 0; at--)
        t->incidentals.at[at] = t->incidentals.at[at - 1];
    t->incidentals.at[at] = item;
    return &t->incidentals.at[at];
}

/* An item's rank in the order of all: items of cases, then incidental ones, then late ones. */
static uint64_t place_of(const struct triage *t, const struct triage_item *item)
{
    const struct triage_item *first = item->order == TRIAGE_CASE         ? t->items.at
                                      : item->order == TRIAGE_INCIDENTAL ? t->incidentals.at
                                                                         : t->late.at;
    return ((uint64_t)item->order << 32) + (uint64_t)(item - first);
}

/* May the outcome of the item at place `by` decide about the item at `place`? */
static bool may_decide(const struct triage *t, uint64_t by, uint64_t place)
{
    return !t->strict || by + TRIAGE_WINDOW <= place;
}

/* Is the key the final key of a known bug? */
static bool is_known(const struct triage *t, const struct triage_item *item)
{
    if (item->is_variant)
        return false;
    const uint64_t *by = map_get(&t->known, item->key);
    return by && (*by == 0 || may_decide(t, *by - 1, place_of(t, item)));
}

/* Counts the last reductions with the item's coarse key; false: they ended in different bugs. */
static bool count_same_end(const struct triage *t, const struct triage_item *list, size_t n,
                           const struct triage_item *item, size_t *n_equal, struct str *bug)
{
    for (size_t i = n; i-- > 0 && *n_equal < TRIAGE_SAME_END;) {
        const struct triage_item *x = &list[i];
        if (!x->was_reduced || !may_decide(t, place_of(t, x), place_of(t, item)) ||
            !str_eq(x->coarse, item->coarse))
            continue;
        if (*n_equal > 0 && !str_eq(x->bug, *bug))
            return false;
        *bug = x->bug;
        ++*n_equal;
    }
    return true;
}

static bool is_known_by_coarse_key(const struct triage *t, const struct triage_item *item,
                                   struct str *bug)
{
    size_t n = 0, n_incidentals = item->order == TRIAGE_INCIDENTAL ? t->incidentals.n : 0;
    return count_same_end(t, t->incidentals.at, n_incidentals, item, &n, bug) &&
           count_same_end(t, t->items.at, t->items.n, item, &n, bug) && n >= TRIAGE_SAME_END;
}

/* Does another item with this incidental failure's key stand for it? */
static bool is_duplicate(const struct triage *t, const struct triage_item *item)
{
    size_t at = (size_t)(item - t->incidentals.at);
    if (map_get(&t->taken, item->key))
        return true;
    for (size_t i = 0; i < t->incidentals.n; i++)
        if (i != at && str_eq(t->incidentals.at[i].key, item->key) &&
            (i < at || (!t->strict && t->incidentals.at[i].was_reduced)))
            return true;
    return false;
}

/* Settles the item if it needs no reduction. */
static bool settle_if_known(struct triage *t, struct triage_item *item,
                            void (*on_known)(void *ctx, struct triage_item *item), void *ctx)
{
    struct str bug = {0};
    item->is_duplicate = item->order == TRIAGE_INCIDENTAL && is_duplicate(t, item);
    if (is_known(t, item))
        bug = item->key;
    else if (!item->is_duplicate && !is_known_by_coarse_key(t, item, &bug))
        return false;
    triage__settle_known(t, item, bug);
    on_known(ctx, item);
    return true;
}

static bool window_is_settled(struct triage *t, size_t place)
{
    while (t->n_settled < t->items.n && t->items.at[t->n_settled].state == TRIAGE_SETTLED)
        t->n_settled++;
    return !t->strict || t->n_settled + TRIAGE_WINDOW > place;
}

/* How familiar the item is: the reductions begun with its coarse key. Failures of time and memory
 * come after all others, since a hang takes minutes. */
static uint64_t familiarity(const struct triage *t, const struct triage_item *item)
{
    const uint64_t *n = map_get(&t->begun, item->coarse);
    return (n ? *n : 0) + (key_is_steady(item->key) ? 0 : UINT64_C(1) << 32);
}

static struct triage_item *
next_case_item(struct triage *t, void (*on_known)(void *ctx, struct triage_item *item), void *ctx)
{
    struct triage_item *best = NULL;
    for (size_t i = t->n_settled; i < t->items.n; i++) {
        struct triage_item *item = &t->items.at[i];
        if (item->state != TRIAGE_WAITING)
            continue;
        if (!window_is_settled(t, i))
            return NULL;
        if (best && familiarity(t, item) >= familiarity(t, best))
            continue;
        if (settle_if_known(t, item, on_known, ctx))
            continue;
        if (t->strict)
            return item;
        best = item;
    }
    return best;
}

static struct triage_item *
next_incidental_item(struct triage *t, void (*on_known)(void *ctx, struct triage_item *item),
                     void *ctx)
{
    size_t n_settled = 0;
    while (n_settled < t->incidentals.n && t->incidentals.at[n_settled].state == TRIAGE_SETTLED)
        n_settled++;
    for (size_t i = n_settled; i < t->incidentals.n; i++) {
        struct triage_item *item = &t->incidentals.at[i];
        if (item->state != TRIAGE_WAITING)
            continue;
        if (t->strict && n_settled + TRIAGE_WINDOW <= i)
            return NULL;
        if (!settle_if_known(t, item, on_known, ctx))
            return item;
        if (n_settled == i)
            n_settled++;
    }
    return NULL;
}

/* Late items are reduced one at a time: their result may differ from run to run. */
static struct triage_item *
next_late_item(struct triage *t, void (*on_known)(void *ctx, struct triage_item *item), void *ctx)
{
    for (size_t i = 0; i < t->late.n; i++) {
        struct triage_item *item = &t->late.at[i];
        if (item->state == TRIAGE_RUNNING)
            return NULL;
        if (item->state == TRIAGE_WAITING && !settle_if_known(t, item, on_known, ctx))
            return item;
    }
    return NULL;
}

struct triage_item *triage__next(struct triage *t,
                                 void (*on_known)(void *ctx, struct triage_item *item), void *ctx)
{
    struct triage_item *item = next_case_item(t, on_known, ctx);
    if (item)
        return item;
    if (t->strict && (!t->incidentals_too || !window_is_settled(t, t->items.n + TRIAGE_WINDOW - 1)))
        return NULL;
    item = next_incidental_item(t, on_known, ctx);
    if (item || t->late.n == 0)
        return item;
    for (size_t i = 0; i < t->incidentals.n; i++)
        if (t->incidentals.at[i].state != TRIAGE_SETTLED)
            return NULL;
    return next_late_item(t, on_known, ctx);
}

void triage__settle_known(struct triage *t, struct triage_item *item, struct str final_key)
{
    item->state = TRIAGE_SETTLED;
    item->bug = keep(t, final_key);
}

void triage__settle(struct triage *t, struct triage_item *item, struct str final_key,
                    struct str reduced_key)
{
    bool added;
    triage__settle_known(t, item, final_key);
    item->was_reduced = true;
    if (final_key.n == 0 || reduced_key.n == 0)
        return;
    uint64_t place = place_of(t, item) + 1;
    uint64_t *by = map_at(&t->known, &t->arena, reduced_key, &added);
    if (added || *by > place)
        *by = place;
}

void triage__begin(struct triage *t, struct triage_item *item)
{
    bool added;
    item->state = TRIAGE_RUNNING;
    item->n_begun++;
    ++*map_at(&t->begun, &t->arena, item->coarse, &added);
}

/* Item i of the three lists, one after the other; NULL: the end. */
static struct triage_item *item_at(const struct triage *t, size_t i)
{
    if (i < t->items.n)
        return &t->items.at[i];
    i -= t->items.n;
    if (i < t->incidentals.n)
        return &t->incidentals.at[i];
    i -= t->incidentals.n;
    return i < t->late.n ? &t->late.at[i] : NULL;
}

struct triage_item *triage__find(struct triage *t, struct str name)
{
    struct triage_item *item;
    for (size_t i = 0; (item = item_at(t, i)); i++)
        if (str_eq(item->name, name))
            return item;
    return NULL;
}

struct triage_counts triage__count(const struct triage *t)
{
    const struct triage_item *item;
    struct triage_counts n = {0};
    for (size_t i = 0; (item = item_at(t, i)); i++) {
        n.n_waiting += item->state == TRIAGE_WAITING;
        n.n_dead += item->is_dead;
        n.n_unproved += item->state == TRIAGE_SETTLED && item->was_reduced && !item->is_dead &&
                        item->bug.n == 0;
    }
    return n;
}

bool triage__is_idle(const struct triage *t)
{
    const struct triage_item *item;
    for (size_t i = t->n_settled; (item = item_at(t, i)); i++)
        if (item->state != TRIAGE_SETTLED)
            return false;
    return true;
}
