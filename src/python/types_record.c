/*
 * Records: classes whose constructor's arguments are their fields. A dataclass or typing.NamedTuple
 * of this file, collections.namedtuple, types.SimpleNamespace. And what the call of a known
 * function gives under a word of its result. Invariant: a class with an __init__ of its own, or
 * with a base that may have one, is no record.
 */
#include "python/types_p.h"

static bool ends_in(const struct tree *t, uint32_t node, struct str word)
{
    if (node && tree_kind(t, node) == PY_CALL)
        node = tree_child(t, node, FIELD_FUNCTION);
    if (node && tree_kind(t, node) == PY_ATTRIBUTE)
        node = tree_child(t, node, FIELD_ATTRIBUTE);
    return node && tree_kind(t, node) == PY_IDENTIFIER && str_eq(tree_text(t, node), word);
}

bool types__is_record(const struct types *k, uint32_t class_scope)
{
    const struct tree *t = k->names->tree;
    uint32_t node = k->names->scopes[class_scope].node, above = t->nodes[node].parent,
             list = tree_child(t, node, FIELD_SUPERCLASSES),
             init = py_parser_find_word(t->parser, STR("__init__"));
    uint32_t base = list ? tree_first(t, list) : 0;
    if (init != WORD_NONE && names_method(k->names, class_scope, init, NULL) != SCOPE_NONE)
        return false;
    if (base && (tree_next(t, base) || !ends_in(t, base, STR("NamedTuple"))))
        return false;
    bool is_record = base != 0;
    for (uint32_t c = tree_kind(t, above) == PY_DECORATED ? tree_first(t, above) : 0; c;
         c = tree_next(t, c))
        if (tree_kind(t, c) == PY_DECORATOR)
            is_record |= ends_in(t, tree_first(t, c), STR("dataclass"));
    return is_record;
}

uint32_t types__record_field(const struct types *k, uint32_t class_scope, unsigned at)
{
    const struct tree *t = k->names->tree;
    uint32_t body = tree_child(t, k->names->scopes[class_scope].node, FIELD_BODY);
    for (uint32_t c = body ? tree_first(t, body) : 0; c; c = tree_next(t, c)) {
        uint32_t inner = tree_kind(t, c) == PY_ASSIGNMENT ? c : tree_first(t, c);
        bool is_field =
            inner && tree_kind(t, inner) == PY_ASSIGNMENT && tree_child(t, inner, FIELD_TYPE);
        uint32_t name = is_field ? tree_child(t, inner, FIELD_LEFT) : 0;
        if (name && tree_kind(t, name) == PY_IDENTIFIER && at-- == 0)
            return t->nodes[name].word;
    }
    return WORD_NONE;
}

/* The word at a position of "model opt", "model, opt" or ["model", "opt"]. */
static uint32_t word_in_list(const struct tree *t, uint32_t names, unsigned at)
{
    struct str text;
    if (tree_kind(t, names) == PY_LIST || tree_kind(t, names) == PY_TUPLE) {
        uint32_t one = tree_child_at(t, names, at);
        return one && tree_string_value(t, one, &text) ? py_parser_word(t->parser, text)
                                                       : (uint32_t)WORD_NONE;
    }
    if (!tree_string_value(t, names, &text))
        return WORD_NONE;
    for (size_t from = 0, to; from < text.n; from = to) {
        while (from < text.n && (text.at[from] == ' ' || text.at[from] == ','))
            from++;
        for (to = from; to < text.n && text.at[to] != ' ' && text.at[to] != ',';)
            to++;
        if (to > from && at-- == 0)
            return py_parser_word(t->parser, str_sub(text, from, to));
    }
    return WORD_NONE;
}

/* The call of namedtuple that made the class under a name of this file; 0: none. */
static uint32_t named_tuple(const struct types *k, uint32_t function)
{
    const struct tree *t = k->names->tree;
    uint32_t binding = tree_kind(t, function) == PY_IDENTIFIER ? names_binding(k->names, function)
                                                               : (uint32_t)BINDING_NONE;
    uint32_t store = binding == BINDING_NONE ? (uint32_t)NAME_STORE_NONE
                                             : k->names->bindings[binding].first_store;
    bool is_only = store != NAME_STORE_NONE && store == k->names->bindings[binding].last_store &&
                   k->names->stores[store].kind == BIND_ASSIGN;
    uint32_t value = is_only ? k->names->stores[store].value : 0;
    bool is_made = value && tree_kind(t, value) == PY_CALL && ends_in(t, value, STR("namedtuple"));
    return is_made ? value : 0;
}

bool types__is_named_tuple(const struct types *k, uint32_t call)
{
    const struct tree *t = k->names->tree;
    struct call_fact f = types_call(k, call);
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    if (f.scope == SCOPE_NONE)
        return function && named_tuple(k, function);
    uint32_t list = tree_child(t, k->names->scopes[f.scope].node, FIELD_SUPERCLASSES);
    return k->names->scopes[f.scope].kind == SCOPE_CLASS && types__is_record(k, f.scope) && list &&
           ends_in(t, tree_first(t, list), STR("NamedTuple"));
}

uint32_t types__field_word(const struct types *k, uint32_t call, unsigned at)
{
    const struct tree *t = k->names->tree;
    struct call_fact f = types_call(k, call);
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    if (f.scope != SCOPE_NONE)
        return k->names->scopes[f.scope].kind == SCOPE_CLASS && types__is_record(k, f.scope)
                   ? types__record_field(k, f.scope, at)
                   : (uint32_t)WORD_NONE;
    uint32_t made = function ? named_tuple(k, function) : 0,
             names = made ? tree_argument(t, made, 1, NULL) : 0;
    return names ? word_in_list(t, names, at) : (uint32_t)WORD_NONE;
}

uint32_t types__record_value(const struct types *k, uint32_t call, uint32_t word)
{
    const struct tree *t = k->names->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    if (function &&
        (ends_in(t, function, STR("SimpleNamespace")) || ends_in(t, function, STR("Namespace"))))
        return tree_keyword(t, call, word, NULL);
    for (unsigned at = 0; at < GIVEN_MAX; at++) {
        uint32_t field = types__field_word(k, call, at);
        if (field == WORD_NONE)
            return 0;
        uint32_t value = field == word ? tree_argument(t, call, at, NULL) : 0;
        if (field == word)
            return value ? value : tree_keyword(t, call, word, NULL);
    }
    return 0;
}

/* ---- what a function returns ---- */

uint32_t types__place_word(const struct types *k, unsigned at)
{
    static const char digits[] = "0123456789";
    return at < 10 ? py_parser_word(k->names->tree->parser, (struct str){digits + at, 1})
                   : (uint32_t)WORD_NONE;
}

const struct summary_return *types__returned(const struct types *k, uint32_t call, uint32_t word)
{
    const struct function_summary *f =
        tree_kind(k->names->tree, call) == PY_CALL ? types_function_called(k, call) : NULL;
    for (unsigned i = 0; f && i < f->n_parts; i++)
        if (f->parts[i].key == word)
            return &f->parts[i].value;
    for (unsigned i = 0; f && f->n_returns > 1 && i < f->n_returns; i++)
        if (types__place_word(k, i) == word)
            return &f->returns[i];
    return NULL;
}

struct type_fact types__fact_of_returned(const struct types *k, uint32_t call,
                                         const struct summary_return *r)
{
    uint32_t api = r->api_path == PATH_NONE ? (uint32_t)API_NONE : api_find(k->api, r->api_path);
    bool is_container = api != API_NONE && api_row_at(k->api, api)->traits & TRAIT_CONTAINER;
    if (is_container) /* the members decide */
        api = API_NONE;
    struct type_fact fact = types__known(r->type, CONFIDENCE_MEDIUM, api, call);
    if (r->type == TYPE_UNKNOWN)
        return types__known(TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, 0);
    fact.class_path = r->class_path;
    fact.made = r->made;
    if (r->class_path != PATH_NONE)
        fact.class_scope = names_definition_of_path(k->names, r->class_path);
    return fact;
}
