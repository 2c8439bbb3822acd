/*
 * The two modules that a called function averages or copies, as objects of the caller. If both are
 * one object, the function changes nothing.
 */
#include "python/types_p.h"

/* The argument that the call gives for a parameter of the function; for a method the first is the
 * receiver. */
static uint32_t given_for(const struct types *k, const struct function_summary *s, uint32_t call,
                          unsigned parameter)
{
    const struct tree *t = k->names->tree;
    struct call_fact f = types_call(k, call);
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    bool is_object = f.is_object_call || f.role == ROLE_FORWARD,
         is_bound = is_object || f.is_method;
    if (is_bound && parameter == 0)
        return is_object ? function : tree_first(t, function);
    return types_argument(k, call, parameter - is_bound,
                          parameter < s->n_parameters ? s->parameters[parameter] : WORD_NONE);
}

bool types__blended(const struct types *k, uint32_t call, unsigned at, uint32_t objects[2])
{
    const struct function_summary *s = types_function_called(k, call);
    if (!s || at >= s->n_blends)
        return false;
    const struct summary_blend *b = &s->blends[at];
    for (unsigned i = 0; i < 2; i++) {
        uint32_t node = given_for(k, s, call, b->parameter[i]);
        objects[i] = node ? types_object(k, node) : (uint32_t)OBJECT_NONE;
        if (objects[i] != OBJECT_NONE && b->key[i] != WORD_NONE)
            objects[i] = types__part(k, objects[i], b->key[i]);
    }
    return true;
}

enum truth types_blends_one(const struct types *k, uint32_t call, uint32_t object)
{
    uint32_t objects[2];
    const struct function_summary *s = types_function_called(k, call);
    for (unsigned b = 0; object != OBJECT_NONE && types__blended(k, call, b, objects); b++) {
        const struct summary_blend *pair = &s->blends[b];
        bool is_inside = !pair->parameter[0] && !pair->parameter[1] && pair->key[0] != WORD_NONE &&
                         pair->key[1] != WORD_NONE;
        if (!is_inside && objects[0] == object && objects[1] == object)
            return TRUTH_TRUE;
    }
    return TRUTH_FALSE;
}
