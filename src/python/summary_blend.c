/*
 * Which pairs of modules a function averages, or copies one into the other: zip(a.parameters(),
 * b.parameters()), a.load_state_dict(b.state_dict()), and calls of functions that do so. Only
 * arguments of the function and fields of its receiver are reported.
 */
#include "python/summary_p.h"

struct blend_list {
    struct summary_blend at[RETURN_MAX];
    uint8_t n;
};

/* The module whose parameters or state the call gives; 0: none. */
static uint32_t owner_of(const struct types *k, uint32_t node)
{
    node = node ? tree_bare(k->names->tree, node) : 0;
    enum value_type type =
        node && tree_kind(k->names->tree, node) == PY_CALL ? types_of(k, node).type : TYPE_UNKNOWN;
    return type == TYPE_PARAMETERS || type == TYPE_STATE ? types_call(k, node).subject : 0;
}

static bool find_pair(const struct types *k, uint32_t call, uint32_t pair[2])
{
    const struct tree *t = k->names->tree;
    struct call_fact f = types_call(k, call);
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    bool is_zip = function && tree_kind(t, function) == PY_IDENTIFIER &&
                  str_is(tree_text(t, function), "zip") &&
                  names_resolve(k->names, function).origin == NAME_BUILTIN;
    if (!is_zip && f.role != ROLE_LOAD)
        return false;
    pair[0] = is_zip ? owner_of(k, tree_argument(t, call, 0, NULL)) : f.subject;
    pair[1] = owner_of(k, tree_argument(t, call, is_zip, NULL));
    return pair[0] && pair[1];
}

/* The slot of an object that is an argument of the function or a field of its receiver. */
static bool place(const struct types *k, uint32_t scope, const struct function_summary *f,
                  uint32_t object, uint8_t *parameter, uint32_t *key)
{
    struct summary_effect e;
    if (object == OBJECT_NONE)
        return false;
    summary__place(k, scope, f, object, &e);
    bool is_given = e.parameter != SLOT_OUTER && e.n_path <= 1,
         is_kept = e.parameter == SLOT_OUTER && e.is_field && e.n_path == 1;
    *parameter = is_given ? e.parameter : 0;
    *key = e.n_path ? e.path[0] : (uint32_t)WORD_NONE;
    return is_given || is_kept;
}

static void add_pair(const struct types *k, uint32_t scope, const struct function_summary *f,
                     const uint32_t objects[2], struct blend_list *out)
{
    struct summary_blend b;
    if (out->n < RETURN_MAX && place(k, scope, f, objects[0], &b.parameter[0], &b.key[0]) &&
        place(k, scope, f, objects[1], &b.parameter[1], &b.key[1]))
        out->at[out->n++] = b;
}

void summary__add_blends(const struct types *k, uint32_t scope, struct function_summary *f)
{
    const struct cfg *c = types_cfg(k, scope);
    struct blend_list list = {.n = 0};
    for (uint32_t i = 0; c && i < c->n_steps; i++) {
        uint32_t call = c->steps[i].node, pair[2], objects[2];
        if (c->steps[i].kind != STEP_EVAL || tree_kind(k->names->tree, call) != PY_CALL)
            continue;
        if (find_pair(k, call, pair)) {
            for (unsigned p = 0; p < 2; p++)
                objects[p] = types_object(k, pair[p]);
            add_pair(k, scope, f, objects, &list);
        }
        for (unsigned b = 0; types__blended(k, call, b, objects); b++)
            add_pair(k, scope, f, objects, &list);
    }
    f->blends = arena_dup(k->arena, list.at, list.n * sizeof *list.at);
    f->n_blends = list.n;
}
