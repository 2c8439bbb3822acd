/*
 * Indices of one file by class: the writes to fields of self, the parameters of functions, and the
 * methods that super() means. Made at the first use.
 */
#include "python/types_p.h"

/* ---- writes ---- */

bool types__is_target(const struct tree *t, uint32_t node)
{
    uint32_t above = t->nodes[node].parent;
    switch (tree_kind(t, above)) {
    case PY_ASSIGNMENT:
    case PY_AUGMENTED:
    case PY_FOR:
    case PY_FOR_IN:
        return t->nodes[node].field == FIELD_LEFT;
    case PY_DELETE:
    case PY_PATTERN_LIST:
    case PY_TUPLE_PATTERN:
    case PY_LIST_PATTERN:
    case PY_LIST_SPLAT_PATTERN:
    case PY_AS_PATTERN_TARGET:
        return true;
    default:
        return false;
    }
}

/* ---- fields of self ---- */

struct field_key {
    uint32_t class_scope, word;
};

uint32_t types__self_class(const struct types *k, uint32_t attribute)
{
    const struct names *n = k->names;
    uint32_t object = tree_first(n->tree, attribute);
    if (n->tree->nodes[attribute].kind != PY_ATTRIBUTE || !object ||
        n->tree->nodes[object].kind != PY_IDENTIFIER || !names_is_self(n, object))
        return SCOPE_NONE;
    return n->scopes[n->bindings[names_binding(n, object)].scope].parent;
}

/* A write: the value of a plain assignment, or the part of a value that is unpacked. */
struct written {
    bool is_write;
    uint32_t value; /* 0: any other write */
    uint32_t whole; /* self.a, self.b = whole; 0 */
    uint8_t part;
};

/* The position of a target in the pattern of an assignment; 255: not known. */
static uint8_t place_in_pattern(const struct tree *t, uint32_t pattern, uint32_t target)
{
    uint32_t at = 0;
    if (t->nodes[target].parent != pattern)
        return 255;
    for (uint32_t c = tree_first(t, pattern); c && c != target && at < 255; c = tree_next(t, c)) {
        if (tree_kind(t, c) == PY_LIST_SPLAT_PATTERN)
            return 255;
        at++;
    }
    return (uint8_t)at;
}

static struct written written_to(const struct tree *t, uint32_t target)
{
    struct written w = {0};
    uint32_t n = target, parent = t->nodes[n].parent;
    enum py_kind k = tree_kind(t, parent);
    bool in_list = false;
    while (k == PY_PATTERN_LIST || k == PY_TUPLE_PATTERN || k == PY_LIST_PATTERN ||
           k == PY_LIST_SPLAT_PATTERN) {
        in_list = true;
        n = parent;
        parent = t->nodes[n].parent;
        k = tree_kind(t, parent);
    }
    w.is_write = t->nodes[n].field == FIELD_LEFT &&
                 (k == PY_ASSIGNMENT || k == PY_AUGMENTED || k == PY_FOR || k == PY_FOR_IN);
    w.is_write |= k == PY_AS_PATTERN_TARGET || k == PY_DELETE;
    uint32_t value = w.is_write && k == PY_ASSIGNMENT ? tree_child(t, parent, FIELD_RIGHT) : 0;
    while (value && t->nodes[value].kind == PY_ASSIGNMENT)
        value = tree_child(t, value, FIELD_RIGHT);
    if (!value || !in_list) {
        w.value = value;
        return w;
    }
    enum py_kind v = tree_kind(t, value);
    w.part = place_in_pattern(t, n, target);
    if (w.part == 255)
        return w;
    if (v == PY_TUPLE || v == PY_EXPRESSION_LIST) /* a.x, a.y = 1, 2 */
        w.value = tree_child_at(t, value, w.part);
    else
        w.whole = value;
    return w;
}

static void add_store(const struct types *k, struct field_store s)
{
    struct types_cache *c = k->cache;
    struct field_key key = {s.class_scope, s.word};
    uint64_t *first =
        map_at(&c->fields, k->arena, (struct str){(const char *)&key, sizeof key}, NULL);
    s.next = *first ? (uint32_t)*first - 1 : UINT32_MAX;
    vec_push(&c->field_stores, k->arena, s);
    *first = c->field_stores.n;
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
            add_store(k, (struct field_store){.class_scope = class_scope,
                                              .word = base->fields[i].word,
                                              .value = value,
                                              .node = value});
    }
}

static void add_stores_above(const struct types *k)
{
    const struct names *n = k->names;
    uint32_t word = py_parser_find_word(n->tree->parser, STR("__init__"));
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

static void find_fields(const struct types *k)
{
    struct types_cache *c = k->cache;
    const struct tree *t = k->names->tree;
    struct node_list attributes = tree_list(t, PY_ATTRIBUTE);
    c->has_fields = true;
    for (size_t i = 0; i < attributes.n; i++) {
        uint32_t node = attributes.at[i];
        struct written w = written_to(t, node);
        uint32_t class_scope = w.is_write ? types__self_class(k, node) : (uint32_t)SCOPE_NONE;
        uint32_t name = tree_child(t, node, FIELD_ATTRIBUTE);
        if (class_scope == SCOPE_NONE || !name)
            continue;
        add_store(k, (struct field_store){class_scope, t->nodes[name].word, w.value, w.whole,
                                          w.part, node, 0});
    }
    add_stores_above(k);
}

uint32_t types__field(const struct types *k, uint32_t class_scope, uint32_t word, uint32_t *count)
{
    if (!k->cache->has_fields)
        find_fields(k);
    struct field_key key = {class_scope, word};
    const uint64_t *first =
        map_get(&k->cache->fields, (struct str){(const char *)&key, sizeof key});
    *count = 0;
    for (uint32_t at = first ? (uint32_t)*first - 1 : UINT32_MAX; at != UINT32_MAX;
         at = k->cache->field_stores.at[at].next)
        ++*count;
    return first ? (uint32_t)*first - 1 : UINT32_MAX;
}

/* ---- parameters ---- */

unsigned types__parameters(const struct types *k, uint32_t scope, uint32_t *words, unsigned max)
{
    const struct tree *t = k->names->tree;
    uint32_t list = tree_child(t, k->names->scopes[scope].node, FIELD_PARAMETERS);
    unsigned n = 0;
    for (uint32_t c = list ? tree_first(t, list) : 0; c && n < max; c = tree_next(t, c)) {
        uint32_t name = t->nodes[c].kind == PY_IDENTIFIER ? c : tree_child(t, c, FIELD_NAME);
        if (!name && tree_first(t, c) && t->nodes[tree_first(t, c)].kind == PY_IDENTIFIER)
            name = tree_first(t, c);
        if (name)
            words[n++] = t->nodes[name].word;
    }
    return n;
}

int types__parameter_at(const struct types *k, uint32_t scope, uint32_t word)
{
    uint32_t words[GIVEN_MAX];
    unsigned n = types__parameters(k, scope, words, GIVEN_MAX);
    for (unsigned i = 0; i < n; i++)
        if (words[i] == word)
            return (int)i;
    return -1;
}

/* ---- super().m(...) ---- */

uint32_t types__super_method(const struct types *k, uint32_t function, uint32_t *path)
{
    const struct names *n = k->names;
    const struct tree *t = n->tree;
    uint32_t call = tree_kind(t, function) == PY_ATTRIBUTE ? tree_first(t, function) : 0,
             name = call ? tree_child(t, function, FIELD_ATTRIBUTE) : 0,
             called =
                 name && tree_kind(t, call) == PY_CALL ? tree_child(t, call, FIELD_FUNCTION) : 0;
    *path = PATH_NONE;
    if (!called || tree_kind(t, called) != PY_IDENTIFIER ||
        !str_is(tree_text(t, called), "super") || names_resolve(n, called).origin != NAME_BUILTIN)
        return SCOPE_NONE;
    uint32_t class_scope = names_class_of(n, names_scope_at(n, function)), base = SCOPE_NONE;
    uint32_t list = class_scope == SCOPE_NONE
                        ? 0
                        : tree_child(t, n->scopes[class_scope].node, FIELD_SUPERCLASSES),
             first = list ? tree_first(t, list) : 0, word = t->nodes[name].word;
    if (!first || tree_next(t, first))
        return SCOPE_NONE; /* the resolution order of several bases is not computed */
    struct name_ref r = names_resolve(n, first);
    if (r.origin == NAME_DEFINED && r.is_exact)
        base = names_definition_of_path(n, r.path);
    if (base != SCOPE_NONE)
        return names_method(n, base, word, NULL);
    const struct function_summary *f = k->options.project && r.is_exact && r.path != PATH_NONE
                                           ? summary_set_method(k->options.project, r.path, word)
                                           : NULL;
    *path = f ? f->path : (uint32_t)PATH_NONE;
    return SCOPE_NONE;
}
