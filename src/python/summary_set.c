/*
 * The summaries of a project: found by path, also through re-exports, and linked: effects of
 * callees in other files on their arguments are added to their callers until nothing changes.
 * Effects only grow, so cycles end. Owns copies of the effects it changes.
 */
#include "python/summary_set_p.h"

enum { FOLLOW_DEPTH = 16, STAR_DEPTH = 4, BASES_DEPTH = 16 };

struct summary_set *summary_set_new(void)
{
    struct summary_set *set = mem_alloc(sizeof *set);
    *set = (struct summary_set){0};
    arena_init(&set->arena);
    set->n_missed = arena_new(&set->arena, uint64_t);
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
    for (uint32_t i = 0; i < s->n_values; i++) {
        vec_push(&set->values, &set->arena, s->values[i]);
        node_table__put(&set->by_value, &set->arena, s->values[i].path,
                        (uint32_t)set->values.n - 1);
    }
    for (uint32_t i = 0; i < s->n_sites; i++)
        vec_push(&set->sites, &set->arena, (struct placed_site){&s->sites[i], s->module});
    for (uint32_t i = 0; i < s->n_exports; i++) {
        const struct summary_export *x = &s->exports[i];
        if (!x->is_star) {
            node_table__put(&set->exports, &set->arena, x->path, x->target);
            continue;
        }
        const uint32_t *first = node_table__get(&set->by_star, x->path);
        vec_push(&set->stars, &set->arena, (struct star){x->target, first ? *first : UINT32_MAX});
        node_table__put(&set->by_star, &set->arena, x->path, (uint32_t)set->stars.n - 1);
    }
}

void summary_set_expect(struct summary_set *set, uint32_t module)
{
    if (module != PATH_NONE)
        node_table__put(&set->expected, &set->arena, module, 1);
}

static void count_miss(const struct summary_set *set, uint32_t path)
{
    for (; set->expected.n && set->paths && path != PATH_NONE;
         path = paths_parent(set->paths, path))
        if (node_table__get(&set->expected, path)) {
            ++*set->n_missed;
            return;
        }
}

/* ---- paths ---- */

static bool is_defined(const struct summary_set *set, uint32_t path)
{
    return node_table__get(&set->by_function, path) || node_table__get(&set->by_class, path) ||
           node_table__get(&set->by_value, path);
}

/* For a name that a module has by a star import, the path where it is defined or imported by name;
 * PATH_NONE: none. Follows at most ROOM modules. */
static uint32_t find_by_star(const struct summary_set *set, uint32_t path)
{
    enum { ROOM = 64 };
    struct open_module {
        uint32_t module;
        unsigned depth;
    } open[ROOM] = {{paths_parent(set->paths, path), 0}};
    uint32_t word = paths_word(set->paths, path);
    for (unsigned n = 1; n;) {
        struct open_module at = open[--n];
        const uint32_t *first = node_table__get(&set->by_star, at.module);
        for (uint32_t s = first ? *first : UINT32_MAX; s != UINT32_MAX; s = set->stars.at[s].next) {
            uint32_t target = set->stars.at[s].target,
                     found = paths_find_word(set->paths, target, word);
            if (found != PATH_NONE &&
                (is_defined(set, found) || node_table__get(&set->exports, found)))
                return found;
            if (at.depth < STAR_DEPTH && n < ROOM)
                open[n++] = (struct open_module){target, at.depth + 1};
        }
    }
    return PATH_NONE;
}

uint32_t summary_set_follow(const struct summary_set *set, uint32_t path)
{
    for (int depth = 0; depth < FOLLOW_DEPTH && path != PATH_NONE; depth++) {
        if (is_defined(set, path))
            return path;
        const uint32_t *target = node_table__get(&set->exports, path);
        uint32_t next = target ? *target : (uint32_t)PATH_NONE;
        if (!target && set->stars.n && set->paths)
            next = find_by_star(set, path);
        if (next == PATH_NONE || next == path)
            return path;
        path = next;
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
    const struct function_summary *f = find_function(set, path);
    if (!f)
        count_miss(set, path);
    return f;
}

const struct class_summary *summary_set_class(const struct summary_set *set, uint32_t path)
{
    const uint32_t *at =
        path == PATH_NONE ? NULL : node_table__get(&set->by_class, summary_set_follow(set, path));
    if (!at)
        count_miss(set, path);
    return at ? &set->classes.at[*at] : NULL;
}

const struct summary_value *summary_set_value(const struct summary_set *set, uint32_t path)
{
    const uint32_t *at =
        path == PATH_NONE ? NULL : node_table__get(&set->by_value, summary_set_follow(set, path));
    if (!at)
        count_miss(set, path);
    return at ? &set->values.at[*at] : NULL;
}

/* The base in the project whose members a class has. NULL: none, or several, whose order of
 * resolution is not computed. */
static const struct class_summary *base_of(const struct summary_set *set,
                                           const struct class_summary *c)
{
    const struct class_summary *base = NULL;
    for (uint32_t i = 0; i < c->n_bases && !base; i++)
        base = c->bases[i] == PATH_NONE ? NULL : summary_set_class(set, c->bases[i]);
    return c->n_bases > 1 ? NULL : base;
}

const struct function_summary *summary_set_method(const struct summary_set *set,
                                                  uint32_t class_path, uint32_t word)
{
    const struct class_summary *c = summary_set_class(set, class_path);
    for (int depth = 0; c && word != WORD_NONE && depth < BASES_DEPTH; depth++) {
        const struct function_summary *f =
            find_function(set, paths_find_word(set->paths, c->path, word));
        if (f)
            return f;
        c = base_of(set, c);
    }
    return NULL;
}

const struct class_field *class_summary_field(const struct class_summary *c, uint32_t word)
{
    for (uint32_t i = 0; i < c->n_fields; i++)
        if (c->fields[i].word == word)
            return &c->fields[i];
    return NULL;
}

const struct function_summary *summary_set_own_method(const struct summary_set *set,
                                                      const struct class_summary *c, uint32_t word)
{
    return word == WORD_NONE ? NULL
                             : find_function(set, paths_find_word(set->paths, c->path, word));
}

const struct class_field *summary_set_field(const struct summary_set *set, uint32_t class_path,
                                            uint32_t word, const struct class_summary **owner)
{
    const struct class_summary *c = summary_set_class(set, class_path);
    for (int depth = 0; c && word != WORD_NONE && depth < BASES_DEPTH; depth++) {
        const struct class_field *f = class_summary_field(c, word);
        *owner = c;
        if (f)
            return f;
        c = base_of(set, c);
    }
    return NULL;
}

bool summary_set_runs_init(const struct summary_set *set, uint32_t class_path,
                           const struct class_summary *owner)
{
    uint32_t word = paths_known_word(set->paths, STR("__init__"));
    const struct function_summary *init = summary_set_method(set, class_path, word);
    return init && paths_parent(set->paths, init->path) == owner->path;
}

const struct function_summary *summary_set__callee(const struct summary_set *set,
                                                   const struct summary_site *s)
{
    return find_function(set, s->callee);
}

uint64_t summary_set_n_missed(const struct summary_set *set)
{
    return *set->n_missed;
}

static bool add_roles(struct summary_effect *e, uint64_t may, uint64_t must)
{
    uint64_t all = e->may | may, certain = e->must | must;
    bool changed = all != e->may || certain != e->must;
    e->may = all;
    e->must = certain;
    return changed;
}

/* Adds the effects of one call on what its caller passed. */
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
            if (c->parameter != at || !c->may)
                continue;
            if (c->n_path) /* on a part of the argument, for which `e` has no slot */
                changed |= add_roles(e, escape, 0);
            else
                changed |=
                    add_roles(e, c->may & ~returned, call->is_must ? c->must & ~returned : 0);
        }
    }
    return changed;
}

static void add_callers(struct summary_set *set)
{
    for (uint32_t i = (uint32_t)set->n_linked; i < set->functions.n; i++) {
        const struct function_summary *f = &set->functions.at[i];
        for (uint32_t c = 0; c < f->n_calls; c++) {
            struct function_summary *callee = find_function(set, f->calls[c].path);
            if (!callee)
                continue;
            if ((callee->n_callers & (callee->n_callers - 1)) == 0) {
                uint32_t *longer = arena_new_array(
                    &set->arena, uint32_t, callee->n_callers ? 2 * (size_t)callee->n_callers : 1);
                if (callee->n_callers)
                    memcpy(longer, callee->callers, callee->n_callers * sizeof *longer);
                callee->callers = longer;
            }
            callee->callers[callee->n_callers++] = i;
        }
    }
}

/* Adds all effects of the function's callees to its own; true when that changed them. */
static bool link_function(struct summary_set *set, uint32_t at)
{
    const struct function_summary *f = &set->functions.at[at];
    bool changed = false;
    struct summary_effect *effects = NULL;
    for (uint32_t c = 0; c < f->n_calls; c++) {
        if (!f->calls[c].n_arguments)
            continue;
        if (!effects)
            effects = arena_dup(&set->arena, f->effects, f->n_effects * sizeof *effects);
        changed |= link_call(set, effects, &f->calls[c]);
    }
    if (changed)
        set->functions.at[at].effects = effects;
    return changed;
}

void summary_set_link(struct summary_set *set, struct paths *paths)
{
    VEC(uint32_t) worklist = {0};
    struct arena work;
    set->paths = paths;
    add_callers(set);
    arena_init(&work);
    bool *waits = arena_new_array(&work, bool, set->functions.n);
    for (uint32_t i = (uint32_t)set->functions.n; i-- > set->n_linked;) {
        vec_push(&worklist, &work, i);
        waits[i] = true;
    }
    while (worklist.n) {
        uint32_t at = vec_pop(&worklist);
        waits[at] = false;
        if (!link_function(set, at))
            continue;
        const struct function_summary *f = &set->functions.at[at];
        for (uint32_t i = 0; i < f->n_callers; i++) {
            if (!waits[f->callers[i]])
                vec_push(&worklist, &work, f->callers[i]);
            waits[f->callers[i]] = true;
        }
    }
    set->n_linked = set->functions.n;
    arena_done(&work);
}

uint64_t summary_set_class_roles(const struct summary_set *set, uint32_t class_path)
{
    uint64_t may = 0;
    for (size_t i = 0; i < set->functions.n; i++) {
        const struct function_summary *f = &set->functions.at[i];
        if (!set->paths || paths_parent(set->paths, f->path) != class_path)
            continue;
        for (uint32_t e = 0; e < f->n_effects; e++)
            may |= f->effects[e].may;
    }
    return may;
}
