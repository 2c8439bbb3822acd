/*
 * Where an object that outlives a call is kept: in a parameter, in a field of the receiver, in an
 * outer name.
 */
#include "python/summary_p.h"

int summary__parameter_at(const struct function_summary *f, uint32_t word)
{
    for (unsigned i = 0; i < f->n_parameters; i++)
        if (f->parameters[i] == word)
            return (int)i;
    return -1;
}

/* The name of the only field of self that keeps the object; WORD_NONE: none. */
static uint32_t field_of(const struct types *k, uint32_t class_scope, uint32_t object)
{
    uint32_t at = types__field_of_object(k, object);
    const struct field_store *s = at == UINT32_MAX ? NULL : &k->cache->field_stores.at[at];
    bool is_own = s && types__keeper(k, class_scope, s->word) == s->class_scope;
    return is_own ? s->word : (uint32_t)WORD_NONE;
}

void summary__place(const struct types *k, uint32_t scope, const struct function_summary *f,
                    uint32_t object, struct summary_effect *e)
{
    const struct types_object *o = types_object_at(k, object);
    uint32_t parent = k->names->scopes[scope].parent;
    uint32_t class_scope = parent != SCOPE_NONE && k->names->scopes[parent].kind == SCOPE_CLASS
                               ? parent
                               : (uint32_t)SCOPE_NONE;
    int parameter =
        o->origin == OBJECT_PARAM && o->scope == scope ? summary__parameter_at(f, o->root) : -1;
    *e = (struct summary_effect){
        .parameter = SLOT_OUTER, .root = o->root, .object = object, .n_path = (uint8_t)o->n_path};
    memcpy(e->path, o->path, sizeof e->path);
    if (parameter >= 0) {
        e->parameter = (uint8_t)parameter;
    } else if (class_scope != SCOPE_NONE && o->origin != OBJECT_FIELD && !o->n_path) {
        uint32_t word = field_of(k, class_scope, object);
        if (word != WORD_NONE) {
            e->n_path = 1;
            e->path[0] = word;
            e->is_field = true;
        }
    } else {
        e->is_field = o->origin == OBJECT_FIELD && class_scope != SCOPE_NONE &&
                      types__keeper(k, class_scope, o->path[0]) == o->scope;
    }
    e->type = o->fact.type;
    e->confidence = o->fact.confidence;
}
