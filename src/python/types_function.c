/*
 * Functions as values: which function of this file runs where a call names none. A name, a field or
 * a parameter that is bound to a function once, functools.partial, the value under a constant key
 * of a dict, and the nested function that a function returns. Of the last, the parameters of the
 * function around it are those of the call that made it.
 *
 * Invariant: one function, or none. A parameter means a function where all calls in this file give
 * it the same one, and no other file is known to call; what is bound twice means none.
 */
#include "python/names_p.h"
#include "python/types_p.h"

/* A parameter counts for more: each of them may have many calls. */
enum { VALUE_DEPTH = 8, PARAMETER_DEPTH = 3, VALUE_SITES_MAX = 16 };

static const struct function_value no_function = {.scope = SCOPE_NONE};

static struct function_value value_of(const struct types *k, uint32_t node, unsigned depth);
static struct function_value part_of(const struct types *k, uint32_t call, unsigned part,
                                     unsigned depth);

static bool is_callable(const struct types *k, uint32_t scope)
{
    const struct name_scope *scopes = k->names->scopes;
    return scope != SCOPE_NONE && scopes[scope].kind == SCOPE_FUNCTION &&
           scopes[scope].parent != SCOPE_NONE &&
           !(scopes[scope].flags & (SCOPE_FLAG_YIELDS | SCOPE_FLAG_ASYNC | SCOPE_FLAG_DYNAMIC));
}

/* A plain function, not a method: a method would need its receiver. */
static struct function_value function_at(const struct types *k, uint32_t scope)
{
    if (!is_callable(k, scope) ||
        k->names->scopes[k->names->scopes[scope].parent].kind == SCOPE_CLASS)
        return no_function;
    return (struct function_value){.scope = scope};
}

/* object.m, a method with its receiver, which no derived class of this file may replace. */
static struct function_value method_at(const struct types *k, uint32_t attribute)
{
    const struct tree *t = k->names->tree;
    uint32_t receiver = tree_first(t, attribute), name = tree_child(t, attribute, FIELD_ATTRIBUTE),
             class_scope = types__self_class(k, attribute);
    if (class_scope == SCOPE_NONE && receiver)
        class_scope = types_of(k, receiver).class_scope;
    uint32_t scope = class_scope == SCOPE_NONE || !name
                         ? (uint32_t)SCOPE_NONE
                         : names_method(k->names, class_scope, t->nodes[name].word, NULL);
    if (!is_callable(k, scope) || !names_is_method(k->names, scope) ||
        types__next_below(k, class_scope, 0) != SCOPE_NONE ||
        tree_kind(t, t->nodes[k->names->scopes[scope].node].parent) == PY_DECORATED)
        return no_function;
    return (struct function_value){.scope = scope, .receiver = receiver};
}

static bool is_same(struct function_value a, struct function_value b)
{
    return a.scope == b.scope && a.maker == b.maker && a.partial == b.partial &&
           a.receiver == b.receiver;
}

/* The function that all calls of the function around give for the parameter. */
static struct function_value value_of_parameter(const struct types *k, const struct name_binding *b,
                                                unsigned depth)
{
    const struct names *n = k->names;
    uint32_t scope = b->scope;
    struct function_value found = no_function;
    bool is_method = names_is_method(n, scope);
    int at = types__parameter_at(k, scope, b->word);
    unsigned n_sites = 0;
    if (n->scopes[scope].kind != SCOPE_FUNCTION || at < is_method ||
        b->first_store != b->last_store ||
        (k->options.project &&
         summary_set_contexts(k->options.project, names__scope_path(n, scope))))
        return no_function;
    for (uint32_t s = types__first_site(k, scope); s != UINT32_MAX;
         s = k->cache->sites.at[s].next) {
        uint32_t given =
            types_argument(k, k->cache->sites.at[s].call, (unsigned)(at - is_method), b->word);
        struct function_value v = given ? value_of(k, given, depth + PARAMETER_DEPTH) : no_function;
        if (v.scope == SCOPE_NONE || ++n_sites > VALUE_SITES_MAX ||
            (n_sites > 1 && !is_same(v, found)))
            return no_function;
        found = v;
    }
    return found;
}

static struct function_value value_of_name(const struct types *k, uint32_t name, unsigned depth)
{
    const struct names *n = k->names;
    struct name_ref r = names_resolve(n, name);
    if (r.origin == NAME_DEFINED && r.is_exact)
        return function_at(k, names_definition_of_path(n, r.path));
    uint32_t at = names_binding(n, name);
    const struct name_binding *b = at == BINDING_NONE ? NULL : &n->bindings[at];
    if (!b || b->first_store == NAME_STORE_NONE || b->first_store != b->last_store)
        return no_function;
    const struct name_store *s = &n->stores[b->first_store];
    if (b->flags & BINDING_FLAG_PARAMETER)
        return value_of_parameter(k, b, depth);
    if (s->kind == BIND_ASSIGN)
        return s->value ? value_of(k, s->value, depth + 1) : no_function;
    uint32_t whole = s->kind == BIND_UNPACK && s->value ? tree_bare(n->tree, s->value) : 0;
    return whole && s->part != 255 && tree_kind(n->tree, whole) == PY_CALL
               ? part_of(k, whole, s->part, depth + 1)
               : no_function;
}

/* The value, or part of it, in a return statement. */
static uint32_t returned(const struct tree *t, uint32_t statement, unsigned part)
{
    uint32_t value = tree_first(t, statement);
    if (!value)
        return 0;
    value = tree_bare(t, value);
    enum py_kind kind = tree_kind(t, value);
    bool is_tuple = kind == PY_TUPLE || kind == PY_EXPRESSION_LIST;
    if (part == WHOLE)
        return is_tuple ? 0 : value;
    return is_tuple ? tree_child_at(t, value, part) : 0;
}

/* The function that the call of a function of this file returns: on every return the same, nested
 * in the one that is called. */
static struct function_value part_of(const struct types *k, uint32_t call, unsigned part,
                                     unsigned depth)
{
    const struct names *n = k->names;
    const struct tree *t = n->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    struct name_ref r = names_resolve(n, function);
    uint32_t scope = r.origin == NAME_DEFINED && r.is_exact ? names_definition_of_path(n, r.path)
                                                            : (uint32_t)SCOPE_NONE;
    struct function_value found = no_function;
    if (function_at(k, scope).scope == SCOPE_NONE || depth > VALUE_DEPTH ||
        tree_kind(t, t->nodes[n->scopes[scope].node].parent) == PY_DECORATED)
        return no_function;
    struct node_list returns = tree_list(t, PY_RETURN);
    for (size_t i = 0; i < returns.n; i++) {
        if (!tree_is_in(t, returns.at[i], n->scopes[scope].node) ||
            types__flow_scope(k, returns.at[i]) != scope)
            continue;
        uint32_t value = returned(t, returns.at[i], part);
        struct name_ref inner = value && tree_kind(t, value) == PY_IDENTIFIER
                                    ? names_resolve(n, value)
                                    : (struct name_ref){.path = PATH_NONE};
        uint32_t nested = inner.origin == NAME_DEFINED && inner.is_exact && inner.path != PATH_NONE
                              ? names_definition_of_path(n, inner.path)
                              : (uint32_t)SCOPE_NONE;
        struct function_value v = function_at(k, nested);
        if (v.scope == SCOPE_NONE || n->scopes[nested].parent != scope ||
            (found.scope != SCOPE_NONE && found.scope != nested))
            return no_function;
        found = v;
        found.maker = call;
    }
    return found;
}

static struct function_value value_of_call(const struct types *k, uint32_t call, unsigned depth)
{
    const struct tree *t = k->names->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    struct name_ref r =
        function ? names_resolve(k->names, function) : (struct name_ref){.path = PATH_NONE};
    if (!r.is_exact || r.path == PATH_NONE)
        return no_function;
    if (r.path != paths_find(k->names->paths, STR("functools.partial")))
        return part_of(k, call, WHOLE, depth);
    bool is_unknown = false;
    uint32_t given = tree_argument(t, call, 0, &is_unknown);
    struct function_value v = given ? value_of(k, given, depth + 1) : no_function;
    (void)tree_argument_count(t, call, &is_unknown);
    if (v.partial || is_unknown)
        return no_function;
    v.partial = call;
    return v;
}

static struct function_value value_of_field(const struct types *k, uint32_t attribute,
                                            unsigned depth)
{
    uint32_t class_scope = types__self_class(k, attribute), count = 0;
    uint32_t name = tree_child(k->names->tree, attribute, FIELD_ATTRIBUTE);
    uint32_t at = class_scope != SCOPE_NONE && name
                      ? types__field(k, class_scope, k->names->tree->nodes[name].word, &count)
                      : UINT32_MAX;
    uint32_t value = count == 1 ? k->cache->field_stores.at[at].value : 0;
    if (value)
        return value_of(k, value, depth + 1);
    bool is_called_itself = depth == 0; /* object.m(...) names its method */
    return count || is_called_itself ? no_function : method_at(k, attribute);
}

static struct function_value value_of(const struct types *k, uint32_t node, unsigned depth)
{
    const struct tree *t = k->names->tree;
    if (depth > VALUE_DEPTH)
        return no_function;
    node = tree_bare(t, node);
    switch (tree_kind(t, node)) {
    case PY_IDENTIFIER:
        return value_of_name(k, node, depth);
    case PY_ATTRIBUTE:
        return value_of_field(k, node, depth);
    case PY_CALL:
        return value_of_call(k, node, depth);
    case PY_SUBSCRIPT: {
        uint32_t under = types__value_under(k, node);
        return under ? value_of(k, under, depth + 1) : no_function;
    }
    default:
        return no_function;
    }
}

/* Is it a call whose function is named where it is called? Nothing is to be found out then. */
static bool is_named(const struct types *k, uint32_t function)
{
    struct name_ref r = names_resolve(k->names, function);
    return (r.is_exact && r.path != PATH_NONE) || r.origin == NAME_IMPORT ||
           r.origin == NAME_CONVENTION;
}

struct function_value types__value_called(const struct types *k, uint32_t call)
{
    struct types_cache *c = k->cache;
    const uint32_t *kept = node_table__get(&c->value_calls, call);
    uint32_t function = kept ? 0 : tree_child(k->names->tree, call, FIELD_FUNCTION);
    if (kept)
        return *kept ? c->values.at[*kept - 1] : no_function;
    node_table__put(&c->value_calls, k->arena, call, 0); /* a cycle finds nothing */
    function = function ? tree_bare(k->names->tree, function) : 0;
    struct function_value v =
        function && !is_named(k, function) ? value_of(k, function, 0) : no_function;
    if (v.scope == SCOPE_NONE)
        return v;
    vec_push(&c->values, k->arena, v);
    node_table__put(&c->value_calls, k->arena, call, (uint32_t)c->values.n);
    return v;
}

uint32_t types_value_called(const struct types *k, uint32_t call)
{
    return types__value_called(k, call).scope;
}

uint32_t types_argument(const struct types *k, uint32_t call, unsigned at, uint32_t word)
{
    const struct tree *t = k->names->tree;
    struct function_value v = types__value_called(k, call);
    uint32_t given = word == WORD_NONE ? 0 : tree_keyword(t, call, word, NULL);
    if (given || !v.partial)
        return given ? given : tree_argument(t, call, at, NULL);
    unsigned bound = types__n_bound(k, call);
    if (at < bound)
        return tree_argument(t, v.partial, at + 1, NULL);
    given = tree_argument(t, call, at - bound, NULL);
    return given || word == WORD_NONE ? given : tree_keyword(t, v.partial, word, NULL);
}

unsigned types__n_bound(const struct types *k, uint32_t call)
{
    bool is_unknown;
    struct function_value v = types__value_called(k, call);
    uint32_t n = v.partial ? tree_argument_count(k->names->tree, v.partial, &is_unknown) : 0;
    return n ? n - 1 : 0;
}

uint32_t types__object_of_maker(const struct types *k, uint32_t call, uint32_t object)
{
    struct function_value v = types__value_called(k, call);
    const struct types_object o = *types_object_at(k, object);
    if (!v.maker || o.origin != OBJECT_PARAM || o.scope != k->names->scopes[v.scope].parent)
        return object;
    int at = types__parameter_at(k, o.scope, o.root);
    uint32_t given = at < 0 ? 0 : types_argument(k, v.maker, (unsigned)at, o.root);
    uint32_t found = given ? types_object(k, given) : (uint32_t)OBJECT_NONE;
    for (unsigned i = 0; i < o.n_path && found != OBJECT_NONE; i++)
        found = types__part(k, found, o.path[i]);
    return found;
}

uint32_t types__first_call(const struct types *k, uint32_t scope)
{
    struct types_cache *c = k->cache;
    (void)types__first_site(k, scope);
    if (c->has_value_sites)
        return c->first_site[scope];
    c->has_value_sites = true;
    struct node_list calls = tree_list(k->names->tree, PY_CALL);
    for (size_t i = calls.n; i-- > 0 && names_spend(k->names, 1);) {
        struct function_value v = types__value_called(k, calls.at[i]);
        if (v.scope == SCOPE_NONE)
            continue;
        vec_push(&c->sites, k->arena, (struct call_site){calls.at[i], c->first_site[v.scope]});
        c->first_site[v.scope] = (uint32_t)c->sites.n - 1;
    }
    return c->first_site[scope];
}
