/*
 * What classes derived from a class of this file add to it: values of fields that it leaves unset,
 * and methods that replace its own. They are in this file, or in files that import it and whose
 * summaries are there when the file is read again. Invariant: what only one of them says has at
 * most medium confidence, and a class with an unknown method makes all fields unknown.
 */
#include "python/names_p.h"
#include "python/types_p.h"

enum { BASES_DEPTH = 16 };

static const struct type_fact nothing = {TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, SCOPE_NONE, 0,
                                         PATH_NONE,    MADE_NOTHING};

static uint32_t base_here(const struct names *n, uint32_t class_scope)
{
    uint32_t list = tree_child(n->tree, n->scopes[class_scope].node, FIELD_SUPERCLASSES);
    for (uint32_t b = list ? tree_first(n->tree, list) : 0; b; b = tree_next(n->tree, b)) {
        struct name_ref r = names_resolve(n, b);
        uint32_t base = r.origin == NAME_DEFINED && r.is_exact ? names_definition_of_path(n, r.path)
                                                               : (uint32_t)SCOPE_NONE;
        if (base != SCOPE_NONE)
            return base;
    }
    return SCOPE_NONE;
}

/* The path of the only base, if this file does not define it. */
static uint32_t base_elsewhere(const struct names *n, uint32_t class_scope)
{
    uint32_t list = tree_child(n->tree, n->scopes[class_scope].node, FIELD_SUPERCLASSES),
             base = list ? tree_first(n->tree, list) : 0;
    if (!base || tree_next(n->tree, base))
        return PATH_NONE;
    struct name_ref r = names_resolve(n, base);
    return r.is_exact && r.origin == NAME_IMPORT ? r.path : (uint32_t)PATH_NONE;
}

static void find_bases(const struct types *k)
{
    struct types_cache *c = k->cache;
    c->bases_elsewhere = arena_new_array(k->arena, uint32_t, k->names->n_scopes);
    c->bases = arena_new_array(k->arena, uint32_t, k->names->n_scopes);
    c->is_base = arena_new_array(k->arena, bool, k->names->n_scopes);
    for (uint32_t s = 0; s < k->names->n_scopes; s++) {
        c->bases[s] =
            k->names->scopes[s].kind == SCOPE_CLASS ? base_here(k->names, s) : (uint32_t)SCOPE_NONE;
        c->bases_elsewhere[s] = k->names->scopes[s].kind == SCOPE_CLASS
                                    ? base_elsewhere(k->names, s)
                                    : (uint32_t)PATH_NONE;
        if (c->bases[s] != SCOPE_NONE)
            c->is_base[c->bases[s]] = true;
    }
}

static bool is_below(const struct types *k, uint32_t class_scope, uint32_t above)
{
    uint32_t at = k->cache->bases[class_scope];
    for (int depth = 0; at != SCOPE_NONE && at != above && depth < BASES_DEPTH; depth++)
        at = k->cache->bases[at];
    return at == above && class_scope != above;
}

/* The last base in this file of a class, or itself. */
static uint32_t topmost(const struct types *k, uint32_t class_scope)
{
    uint32_t at = class_scope;
    for (int depth = 0; k->cache->bases[at] != SCOPE_NONE && depth < BASES_DEPTH; depth++)
        at = k->cache->bases[at];
    return at;
}

uint32_t types__base_elsewhere(const struct types *k, uint32_t class_scope)
{
    if (!k->options.project || class_scope == SCOPE_NONE)
        return PATH_NONE;
    if (!k->cache->bases)
        find_bases(k);
    return k->cache->bases_elsewhere[topmost(k, class_scope)];
}

struct field_above types__field_above(const struct types *k, uint32_t class_scope, uint32_t word)
{
    struct field_above f = {0};
    uint32_t path = types__base_elsewhere(k, class_scope);
    if (path != PATH_NONE)
        f.field = summary_set_field(k->options.project, path, word, &f.owner);
    return f;
}

/* The method of the first of several bases that has it. All must be classes of other files without
 * bases of their own, such as mixins: then Python looks through them in this order. */
static const struct function_summary *method_of_bases(const struct types *k, uint32_t class_scope,
                                                      uint32_t word)
{
    const struct names *n = k->names;
    const struct function_summary *found = NULL;
    uint32_t list = tree_child(n->tree, n->scopes[class_scope].node, FIELD_SUPERCLASSES);
    for (uint32_t b = list ? tree_first(n->tree, list) : 0; b; b = tree_next(n->tree, b)) {
        struct name_ref r = names_resolve(n, b);
        const struct class_summary *c = r.is_exact && r.origin == NAME_IMPORT
                                            ? summary_set_class(k->options.project, r.path)
                                            : NULL;
        if (!c || c->n_bases)
            return NULL;
        if (!found)
            found = summary_set_own_method(k->options.project, c, word);
    }
    return found;
}

const struct function_summary *types__inherited(const struct types *k, uint32_t class_scope,
                                                uint32_t word)
{
    uint32_t path = types__base_elsewhere(k, class_scope);
    if (path == PATH_NONE)
        return k->options.project && class_scope != SCOPE_NONE
                   ? method_of_bases(k, class_scope, word)
                   : NULL;
    return summary_set_method(k->options.project, path, word);
}

uint32_t types__keeper(const struct types *k, uint32_t class_scope, uint32_t word)
{
    uint32_t count, at = class_scope;
    if (!k->cache->bases)
        find_bases(k);
    for (int depth = 0; at != SCOPE_NONE && depth < BASES_DEPTH; depth++) {
        if (types__field(k, at, word, &count) != UINT32_MAX)
            return at;
        at = k->cache->bases[at];
    }
    at = topmost(k, class_scope);
    return at != class_scope && types__field_above(k, class_scope, word).field ? at : class_scope;
}

/* The next class of this file that derives from another, from `scope` on; SCOPE_NONE. */
uint32_t types__next_below(const struct types *k, uint32_t class_scope, uint32_t scope)
{
    if (!k->cache->bases)
        find_bases(k);
    if (!k->cache->is_base[class_scope])
        return SCOPE_NONE;
    while (scope < k->names->n_scopes && !is_below(k, scope, class_scope))
        scope++;
    return scope < k->names->n_scopes ? scope : (uint32_t)SCOPE_NONE;
}

/* The next derived class in another file of the project. */
const struct class_summary *types__next_below_elsewhere(const struct types *k, uint32_t class_scope,
                                                        uint32_t *at)
{
    const struct class_summary *c;
    if (!k->options.project)
        return NULL;
    uint32_t path = names__scope_path(k->names, class_scope);
    while ((c = summary_set_below(k->options.project, path, at)))
        if (names_definition_of_path(k->names, c->path) == SCOPE_NONE)
            return c;
    return NULL;
}

const struct function_summary *types__next_override(const struct types *k, uint32_t class_scope,
                                                    uint32_t word, struct override_walk *w)
{
    const struct names *n = k->names;
    while (w->scope != SCOPE_NONE) {
        uint32_t below = types__next_below(k, class_scope, w->scope);
        uint32_t binding = below == SCOPE_NONE ? BINDING_NONE : names__find(n, below, word),
                 scope =
                     binding == BINDING_NONE ? (uint32_t)SCOPE_NONE : names_definition(n, binding);
        w->scope = below == SCOPE_NONE ? below : below + 1;
        w->at = UINT32_MAX;
        const struct function_summary *s =
            scope != SCOPE_NONE && n->scopes[scope].kind == SCOPE_FUNCTION ? summary_of(k, scope)
                                                                           : NULL;
        if (s)
            return s;
    }
    for (const struct class_summary *c;
         (c = types__next_below_elsewhere(k, class_scope, &w->at));) {
        const struct function_summary *s = summary_set_own_method(k->options.project, c, word);
        if (s)
            return s;
    }
    return NULL;
}

bool types__is_abstract(const struct types *k, uint32_t scope)
{
    const struct tree *t = k->names->tree;
    uint32_t body =
        scope == SCOPE_NONE ? 0 : tree_child(t, k->names->scopes[scope].node, FIELD_BODY);
    for (uint32_t s = body ? tree_first(t, body) : 0; s; s = tree_next(t, s)) {
        enum py_kind kind = tree_kind(t, s),
                     inner = tree_first(t, s) ? tree_kind(t, tree_first(t, s)) : PY_NONE;
        bool is_stub = kind == PY_PASS || inner == PY_STRING || inner == PY_ELLIPSIS ||
                       (kind == PY_RAISE && tree_first(t, s) &&
                        str_starts(tree_text(t, tree_first(t, s)), STR("NotImplementedError")));
        if (!is_stub)
            return false;
    }
    return true;
}

static struct type_fact fact_here(const struct types *k, uint32_t class_scope, uint32_t word)
{
    struct type_fact joined = nothing;
    uint32_t count, at = types__field(k, class_scope, word, &count);
    for (bool any = false; at != UINT32_MAX; at = k->cache->field_stores.at[at].next) {
        uint32_t value = k->cache->field_stores.at[at].value;
        if (value && tree_kind(k->names->tree, value) == PY_NONE)
            continue;
        struct type_fact f = value ? types_of(k, value) : nothing;
        joined = any ? types__join(joined, f) : f;
        any = true;
    }
    return joined;
}

struct type_fact types__fact_below(const struct types *k, uint32_t class_scope, uint32_t word)
{
    struct type_fact joined = nothing;
    bool any = false;
    for (uint32_t s = types__next_below(k, class_scope, 0); s != SCOPE_NONE;
         s = types__next_below(k, class_scope, s + 1)) {
        struct type_fact f = fact_here(k, s, word);
        if (f.type == TYPE_UNKNOWN)
            continue;
        joined = any ? types__join(joined, f) : f;
        any = true;
    }
    uint32_t at = UINT32_MAX;
    for (const struct class_summary *c; (c = types__next_below_elsewhere(k, class_scope, &at));) {
        const struct class_field *field = class_summary_field(c, word);
        if (!field || field->fact.type == TYPE_UNKNOWN)
            continue;
        struct type_fact f = types__fact_of_given(k, &field->fact);
        joined = any ? types__join(joined, f) : f;
        any = true;
    }
    joined.confidence = MIN(joined.confidence, CONFIDENCE_MEDIUM);
    joined.origin = 0;
    return joined;
}

bool types_is_filled_below(const struct types *k, uint32_t object)
{
    const struct types_object o = *types_object_at(k, object);
    return o.origin == OBJECT_FIELD && o.n_path == 1 && o.fact.confidence >= CONFIDENCE_MEDIUM &&
           types__fact_below(k, o.scope, o.path[0]).type == o.fact.type;
}
