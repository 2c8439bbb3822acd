/*
 * Applies edits: groups in order of their first offset, each accepted as a whole if it overlaps
 * nothing accepted before. Invariant: the accepted edits are ascending and disjoint, so the new
 * text is one pass over the old.
 */
#include "python/edit.h"

#include "base/compiler.h"

void edit_add(struct edit_set *set, struct arena *a, uint32_t start, uint32_t end, struct str text,
              uint32_t group)
{
    struct text_edit e = {start, MAX(start, end), group, text};
    vec_push(&set->edits, a, e);
}

static bool conflict(const struct text_edit *a, const struct text_edit *b)
{
    if (a->start == a->end && b->start == b->end)
        return a->start == b->start && !str_eq(a->text, b->text);
    if (a->start == a->end)
        return b->start < a->start && a->start < b->end;
    if (b->start == b->end)
        return a->start < b->start && b->start < a->end;
    return a->start < b->end && b->start < a->end;
}

bool edit_groups_conflict(const struct text_edit *a, uint32_t n_a, const struct text_edit *b,
                          uint32_t n_b)
{
    for (uint32_t i = 0; i < n_a; i++)
        for (uint32_t j = 0; j < n_b; j++)
            if (conflict(&a[i], &b[j]))
                return true;
    return false;
}

struct group {
    uint32_t number, first_start, first, n;
};

static int compare_edits(const void *x, const void *y)
{
    const struct text_edit *a = x, *b = y;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

static int compare_groups(const void *x, const void *y)
{
    const struct group *a = x, *b = y;
    if (a->first_start != b->first_start)
        return a->first_start < b->first_start ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int compare_places(const void *x, const void *y)
{
    const struct text_edit *a = x, *b = y;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return (a->group > b->group) - (a->group < b->group);
}

/* Whole groups in their order, from edits sorted by group. */
static uint32_t find_groups(const struct text_edit *edits, size_t n, struct group *out)
{
    uint32_t n_groups = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (n_groups && out[n_groups - 1].number == edits[i].group)
            out[n_groups - 1].n++;
        else
            out[n_groups++] = (struct group){edits[i].group, edits[i].start, i, 1};
    }
    qsort(out, n_groups, sizeof *out, compare_groups);
    return n_groups;
}

static bool fits(const struct text_edit *edits, const struct group *g, size_t text_n)
{
    for (uint32_t i = g->first; i < g->first + g->n; i++)
        if (edits[i].end > text_n || (i > g->first && conflict(&edits[i - 1], &edits[i])))
            return false;
    return true;
}

static struct str build(struct edit_result *r, struct text_edit *accepted, struct str text,
                        struct arena *a)
{
    struct strbuf out = {0};
    size_t at = 0;
    uint32_t kept = 0;
    strbuf_adds(&out, "");
    for (uint32_t i = 0; i < r->n_edits; i++) {
        const struct text_edit e = accepted[i];
        bool is_double = kept && e.start == e.end && accepted[kept - 1].start == e.start &&
                         accepted[kept - 1].end == e.end;
        if (is_double)
            continue; /* the same insertion, requested twice */
        strbuf_addstr(&out, str_sub(text, at, e.start));
        strbuf_addstr(&out, e.text);
        at = e.end;
        accepted[kept++] = e;
    }
    strbuf_addstr(&out, str_sub(text, at, text.n));
    r->n_edits = kept;
    struct str result = strbuf_dup(&out, a);
    strbuf_done(&out);
    return result;
}

struct edit_result edit_apply(const struct edit_set *set, struct str text, struct arena *a)
{
    size_t n = set->edits.n;
    struct text_edit *edits = arena_dup(a, set->edits.at, n * sizeof *edits);
    struct text_edit *accepted = arena_new_array(a, struct text_edit, n);
    struct group *groups = arena_new_array(a, struct group, n);
    struct edit_result r = {.text = text};
    qsort(edits, n, sizeof *edits, compare_edits);
    r.n_groups = n ? edits[n - 1].group + 1 : 0;
    bool *applied = arena_new_array(a, bool, r.n_groups);
    uint32_t n_groups = find_groups(edits, n, groups);
    for (uint32_t g = 0; g < n_groups; g++) {
        const struct text_edit *own = edits + groups[g].first;
        if (!fits(edits, &groups[g], text.n) ||
            edit_groups_conflict(own, groups[g].n, accepted, r.n_edits)) {
            r.n_skipped++;
            continue;
        }
        memcpy(accepted + r.n_edits, own, groups[g].n * sizeof *own);
        r.n_edits += groups[g].n;
        r.n_applied++;
        applied[groups[g].number] = true;
    }
    qsort(accepted, r.n_edits, sizeof *accepted, compare_places);
    r.applied = applied;
    r.text = build(&r, accepted, text, a);
    r.edits = accepted;
    return r;
}

uint32_t edit_map(const struct edit_result *r, uint32_t offset)
{
    int64_t shift = 0;
    for (uint32_t i = 0; i < r->n_edits && r->edits[i].start <= offset; i++) {
        const struct text_edit *e = &r->edits[i];
        if (offset < e->end)
            return (uint32_t)(e->start + shift);
        shift += (int64_t)e->text.n - (int64_t)(e->end - e->start);
    }
    return (uint32_t)(offset + shift);
}
