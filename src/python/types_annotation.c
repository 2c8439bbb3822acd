/*
 * The type that a parameter's annotation gives: the class that it names, of an API, of this file or
 * of another. Optional[T] and T | None are T. Invariant: confidence is at most medium, since Python
 * does not enforce annotations; a use of the parameter that does not fit the class leaves it
 * without a type.
 */
#include "python/types_p.h"

static const struct type_fact nothing = {TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, SCOPE_NONE, 0,
                                         PATH_NONE,    MADE_NOTHING};

/* The annotation node of a parameter's identifier; 0: none. */
static uint32_t annotation_of(const struct tree *t, uint32_t identifier)
{
    uint32_t above = t->nodes[identifier].parent;
    enum py_kind kind = tree_kind(t, above);
    bool is_typed = kind == PY_TYPED_PARAMETER || kind == PY_TYPED_DEFAULT_PARAMETER;
    uint32_t type = is_typed ? tree_child(t, above, FIELD_TYPE) : 0;
    return type ? tree_first(t, type) : 0;
}

static bool is_named(const struct tree *t, uint32_t node, struct str word)
{
    if (tree_kind(t, node) == PY_ATTRIBUTE)
        node = tree_child(t, node, FIELD_ATTRIBUTE);
    return node && tree_kind(t, node) == PY_IDENTIFIER && str_eq(tree_text(t, node), word);
}

/* T of Optional[T], T | None and None | T; other types unchanged. */
static uint32_t without_none(const struct tree *t, uint32_t type)
{
    if (tree_kind(t, type) == PY_BINARY) {
        uint32_t left = tree_child(t, type, FIELD_LEFT), right = tree_child(t, type, FIELD_RIGHT);
        if (left && right && tree_kind(t, right) == PY_NONE)
            return left;
        return left && right && tree_kind(t, left) == PY_NONE ? right : 0;
    }
    uint32_t head = tree_first(t, type);
    if (tree_kind(t, type) != PY_SUBSCRIPT || !head || !is_named(t, head, STR("Optional")))
        return type;
    uint32_t inner = tree_next(t, head);
    while (inner && (tree_kind(t, inner) == PY_TYPE_PARAMETER || tree_kind(t, inner) == PY_TYPE))
        inner = tree_first(t, inner);
    return inner;
}

static struct type_fact fact_of_class(const struct types *k, uint32_t node)
{
    struct name_ref r = names_resolve(k->names, node);
    if (!r.is_exact || r.path == PATH_NONE)
        return nothing;
    uint32_t api = api_find(k->api, r.path), scope = names_definition_of_path(k->names, r.path);
    const struct api_row *row = api_row_at(k->api, api);
    if (api != API_NONE)
        return row->traits & TRAIT_CLASS
                   ? types__known(row->makes, CONFIDENCE_MEDIUM,
                                  row->makes == TYPE_CRITERION ? api : (uint32_t)API_NONE, 0)
                   : nothing;
    if (scope != SCOPE_NONE && k->names->scopes[scope].kind == SCOPE_CLASS)
        return types__class_fact(k, scope, 0);
    const struct class_summary *c =
        k->options.project ? summary_set_class(k->options.project, r.path) : NULL;
    struct type_fact f = c ? types__known(c->type, CONFIDENCE_MEDIUM, API_NONE, 0) : nothing;
    f.class_path = c ? c->path : (uint32_t)PATH_NONE;
    return f;
}

struct type_fact types__annotated(const struct types *k, uint32_t binding)
{
    const struct names *n = k->names;
    uint32_t store = n->bindings[binding].first_store;
    if (store == NAME_STORE_NONE || n->stores[store].kind != BIND_PARAMETER)
        return nothing;
    uint32_t identifier = n->stores[store].node, type = annotation_of(n->tree, identifier);
    type = type ? without_none(n->tree, type) : 0;
    enum py_kind kind = type ? tree_kind(n->tree, type) : PY_NONE;
    if (kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE)
        return nothing;
    struct type_fact f = fact_of_class(k, type);
    const struct evidence *e = types__evidence(k, identifier);
    f.confidence = MIN(f.confidence, CONFIDENCE_MEDIUM);
    f.origin = 0;
    if (f.type == TYPE_OTHER || (e && e->contrary >> f.type & 1))
        return nothing;
    /* the annotation nn.Module only gives the base of a criterion */
    if (f.type == TYPE_MODULE &&
        api_type_of_word(k->api, n->tree->parser, n->bindings[binding].word) == TYPE_CRITERION)
        f = types__known(TYPE_CRITERION, CONFIDENCE_MEDIUM, API_NONE, 0);
    return f;
}
