/*
 * Classes derived from a class, in any file, and what they keep in the fields that their base uses.
 * Found once, when all summaries are there. Invariant: a class with an unknown method (decorated by
 * something unknown, or too large) says nothing about its base.
 */
#include "python/summary_set_p.h"

enum { ABOVE_MAX = 32 };

static const uint32_t telling_types = 1u << TYPE_MODULE | 1u << TYPE_OPTIMIZER |
                                      1u << TYPE_CRITERION | 1u << TYPE_SCHEDULER |
                                      1u << TYPE_SCALER;

/* The class and all its bases in the project; returns how many. */
static unsigned walk_up(const struct summary_set *set, uint32_t class_path,
                        const struct class_summary **seen)
{
    unsigned n = 0;
    const struct class_summary *first = summary_set_class(set, class_path);
    if (first)
        seen[n++] = first;
    for (unsigned i = 0; i < n; i++)
        for (uint32_t b = 0; b < seen[i]->n_bases; b++) {
            const struct class_summary *base =
                seen[i]->bases[b] == PATH_NONE ? NULL : summary_set_class(set, seen[i]->bases[b]);
            bool is_known = !base || n == ABOVE_MAX;
            for (unsigned j = 0; j < n && !is_known; j++)
                is_known = seen[j] == base;
            if (!is_known)
                seen[n++] = base;
        }
    return n;
}

static void add_below(struct summary_set *set, uint32_t above, uint32_t at)
{
    const uint32_t *first = node_table__get(&set->by_above, above);
    vec_push(&set->below, &set->arena, (struct class_below){at, first ? *first : UINT32_MAX});
    node_table__put(&set->by_above, &set->arena, above, (uint32_t)set->below.n - 1);
}

void summary_set__find_below(struct summary_set *set)
{
    struct node_table opaque = {0};
    struct arena work;
    if (set->below.n)
        return;
    arena_init(&work);
    for (size_t i = 0; i < set->functions.n; i++)
        if (set->functions.at[i].is_opaque)
            node_table__put(&opaque, &work, paths_parent(set->paths, set->functions.at[i].path), 1);
    for (uint32_t i = (uint32_t)set->classes.n; i-- > 0;) {
        const struct class_summary *above[ABOVE_MAX];
        unsigned n = walk_up(set, set->classes.at[i].path, above);
        for (unsigned j = 1; j < n && !node_table__get(&opaque, set->classes.at[i].path); j++)
            add_below(set, above[j]->path, i);
    }
    arena_done(&work);
}

const struct class_summary *summary_set_below(const struct summary_set *set, uint32_t class_path,
                                              uint32_t *at)
{
    const uint32_t *first = *at == UINT32_MAX ? node_table__get(&set->by_above, class_path) : NULL;
    uint32_t next = first ? *first : *at == UINT32_MAX ? UINT32_MAX : set->below.at[*at].next;
    *at = next;
    return next == UINT32_MAX ? NULL : &set->classes.at[set->below.at[next].at];
}

/* The field of the receiver that an effect of a method is on; WORD_NONE. */
static uint32_t field_of(const struct summary_effect *e)
{
    bool is_own = e->n_path >= 1 && (e->is_field || e->parameter == 0);
    return is_own ? e->path[0] : (uint32_t)WORD_NONE;
}

const struct class_summary *summary_set__filler(const struct summary_set *set,
                                                const struct function_summary *f)
{
    uint32_t owner = paths_parent(set->paths, f->path), at = UINT32_MAX;
    for (const struct class_summary *c; (c = summary_set_below(set, owner, &at));)
        for (uint32_t i = 0; i < f->n_effects; i++) {
            uint32_t word = field_of(&f->effects[i]);
            const struct class_field *field =
                word == WORD_NONE ? NULL : class_summary_field(c, word);
            if (field && telling_types >> field->fact.type & 1)
                return c;
        }
    return NULL;
}

const struct function_summary *summary_set__init_above(const struct summary_set *set,
                                                       uint32_t class_path)
{
    const uint32_t *at =
        class_path == PATH_NONE ? NULL : node_table__get(&set->by_class, class_path);
    const struct class_summary *c = at ? &set->classes.at[*at] : NULL;
    const struct function_summary *init =
        c && c->n_bases == 1
            ? summary_set_method(set, class_path, paths_known_word(set->paths, STR("__init__")))
            : NULL;
    return init && paths_parent(set->paths, init->path) != class_path ? init : NULL;
}

/* ---- as a hash ---- */

void summary_set__hash_path(const struct summary_set *set, uint32_t path, struct hasher *h)
{
    struct strbuf text = {0};
    paths_text(set->paths, path, &text);
    hasher_add_str(h, strbuf_str(&text));
    strbuf_done(&text);
}

void summary_set__hash_given(const struct summary_set *set, const struct given_fact *g,
                             struct hasher *h)
{
    hasher_add_u64(h, (uint64_t)g->type | (uint64_t)g->confidence << 8 | (uint64_t)g->domain << 16 |
                          (uint64_t)g->mode << 24 | (uint64_t)g->role << 32);
    hasher_add_u64(h, (uint64_t)g->made.gives | (uint64_t)g->made.members << 8 |
                          (uint64_t)g->holds << 16);
    hasher_add_u64(h, (uint64_t)g->constant.kind | (uint64_t)g->constant.text << 8);
    summary_set__hash_path(set, g->api_path, h);
    summary_set__hash_path(set, g->class_path, h);
}

static void hash_effect(const struct summary_effect *e, const struct py_parser *words,
                        struct hasher *h)
{
    hasher_add_u64(h, e->may);
    for (unsigned i = 0; i < e->n_path; i++)
        hasher_add_str(h, py_parser_text(words, e->path[i]));
}

void summary_set__hash_below(const struct summary_set *set, uint32_t class_path,
                             const struct py_parser *words, struct hasher *h)
{
    uint32_t at = UINT32_MAX;
    for (const struct class_summary *c; (c = summary_set_below(set, class_path, &at));) {
        for (uint32_t i = 0; i < c->n_fields; i++) {
            hasher_add_str(h, py_parser_text(words, c->fields[i].word));
            summary_set__hash_given(set, &c->fields[i].fact, h);
        }
        for (size_t i = 0; i < set->functions.n; i++) {
            const struct function_summary *f = &set->functions.at[i];
            if (paths_parent(set->paths, f->path) != c->path)
                continue;
            for (uint32_t e = 0; e < f->n_effects; e++)
                hash_effect(&f->effects[e], words, h);
        }
    }
}
