/*
 * What names mean: lookup by Python's scoping rules, then the qualified name of a dotted
 * expression. Lazy: a binding's meaning is computed at its first use and kept. Invariant:
 * confidence is high only when nothing but an import or one definition binds the root. Aliases (`F
 * = torch.nn.functional`) are followed a bounded number of times.
 */
#include "python/names_p.h"

enum { ALIAS_DEPTH = 8, BASE_DEPTH = 64, CHAIN_DEPTH = 32 };

static struct binding_meaning meaning_of(const struct names *n, uint32_t binding, unsigned depth);
static struct name_ref resolve(const struct names *n, uint32_t node, unsigned depth);

/* ---- scopes ---- */

uint32_t names_scope_at(const struct names *n, uint32_t node)
{
    return n->cache->node_scopes[node];
}

uint32_t names_class_of(const struct names *n, uint32_t scope)
{
    while (scope != SCOPE_NONE && n->scopes[scope].kind != SCOPE_CLASS)
        scope = n->scopes[scope].parent;
    return scope;
}

/* Is the function decorated with @staticmethod, so that it has no receiver? */
static bool is_static(const struct names *n, uint32_t scope)
{
    uint32_t above = n->tree->nodes[n->scopes[scope].node].parent;
    bool is_decorated = tree_kind(n->tree, above) == PY_DECORATED;
    for (uint32_t c = is_decorated ? tree_first(n->tree, above) : 0; c; c = tree_next(n->tree, c)) {
        uint32_t name = tree_kind(n->tree, c) == PY_DECORATOR ? tree_first(n->tree, c) : 0;
        if (name && str_is(tree_text(n->tree, name), "staticmethod"))
            return true;
    }
    return false;
}

bool names_is_method(const struct names *n, uint32_t scope)
{
    uint32_t parent = n->scopes[scope].parent;
    return parent != SCOPE_NONE && n->scopes[parent].kind == SCOPE_CLASS && !is_static(n, scope);
}

uint32_t names_local(const struct names *n, uint32_t scope, uint32_t word)
{
    return names__find(n, scope, word);
}

uint32_t names_lookup(const struct names *n, uint32_t scope, uint32_t word)
{
    bool is_inner = false;
    for (uint32_t s = scope; s != SCOPE_NONE; s = n->scopes[s].parent) {
        if (n->scopes[s].kind != SCOPE_CLASS || !is_inner) {
            uint32_t found = names__find(n, s, word);
            uint32_t flags = found == BINDING_NONE ? 0 : n->bindings[found].flags;
            if (flags & BINDING_FLAG_GLOBAL)
                return names__find(n, 0, word);
            if (found != BINDING_NONE && !(flags & BINDING_FLAG_NONLOCAL))
                return found;
        }
        is_inner = true;
    }
    return BINDING_NONE;
}

uint32_t names_store(const struct names *n, uint32_t identifier)
{
    uint32_t low = 0, high = n->n_stores;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (n->stores[middle].node < identifier)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n->n_stores && n->stores[low].node == identifier ? low : (uint32_t)NAME_STORE_NONE;
}

uint32_t names_binding(const struct names *n, uint32_t identifier)
{
    const struct tree_node *node = &n->tree->nodes[identifier];
    if (node->word == WORD_NONE)
        return BINDING_NONE;
    struct names_cache *cache = n->cache;
    if (!cache->node_bindings)
        cache->node_bindings = arena_new_array(n->arena, uint32_t, n->tree->n_nodes);
    uint32_t *kept = &cache->node_bindings[identifier];
    if (!*kept) {
        uint32_t store = names_store(n, identifier);
        uint32_t binding = store != NAME_STORE_NONE
                               ? n->stores[store].binding
                               : names_lookup(n, names_scope_at(n, identifier), node->word);
        *kept = binding == BINDING_NONE ? 1 : binding + 2;
    }
    return *kept == 1 ? (uint32_t)BINDING_NONE : *kept - 2;
}

bool names_is_self(const struct names *n, uint32_t identifier)
{
    uint32_t binding = names_binding(n, identifier);
    if (binding == BINDING_NONE || !(n->bindings[binding].flags & BINDING_FLAG_PARAMETER))
        return false;
    uint32_t scope = n->bindings[binding].scope;
    if (n->scopes[scope].kind != SCOPE_FUNCTION || !names_is_method(n, scope))
        return false;
    uint32_t parameters = tree_child(n->tree, n->scopes[scope].node, FIELD_PARAMETERS);
    uint32_t first = parameters ? tree_first(n->tree, parameters) : 0;
    if (first && n->tree->nodes[first].kind != PY_IDENTIFIER)
        first = tree_first(n->tree, first);
    return first && n->tree->nodes[first].word == n->bindings[binding].word;
}

/* ---- where a store stands ---- */

bool names_store_in_try(const struct names *n, uint32_t store)
{
    for (uint32_t c = n->stores[store].node; c; c = n->tree->nodes[c].parent) {
        enum py_kind k = tree_kind(n->tree, c);
        if (k == PY_TRY)
            return true;
        if (c != n->stores[store].node && (k == PY_FUNCTION || k == PY_CLASS) &&
            n->stores[store].value != c)
            return false;
    }
    return false;
}

bool names_store_is_conditional(const struct names *n, uint32_t store)
{
    for (uint32_t c = n->stores[store].node; c; c = n->tree->nodes[c].parent) {
        enum py_kind k = tree_kind(n->tree, c);
        if (k == PY_IF || k == PY_FOR || k == PY_WHILE || k == PY_EXCEPT || k == PY_MATCH ||
            k == PY_CONDITIONAL)
            return true;
        if ((k == PY_FUNCTION || k == PY_CLASS) && n->stores[store].value != c)
            return false;
    }
    return false;
}

/* ---- meanings ---- */

uint32_t names__scope_path(const struct names *n, uint32_t scope)
{
    struct names_cache *cache = n->cache;
    if (!cache->scope_paths) {
        cache->scope_paths = arena_new_array(n->arena, uint32_t, n->n_scopes);
        for (uint32_t s = 0; s < n->n_scopes; s++) {
            const struct name_scope *at = &n->scopes[s];
            uint32_t above = at->parent == SCOPE_NONE ? n->module : cache->scope_paths[at->parent];
            bool has_name = at->name != WORD_NONE;
            cache->scope_paths[s] = has_name ? paths_add_word(n->paths, above, at->name) : above;
        }
    }
    return cache->scope_paths[scope];
}

static bool is_nothing(const struct tree *t, uint32_t value)
{
    return !value || t->nodes[value].kind == PY_NONE || t->nodes[value].kind == PY_FALSE;
}

/* The counts that decide what a binding means. */
struct store_counts {
    uint32_t n_imports, n_paths, n_definitions, n_values, n_others;
    uint32_t path, definition, value;
};

static struct store_counts count_stores(const struct names *n, uint32_t binding)
{
    struct store_counts c = {.path = PATH_NONE, .definition = NAME_STORE_NONE};
    for (uint32_t s = n->bindings[binding].first_store; s != NAME_STORE_NONE;
         s = n->stores[s].next) {
        const struct name_store *store = &n->stores[s];
        switch ((enum bind_kind)store->kind) {
        case BIND_IMPORT:
            c.n_paths += c.n_imports == 0 || store->path != c.path;
            if (!c.n_imports++)
                c.path = store->path;
            break;
        case BIND_FUNCTION:
        case BIND_CLASS:
            c.n_definitions++;
            c.definition = s;
            break;
        case BIND_ASSIGN:
            if (is_nothing(n->tree, store->value))
                break;
            c.n_values++;
            c.value = store->value;
            break;
        case BIND_DECLARE:
        case BIND_DELETE:
            break;
        default:
            c.n_others++;
            break;
        }
    }
    return c;
}

static struct binding_meaning meaning_of_import(const struct names *n, const struct store_counts *c)
{
    bool alone = c->n_paths == 1 && !c->n_definitions && !c->n_values && !c->n_others;
    uint32_t path = n->options.follow ? n->options.follow(n->options.follow_ctx, c->path) : c->path;
    /* A fallback in `except ImportError` leaves the import likely; another binding does not. */
    if (alone)
        return (struct binding_meaning){path, NAME_IMPORT, CONFIDENCE_HIGH, 2};
    if (c->n_values || c->n_others)
        return (struct binding_meaning){path, NAME_IMPORT, CONFIDENCE_LOW, 2};
    return (struct binding_meaning){path, NAME_IMPORT, CONFIDENCE_MEDIUM, 2};
}

static struct binding_meaning work_out(const struct names *n, uint32_t binding, unsigned depth)
{
    struct binding_meaning unknown = {PATH_NONE, NAME_VARIABLE, CONFIDENCE_NONE, 2};
    struct store_counts c = count_stores(n, binding);
    if (n->bindings[binding].flags & BINDING_FLAG_PARAMETER)
        return unknown;
    if (c.n_imports)
        return meaning_of_import(n, &c);
    if (c.n_definitions && !c.n_values && !c.n_others) {
        uint32_t scope = names_scope_of(n, n->stores[c.definition].value);
        uint32_t path = scope == SCOPE_NONE ? (uint32_t)PATH_NONE : names__scope_path(n, scope);
        enum confidence confidence = c.n_definitions == 1 ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
        return (struct binding_meaning){path, NAME_DEFINED, (uint8_t)confidence, 2};
    }
    bool is_dotted = c.n_values == 1 && (n->tree->nodes[c.value].kind == PY_ATTRIBUTE ||
                                         n->tree->nodes[c.value].kind == PY_IDENTIFIER);
    if (is_dotted && !c.n_others && !c.n_definitions && depth < ALIAS_DEPTH) {
        struct name_ref r = resolve(n, c.value, depth + 1);
        if (r.path != PATH_NONE && r.is_exact)
            return (struct binding_meaning){r.path, (uint8_t)r.origin, (uint8_t)r.confidence, 2};
    }
    return unknown;
}

static struct binding_meaning meaning_of(const struct names *n, uint32_t binding, unsigned depth)
{
    struct names_cache *cache = n->cache;
    if (!cache->meanings)
        cache->meanings = arena_new_array(n->arena, struct binding_meaning, n->n_bindings);
    struct binding_meaning *m = &cache->meanings[binding];
    if (m->state == 0) {
        m->state = 1;
        struct binding_meaning worked_out = work_out(n, binding, depth);
        cache->meanings[binding] = worked_out;
        return worked_out;
    }
    if (m->state == 1) /* an alias of itself */
        return (struct binding_meaning){PATH_NONE, NAME_VARIABLE, CONFIDENCE_NONE, 2};
    return *m;
}

/* ---- roots that nothing binds ---- */

static bool find_in_star_imports(const struct names *n, uint32_t word, struct name_ref *out)
{
    for (uint32_t i = 0; i < n->n_star_imports; i++) {
        if (n->star_imports[i] == PATH_NONE)
            continue;
        uint32_t path = paths_find_word(n->paths, n->star_imports[i], word);
        if (path == PATH_NONE)
            continue;
        *out = (struct name_ref){path, BINDING_NONE, 0, NAME_IMPORT, CONFIDENCE_HIGH, true};
        return true;
    }
    return false;
}

/* A star import of a module that the tables do not know may bind any name. */
static bool has_unknown_star(const struct names *n)
{
    return n->n_star_imports > 0;
}

static struct name_ref resolve_unbound(const struct names *n, uint32_t word)
{
    struct name_ref r = {PATH_NONE, BINDING_NONE, 0, NAME_UNBOUND, CONFIDENCE_NONE, false};
    if (find_in_star_imports(n, word, &r))
        return r;
    uint32_t builtin = paths_find_word(n->paths, paths__builtins(n->paths), word);
    if (builtin != PATH_NONE)
        return (struct name_ref){builtin,
                                 BINDING_NONE,
                                 0,
                                 NAME_BUILTIN,
                                 has_unknown_star(n) ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH,
                                 true};
    for (size_t i = 0; i < n->options.n_conventions; i++) {
        if (n->options.conventions[i].word != word)
            continue;
        enum confidence c = has_unknown_star(n) ? CONFIDENCE_LOW : CONFIDENCE_MEDIUM;
        return (struct name_ref){
            n->options.conventions[i].path, BINDING_NONE, 0, NAME_CONVENTION, c, true};
    }
    return r;
}

static struct name_ref resolve_root(const struct names *n, uint32_t identifier, unsigned depth)
{
    uint32_t word = n->tree->nodes[identifier].word;
    uint32_t binding = names_binding(n, identifier);
    if (binding == BINDING_NONE)
        return resolve_unbound(n, word);
    struct binding_meaning m = meaning_of(n, binding, depth);
    return (struct name_ref){m.path,
                             binding,
                             0,
                             (enum name_origin)m.origin,
                             (enum confidence)m.confidence,
                             m.path != PATH_NONE};
}

/* Adds one component. Beyond the names of the tables the path stays, and depth counts. */
static void add_component(const struct names *n, struct name_ref *r, uint32_t word)
{
    uint32_t next = r->is_exact ? paths_find_word(n->paths, r->path, word) : (uint32_t)PATH_NONE;
    if (next == PATH_NONE) {
        r->is_exact = false;
        r->depth++;
        return;
    }
    if (n->options.follow)
        next = n->options.follow(n->options.follow_ctx, next);
    r->path = next;
}

static struct name_ref resolve_dotted_name(const struct names *n, uint32_t node, unsigned depth)
{
    struct name_ref r = {PATH_NONE, BINDING_NONE, 0, NAME_UNBOUND, CONFIDENCE_NONE, false};
    uint32_t first = tree_first(n->tree, node);
    if (!first || n->tree->nodes[first].kind != PY_IDENTIFIER)
        return r;
    r = resolve_root(n, first, depth);
    for (uint32_t c = tree_next(n->tree, first); c; c = tree_next(n->tree, c))
        add_component(n, &r, n->tree->nodes[c].word);
    return r;
}

static struct name_ref resolve(const struct names *n, uint32_t node, unsigned depth)
{
    const struct tree *t = n->tree;
    struct name_ref r = {PATH_NONE, BINDING_NONE, 0, NAME_UNBOUND, CONFIDENCE_NONE, false};
    node = tree_bare(t, node);
    if (t->nodes[node].kind == PY_DOTTED_NAME)
        return resolve_dotted_name(n, node, depth);
    uint32_t root = node;
    for (unsigned n_parts = 0; t->nodes[root].kind == PY_ATTRIBUTE && tree_first(t, root);
         n_parts++) {
        if (n_parts == CHAIN_DEPTH)
            return r; /* longer than any name: each part would climb the whole chain */
        root = tree_first(t, root);
    }
    if (t->nodes[root].kind != PY_IDENTIFIER)
        return r;
    r = resolve_root(n, root, depth);
    while (root != node) {
        root = t->nodes[root].parent;
        uint32_t name = tree_child(t, root, FIELD_ATTRIBUTE);
        add_component(n, &r, name ? t->nodes[name].word : (uint32_t)WORD_NONE);
    }
    return r;
}

struct name_ref names_resolve(const struct names *n, uint32_t node)
{
    return resolve(n, node, 0);
}

/* The last n components of a dotted text. */
static struct str last_parts(struct str dotted, uint32_t n)
{
    size_t at = dotted.n;
    while (at > 0 && n) {
        at--;
        n -= dotted.at[at] == '.';
    }
    return n ? (struct str){0} : str_sub(dotted, at, dotted.n);
}

bool names_print(const struct names *n, uint32_t node, struct strbuf *out)
{
    struct name_ref ref = names_resolve(n, node);
    if (ref.path == PATH_NONE || ref.origin == NAME_DEFINED || ref.origin == NAME_BUILTIN)
        return false;
    paths_text(n->paths, ref.path, out);
    if (!ref.is_exact) /* a name that is not interned: its last parts are in the source */
        strbuf_addstr(out, last_parts(tree_text(n->tree, node), ref.depth));
    return true;
}

/* ---- definitions of this file ---- */

uint32_t names_definition(const struct names *n, uint32_t binding)
{
    if (binding == BINDING_NONE || n->bindings[binding].flags & BINDING_FLAG_PARAMETER)
        return SCOPE_NONE;
    struct store_counts c = count_stores(n, binding);
    if (c.n_definitions != 1 || c.n_values || c.n_others || c.n_imports)
        return SCOPE_NONE;
    return names_scope_of(n, n->stores[c.definition].value);
}

static int compare_paths(const void *x, const void *y)
{
    const struct scope_by_path *a = x, *b = y;
    if (a->path != b->path)
        return a->path < b->path ? -1 : 1;
    return (a->scope > b->scope) - (a->scope < b->scope);
}

static void index_paths(const struct names *n)
{
    struct names_cache *c = n->cache;
    c->by_path = arena_new_array(n->arena, struct scope_by_path, n->n_scopes);
    for (uint32_t s = 1; s < n->n_scopes; s++)
        if (n->scopes[s].name != WORD_NONE)
            c->by_path[c->n_by_path++] = (struct scope_by_path){names__scope_path(n, s), s};
    qsort(c->by_path, c->n_by_path, sizeof *c->by_path, compare_paths);
}

uint32_t names_definition_of_path(const struct names *n, uint32_t path)
{
    struct names_cache *c = n->cache;
    if (!c->by_path)
        index_paths(n);
    uint32_t low = 0, high = c->n_by_path;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->by_path[middle].path < path)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < c->n_by_path && c->by_path[low].path == path;
    bool is_only = found && (low + 1 == c->n_by_path || c->by_path[low + 1].path != path);
    return is_only ? c->by_path[low].scope : (uint32_t)SCOPE_NONE;
}

static bool is_true_base(const struct tree *t, uint32_t node)
{
    enum py_kind k = tree_kind(t, node);
    return k != PY_KEYWORD_ARGUMENT && k != PY_DICT_SPLAT;
}

/* The class and its base classes in this file, breadth first. *unknown: is a base not in this file?
 * For each such base `visit` says whether to go on. */
static uint32_t walk_bases(const struct names *n, uint32_t class_scope, uint32_t *seen,
                           bool *unknown, uint32_t wanted_base, bool *has_base)
{
    uint32_t n_seen = 0;
    seen[n_seen++] = class_scope;
    for (uint32_t i = 0; i < n_seen; i++) {
        uint32_t list = tree_child(n->tree, n->scopes[seen[i]].node, FIELD_SUPERCLASSES);
        for (uint32_t c = list ? tree_first(n->tree, list) : 0; c; c = tree_next(n->tree, c)) {
            if (!is_true_base(n->tree, c))
                continue;
            struct name_ref r = names_resolve(n, c);
            uint32_t base = r.origin == NAME_DEFINED && r.is_exact
                                ? names_definition_of_path(n, r.path)
                                : (uint32_t)SCOPE_NONE;
            if (base == SCOPE_NONE) {
                bool is_wanted = r.is_exact && r.path == wanted_base && wanted_base != PATH_NONE;
                *has_base |= is_wanted;
                *unknown |= !is_wanted && !(r.is_exact && r.origin == NAME_BUILTIN);
                continue;
            }
            bool known = n_seen >= BASE_DEPTH;
            for (uint32_t k = 0; k < n_seen; k++)
                known |= seen[k] == base;
            if (!known)
                seen[n_seen++] = base;
        }
    }
    return n_seen;
}

uint32_t names_method(const struct names *n, uint32_t class_scope, uint32_t word, bool *unknown)
{
    uint32_t seen[BASE_DEPTH];
    bool has_base = false, is_unknown = false;
    uint32_t n_seen = walk_bases(n, class_scope, seen, &is_unknown, PATH_NONE, &has_base);
    if (unknown)
        *unknown = is_unknown;
    for (uint32_t i = 0; i < n_seen; i++) {
        uint32_t binding = names__find(n, seen[i], word);
        if (binding == BINDING_NONE)
            continue;
        uint32_t scope = names_definition(n, binding);
        if (scope != SCOPE_NONE && n->scopes[scope].kind == SCOPE_FUNCTION)
            return scope;
        if (unknown)
            *unknown = true;
        return SCOPE_NONE;
    }
    return SCOPE_NONE;
}

enum truth names_derives(const struct names *n, uint32_t class_scope, uint32_t base)
{
    uint32_t seen[BASE_DEPTH];
    bool has_base = false, is_unknown = false;
    walk_bases(n, class_scope, seen, &is_unknown, base, &has_base);
    return has_base ? TRUTH_TRUE : is_unknown ? TRUTH_UNKNOWN : TRUTH_FALSE;
}
