/*
 * Is an attribute a part of a module, or has it an owner that is none: a dict, a record, a trainer?
 * Invariant: an owner of which nothing is known may be a module.
 */
#include "python/names_p.h"
#include "python/types_p.h"

/* Is a class, of this file or of another, surely none of modules? */
static bool is_plain_class(const struct types *k, uint32_t class_scope, uint32_t class_path)
{
    uint32_t word = py_parser_find_word(k->names->tree->parser, STR("forward"));
    bool is_unknown = false;
    if (class_scope != SCOPE_NONE)
        return types__class_fact(k, class_scope, 0).type != TYPE_MODULE &&
               names_method(k->names, class_scope, word, &is_unknown) == SCOPE_NONE && !is_unknown;
    const struct class_summary *c = k->options.project && class_path != PATH_NONE
                                        ? summary_set_class(k->options.project, class_path)
                                        : NULL;
    return c && !c->n_bases && c->type != TYPE_MODULE &&
           !summary_set_method(k->options.project, class_path, word);
}

/* Do all calls in other files give for the parameter a dict, a tuple or an object of a class that
 * is none of modules? *any: there is such a call. */
static bool is_given_plain(const struct types *k, const struct types_object *o, bool *any)
{
    const struct summary_set *set = k->options.project;
    const struct call_context *c =
        set ? summary_set_contexts(set, names__scope_path(k->names, o->scope)) : NULL;
    int at = types__parameter_at(k, o->scope, o->root);
    *any = c != NULL;
    for (; c; c = summary_set_context(set, c->next)) {
        const struct given_fact *g = call_context_given(c, at, (uint32_t)WORD_NONE);
        bool has_parts = false;
        for (unsigned i = 0; i < c->n_parts; i++)
            has_parts |= c->parts[i].at == at;
        if (g->class_path == PATH_NONE ? !has_parts || g->type == TYPE_MODULE
                                       : !is_plain_class(k, SCOPE_NONE, g->class_path))
            return false;
    }
    return true;
}

/* Is what has the attribute surely no module: a dict, a record, an object of a plain class? */
static bool is_plain_owner(const struct types *k, uint32_t owner, unsigned depth)
{
    enum { GIVEN_LIMIT = 8, DEPTH_MAX = 3 };
    const struct types_object o = *types_object_at(k, owner);
    bool is_call =
        o.origin == OBJECT_CALL && !o.n_path && tree_kind(k->names->tree, o.node) == PY_CALL;
    if (o.fact.type == TYPE_MODULE || depth == DEPTH_MAX)
        return false;
    if (o.fact.class_scope != SCOPE_NONE || o.fact.class_path != PATH_NONE)
        return is_plain_class(k, o.fact.class_scope, o.fact.class_path);
    const struct function_summary *f = is_call ? types_function_called(k, o.node) : NULL;
    if (types__display(k, owner) || (f && f->n_parts))
        return true;
    uint32_t given[GIVEN_LIMIT];
    bool any = false;
    if (o.origin != OBJECT_PARAM || o.n_path || k->names->scopes[o.scope].kind != SCOPE_FUNCTION)
        return false;
    bool is_plain = is_given_plain(k, &o, &any);
    if (any)
        return is_plain;
    unsigned n = types__given_here(k, o.scope, o.root, given, GIVEN_LIMIT);
    for (unsigned i = 0; i < n; i++) {
        uint32_t object = types_object(k, given[i]);
        if (object == OBJECT_NONE || !is_plain_owner(k, object, depth + 1))
            return false;
    }
    return n > 0;
}

enum truth types_is_sub_module(const struct types *k, uint32_t object)
{
    const struct types_object o = *types_object_at(k, object);
    bool is_unknown = false;
    if (!o.n_path)
        return TRUTH_FALSE;
    if (o.origin != OBJECT_FIELD || o.n_path > 1) {
        if (o.owner != OBJECT_NONE && is_plain_owner(k, o.owner, 0))
            return TRUTH_FALSE;
        enum value_type owner =
            o.owner == OBJECT_NONE ? TYPE_UNKNOWN : types_object_at(k, o.owner)->fact.type;
        return owner == TYPE_MODULE ? TRUTH_TRUE : TRUTH_UNKNOWN;
    }
    if (types__class_fact(k, o.scope, 0).type == TYPE_MODULE)
        return TRUTH_TRUE;
    uint32_t word = py_parser_find_word(k->names->tree->parser, STR("forward"));
    (void)names_method(k->names, o.scope, word, &is_unknown);
    return is_unknown ? TRUTH_UNKNOWN : TRUTH_FALSE;
}
