/*
 * What other files of the project tell: the types of what their functions and classes make and of
 * objects under their names, methods of their classes, activations of results. All is looked up in
 * the linked summaries; without any, nothing here is called. Invariant: what a summary does not
 * decide (opaque, several bases, a generator) is unknown here.
 */
#include "python/names_p.h"
#include "python/types_p.h"

static const struct type_fact nothing = {TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, SCOPE_NONE, 0,
                                         PATH_NONE,    MADE_NOTHING};

static struct type_fact fact_made_by(const struct types *k, enum value_type type,
                                     enum confidence confidence, uint32_t api_path, uint32_t origin)
{
    uint32_t api = api_path == PATH_NONE ? (uint32_t)API_NONE : api_find(k->api, api_path);
    return type == TYPE_UNKNOWN ? nothing : types__known(type, confidence, api, origin);
}

struct type_fact types__project_call(const struct types *k, uint32_t call, unsigned part)
{
    const struct summary_set *set = k->options.project;
    if (!set)
        return nothing;
    struct call_fact c = types_call(k, call);
    if (c.path == PATH_NONE || c.scope != SCOPE_NONE || c.api != API_NONE || !c.is_resolved)
        return nothing;
    const struct class_summary *made = c.is_method ? NULL : summary_set_class(set, c.path);
    if (made) {
        struct type_fact fact = types__known(made->type, c.confidence, API_NONE, call);
        fact.class_path = made->path;
        return fact;
    }
    const struct summary_return *r = types__return_at(summary_set_function(set, c.path), part);
    if (!r)
        return nothing;
    uint32_t dict = r->entry >= 0 && !c.is_method
                        ? tree_argument(k->names->tree, call, (unsigned)r->entry, NULL)
                        : 0;
    if (dict)
        return k->queries->choice(k, dict, call);
    if (r->parameter >= 0 && !c.is_method) {
        uint32_t argument = tree_argument(k->names->tree, call, (unsigned)r->parameter, NULL);
        if (argument)
            return types_of(k, argument);
    }
    struct type_fact fact = fact_made_by(k, r->type, CONFIDENCE_MEDIUM, r->api_path, call);
    fact.class_path = r->class_path;
    fact.made = r->made;
    return fact;
}

struct type_fact types__project_value(const struct types *k, uint32_t path)
{
    const struct summary_value *v =
        k->options.project ? summary_set_value(k->options.project, path) : NULL;
    return v ? fact_made_by(k, v->type, MIN(v->confidence, CONFIDENCE_MEDIUM), v->api_path, 0)
             : nothing;
}

/* The class of the object that a call makes, if it is one of this file or of the project. */
static uint32_t class_made_by(const struct types *k, uint32_t call)
{
    const struct summary_set *set = k->options.project;
    struct call_fact c = types_call(k, call);
    if (!set || c.path == PATH_NONE || c.scope != SCOPE_NONE || c.is_method)
        return PATH_NONE;
    const struct class_summary *made = summary_set_class(set, c.path);
    if (made)
        return made->path;
    const struct function_summary *f = summary_set_function(set, c.path);
    return f && !f->is_opaque && f->n_returns == 1 ? f->returns[0].class_path : (uint32_t)PATH_NONE;
}

uint32_t types__class_path(const struct types *k, uint32_t node)
{
    struct type_fact f = types_of(k, node);
    if (f.class_scope != SCOPE_NONE)
        return names__scope_path(k->names, f.class_scope);
    if (f.class_path != PATH_NONE)
        return f.class_path;
    if (!k->options.project)
        return PATH_NONE;
    if (f.origin && k->names->tree->nodes[f.origin].kind == PY_CALL)
        return class_made_by(k, f.origin);
    struct name_ref r = names_resolve(k->names, node);
    const struct summary_value *v =
        r.is_exact && r.path != PATH_NONE ? summary_set_value(k->options.project, r.path) : NULL;
    return v ? v->class_path : (uint32_t)PATH_NONE;
}

bool types_is_of_own_class(const struct types *k, uint32_t node)
{
    return types__class_path(k, node) != PATH_NONE;
}

const struct function_summary *types__project_method(const struct types *k, uint32_t receiver,
                                                     uint32_t word)
{
    if (!k->options.project)
        return NULL;
    uint32_t path = types__class_path(k, receiver);
    return path == PATH_NONE ? NULL : summary_set_method(k->options.project, path, word);
}

static const struct function_summary *forward_of(const struct types *k, uint32_t call)
{
    uint32_t function = tree_child(k->names->tree, call, FIELD_FUNCTION),
             word = py_parser_find_word(k->names->tree->parser, STR("forward"));
    return function ? types__project_method(k, function, word) : NULL;
}

/* Was the module that runs made by a function of another file, so that its class is not known? */
static bool is_made_elsewhere(const struct types *k, uint32_t call)
{
    uint32_t function = tree_child(k->names->tree, call, FIELD_FUNCTION);
    if (!k->options.project || !function)
        return false;
    uint32_t origin = types_of(k, function).origin;
    if (!origin || k->names->tree->nodes[origin].kind != PY_CALL)
        return false;
    struct call_fact c = types_call(k, origin);
    return c.api == API_NONE && c.scope == SCOPE_NONE && c.path != PATH_NONE;
}

bool types__project_gives_tensor(const struct types *k, uint32_t call, unsigned part)
{
    const struct function_summary *f = k->options.project ? forward_of(k, call) : NULL;
    if (!f)
        return !is_made_elsewhere(k, call);
    return part < f->n_returns && !f->is_opaque &&
           (f->returns[part].type == TYPE_TENSOR || f->returns[part].type == TYPE_LOSS);
}

const struct function_summary *types_function_called(const struct types *k, uint32_t call)
{
    const struct function_summary *f = NULL;
    struct call_fact c = types_call(k, call);
    if (c.api != API_NONE)
        return NULL;
    if (c.scope != SCOPE_NONE)
        f = k->names->scopes[c.scope].kind == SCOPE_FUNCTION ? summary_of(k, c.scope) : NULL;
    else if (k->options.project && c.role == ROLE_FORWARD)
        f = forward_of(k, call);
    else if (k->options.project && c.role == ROLE_NONE && c.path != PATH_NONE && c.is_resolved)
        f = summary_set_function(k->options.project, c.path);
    return f && !f->is_opaque && !f->is_generator ? f : NULL;
}

const struct function_summary *types__constructor(const struct types *k, uint32_t call)
{
    struct call_fact c = types_call(k, call);
    uint32_t word = py_parser_find_word(k->names->tree->parser, STR("__init__"));
    if (c.scope != SCOPE_NONE && k->names->scopes[c.scope].kind == SCOPE_CLASS) {
        uint32_t scope = names_method(k->names, c.scope, word, NULL);
        return scope == SCOPE_NONE ? NULL : summary_of(k, scope);
    }
    bool is_class = k->options.project && c.scope == SCOPE_NONE && c.path != PATH_NONE &&
                    !c.is_method && summary_set_class(k->options.project, c.path);
    return is_class ? summary_set_method(k->options.project, c.path, word) : NULL;
}

uint32_t types_parameter_of(const struct types *k, uint32_t call, uint32_t argument)
{
    const struct tree *t = k->names->tree;
    uint32_t list = t->nodes[argument].parent;
    if (tree_kind(t, list) == PY_KEYWORD_ARGUMENT)
        return t->nodes[tree_child(t, list, FIELD_NAME)].word;
    const struct function_summary *f = types__constructor(k, call);
    struct call_fact c = types_call(k, call);
    unsigned at = f || c.is_method || c.is_object_call || c.role == ROLE_FORWARD;
    if (!f)
        f = types_function_called(k, call);
    for (uint32_t n = tree_first(t, list); n && n != argument; n = tree_next(t, n), at++)
        if (tree_kind(t, n) == PY_LIST_SPLAT)
            return WORD_NONE;
    return f && at < f->n_parameters ? f->parameters[at] : (uint32_t)WORD_NONE;
}

static uint64_t roles_of(const struct function_summary *f)
{
    uint64_t may = 0;
    for (uint32_t e = 0; f && e < f->n_effects; e++)
        may |= f->effects[e].may;
    return may;
}

static uint64_t roles_of_class(const struct types *k, uint32_t class_scope)
{
    const struct names *n = k->names;
    uint64_t may = 0;
    for (uint32_t s = 0; s < n->n_scopes; s++)
        if (n->scopes[s].parent == class_scope && n->scopes[s].kind == SCOPE_FUNCTION)
            may |= roles_of(summary_of(k, s));
    return may;
}

bool types_call_trains(const struct types *k, uint32_t call)
{
    struct call_fact c = types_call(k, call);
    bool is_class = k->options.project && c.scope == SCOPE_NONE && c.path != PATH_NONE &&
                    !c.is_method && summary_set_class(k->options.project, c.path);
    uint64_t may;
    if (c.scope != SCOPE_NONE && k->names->scopes[c.scope].kind == SCOPE_CLASS)
        may = roles_of_class(k, c.scope);
    else if (is_class)
        may = summary_set_class_roles(k->options.project, c.path);
    else
        may = roles_of(types_function_called(k, call));
    return may >> ROLE_STEP & 1 && !(may >> ROLE_PREPARE & 1);
}
