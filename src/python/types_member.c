/*
 * Fields of an object whose class, of this file or another, is known: what a field keeps, and
 * whether that is an argument of the constructor. A tracker made by Tracker(net) that keeps its
 * first argument under `model` has the object `net` there. Invariant: a field that the class writes
 * twice, or that is written from outside in this file, is not known.
 */
#include "python/types_p.h"

int8_t types__kept_parameter(const struct types *k, uint32_t class_scope, uint32_t word)
{
    uint32_t count, at = types__field(k, class_scope, word, &count);
    uint32_t value = count == 1 ? k->cache->field_stores.at[at].value : 0;
    uint32_t init = names_method(
        k->names, class_scope, py_parser_find_word(k->names->tree->parser, STR("__init__")), NULL);
    uint32_t object = value && init != SCOPE_NONE ? types_object(k, value) : (uint32_t)OBJECT_NONE;
    if (object == OBJECT_NONE)
        return -1;
    const struct types_object *o = types_object_at(k, object);
    bool is_given = o->origin == OBJECT_PARAM && o->scope == init && !o->n_path;
    return is_given ? (int8_t)types__parameter_at(k, init, o->root) : (int8_t)-1;
}

/* The parameter of the constructor that an object keeps under a word; -1: none. */
static int8_t parameter_kept(const struct types *k, struct type_fact owner, uint32_t word)
{
    if (owner.class_scope != SCOPE_NONE)
        return types__kept_parameter(k, owner.class_scope, word);
    const struct class_summary *keeper;
    const struct class_field *f =
        k->options.project && owner.class_path != PATH_NONE
            ? summary_set_field(k->options.project, owner.class_path, word, &keeper)
            : NULL;
    return f && summary_set_runs_init(k->options.project, owner.class_path, keeper)
               ? f->fact.parameter
               : (int8_t)-1;
}

/* Is an attribute of this name written on an object other than self? */
static bool is_written_outside(const struct types *k, uint32_t word)
{
    const struct tree *t = k->names->tree;
    struct node_list attributes = tree_list(t, PY_ATTRIBUTE);
    struct types_cache *c = k->cache;
    if (!c->has_outside_fields) {
        c->has_outside_fields = true;
        for (size_t i = 0; i < attributes.n; i++) {
            uint32_t node = attributes.at[i], name = tree_child(t, node, FIELD_ATTRIBUTE);
            if (name && types__is_target(t, node) && types__self_class(k, node) == SCOPE_NONE)
                node_table__put(&c->outside_fields, k->arena, t->nodes[name].word, 1);
        }
    }
    return node_table__get(&c->outside_fields, word) != NULL;
}

/* The argument, in the call that made the object, that it keeps under a word; 0: not known. */
static uint32_t value_kept(const struct types *k, const struct types_object *owner, uint32_t word)
{
    const struct tree *t = k->names->tree;
    if (owner->origin != OBJECT_CALL || owner->n_path || tree_kind(t, owner->node) != PY_CALL ||
        is_written_outside(k, word))
        return 0;
    uint32_t field = types__record_value(k, owner->node, word);
    if (field)
        return field;
    struct type_fact made = types_of(k, owner->node);
    int8_t parameter = made.origin == owner->node ? parameter_kept(k, made, word) : (int8_t)-1;
    const struct function_summary *f = parameter > 0 ? types__constructor(k, owner->node) : NULL;
    if (!f || f->is_opaque || parameter >= f->n_parameters)
        return 0;
    uint32_t argument = tree_argument(t, owner->node, (unsigned)parameter - 1, NULL);
    return argument ? argument
                    : tree_keyword(t, owner->node, f->parameters[(unsigned)parameter], NULL);
}

uint32_t types__member_value(const struct types *k, uint32_t owner, uint32_t word)
{
    struct types_object o = *types_object_at(k, owner);
    return value_kept(k, &o, word);
}

uint32_t types__member(const struct types *k, uint32_t owner, uint32_t word)
{
    uint32_t value = types__member_value(k, owner, word);
    return value ? types_object(k, value) : types__child(k, owner, word);
}

uint32_t types__given_place(const struct types *k, uint32_t value, unsigned at)
{
    uint32_t owner = types_object(k, value), word = types__place_word(k, at);
    if (owner == OBJECT_NONE || word == WORD_NONE)
        return OBJECT_NONE;
    const struct types_object o = *types_object_at(k, owner);
    if (o.origin != OBJECT_PARAM || o.n_path || k->names->scopes[o.scope].kind != SCOPE_FUNCTION)
        return OBJECT_NONE;
    return types__child(k, owner, word);
}

/* Is the object the argument, in the call that made `whole`, that its class keeps under the
 * word? */
static bool keeps(const struct types *k, uint32_t whole, uint32_t word, uint32_t object)
{
    uint32_t value = types__member_value(k, whole, word);
    return value && types_object(k, value) == object;
}

bool types_is_kept_by(const struct types *k, uint32_t object, uint32_t whole)
{
    const struct types_object o = *types_object_at(k, whole);
    if (o.origin != OBJECT_CALL || o.n_path)
        return false;
    struct type_fact f = types_of(k, o.node);
    const struct class_summary *c = k->options.project && f.class_path != PATH_NONE
                                        ? summary_set_class(k->options.project, f.class_path)
                                        : NULL;
    for (uint32_t i = 0; c && i < c->n_fields; i++)
        if (keeps(k, whole, c->fields[i].word, object))
            return true;
    for (uint32_t i = 0; f.class_scope != SCOPE_NONE && i < k->cache->field_stores.n; i++)
        if (k->cache->field_stores.at[i].class_scope == f.class_scope &&
            keeps(k, whole, k->cache->field_stores.at[i].word, object))
            return true;
    return false;
}

struct type_fact types__fact_given(const struct types *k, uint32_t class_path, int8_t parameter)
{
    const struct summary_set *set = k->options.project;
    uint32_t word = py_parser_find_word(k->names->tree->parser, STR("__init__"));
    const struct function_summary *init = summary_set_method(set, class_path, word);
    struct type_fact joined = types__known(TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, 0);
    bool any = false;
    for (const struct call_context *c = init ? summary_set_contexts(set, init->path) : NULL; c;
         c = summary_set_context(set, c->next)) {
        struct type_fact f =
            types__fact_of_given(k, call_context_given(c, parameter, (uint32_t)WORD_NONE));
        joined = any ? types__join(joined, f) : f;
        any = true;
    }
    return joined;
}

struct type_fact types__member_fact(const struct types *k, uint32_t attribute)
{
    const struct tree *t = k->names->tree;
    const struct type_fact nothing = types__known(TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, 0);
    uint32_t first = tree_first(t, attribute), name = tree_child(t, attribute, FIELD_ATTRIBUTE);
    struct type_fact owner = types_of(k, first);
    if (!k->options.project || owner.class_scope != SCOPE_NONE || owner.class_path == PATH_NONE)
        return nothing;
    uint32_t word = t->nodes[name].word, object = types_object(k, first);
    uint32_t value = object == OBJECT_NONE ? 0 : types__member_value(k, object, word);
    if (value)
        return types_of(k, value);
    const struct class_summary *keeper;
    const struct class_field *f =
        summary_set_field(k->options.project, owner.class_path, word, &keeper);
    if (!f || is_written_outside(k, word))
        return nothing;
    bool is_given = f->fact.type == TYPE_UNKNOWN && f->fact.parameter > 0 &&
                    summary_set_runs_init(k->options.project, owner.class_path, keeper);
    struct type_fact fact = is_given ? types__fact_given(k, keeper->path, f->fact.parameter)
                                     : types__fact_of_given(k, &f->fact);
    fact.confidence = MIN(fact.confidence, MIN(owner.confidence, CONFIDENCE_MEDIUM));
    return fact;
}
