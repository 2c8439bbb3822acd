/*
 * Scopes, bindings and stores of one file in one pass over the nodes, by the Python reference,
 * section 4.2 "Naming and binding" and 6.2.4 for comprehensions. Resolution is in names_resolve.c.
 * Invariant: stores ascend by node, and each belongs to the binding of the scope that Python would
 * bind it in.
 */
#include "base/hash.h"
#include "python/names_p.h"

/* A scope, and the end of the nodes that are evaluated in it. */
struct open_scope {
    uint32_t scope, end;
};

struct builder {
    const struct tree *t;
    struct names *n;
    struct arena *a;
    VEC(struct name_scope) scopes;
    VEC(struct name_binding) bindings;
    VEC(struct name_store) stores;
    VEC(struct open_scope) open; /* scopes being walked, innermost last */
    VEC(uint32_t) star_imports;
    VEC(uint32_t) targets; /* work list of target trees */
    uint32_t *table, n_table;
    uint32_t word_exec;
};

/* ---- bindings ---- */

static uint32_t slot_of(const uint32_t *table, uint32_t n_table,
                        const struct name_binding *bindings, uint32_t scope, uint32_t word)
{
    uint32_t mask = n_table - 1;
    uint32_t at = (uint32_t)hash_mix64((uint64_t)scope << 32 | word) & mask;
    for (; table[at]; at = (at + 1) & mask)
        if (bindings[table[at] - 1].scope == scope && bindings[table[at] - 1].word == word)
            break;
    return at;
}

uint32_t names__find(const struct names *n, uint32_t scope, uint32_t word)
{
    uint32_t found =
        n->cache->table[slot_of(n->cache->table, n->cache->n_table, n->bindings, scope, word)];
    return found ? found - 1 : (uint32_t)BINDING_NONE;
}

static void grow_table(struct builder *b)
{
    b->n_table = b->n_table ? b->n_table * 2 : 64;
    b->table = arena_new_array(b->a, uint32_t, b->n_table);
    for (uint32_t i = 0; i < b->bindings.n; i++) {
        const struct name_binding *binding = &b->bindings.at[i];
        b->table[slot_of(b->table, b->n_table, b->bindings.at, binding->scope, binding->word)] =
            i + 1;
    }
}

static uint32_t bind(struct builder *b, uint32_t scope, uint32_t word)
{
    if ((b->bindings.n + 1) * 2 > b->n_table)
        grow_table(b);
    uint32_t at = slot_of(b->table, b->n_table, b->bindings.at, scope, word);
    if (b->table[at])
        return b->table[at] - 1;
    struct name_binding binding = {
        scope, word, NAME_STORE_NONE, NAME_STORE_NONE, b->scopes.at[scope].first_binding, 0};
    vec_push(&b->bindings, b->a, binding);
    b->table[at] = (uint32_t)b->bindings.n;
    b->scopes.at[scope].first_binding = (uint32_t)b->bindings.n - 1;
    return (uint32_t)b->bindings.n - 1;
}

/* The binding that a nonlocal name means: that of the nearest enclosing function that binds it. */
static uint32_t bind_nonlocal(struct builder *b, uint32_t scope, uint32_t word)
{
    for (uint32_t s = b->scopes.at[scope].parent; s != SCOPE_NONE; s = b->scopes.at[s].parent) {
        if (b->scopes.at[s].kind != SCOPE_FUNCTION && b->scopes.at[s].kind != SCOPE_LAMBDA)
            continue;
        uint32_t at = slot_of(b->table, b->n_table, b->bindings.at, s, word);
        if (b->table[at])
            return b->table[at] - 1;
    }
    return bind(b, scope, word);
}

/* The scope's store of a word goes where global and nonlocal declarations say. */
static uint32_t bind_target(struct builder *b, uint32_t scope, uint32_t word)
{
    uint32_t binding = bind(b, scope, word);
    uint32_t flags = b->bindings.at[binding].flags;
    if (flags & (BINDING_FLAG_GLOBAL | BINDING_FLAG_NONLOCAL)) {
        binding = flags & BINDING_FLAG_GLOBAL ? bind(b, 0, word) : bind_nonlocal(b, scope, word);
        b->bindings.at[binding].flags |= BINDING_FLAG_ESCAPES;
    }
    return binding;
}

static void add_store(struct builder *b, uint32_t scope, uint32_t node, enum bind_kind kind,
                      uint32_t value, uint32_t path)
{
    uint32_t word = b->t->nodes[node].word;
    if (word == WORD_NONE)
        return;
    struct name_store store = {.node = node,
                               .binding = bind_target(b, scope, word),
                               .value = value,
                               .path = path,
                               .next = NAME_STORE_NONE,
                               .kind = (uint8_t)kind};
    vec_push(&b->stores, b->a, store);
}

static uint32_t here(const struct builder *b)
{
    return vec_last(&b->open).scope;
}

/* The scope where a walrus binds: outside comprehensions. */
static uint32_t here_outside_comprehensions(const struct builder *b)
{
    uint32_t scope = here(b);
    while (b->scopes.at[scope].kind == SCOPE_COMPREHENSION)
        scope = b->scopes.at[scope].parent;
    return scope;
}

/* ---- targets ---- */

static bool is_target_list(enum py_kind k)
{
    return k == PY_PATTERN_LIST || k == PY_TUPLE_PATTERN || k == PY_LIST_PATTERN || k == PY_TUPLE ||
           k == PY_LIST || k == PY_EXPRESSION_LIST;
}

/* Adds all names bound by a target tree. Direct elements of one flat list get their position. */
static void add_targets(struct builder *b, uint32_t scope, uint32_t target, enum bind_kind kind,
                        uint32_t value)
{
    const struct tree *t = b->t;
    vec_clear(&b->targets);
    vec_push(&b->targets, b->a, target);
    while (b->targets.n) {
        uint32_t n = vec_pop(&b->targets);
        enum py_kind k = tree_kind(t, n);
        if (k == PY_IDENTIFIER) {
            uint32_t list = t->nodes[n].parent;
            bool in_list = n != target;
            add_store(b, scope, n, in_list && kind == BIND_ASSIGN ? BIND_UNPACK : kind, value,
                      PATH_NONE);
            uint8_t part = 255;
            if (in_list && list == target) {
                uint32_t at = 0;
                for (uint32_t c = tree_first(t, list); c && c != n && at < 254; c = tree_next(t, c))
                    at = t->nodes[c].kind == PY_LIST_SPLAT_PATTERN ||
                                 t->nodes[c].kind == PY_LIST_SPLAT
                             ? 254
                             : at + 1;
                part = (uint8_t)(at == 254 ? 255 : at);
            }
            if (b->stores.n)
                vec_last(&b->stores).part = part;
        } else if (is_target_list(k) || k == PY_LIST_SPLAT_PATTERN || k == PY_LIST_SPLAT ||
                   k == PY_PARENTHESES || k == PY_AS_PATTERN_TARGET) {
            size_t first = b->targets.n;
            for (uint32_t c = tree_first(t, n); c; c = tree_next(t, c))
                vec_push(&b->targets, b->a, c);
            for (size_t i = first, j = b->targets.n; i + 1 < j; i++) {
                uint32_t swap = b->targets.at[i];
                b->targets.at[i] = b->targets.at[--j];
                b->targets.at[j] = swap;
            }
        }
    }
}

/* Adds names captured by a case pattern: plain names, `as` names, starred ones. */
static void add_captures(struct builder *b, uint32_t pattern, uint32_t subject)
{
    const struct tree *t = b->t;
    for (uint32_t n = pattern; n < t->nodes[pattern].next; n++) {
        if (t->nodes[n].kind != PY_IDENTIFIER)
            continue;
        uint32_t parent = t->nodes[n].parent;
        enum py_kind k = tree_kind(t, parent);
        if (k == PY_KEYWORD_PATTERN)
            continue;
        if (k == PY_DOTTED_NAME &&
            (t->nodes[parent].next != n + 1 || t->nodes[n - 1].kind != PY_DOTTED_NAME ||
             t->nodes[t->nodes[parent].parent].kind == PY_CLASS_PATTERN))
            continue;
        add_store(b, here(b), n, BIND_MATCH, subject, PATH_NONE);
    }
}

/* ---- definitions ---- */

static uint32_t open_scope(struct builder *b, enum scope_kind kind, uint32_t node, uint32_t name)
{
    struct name_scope scope = {kind, node,         b->open.n ? here(b) : (uint32_t)SCOPE_NONE,
                               name, BINDING_NONE, 0};
    if (b->t->nodes[node].flags & PY_FLAG_ASYNC && kind == SCOPE_FUNCTION)
        scope.flags |= SCOPE_FLAG_ASYNC;
    vec_push(&b->scopes, b->a, scope);
    return (uint32_t)b->scopes.n - 1;
}

static void push_scope(struct builder *b, uint32_t scope, uint32_t end)
{
    vec_push(&b->open, b->a, (struct open_scope){scope, end});
}

static void add_parameters(struct builder *b, uint32_t scope, uint32_t parameters)
{
    const struct tree *t = b->t;
    for (uint32_t c = parameters ? tree_first(t, parameters) : 0; c; c = tree_next(t, c)) {
        uint32_t name = c, value = 0;
        switch (tree_kind(t, c)) {
        case PY_DEFAULT_PARAMETER:
        case PY_TYPED_DEFAULT_PARAMETER:
            name = tree_child(t, c, FIELD_NAME);
            value = tree_child(t, c, FIELD_VALUE);
            break;
        case PY_TYPED_PARAMETER:
            name = tree_first(t, c);
            break;
        default:
            break;
        }
        if (name && (t->nodes[name].kind == PY_LIST_SPLAT_PATTERN ||
                     t->nodes[name].kind == PY_DICT_SPLAT_PATTERN))
            name = tree_first(t, name);
        if (!name)
            continue;
        size_t first = b->stores.n;
        add_targets(b, scope, name, BIND_PARAMETER, value);
        for (size_t i = first; i < b->stores.n; i++)
            b->bindings.at[b->stores.at[i].binding].flags |= BINDING_FLAG_PARAMETER;
    }
}

static void add_definition(struct builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    bool is_class = t->nodes[node].kind == PY_CLASS;
    uint32_t name = tree_child(t, node, FIELD_NAME);
    if (name)
        add_store(b, here(b), name, is_class ? BIND_CLASS : BIND_FUNCTION, node, PATH_NONE);
    uint32_t word = name ? t->nodes[name].word : (uint32_t)WORD_NONE;
    uint32_t scope = open_scope(b, is_class ? SCOPE_CLASS : SCOPE_FUNCTION, node, word);
    if (!is_class)
        add_parameters(b, scope, tree_child(t, node, FIELD_PARAMETERS));
}

/* ---- imports ---- */

static uint32_t dotted_path(struct builder *b, uint32_t path, uint32_t dotted)
{
    for (uint32_t c = tree_first(b->t, dotted); c; c = tree_next(b->t, c))
        if (b->t->nodes[c].kind == PY_IDENTIFIER)
            path = paths_add_word(b->n->paths, path, b->t->nodes[c].word);
    return path;
}

/* The package that `n_dots` leading dots mean, when this file's own name is known. */
static uint32_t relative_root(struct builder *b, uint32_t prefix)
{
    const struct names *n = b->n;
    size_t n_dots = b->t->nodes[prefix].end - b->t->nodes[prefix].start;
    if (n->module == PATH_NONE || !n->options.module.n)
        return paths_add(n->paths, tree_text(b->t, prefix));
    uint32_t path = n->module;
    for (size_t up = n->options.is_package ? 1 : 0; up < n_dots && path != PATH_NONE; up++)
        path = paths_parent(n->paths, path);
    return path;
}

static uint32_t module_path(struct builder *b, uint32_t node)
{
    if (b->t->nodes[node].kind != PY_RELATIVE_IMPORT)
        return dotted_path(b, PATH_NONE, node);
    uint32_t prefix = tree_child_kind(b->t, node, PY_IMPORT_PREFIX);
    uint32_t name = tree_child_kind(b->t, node, PY_DOTTED_NAME);
    uint32_t path = prefix ? relative_root(b, prefix) : (uint32_t)PATH_NONE;
    return name ? dotted_path(b, path, name) : path;
}

static void add_import(struct builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    for (uint32_t c = tree_first(t, node); c; c = tree_next(t, c)) {
        bool is_aliased = t->nodes[c].kind == PY_ALIASED_IMPORT;
        uint32_t name = is_aliased ? tree_child(t, c, FIELD_NAME) : c;
        uint32_t alias = is_aliased ? tree_child(t, c, FIELD_ALIAS) : 0;
        uint32_t first = name ? tree_child_kind(t, name, PY_IDENTIFIER) : 0;
        if (!first)
            continue;
        uint32_t path = dotted_path(b, PATH_NONE, name);
        if (alias)
            add_store(b, here(b), alias, BIND_IMPORT, node, path);
        else
            add_store(b, here(b), first, BIND_IMPORT, node,
                      paths_add_word(b->n->paths, PATH_NONE, t->nodes[first].word));
    }
    b->n->has_import = true;
}

static void add_import_from(struct builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    uint32_t module = tree_child(t, node, FIELD_MODULE_NAME);
    uint32_t base = module ? module_path(b, module) : (uint32_t)PATH_NONE;
    b->n->has_import = true;
    for (uint32_t c = module ? tree_next(t, module) : 0; c; c = tree_next(t, c)) {
        if (t->nodes[c].kind == PY_WILDCARD_IMPORT) {
            b->scopes.at[here(b)].flags |= SCOPE_FLAG_STAR_IMPORT;
            vec_push(&b->star_imports, b->a, base);
            continue;
        }
        bool is_aliased = t->nodes[c].kind == PY_ALIASED_IMPORT;
        uint32_t name = is_aliased ? tree_child(t, c, FIELD_NAME) : c;
        uint32_t alias = is_aliased ? tree_child(t, c, FIELD_ALIAS) : 0;
        if (!name || t->nodes[name].kind != PY_DOTTED_NAME)
            continue;
        uint32_t path = dotted_path(b, base, name);
        uint32_t target = alias ? alias : tree_first(t, name);
        if (target)
            add_store(b, here(b), target, BIND_IMPORT, node, path);
    }
}

/* ---- the pass ---- */

static void add_declaration(struct builder *b, uint32_t node)
{
    bool is_global = b->t->nodes[node].kind == PY_GLOBAL;
    for (uint32_t c = tree_first(b->t, node); c; c = tree_next(b->t, c)) {
        if (b->t->nodes[c].kind != PY_IDENTIFIER || here(b) == 0)
            continue;
        uint32_t binding = bind(b, here(b), b->t->nodes[c].word);
        b->bindings.at[binding].flags |= is_global ? BINDING_FLAG_GLOBAL : BINDING_FLAG_NONLOCAL;
        if (is_global)
            bind(b, 0, b->t->nodes[c].word);
    }
}

static void add_assignment(struct builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    uint32_t left = tree_child(t, node, FIELD_LEFT), value = tree_child(t, node, FIELD_RIGHT);
    while (value && t->nodes[value].kind == PY_ASSIGNMENT)
        value = tree_child(t, value, FIELD_RIGHT);
    if (left)
        add_targets(b, here(b), left, value ? BIND_ASSIGN : BIND_DECLARE, value);
}

static void add_as_pattern(struct builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    uint32_t target = tree_child(t, node, FIELD_ALIAS), above = t->nodes[node].parent;
    while (t->nodes[above].kind == PY_PARENTHESES || t->nodes[above].kind == PY_TUPLE)
        above = t->nodes[above].parent;
    if (target)
        add_targets(b, here(b), target, t->nodes[above].kind == PY_EXCEPT ? BIND_EXCEPT : BIND_WITH,
                    tree_first(t, node));
}

static void add_loop(struct builder *b, uint32_t node)
{
    uint32_t left = tree_child(b->t, node, FIELD_LEFT);
    if (left)
        add_targets(b, here(b), left, BIND_FOR, tree_child(b->t, node, FIELD_RIGHT));
}

static void add_deletions(struct builder *b, uint32_t node)
{
    for (uint32_t c = tree_first(b->t, node); c; c = tree_next(b->t, c))
        add_targets(b, here(b), c, BIND_DELETE, 0);
}

static void add_capture(struct builder *b, uint32_t node)
{
    uint32_t match = tree_up(b->t, node, PY_MATCH);
    uint32_t subject = match ? tree_child(b->t, match, FIELD_SUBJECT) : 0;
    for (uint32_t c = tree_first(b->t, node); c; c = tree_next(b->t, c))
        if (b->t->nodes[c].kind == PY_CASE_PATTERN)
            add_captures(b, c, subject);
}

static void visit(struct builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    switch (tree_kind(t, node)) {
    case PY_FUNCTION:
    case PY_CLASS:
        add_definition(b, node);
        break;
    case PY_LAMBDA: {
        uint32_t scope = open_scope(b, SCOPE_LAMBDA, node, WORD_NONE);
        add_parameters(b, scope, tree_child(t, node, FIELD_PARAMETERS));
        break;
    }
    case PY_LIST_COMPREHENSION:
    case PY_SET_COMPREHENSION:
    case PY_DICT_COMPREHENSION:
    case PY_GENERATOR:
        push_scope(b, open_scope(b, SCOPE_COMPREHENSION, node, WORD_NONE), t->nodes[node].next);
        break;
    case PY_IMPORT:
        add_import(b, node);
        break;
    case PY_IMPORT_FROM:
        add_import_from(b, node);
        break;
    case PY_ASSIGNMENT:
        add_assignment(b, node);
        break;
    case PY_AUGMENTED:
        add_targets(b, here(b), tree_first(t, node), BIND_AUGMENT,
                    tree_child(t, node, FIELD_RIGHT));
        break;
    case PY_NAMED:
        if (tree_first(t, node))
            add_targets(b, here_outside_comprehensions(b), tree_first(t, node), BIND_WALRUS,
                        tree_child(t, node, FIELD_VALUE));
        break;
    case PY_FOR:
    case PY_FOR_IN:
        add_loop(b, node);
        break;
    case PY_AS_PATTERN:
        add_as_pattern(b, node);
        break;
    case PY_CASE:
        add_capture(b, node);
        break;
    case PY_DELETE:
        add_deletions(b, node);
        break;
    case PY_GLOBAL:
    case PY_NONLOCAL:
        add_declaration(b, node);
        break;
    case PY_YIELD:
        b->scopes.at[here_outside_comprehensions(b)].flags |= SCOPE_FLAG_YIELDS;
        break;
    case PY_EXEC:
        b->scopes.at[here(b)].flags |= SCOPE_FLAG_DYNAMIC;
        break;
    case PY_CALL:
        if (node + 1 < t->n_nodes && t->nodes[node + 1].word == b->word_exec)
            b->scopes.at[here(b)].flags |= SCOPE_FLAG_DYNAMIC;
        break;
    default:
        break;
    }
}

/* A definition's scope begins at its body: decorators, defaults, annotations and bases belong
 * outside. */
static bool is_scope_body(const struct tree *t, uint32_t node)
{
    if (t->nodes[node].field != FIELD_BODY)
        return false;
    enum py_kind k = tree_kind(t, t->nodes[node].parent);
    return k == PY_FUNCTION || k == PY_CLASS || k == PY_LAMBDA;
}

/* The first clause's iterable, which the scope outside a comprehension evaluates. */
static bool is_outer_iterable(const struct tree *t, uint32_t node)
{
    uint32_t clause = t->nodes[node].parent;
    if (t->nodes[node].field != FIELD_RIGHT || t->nodes[clause].kind != PY_FOR_IN)
        return false;
    return tree_child_kind(t, t->nodes[clause].parent, PY_FOR_IN) == clause;
}

/* The scope that a node opens, by bisection: scopes ascend by node. */
static uint32_t scope_of(const struct name_scope *scopes, uint32_t n_scopes, uint32_t node)
{
    uint32_t low = 0, high = n_scopes;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (scopes[middle].node <= node)
            low = middle;
        else
            high = middle;
    }
    return n_scopes && scopes[low].node == node ? low : (uint32_t)SCOPE_NONE;
}

uint32_t names_scope_of(const struct names *n, uint32_t node)
{
    return scope_of(n->scopes, n->n_scopes, node);
}

static int compare_stores(const void *a, const void *b)
{
    const struct name_store *x = a, *y = b;
    return (x->node > y->node) - (x->node < y->node);
}

static void link_stores(struct builder *b)
{
    bool ascends = true;
    for (size_t i = 1; i < b->stores.n; i++)
        ascends &= b->stores.at[i - 1].node <= b->stores.at[i].node;
    if (!ascends)
        qsort(b->stores.at, b->stores.n, sizeof *b->stores.at, compare_stores);
    for (uint32_t i = 0; i < b->stores.n; i++) {
        struct name_binding *binding = &b->bindings.at[b->stores.at[i].binding];
        if (binding->first_store == NAME_STORE_NONE)
            binding->first_store = i;
        else
            b->stores.at[binding->last_store].next = i;
        binding->last_store = i;
    }
}

bool names_spend(const struct names *n, uint64_t work)
{
    n->cache->n_work += work;
    return n->cache->n_work <= NAMES_WORK_MAX &&
           arena_bytes(n->arena) <= n->tree->source->limits.max_arena;
}

void names_build(const struct tree *t, struct paths *paths, const struct names_options *options,
                 struct arena *a, struct names *out)
{
    *out = (struct names){.tree = t, .paths = paths, .arena = a, .module = PATH_NONE};
    if (options)
        out->options = *options;
    out->module = paths_add(paths, out->options.module.n ? out->options.module : STR("__main__"));
    struct builder b = {
        .t = t, .n = out, .a = a, .word_exec = py_parser_word(t->parser, STR("exec"))};
    push_scope(&b, open_scope(&b, SCOPE_MODULE, 0, WORD_NONE), t->n_nodes);
    grow_table(&b);
    uint32_t *node_scopes = arena_new_array(a, uint32_t, t->n_nodes);
    for (uint32_t node = 1; node < t->n_nodes; node++) {
        while (b.open.n > 1 && node >= vec_last(&b.open).end)
            (void)vec_pop(&b.open);
        if (is_scope_body(t, node)) {
            uint32_t scope = scope_of(b.scopes.at, (uint32_t)b.scopes.n, t->nodes[node].parent);
            if (scope != SCOPE_NONE)
                push_scope(&b, scope, t->nodes[node].next);
        } else if (b.scopes.at[here(&b)].kind == SCOPE_COMPREHENSION &&
                   is_outer_iterable(t, node)) {
            push_scope(&b, b.scopes.at[here(&b)].parent, t->nodes[node].next);
        }
        node_scopes[node] = here(&b);
        visit(&b, node);
    }
    link_stores(&b);
    out->scopes = b.scopes.at;
    out->n_scopes = (uint32_t)b.scopes.n;
    out->bindings = b.bindings.at;
    out->n_bindings = (uint32_t)b.bindings.n;
    out->stores = b.stores.at;
    out->n_stores = (uint32_t)b.stores.n;
    out->star_imports = b.star_imports.at;
    out->n_star_imports = (uint32_t)b.star_imports.n;
    out->cache = arena_new(a, struct names_cache);
    out->cache->node_scopes = node_scopes;
    out->cache->table = b.table;
    out->cache->n_table = b.n_table;
}
