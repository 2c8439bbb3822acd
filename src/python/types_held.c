/*
 * Objects put into containers: [optimizer], {"a": model}, models.append(model), opts["d"] =
 * optimizer. What is done to the container, or to an element taken from it, may be done to any of
 * them: elements are not told apart. Invariant: a missing entry means that no container of this
 * file was seen to hold the object, never that none does.
 */
#include "python/types_p.h"

static bool is_display(enum py_kind k)
{
    return k == PY_LIST || k == PY_TUPLE || k == PY_DICT || k == PY_SET;
}

static void add_held(const struct types *k, uint32_t node, uint32_t holder)
{
    enum value_type type = types_of(k, node).type;
    if (holder == OBJECT_NONE || (type != TYPE_OPTIMIZER && type != TYPE_MODULE))
        return;
    struct held_object held = {.object = types_object(k, node), .holder = holder};
    if (held.object != OBJECT_NONE)
        vec_push(&k->cache->held, k->arena, held);
}

/* Adds names and paths that are elements themselves; the results of calls are other objects. */
static void add_all_held(const struct types *k, uint32_t node, uint32_t holder)
{
    const struct tree *t = k->names->tree;
    for (uint32_t n = node; n < t->nodes[node].next; n++) {
        enum py_kind kind = tree_kind(t, n);
        bool is_name = kind == PY_IDENTIFIER || kind == PY_ATTRIBUTE;
        if (is_name)
            add_held(k, n, holder);
        if (is_name || kind == PY_CALL || kind == PY_LAMBDA || kind == PY_SUBSCRIPT)
            n = t->nodes[n].next - 1;
    }
}

static bool is_putting_in(const struct types *k, uint32_t word)
{
    static const char *const methods[] = {"append", "add",    "insert",    "appendleft",
                                          "extend", "update", "setdefault"};
    struct str text = word == WORD_NONE ? STR("") : py_parser_text(k->names->tree->parser, word);
    for (size_t i = 0; i < COUNT_OF(methods); i++)
        if (str_is(text, methods[i]))
            return true;
    return false;
}

static void find_in_call(const struct types *k, uint32_t call)
{
    const struct tree *t = k->names->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION),
             arguments = tree_child(t, call, FIELD_ARGUMENTS);
    if (!function || !arguments || tree_kind(t, function) != PY_ATTRIBUTE)
        return;
    uint32_t name = tree_child(t, function, FIELD_ATTRIBUTE);
    if (name && is_putting_in(k, t->nodes[name].word))
        add_all_held(k, arguments, types_object(k, tree_first(t, function)));
}

static void find_held(const struct types *k)
{
    const struct tree *t = k->names->tree;
    uint32_t end = t->nodes[0].next;
    for (uint32_t n = 1; n < end; n++) {
        enum py_kind kind = tree_kind(t, n);
        if (is_display(kind) && t->nodes[n].next > n + 1) {
            add_all_held(k, n, types_object(k, n));
        } else if (kind == PY_CALL) {
            find_in_call(k, n);
        } else if (kind == PY_ASSIGNMENT) {
            uint32_t left = tree_child(t, n, FIELD_LEFT), right = tree_child(t, n, FIELD_RIGHT);
            if (left && right && tree_kind(t, left) == PY_SUBSCRIPT)
                add_all_held(k, right, types_object(k, tree_first(t, left)));
        }
    }
}

size_t types__held(const struct types *k, const struct held_object **out)
{
    struct types_cache *c = k->cache;
    if (!c->has_held) {
        c->has_held = true;
        find_held(k);
    }
    *out = c->held.at;
    return c->held.n;
}

/* Does a name, path or display in the expression mean the holder? */
static bool speaks_of(const struct types *k, uint32_t node, uint32_t holder)
{
    const struct tree *t = k->names->tree;
    for (uint32_t n = node; n && n < t->nodes[node].next; n++) {
        enum py_kind kind = tree_kind(t, n);
        if ((kind == PY_IDENTIFIER || kind == PY_ATTRIBUTE || is_display(kind)) &&
            types_object(k, n) == holder)
            return true;
    }
    return false;
}

static bool is_filled_from(const struct types *k, const struct types_object *o, uint32_t holder)
{
    if (o->origin == OBJECT_FIELD && o->n_path == 1) {
        uint32_t count, at = types__field(k, o->scope, o->path[0], &count);
        for (; at != UINT32_MAX; at = k->cache->field_stores.at[at].next)
            if (speaks_of(k, k->cache->field_stores.at[at].value, holder))
                return true;
        return false;
    }
    uint32_t s = o->binding == BINDING_NONE || o->n_path
                     ? (uint32_t)NAME_STORE_NONE
                     : k->names->bindings[o->binding].first_store;
    for (; s != NAME_STORE_NONE; s = k->names->stores[s].next)
        if (speaks_of(k, k->names->stores[s].value, holder))
            return true;
    return false;
}

bool types__may_hold(const struct types *k, uint32_t place, const struct held_object *held)
{
    struct types_object o = *types_object_at(k, place);
    if (place == held->holder)
        return true;
    if (o.origin == OBJECT_VALUE) /* opts[0] */
        return o.node && tree_kind(k->names->tree, o.node) == PY_SUBSCRIPT &&
               speaks_of(k, tree_first(k->names->tree, o.node), held->holder);
    return o.origin != OBJECT_CALL && is_filled_from(k, &o, held->holder);
}

enum truth types_may_be_taken_from(const struct types *k, uint32_t place, uint32_t object)
{
    const struct held_object *held;
    size_t n = types__held(k, &held);
    for (size_t i = 0; i < n; i++)
        if (held[i].object == object && types__may_hold(k, place, &held[i]))
            return TRUTH_UNKNOWN;
    return TRUTH_FALSE;
}
