/*
 * The value under a constant key of a dict: state["model"]. Like the name of an attribute, a key is
 * a word of a path. In a dict display of this file ({"model": net}, dict(model=net)) it means the
 * value there; in any other container the place itself, one object wherever it is read. Positions
 * of a tuple are keys too, "0" is the first; those of a list only when it is an argument, so that
 * nothing can have been added to it. Invariant: nothing is known of a key that this file writes,
 * removes or updates anywhere.
 */
#include "python/types_p.h"

/* ---- keys that are written ---- */

static void add_key(const struct types *k, uint32_t word)
{
    if (word != WORD_NONE)
        node_table__put(&k->cache->written_keys, k->arena, word, 1);
}

/* Adds the keys of d.pop("model"), d.update(model=m), d.setdefault("model", m). */
static void add_keys_of_call(const struct types *k, uint32_t call)
{
    static const char *const methods[] = {"pop", "update", "setdefault", "__setitem__"};
    const struct tree *t = k->names->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION),
             list = tree_child(t, call, FIELD_ARGUMENTS);
    uint32_t name = function && tree_kind(t, function) == PY_ATTRIBUTE
                        ? tree_child(t, function, FIELD_ATTRIBUTE)
                        : 0;
    struct str text;
    bool is_writing = false;
    for (size_t i = 0; name && i < COUNT_OF(methods); i++)
        is_writing |= str_is(tree_text(t, name), methods[i]);
    for (uint32_t n = list; is_writing && n && n < t->nodes[list].next; n++) {
        if (tree_kind(t, n) == PY_KEYWORD_ARGUMENT && tree_child(t, n, FIELD_NAME))
            add_key(k, t->nodes[tree_child(t, n, FIELD_NAME)].word);
        else if (tree_kind(t, n) == PY_STRING && tree_string_value(t, n, &text))
            add_key(k, py_parser_word(t->parser, text));
    }
}

static uint32_t word_of_key(const struct tree *t, uint32_t subscript)
{
    struct str text;
    uint32_t at = tree_child(t, subscript, FIELD_SUBSCRIPT), key = at ? tree_bare(t, at) : 0;
    if (key && tree_kind(t, key) == PY_INTEGER && tree_text(t, key).n == 1)
        return py_parser_word(t->parser, tree_text(t, key));
    return key && tree_string_value(t, key, &text) ? py_parser_word(t->parser, text)
                                                   : (uint32_t)WORD_NONE;
}

static bool is_written(const struct types *k, uint32_t word)
{
    struct types_cache *c = k->cache;
    const struct tree *t = k->names->tree;
    if (!c->has_written_keys) {
        struct node_list subscripts = tree_list(t, PY_SUBSCRIPT), calls = tree_list(t, PY_CALL);
        c->has_written_keys = true;
        for (size_t i = 0; i < subscripts.n; i++)
            if (types__is_target(t, subscripts.at[i]))
                add_key(k, word_of_key(t, subscripts.at[i]));
        for (size_t i = 0; i < calls.n; i++)
            add_keys_of_call(k, calls.at[i]);
    }
    return node_table__get(&c->written_keys, word) != NULL;
}

uint32_t types__key(const struct types *k, uint32_t subscript)
{
    const struct tree *t = k->names->tree;
    uint32_t word =
        tree_kind(t, subscript) == PY_SUBSCRIPT ? word_of_key(t, subscript) : (uint32_t)WORD_NONE;
    return word != WORD_NONE && !is_written(k, word) ? word : (uint32_t)WORD_NONE;
}

/* ---- dicts that are written down ---- */

static bool is_sequence(const struct tree *t, uint32_t node)
{
    enum py_kind kind = tree_kind(t, node);
    return kind == PY_TUPLE || kind == PY_EXPRESSION_LIST ||
           (kind == PY_LIST && tree_kind(t, t->nodes[node].parent) == PY_ARGUMENTS);
}

bool types__is_dict(const struct types *k, uint32_t node)
{
    const struct tree *t = k->names->tree;
    uint32_t function = tree_kind(t, node) == PY_CALL ? tree_child(t, node, FIELD_FUNCTION) : 0;
    return tree_kind(t, node) == PY_DICT ||
           (function && tree_kind(t, function) == PY_IDENTIFIER &&
            str_is(tree_text(t, function), "dict") &&
            names_resolve(k->names, function).origin == NAME_BUILTIN);
}

static bool is_display(const struct types *k, uint32_t node)
{
    return is_sequence(k->names->tree, node) || types__is_dict(k, node);
}

/* The only value of a name of the module or of an outer function; 0: none. */
static uint32_t only_store(const struct types *k, const struct types_object *o)
{
    const struct name_binding *b =
        o->binding == BINDING_NONE || o->n_path ? NULL : &k->names->bindings[o->binding];
    if (!b || b->first_store == NAME_STORE_NONE || b->first_store != b->last_store)
        return 0;
    const struct name_store *s = &k->names->stores[b->first_store];
    return s->kind == BIND_ASSIGN ? s->value : 0;
}

uint32_t types__display(const struct types *k, uint32_t object)
{
    struct types_object o = *types_object_at(k, object);
    uint32_t node = 0, count = 0;
    if (o.origin == OBJECT_VALUE || o.origin == OBJECT_CALL) {
        node = o.n_path ? 0 : o.node;
    } else if (o.origin == OBJECT_FIELD && o.n_path == 1) {
        uint32_t at = types__field(k, o.scope, o.path[0], &count);
        node = count == 1 ? k->cache->field_stores.at[at].value : 0;
    } else if (o.origin == OBJECT_OUTER) {
        node = only_store(k, &o);
    }
    node = node ? tree_bare(k->names->tree, node) : 0;
    return node && is_display(k, node) ? node : 0;
}

bool types__walk_display(const struct types *k, uint32_t object, struct display_walk *w)
{
    const struct tree *t = k->names->tree;
    uint32_t display = types__display(k, object);
    bool is_call = display && tree_kind(t, display) == PY_CALL;
    uint32_t list = is_call ? tree_child(t, display, FIELD_ARGUMENTS) : display;
    bool is_list = display && is_sequence(t, display);
    *w = (struct display_walk){.next = list ? tree_first(t, list) : 0, .is_sequence = is_list};
    for (uint32_t c = w->next; c && is_list; c = tree_next(t, c))
        if (tree_kind(t, c) == PY_LIST_SPLAT)
            w->next = 0;
    for (uint32_t c = w->next; c && !is_list; c = tree_next(t, c))
        if (tree_kind(t, c) != PY_PAIR && tree_kind(t, c) != PY_KEYWORD_ARGUMENT)
            w->next = 0; /* a splat may add any key */
    return w->next != 0;
}

uint32_t types__next_in_display(const struct types *k, struct display_walk *w)
{
    const struct tree *t = k->names->tree;
    struct str text;
    while (w->next) {
        uint32_t at = w->next;
        enum py_kind kind = tree_kind(t, at);
        w->next = tree_next(t, at);
        w->key = WORD_NONE;
        if (w->is_sequence) {
            w->key = types__place_word(k, w->n++);
            if (w->key == WORD_NONE)
                return 0;
            return at;
        }
        if (kind == PY_PAIR && tree_child(t, at, FIELD_KEY) &&
            tree_string_value(t, tree_child(t, at, FIELD_KEY), &text))
            w->key = py_parser_word(t->parser, text);
        else if (kind == PY_KEYWORD_ARGUMENT && tree_child(t, at, FIELD_NAME))
            w->key = t->nodes[tree_child(t, at, FIELD_NAME)].word;
        bool is_known = w->key != WORD_NONE && !is_written(k, w->key);
        uint32_t value = is_known ? tree_child(t, at, FIELD_VALUE) : 0;
        if (value)
            return value;
    }
    return 0;
}

uint32_t types__dict_of_values(const struct types *k, uint32_t node)
{
    const struct tree *t = k->names->tree;
    uint32_t function = tree_kind(t, node) == PY_CALL ? tree_child(t, node, FIELD_FUNCTION) : 0,
             name = function && tree_kind(t, function) == PY_ATTRIBUTE
                        ? tree_child(t, function, FIELD_ATTRIBUTE)
                        : 0;
    return name && str_is(tree_text(t, name), "values") ? types_object(k, tree_first(t, function))
                                                        : (uint32_t)OBJECT_NONE;
}

uint32_t types__value_in(const struct types *k, uint32_t object, uint32_t word)
{
    struct display_walk w;
    uint32_t value = types__walk_display(k, object, &w) ? types__next_in_display(k, &w) : 0;
    while (value && w.key != word)
        value = types__next_in_display(k, &w);
    return value;
}

uint32_t types__value_under(const struct types *k, uint32_t subscript)
{
    uint32_t word = types__key(k, subscript), base = tree_first(k->names->tree, subscript);
    uint32_t owner = word == WORD_NONE || !base ? (uint32_t)OBJECT_NONE : types_object(k, base);
    return owner == OBJECT_NONE ? 0 : types__value_in(k, owner, word);
}

uint32_t types__part(const struct types *k, uint32_t owner, uint32_t word)
{
    if (!types__display(k, owner))
        return types__member(k, owner, word);
    uint32_t value = types__value_in(k, owner, word);
    return value ? types_object(k, value) : (uint32_t)OBJECT_NONE;
}

/* May a key mean one place of the object, wherever it is read? A position does only in what is not
 * a tensor: a function's tuple, or a parameter. */
static bool has_places(const struct types *k, uint32_t owner, uint32_t base, uint32_t word)
{
    const struct types_object o = *types_object_at(k, owner);
    struct str text = py_parser_text(k->names->tree->parser, word);
    bool is_position = text.n == 1 && text.at[0] >= '0' && text.at[0] <= '9';
    bool is_place =
        o.origin == OBJECT_PARAM || o.origin == OBJECT_FIELD || o.origin == OBJECT_OUTER;
    if (is_position && !o.n_path && o.origin == OBJECT_CALL)
        return types__returned(k, o.node, word) != NULL;
    enum value_type type = is_position ? types_of(k, base).type : TYPE_UNKNOWN;
    if (is_position)
        return o.origin == OBJECT_PARAM && !o.n_path &&
               (type == TYPE_UNKNOWN || type == TYPE_CONTAINER || type == TYPE_OTHER);
    return is_place || o.origin == OBJECT_CALL;
}

uint32_t types__object_under(const struct types *k, uint32_t subscript)
{
    uint32_t word = types__key(k, subscript), base = tree_first(k->names->tree, subscript);
    uint32_t owner = word == WORD_NONE || !base ? (uint32_t)OBJECT_NONE : types_object(k, base);
    if (owner == OBJECT_NONE)
        return OBJECT_NONE;
    return types__display(k, owner) || has_places(k, owner, base, word)
               ? types__part(k, owner, word)
               : (uint32_t)OBJECT_NONE;
}
