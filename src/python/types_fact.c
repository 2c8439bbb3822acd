/*
 * Makes facts about single values, joins them where paths meet, and finds the type of a class of
 * this file by its base.
 */
#include "python/types_p.h"

static const struct type_fact unknown_fact = {
    TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, SCOPE_NONE, 0, PATH_NONE, MADE_NOTHING};

struct type_fact types__known(enum value_type type, enum confidence confidence, uint32_t api,
                              uint32_t origin)
{
    return (struct type_fact){type, confidence, api, SCOPE_NONE, origin, PATH_NONE, MADE_NOTHING};
}

struct type_fact types__fact_of_given(const struct types *k, const struct given_fact *g)
{
    uint32_t api = g->api_path == PATH_NONE ? (uint32_t)API_NONE : api_find(k->api, g->api_path);
    struct type_fact f = types__known(g->type, MIN(g->confidence, CONFIDENCE_MEDIUM), api, 0);
    uint32_t scope = g->class_path == PATH_NONE ? (uint32_t)SCOPE_NONE
                                                : names_definition_of_path(k->names, g->class_path);
    if (scope != SCOPE_NONE && k->names->scopes[scope].kind == SCOPE_CLASS)
        f.class_scope = scope; /* the other file imports the class from this one */
    else
        f.class_path = g->class_path;
    f.made = g->made;
    return f;
}

struct type_fact types__join(struct type_fact a, struct type_fact b)
{
    if (a.type == TYPE_UNKNOWN || b.type == TYPE_UNKNOWN) {
        struct type_fact known = a.type == TYPE_UNKNOWN ? b : a;
        if (known.confidence > CONFIDENCE_MEDIUM)
            known.confidence = CONFIDENCE_MEDIUM;
        return known;
    }
    if (a.type != b.type && (a.type == TYPE_NUMBER || b.type == TYPE_NUMBER)) {
        /* a sum that starts with a number has the type of what is added */
        struct type_fact sum = a.type == TYPE_NUMBER ? b : a;
        if (sum.type == TYPE_TENSOR)
            sum.confidence = MIN(sum.confidence, CONFIDENCE_MEDIUM);
        return sum.type == TYPE_LOSS || sum.type == TYPE_TENSOR ? sum : unknown_fact;
    }
    if (a.type != b.type) {
        bool tensors = (a.type == TYPE_LOSS || a.type == TYPE_TENSOR) &&
                       (b.type == TYPE_LOSS || b.type == TYPE_TENSOR);
        if (!tensors)
            return unknown_fact;
        a.type = TYPE_TENSOR;
    }
    if (a.api != b.api)
        a.api = API_NONE;
    if (a.class_scope != b.class_scope)
        a.class_scope = SCOPE_NONE;
    if (a.class_path != b.class_path)
        a.class_path = PATH_NONE;
    if (a.origin != b.origin)
        a.origin = 0;
    if (a.made.gives != b.made.gives || a.made.members != b.made.members)
        a.made = (struct made_module)MADE_NOTHING;
    a.confidence = MIN(a.confidence, b.confidence);
    return a;
}

/* The type of objects of a class of this file: that of the API class it derives from. */
struct type_fact types__class_fact(const struct types *k, uint32_t class_scope, uint32_t origin)
{
    const struct names *n = k->names;
    struct type_fact best = unknown_fact;
    uint32_t current = class_scope;
    for (unsigned depth = 0; depth < 16 && current != SCOPE_NONE; depth++) {
        uint32_t list = tree_child(n->tree, n->scopes[current].node, FIELD_SUPERCLASSES),
                 next = SCOPE_NONE;
        for (uint32_t c = list ? tree_first(n->tree, list) : 0; c; c = tree_next(n->tree, c)) {
            struct name_ref r = names_resolve(n, c);
            uint32_t api = r.is_exact ? api_find(k->api, r.path) : (uint32_t)API_NONE;
            if (api != API_NONE && best.type == TYPE_UNKNOWN)
                best = types__known(api_row_at(k->api, api)->makes, r.confidence, api, origin);
            const struct class_summary *other =
                k->options.project && r.is_exact && best.type == TYPE_UNKNOWN
                    ? summary_set_class(k->options.project, r.path)
                    : NULL;
            if (other && other->type != TYPE_OTHER)
                best = types__known(other->type, r.confidence, API_NONE, origin);
            uint32_t base = r.origin == NAME_DEFINED && r.is_exact
                                ? names_definition_of_path(n, r.path)
                                : (uint32_t)SCOPE_NONE;
            if (base != SCOPE_NONE && base != current && next == SCOPE_NONE)
                next = base;
        }
        if (best.type != TYPE_UNKNOWN)
            break;
        current = next;
    }
    if (best.type == TYPE_UNKNOWN)
        best = types__known(TYPE_OTHER, CONFIDENCE_LOW, API_NONE, origin);
    best.class_scope = class_scope;
    return best;
}

struct type_fact types_of_class(const struct types *k, uint32_t class_scope)
{
    return types__class_fact(k, class_scope, 0);
}

const struct summary_return *types__return_at(const struct function_summary *f, unsigned part)
{
    if (!f || f->is_opaque || f->is_generator || (part == WHOLE && f->n_returns != 1))
        return NULL;
    part = part == WHOLE ? 0 : part;
    return part < f->n_returns ? &f->returns[part] : NULL;
}
