/*
 * The project's summaries together: found by path, followed through re-exports, and linked: what
 * callees in other files do to what they are given is added to their callers until nothing changes.
 * Effects only grow, so cycles end. Owns copies of the effects it changes.
 */
#include "python/summary_p.h"

enum { FOLLOW_DEPTH = 16 };

struct summary_set {
    struct arena arena;
    VEC(struct function_summary) functions;
    VEC(struct class_summary) classes;
    struct node_table by_function, by_class, exports; /* by path */
};

struct summary_set *summary_set_new(void)
{
    struct summary_set *set = mem_alloc(sizeof *set);
    *set = (struct summary_set){0};
    arena_init(&set->arena);
    return set;
}

void summary_set_free(struct summary_set *set)
{
    if (!set)
        return;
    arena_done(&set->arena);
    free(set);
}

void summary_set_add(struct summary_set *set, const struct file_summary *s)
{
    for (uint32_t i = 0; i < s->n_functions; i++) {
        struct function_summary f = s->functions[i];
        f.effects = arena_dup(&set->arena, f.effects, f.n_effects * sizeof *f.effects);
        vec_push(&set->functions, &set->arena, f);
        node_table__put(&set->by_function, &set->arena, f.path, (uint32_t)set->functions.n - 1);
    }
    for (uint32_t i = 0; i < s->n_classes; i++) {
        vec_push(&set->classes, &set->arena, s->classes[i]);
        node_table__put(&set->by_class, &set->arena, s->classes[i].path,
                        (uint32_t)set->classes.n - 1);
    }
    for (uint32_t i = 0; i < s->n_exports; i++)
        node_table__put(&set->exports, &set->arena, s->exports[i].path, s->exports[i].target);
}

uint32_t summary_set_follow(const struct summary_set *set, uint32_t path)
{
    for (int depth = 0; depth < FOLLOW_DEPTH; depth++) {
        const uint32_t *target = node_table__get(&set->exports, path);
        if (!target || *target == path)
            return path;
        path = *target;
    }
    return path;
}

static struct function_summary *find_function(const struct summary_set *set, uint32_t path)
{
    const uint32_t *at = path == PATH_NONE
                             ? NULL
                             : node_table__get(&set->by_function, summary_set_follow(set, path));
    return at ? &set->functions.at[*at] : NULL;
}

const struct function_summary *summary_set_function(const struct summary_set *set, uint32_t path)
{
    return find_function(set, path);
}

const struct class_summary *summary_set_class(const struct summary_set *set, uint32_t path)
{
    const uint32_t *at =
        path == PATH_NONE ? NULL : node_table__get(&set->by_class, summary_set_follow(set, path));
    return at ? &set->classes.at[*at] : NULL;
}

static bool add_roles(struct summary_effect *e, uint64_t may, uint64_t must)
{
    uint64_t all = e->may | may, certain = e->must | must;
    bool changed = all != e->may || certain != e->must;
    e->may = all;
    e->must = certain;
    return changed;
}

/* One call's effects on what its caller passed. */
static bool link_call(const struct summary_set *set, struct summary_effect *effects,
                      const struct summary_call *call)
{
    const struct function_summary *callee = find_function(set, call->path);
    uint64_t escape = UINT64_C(1) << ROLE_ESCAPE, returned = UINT64_C(1) << ROLE_RETURN;
    bool is_class = node_table__get(&set->by_class, summary_set_follow(set, call->path)) != NULL,
         changed = false;
    for (unsigned at = 0; at < call->n_arguments; at++) {
        if (!call->argument[at])
            continue;
        struct summary_effect *e = &effects[call->argument[at] - 1];
        if (!callee || callee->is_opaque) {
            changed |= add_roles(e, is_class ? UINT64_C(1) << ROLE_KEEP : escape, 0);
            continue;
        }
        for (uint32_t i = 0; i < callee->n_effects; i++) {
            const struct summary_effect *c = &callee->effects[i];
            if (c->parameter == at && !c->n_path)
                changed |=
                    add_roles(e, c->may & ~returned, call->is_must ? c->must & ~returned : 0);
        }
    }
    return changed;
}

static void add_callers(struct summary_set *set)
{
    for (uint32_t i = 0; i < set->functions.n; i++) {
        const struct function_summary *f = &set->functions.at[i];
        for (uint32_t c = 0; c < f->n_calls; c++) {
            struct function_summary *callee = find_function(set, f->calls[c].path);
            if (!callee)
                continue;
            uint32_t *callers = arena_new_array(&set->arena, uint32_t, callee->n_callers + 1);
            if (callee->n_callers)
                memcpy(callers, callee->callers, callee->n_callers * sizeof *callers);
            callers[callee->n_callers++] = i;
            callee->callers = callers;
        }
    }
}

void summary_set_link(struct summary_set *set, struct paths *paths)
{
    (void)paths;
    add_callers(set);
    VEC(uint32_t) todo = {0};
    bool *waits = arena_new_array(&set->arena, bool, set->functions.n);
    for (uint32_t i = (uint32_t)set->functions.n; i-- > 0;) {
        vec_push(&todo, &set->arena, i);
        waits[i] = true;
    }
    while (todo.n) {
        uint32_t at = vec_pop(&todo);
        const struct function_summary *f = &set->functions.at[at];
        struct summary_effect *effects =
            arena_dup(&set->arena, f->effects, f->n_effects * sizeof *effects);
        bool changed = false;
        waits[at] = false;
        for (uint32_t c = 0; c < f->n_calls; c++)
            changed |= link_call(set, effects, &f->calls[c]);
        if (!changed)
            continue;
        set->functions.at[at].effects = effects;
        for (uint32_t i = 0; i < f->n_callers; i++) {
            if (!waits[f->callers[i]])
                vec_push(&todo, &set->arena, f->callers[i]);
            waits[f->callers[i]] = true;
        }
    }
}
