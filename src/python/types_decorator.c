/*
 * Decorators of the project that leave a function what it is: they return it, or a wrapper that
 * calls it once with all its arguments and returns what it gives. Invariants: a wrapper whose call
 * may stand in a region that changes gradients, or that uses the function otherwise, is not known;
 * nor is one that a function of this file decorates, so that two that decorate each other end.
 */
#include "python/types_p.h"

/* The f of @f and of @f(...). */
static uint32_t name_of(const struct tree *t, uint32_t decorator)
{
    return tree_kind(t, decorator) == PY_CALL ? tree_child(t, decorator, FIELD_FUNCTION)
                                              : decorator;
}

/* The only definition of a function of this file that the expression means; SCOPE_NONE. */
static uint32_t function_named(const struct types *k, uint32_t expression)
{
    struct name_ref r = names_resolve(k->names, expression);
    uint32_t scope = r.origin == NAME_DEFINED && r.is_exact
                         ? names_definition_of_path(k->names, r.path)
                         : (uint32_t)SCOPE_NONE;
    return scope != SCOPE_NONE && k->names->scopes[scope].kind == SCOPE_FUNCTION
               ? scope
               : (uint32_t)SCOPE_NONE;
}

/* The word of the only parameter; WORD_NONE: there are more, or others. */
static uint32_t only_parameter(const struct types *k, uint32_t scope)
{
    const struct tree *t = k->names->tree;
    uint32_t list = tree_child(t, k->names->scopes[scope].node, FIELD_PARAMETERS),
             first = list ? tree_first(t, list) : 0;
    return first && !tree_next(t, first) && tree_kind(t, first) == PY_IDENTIFIER
               ? t->nodes[first].word
               : (uint32_t)WORD_NONE;
}

/* (*args, **kwargs), or (*args): a list of nothing but a node of the one kind, then of the other.
 */
static bool is_all(const struct tree *t, uint32_t list, enum py_kind star, enum py_kind two_stars)
{
    uint32_t first = list ? tree_first(t, list) : 0, second = first ? tree_next(t, first) : 0;
    return first && tree_kind(t, first) == star &&
           (!second || (tree_kind(t, second) == two_stars && !tree_next(t, second)));
}

static bool passes_all(const struct tree *t, uint32_t call)
{
    return is_all(t, tree_child(t, call, FIELD_ARGUMENTS), PY_LIST_SPLAT, PY_DICT_SPLAT);
}

static bool takes_all(const struct types *k, uint32_t scope)
{
    const struct tree *t = k->names->tree;
    uint32_t list = tree_child(t, k->names->scopes[scope].node, FIELD_PARAMETERS);
    return is_all(t, list, PY_LIST_SPLAT_PATTERN, PY_DICT_SPLAT_PATTERN);
}

/* Is the value the call, or a name that only the call gives a value? */
static bool is_result(const struct types *k, uint32_t value, uint32_t call)
{
    const struct names *n = k->names;
    if (value == call || tree_kind(n->tree, value) != PY_IDENTIFIER)
        return value == call;
    uint32_t binding = names_binding(n, value);
    const struct name_binding *b = binding == BINDING_NONE ? NULL : &n->bindings[binding];
    return b && b->first_store != NAME_STORE_NONE && b->first_store == b->last_store &&
           n->stores[b->first_store].kind == BIND_ASSIGN && n->stores[b->first_store].value == call;
}

/* Iterates over what the returns of the function give (0: nothing); *at is 0 at first. */
static bool next_returned(const struct types *k, uint32_t scope, size_t *at, uint32_t *value)
{
    const struct tree *t = k->names->tree;
    struct node_list returns = tree_list(t, PY_RETURN);
    while (*at < returns.n) {
        uint32_t node = returns.at[(*at)++];
        if (!tree_is_in(t, node, k->names->scopes[scope].node) ||
            types__flow_scope(k, node) != scope)
            continue;
        *value = tree_first(t, node) ? tree_bare(t, tree_first(t, node)) : 0;
        return true;
    }
    return false;
}

/* Does each return in the function give what the call gives, and is there one? */
static bool returns_result(const struct types *k, uint32_t scope, uint32_t call)
{
    size_t at = 0;
    uint32_t value;
    bool any = false;
    while (next_returned(k, scope, &at, &value)) {
        any = true;
        if (!value || !is_result(k, value, call))
            return false;
    }
    return any;
}

/* The only call of the function `word` in the wrapper; 0: several, or another use of its name than
 * for an attribute. */
static uint32_t only_call(const struct types *k, uint32_t wrapper, uint32_t word)
{
    const struct tree *t = k->names->tree;
    uint32_t body = tree_child(t, k->names->scopes[wrapper].node, FIELD_BODY), found = 0;
    for (uint32_t u = body; u && u < t->nodes[body].next; u++) {
        uint32_t above = t->nodes[u].parent;
        if (tree_kind(t, u) != PY_IDENTIFIER || t->nodes[u].word != word)
            continue;
        bool is_call = tree_kind(t, above) == PY_CALL && t->nodes[u].field == FIELD_FUNCTION;
        if ((!is_call && tree_kind(t, above) != PY_ATTRIBUTE) || (is_call && found))
            return 0;
        found = is_call ? above : found;
    }
    return found;
}

/* The next expression after @ above the definition, of *c and later; 0: none. */
static uint32_t next_decorator(const struct tree *t, uint32_t *c)
{
    for (; *c; *c = tree_next(t, *c)) {
        uint32_t expression = tree_kind(t, *c) == PY_DECORATOR ? tree_first(t, *c) : 0;
        if (!expression)
            continue;
        *c = tree_next(t, *c);
        return tree_bare(t, expression);
    }
    return 0;
}

static uint32_t first_above(const struct tree *t, uint32_t definition)
{
    uint32_t above = t->nodes[definition].parent;
    return tree_kind(t, above) == PY_DECORATED ? tree_first(t, above) : 0;
}

/* Is a function of this file one of its decorators? */
static bool has_own_decorator(const struct types *k, uint32_t definition)
{
    const struct tree *t = k->names->tree;
    uint32_t c = first_above(t, definition), expression;
    while ((expression = next_decorator(t, &c)))
        if (function_named(k, name_of(t, expression)) != SCOPE_NONE)
            return true;
    return false;
}

static bool is_plain_wrapper(const struct types *k, uint32_t wrapper, uint32_t word)
{
    uint32_t call = only_call(k, wrapper, word);
    return call && !has_own_decorator(k, k->names->scopes[wrapper].node) && takes_all(k, wrapper) &&
           passes_all(k->names->tree, call) &&
           !(k->names->scopes[wrapper].flags & (SCOPE_FLAG_YIELDS | SCOPE_FLAG_ASYNC)) &&
           types_in_no_grad(k, call) == TRUTH_FALSE && returns_result(k, wrapper, call);
}

/* What the function returns on every way: its parameter `word` (*itself), or a nested function;
 * SCOPE_NONE. */
static uint32_t returned_function(const struct types *k, uint32_t scope, uint32_t word,
                                  bool *itself)
{
    const struct tree *t = k->names->tree;
    uint32_t found = SCOPE_NONE, value;
    size_t at = 0;
    *itself = false;
    while (next_returned(k, scope, &at, &value)) {
        bool is_own = value && tree_kind(t, value) == PY_IDENTIFIER && t->nodes[value].word == word;
        uint32_t nested = value && !is_own ? function_named(k, value) : (uint32_t)SCOPE_NONE;
        bool is_nested = nested != SCOPE_NONE && k->names->scopes[nested].parent == scope;
        if ((!is_own && !is_nested) || (is_own && found != SCOPE_NONE) ||
            (is_nested && (*itself || (found != SCOPE_NONE && found != nested))))
            return SCOPE_NONE;
        *itself |= is_own;
        found = is_nested ? nested : found;
    }
    return found;
}

enum decorates types__decorates(const struct types *k, uint32_t scope)
{
    bool itself, inner_itself;
    uint32_t word = only_parameter(k, scope), nested = returned_function(k, scope, word, &itself);
    if (itself)
        return word == WORD_NONE ? DECORATES_NOT : DECORATES;
    if (nested == SCOPE_NONE)
        return DECORATES_NOT;
    if (word != WORD_NONE && is_plain_wrapper(k, nested, word))
        return DECORATES;
    uint32_t given = only_parameter(k, nested),
             inner = given == WORD_NONE ? (uint32_t)SCOPE_NONE
                                        : returned_function(k, nested, given, &inner_itself);
    if (given == WORD_NONE)
        return DECORATES_NOT;
    return inner_itself || (inner != SCOPE_NONE && is_plain_wrapper(k, inner, given))
               ? MAKES_DECORATOR
               : DECORATES_NOT;
}

bool types__query_plain_decorator(const struct types *k, uint32_t expression)
{
    const struct tree *t = k->names->tree;
    enum decorates wanted = tree_kind(t, expression) == PY_CALL ? MAKES_DECORATOR : DECORATES;
    expression = name_of(t, expression);
    uint32_t scope = expression ? function_named(k, expression) : (uint32_t)SCOPE_NONE;
    if (scope != SCOPE_NONE)
        return types__decorates(k, scope) == wanted;
    struct name_ref r =
        expression ? names_resolve(k->names, expression) : (struct name_ref){.path = PATH_NONE};
    const struct function_summary *f =
        k->options.project && r.is_exact && r.path != PATH_NONE && r.origin == NAME_IMPORT
            ? summary_set_function(k->options.project, r.path)
            : NULL;
    return f && f->decorates == wanted;
}

static bool is_api(const struct types *k, uint32_t decorator)
{
    struct name_ref r = names_resolve(k->names, name_of(k->names->tree, decorator));
    return r.is_exact && (r.origin == NAME_BUILTIN || api_find(k->api, r.path) != API_NONE);
}

bool types_has_unknown_decorator(const struct types *k, uint32_t definition)
{
    uint32_t c = first_above(k->names->tree, definition), expression;
    while ((expression = next_decorator(k->names->tree, &c)))
        if (!is_api(k, expression) && !types__query_plain_decorator(k, expression))
            return true;
    return false;
}
