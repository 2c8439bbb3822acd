/*
 * What a base class in another file gives to a class of this file: the fields that it keeps and
 * the methods that are inherited. What the class gives to super().__init__ is kept in the base's
 * fields, as if the class had written them; a class without an __init__ of its own has there what
 * the calls in all files give. Invariant: nothing is known of a class with several bases.
 */
#include "python/names_p.h"
#include "python/types_p.h"

static const struct type_fact nothing = {TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, SCOPE_NONE, 0,
                                         PATH_NONE,    MADE_NOTHING};

static uint32_t init_word(const struct types *k)
{
    return py_parser_find_word(k->names->tree->parser, STR("__init__"));
}

/* A field of a base class elsewhere, and the class that keeps it. */
struct field_above {
    const struct class_summary *owner;
    const struct class_field *field; /* NULL: there is none */
};

static struct field_above field_above(const struct types *k, uint32_t class_scope, uint32_t word)
{
    struct field_above f = {0};
    uint32_t path = types__base_elsewhere(k, class_scope);
    if (path != PATH_NONE)
        f.field = summary_set_field(k->options.project, path, word, &f.owner);
    return f;
}

bool types__has_field_above(const struct types *k, uint32_t class_scope, uint32_t word)
{
    return field_above(k, class_scope, word).field != NULL;
}

/* Does making an object of the class run the __init__ to whose parameters the field refers? */
static bool is_made_by_owner(const struct types *k, uint32_t class_scope, struct field_above f)
{
    uint32_t word = init_word(k);
    return word != WORD_NONE && names_method(k->names, class_scope, word, NULL) == SCOPE_NONE &&
           summary_set_runs_init(k->options.project, types__base_elsewhere(k, class_scope), f.owner,
                                 word);
}

struct type_fact types__fact_above(const struct types *k, uint32_t class_scope, uint32_t word)
{
    struct field_above f = field_above(k, class_scope, word);
    struct type_fact fact = nothing;
    if (f.field && f.field->fact.type != TYPE_UNKNOWN)
        fact = types__fact_of_given(k, &f.field->fact);
    else if (f.field && f.field->fact.parameter > 0 && is_made_by_owner(k, class_scope, f))
        fact = types__fact_given(k, f.owner->path, f.field->fact.parameter);
    fact.confidence = MIN(fact.confidence, CONFIDENCE_MEDIUM);
    fact.origin = 0;
    return fact;
}

/* Do all calls give the constructor an optimizer that holds the module? */
static bool is_given_held(const struct types *k, const struct field_above *optimizer,
                          const struct class_field *module)
{
    const struct summary_set *set = k->options.project;
    const struct function_summary *init =
        summary_set_method(set, optimizer->owner->path, init_word(k));
    int a = optimizer->field->fact.parameter, b = module->fact.parameter;
    bool any = false;
    for (const struct call_context *c = init ? summary_set_contexts(set, init->path) : NULL;
         c && a > 0 && b > 0 && b < GIVEN_MAX; c = summary_set_context(set, c->next)) {
        if (!(call_context_given(c, a, WORD_NONE)->holds >> b & 1))
            return false;
        any = true;
    }
    return any;
}

enum truth types__holds_above(const struct types *k, uint32_t optimizer, uint32_t module)
{
    const struct types_object o = *types_object_at(k, optimizer);
    struct field_above f = {0};
    if (o.origin == OBJECT_FIELD && o.n_path == 1)
        f = field_above(k, o.scope, o.path[0]);
    bool is_ours = f.field && is_made_by_owner(k, o.scope, f);
    for (uint32_t i = 0; f.field && i < f.owner->n_fields && i < 32; i++) {
        const struct class_field *m = &f.owner->fields[i];
        bool may_be = f.field->fact.holds >> i & 1 || (is_ours && m->fact.parameter > 0);
        if (may_be && types__object_of_field(k, o.scope, m->word) == module &&
            (f.field->fact.holds >> i & 1 || is_given_held(k, &f, m)))
            return TRUTH_TRUE;
    }
    return TRUTH_UNKNOWN;
}

const struct function_summary *types__inherited(const struct types *k, uint32_t class_scope,
                                                uint32_t word)
{
    uint32_t path = types__base_elsewhere(k, class_scope);
    return path == PATH_NONE ? NULL : summary_set_method(k->options.project, path, word);
}

/* Adds the fields in which the constructor of the base keeps arguments of super().__init__(...). */
static void add_stores(const struct types *k, uint32_t call, uint32_t class_scope,
                       const struct class_summary *base, const struct function_summary *init)
{
    const struct tree *t = k->names->tree;
    for (uint32_t i = 0; i < base->n_fields; i++) {
        int at = base->fields[i].fact.parameter;
        bool is_unknown = false, is_unknown_name = false;
        uint32_t value = at > 0 ? tree_argument(t, call, (unsigned)at - 1, &is_unknown) : 0;
        if (!value && at > 0 && at < init->n_parameters)
            value = tree_keyword(t, call, init->parameters[at], &is_unknown_name);
        if (value && !is_unknown)
            types__add_field(k, class_scope, base->fields[i].word, value);
    }
}

void types__add_stores_above(const struct types *k)
{
    const struct names *n = k->names;
    uint32_t word = init_word(k);
    struct node_list calls = tree_list(n->tree, PY_CALL);
    for (size_t i = 0; k->options.project && word != WORD_NONE && i < calls.n; i++) {
        uint32_t function = tree_child(n->tree, calls.at[i], FIELD_FUNCTION), path,
                 name = function && tree_kind(n->tree, function) == PY_ATTRIBUTE
                            ? tree_child(n->tree, function, FIELD_ATTRIBUTE)
                            : 0;
        if (!name || n->tree->nodes[name].word != word ||
            types__super_method(k, function, &path) != SCOPE_NONE || path == PATH_NONE)
            continue;
        uint32_t scope = names_scope_at(n, function);
        const struct function_summary *init = summary_set_function(k->options.project, path);
        const struct class_summary *base =
            summary_set_class(k->options.project, paths_parent(n->paths, path));
        if (init && base && n->scopes[scope].kind == SCOPE_FUNCTION &&
            n->scopes[scope].name == word)
            add_stores(k, calls.at[i], names_class_of(n, scope), base, init);
    }
}
