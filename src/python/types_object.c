/*
 * Which expressions mean the same object. A call that makes something is its own object; a name is
 * the object that every definition reaching it agrees on, else the variable itself; a field of self
 * is one object in all methods of its class. A call that returns its subject (to, cuda, train,
 * wrappers) is the same object. Invariant: two different constructor calls are never one object.
 */
#include "python/types_p.h"

uint32_t types__field_of_object(const struct types *k, uint32_t object)
{
    struct types_cache *c = k->cache;
    if (!c->has_field_objects) {
        uint32_t unused;
        types__field(k, SCOPE_NONE, WORD_NONE, &unused); /* computes the fields */
        c->has_field_objects = true;
        for (uint32_t i = 0; i < c->field_stores.n; i++) {
            uint32_t value = c->field_stores.at[i].value,
                     kept = value ? types_object(k, value) : (uint32_t)OBJECT_NONE;
            if (kept != OBJECT_NONE && !node_table__get(&c->field_objects, kept))
                node_table__put(&c->field_objects, k->arena, kept, i);
        }
    }
    const uint32_t *at = node_table__get(&c->field_objects, object);
    return at ? *at : UINT32_MAX;
}

static uint32_t value_object(const struct types *k, uint32_t node, enum object_origin origin)
{
    struct types_object o = {.origin = origin,
                             .node = node,
                             .binding = BINDING_NONE,
                             .root = WORD_NONE,
                             .owner = OBJECT_NONE};
    o.scope = types__flow_scope(k, node);
    return types__add_object(k, &o);
}

/* The only value that a name ever gets, which all its reads mean; 0: several. */
static uint32_t only_value(const struct types *k, uint32_t binding)
{
    uint32_t value = 0, count = 0;
    if (k->names->bindings[binding].flags & BINDING_FLAG_PARAMETER)
        return 0;
    for (uint32_t s = k->names->bindings[binding].first_store; s != NAME_STORE_NONE;
         s = k->names->stores[s].next) {
        const struct name_store *store = &k->names->stores[s];
        if (store->kind == BIND_DECLARE)
            continue;
        /* x = x.to(d) adds no other object. */
        uint32_t passes = store->value ? types__passes(k, store->value) : 0;
        if (passes && k->names->tree->nodes[passes].kind == PY_IDENTIFIER &&
            names_binding(k->names, passes) == binding)
            continue;
        count++;
        value = store->kind == BIND_ASSIGN ? store->value : 0;
    }
    return count == 1 ? value : 0;
}

/* Is the value a field of self that is bound anew elsewhere? self.x = self.x.to(d) is no new
 * object, and None is none. */
static bool is_rebound_field(const struct types *k, uint32_t value)
{
    const struct tree *t = k->names->tree;
    uint32_t class_scope = types__self_class(k, value), count, n = 0;
    if (class_scope == SCOPE_NONE)
        return false;
    uint32_t word = t->nodes[tree_child(t, value, FIELD_ATTRIBUTE)].word,
             at = types__field(k, class_scope, word, &count);
    for (; at != UINT32_MAX && count > 1; at = k->cache->field_stores.at[at].next) {
        uint32_t stored = k->cache->field_stores.at[at].value,
                 same = stored ? types__passes(k, stored) : 0;
        bool is_none = stored && tree_kind(t, stored) == PY_NONE,
             is_same = same && str_eq(tree_text(t, same), tree_text(t, value));
        n += !is_none && !is_same;
    }
    return n > 1;
}

uint32_t types__object_of_field(const struct types *k, uint32_t class_scope, uint32_t word)
{
    const struct tree *t = k->names->tree;
    uint32_t count;
    class_scope = types__keeper(k, class_scope, word);
    uint32_t at = types__field(k, class_scope, word, &count);
    if (count == 1 && k->cache->field_stores.at[at].value) {
        uint32_t value = k->cache->field_stores.at[at].value;
        enum py_kind kind = tree_kind(t, value);
        if (kind == PY_CALL || kind == PY_IDENTIFIER ||
            (kind == PY_ATTRIBUTE && !is_rebound_field(k, value)))
            return types_object(k, value);
    }
    if (count == 1 && k->cache->field_stores.at[at].whole) {
        const struct field_store *s = &k->cache->field_stores.at[at];
        uint32_t part = types__object_of_part(k, s->whole, s->part);
        if (part != OBJECT_NONE)
            return part;
    }
    struct types_object o = {.origin = OBJECT_FIELD,
                             .binding = BINDING_NONE,
                             .root = WORD_NONE,
                             .path = {word},
                             .n_path = 1,
                             .scope = class_scope,
                             .owner = OBJECT_NONE};
    return types__add_object(k, &o);
}

/* The object of the name or path itself, when its definitions give no better one. */
static uint32_t place_object(const struct types *k, uint32_t node, enum object_origin origin)
{
    const struct tree *t = k->names->tree;
    if (t->nodes[node].kind == PY_IDENTIFIER) {
        uint32_t binding = names_binding(k->names, node);
        struct types_object o = {.origin = origin,
                                 .binding = binding,
                                 .root = t->nodes[node].word,
                                 .owner = OBJECT_NONE};
        if (binding != BINDING_NONE) {
            o.scope = k->names->bindings[binding].scope;
            o.origin =
                k->names->bindings[binding].flags & BINDING_FLAG_PARAMETER ? OBJECT_PARAM : origin;
        }
        return types__add_object(k, &o);
    }
    uint32_t name = tree_child(t, node, FIELD_ATTRIBUTE),
             owner = types_object(k, tree_first(t, node));
    if (owner == OBJECT_NONE || !name)
        return value_object(k, node, OBJECT_VALUE);
    uint32_t child = types__member(k, owner, t->nodes[name].word);
    return child == OBJECT_NONE ? value_object(k, node, OBJECT_VALUE) : child;
}

uint32_t types__object_of_part(const struct types *k, uint32_t whole, uint8_t part)
{
    const struct tree *t = k->names->tree;
    whole = tree_bare(t, whole);
    enum py_kind kind = tree_kind(t, whole);
    uint32_t element = 0;
    if (part == 255)
        return OBJECT_NONE;
    if (kind == PY_TUPLE || kind == PY_EXPRESSION_LIST || kind == PY_LIST)
        element = tree_child_at(t, whole, part);
    else if (kind == PY_CALL && types_call(k, whole).role == ROLE_PREPARE)
        element = tree_argument(t, whole, part, NULL);
    else if (kind == PY_IDENTIFIER)
        return types__given_place(k, whole, part);
    return element ? types_object(k, element) : (uint32_t)OBJECT_NONE;
}

static uint32_t object_of_def(const struct types *k, const struct flow_def *d)
{
    if (d->kind == DEF_VALUE || d->kind == DEF_ENTERED)
        return d->value ? types_object(k, d->value) : (uint32_t)OBJECT_NONE;
    return d->kind == DEF_PART && d->value ? types__object_of_part(k, d->value, d->part)
                                           : (uint32_t)OBJECT_NONE;
}

static uint32_t word_of(const struct tree *t, uint32_t attribute)
{
    return t->nodes[tree_child(t, attribute, FIELD_ATTRIBUTE)].word;
}

static uint32_t object_at_entry(const struct types *k, uint32_t node)
{
    const struct tree *t = k->names->tree;
    if (t->nodes[node].kind == PY_IDENTIFIER) {
        uint32_t binding = names_binding(k->names, node),
                 value = binding == BINDING_NONE ? 0 : only_value(k, binding);
        bool is_call =
            value && (t->nodes[value].kind == PY_CALL || t->nodes[value].kind == PY_IDENTIFIER ||
                      t->nodes[value].kind == PY_ATTRIBUTE);
        return is_call ? types_object(k, value) : place_object(k, node, OBJECT_OUTER);
    }
    uint32_t class_scope = types__self_class(k, node);
    return class_scope == SCOPE_NONE ? place_object(k, node, OBJECT_OUTER)
                                     : types__object_of_field(k, class_scope, word_of(t, node));
}

static uint32_t object_of_name(const struct types *k, uint32_t node)
{
    const struct flow *f = types_flow(k, types__flow_scope(k, node));
    uint32_t step = f ? cfg_step(f->cfg, node) : (uint32_t)STEP_NONE;
    if (step == STEP_NONE || f->use_var[step] == VAR_NONE)
        return object_at_entry(k, node);
    struct flow_list defs = flow_defs_of(f, step);
    uint32_t found = OBJECT_NONE;
    for (uint32_t i = 0; i < defs.n; i++) {
        const struct flow_def *d = &f->defs[defs.at[i]];
        if (d->kind == DEF_MAY)
            continue;
        bool is_own = d->var == f->use_var[step];
        unsigned was_cut = k->cache->cut;
        uint32_t object;
        if (!is_own || d->kind == DEF_ENTRY || d->kind == DEF_PARAMETER || d->kind == DEF_PREFIX) {
            object = object_at_entry(k, node);
        } else {
            k->cache->cut = 0;
            object = object_of_def(k, d);
            bool is_cycle = k->cache->cut == CUT_CYCLE && object == OBJECT_NONE;
            k->cache->cut |= was_cut;
            if (is_cycle)
                continue; /* x = x.to(d) around a loop adds no object */
        }
        if (object == OBJECT_NONE || (found != OBJECT_NONE && found != object))
            return place_object(k, node, OBJECT_VARIABLE);
        found = object;
    }
    return found == OBJECT_NONE ? place_object(k, node, OBJECT_VARIABLE) : found;
}

static uint32_t work_out(const struct types *k, uint32_t node)
{
    const struct tree *t = k->names->tree;
    switch (tree_kind(t, node)) {
    case PY_CALL: {
        uint32_t same = types__passes(k, node);
        return same ? types_object(k, same) : value_object(k, node, OBJECT_CALL);
    }
    case PY_IDENTIFIER:
        return object_of_name(k, node);
    case PY_ATTRIBUTE: {
        uint32_t api = types_attribute(k, node);
        if (api_row_at(k->api, api)->traits & (TRAIT_IDENTITY | TRAIT_WRAPS) && tree_first(t, node))
            return types_object(k, tree_first(t, node));
        return object_of_name(k, node);
    }
    case PY_SUBSCRIPT: {
        uint32_t part = types__object_under(k, node);
        return part == OBJECT_NONE ? value_object(k, node, OBJECT_VALUE) : part;
    }
    case PY_AWAIT:
        return tree_first(t, node) ? types_object(k, tree_first(t, node)) : (uint32_t)OBJECT_NONE;
    case PY_NAMED:
    case PY_KEYWORD_ARGUMENT: {
        uint32_t value = tree_child(t, node, FIELD_VALUE);
        return value ? types_object(k, value) : (uint32_t)OBJECT_NONE;
    }
    default:
        return value_object(k, node, OBJECT_VALUE);
    }
}

uint32_t types__query_object(const struct types *k, uint32_t node)
{
    enum { BEING_ASKED = UINT32_MAX };
    struct types_cache *c = k->cache;
    node = tree_bare(k->names->tree, node);
    const uint32_t *kept = node_table__get(&c->objects_of, node);
    if (kept && *kept == BEING_ASKED) {
        c->cut |= CUT_CYCLE;
        return OBJECT_NONE;
    }
    if (kept && *kept != BEING_ASKED - 1)
        return *kept;
    if (!types__enter(k))
        return OBJECT_NONE;
    unsigned was_cut = c->cut;
    bool is_first = c->depth == 1;
    c->cut = 0;
    node_table__put(&c->objects_of, k->arena, node, BEING_ASKED);
    uint32_t object = work_out(k, node);
    bool keep = object != OBJECT_NONE && (!c->cut || is_first);
    node_table__put(&c->objects_of, k->arena, node, keep ? object : BEING_ASKED - 1);
    if (keep) {
        struct type_fact fact = types_of(k, node);
        if (fact.confidence > c->objects.at[object].fact.confidence)
            c->objects.at[object].fact = fact;
    }
    c->cut |= was_cut;
    types__leave(k);
    return object;
}

void types_object_text(const struct types *k, uint32_t object, struct strbuf *out)
{
    const struct py_parser *words = k->names->tree->parser;
    const struct types_object *o = types_object_at(k, object);
    if (o->origin == OBJECT_CALL || o->origin == OBJECT_VALUE) {
        struct str text = tree_text(k->names->tree, o->node);
        strbuf_addstr(out, str_sub(text, 0, MIN(str_find_byte(text, '\n'), (size_t)40)));
        strbuf_printf(out, "@%u",
                      source_line_of(k->names->tree->source, k->names->tree->nodes[o->node].start));
    } else {
        strbuf_addstr(out,
                      o->origin == OBJECT_FIELD ? STR("self") : py_parser_text(words, o->root));
    }
    for (uint32_t i = 0; i < o->n_path; i++)
        strbuf_printf(out, "." STR_FMT, STR_ARG(py_parser_text(words, o->path[i])));
}
