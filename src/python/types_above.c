/*
 * What a base class in another file gives to a class of this file: the types of the
 * fields that it keeps, and what an optimizer in one of them holds. A class without an __init__ of
 * its own has there what the calls in all files give; what it gives to super().__init__ counts as
 * written by the class itself (types_field.c). Invariant: nothing is known of a class with several
 * bases.
 */
#include "python/names_p.h"
#include "python/types_p.h"

static const struct type_fact nothing = {TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, SCOPE_NONE, 0,
                                         PATH_NONE,    MADE_NOTHING};

static uint32_t init_word(const struct types *k)
{
    return py_parser_find_word(k->names->tree->parser, STR("__init__"));
}

/* Does making an object of the class run the __init__ to whose parameters the field refers? */
static bool is_made_by_owner(const struct types *k, uint32_t class_scope, struct field_above f)
{
    uint32_t word = init_word(k);
    return word != WORD_NONE && names_method(k->names, class_scope, word, NULL) == SCOPE_NONE &&
           summary_set_runs_init(k->options.project, types__base_elsewhere(k, class_scope),
                                 f.owner);
}

struct type_fact types__fact_above(const struct types *k, uint32_t class_scope, uint32_t word)
{
    struct field_above f = types__field_above(k, class_scope, word);
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
        f = types__field_above(k, o.scope, o.path[0]);
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
