/*
 * The pass that makes an optimiser do less: a level of its row in share/decompose/ is put in place
 * of a higher one, the least first. The program says more about where the fault lies then, and the
 * candidates that follow run faster. Must not know what failed nor how it is judged.
 */
#include "python/edit_call.h"
#include "python/reading.h"
#include "reduce/program_p.h"

/* A level that an optimiser's call may have instead of its own. */
struct level_site {
    uint32_t call;
    struct keyword keyword;
};

struct level_sites {
    VEC(struct level_site) at;
};

static void list_call(const struct reading *r, const struct program_part *p, struct arena *a,
                      struct level_sites *out)
{
    const struct tree *t = &r->tree;
    struct level_site site = {.call = p->is_decorator ? tree_first(t, p->node) : p->node};
    site.keyword.name = p->row->level;
    site.keyword.word = py_parser_word(t->parser, p->row->level);
    uint32_t given = tree_keyword(t, site.call, site.keyword.word, NULL);
    for (size_t i = 0; i < p->row->levels.n; i++) {
        site.keyword.value = p->row->levels.at[i];
        if (given && str_eq(tree_text(t, given), site.keyword.value))
            return;
        vec_push(&out->at, a, site);
    }
}

static bool list_levels(struct reader *reader, struct str text, struct arena *a, struct reading *r,
                        struct level_sites *out)
{
    if (!reader || !reading_make(reader, text, a, r))
        return false;
    const struct program_part *p = parts_next(&r->parts, PART_OPTIMIZER, NULL);
    for (; p; p = parts_next(&r->parts, PART_OPTIMIZER, p))
        list_call(r, p, a, out);
    return true;
}

uint32_t pass__count_level(const struct state *s)
{
    struct arena a;
    struct reading r;
    struct level_sites sites = {0};
    arena_init(&a);
    list_levels(s->reader, s->program->source, &a, &r, &sites);
    uint32_t n = (uint32_t)sites.at.n;
    arena_done(&a);
    return n;
}

bool pass__apply_level(struct trial *t, uint32_t lo, uint32_t hi)
{
    struct reading r;
    struct level_sites sites = {0};
    struct edit_set edits = {0};
    if (!list_levels(t->from->reader, t->source, t->a, &r, &sites))
        return false;
    for (uint32_t i = lo; i < hi && i < sites.at.n; i++)
        edit_set_keyword(&edits, t->a, &r.tree, sites.at.at[i].call, &sites.at.at[i].keyword, i);
    struct edit_result made = edit_apply(&edits, t->source, t->a);
    t->source = made.text;
    return made.n_applied > 0;
}
