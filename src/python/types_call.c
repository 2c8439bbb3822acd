/*
 * What a call calls and does: a resolved API, a method of an object whose type is known, a function
 * of this file, an object that is called. Also attributes, and the writes to fields of self.
 * Invariant: is_resolved is set only when the code that runs is known, so that nothing else can
 * happen to what the call receives.
 */
#include "python/types_p.h"

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

/* The value of a plain assignment to the target, 0 for any other write; *is_write tells whether it
 * is one at all. */
static uint32_t written_value(const struct tree *t, uint32_t target, bool *is_write)
{
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
    *is_write = t->nodes[n].field == FIELD_LEFT &&
                (k == PY_ASSIGNMENT || k == PY_AUGMENTED || k == PY_FOR || k == PY_FOR_IN);
    *is_write |= k == PY_AS_PATTERN_TARGET || k == PY_DELETE;
    uint32_t value = *is_write && k == PY_ASSIGNMENT ? tree_child(t, parent, FIELD_RIGHT) : 0;
    while (value && t->nodes[value].kind == PY_ASSIGNMENT)
        value = tree_child(t, value, FIELD_RIGHT);
    if (!value || !in_list)
        return value;
    /* a.x, a.y = 1, 2 */
    enum py_kind v = tree_kind(t, value);
    uint32_t at = 0;
    if ((v != PY_TUPLE && v != PY_EXPRESSION_LIST) || t->nodes[target].parent != n)
        return 0;
    for (uint32_t c = tree_first(t, n); c && c != target && at < 255; c = tree_next(t, c))
        at++;
    return at == 255 ? 0 : tree_child_at(t, value, at);
}

static void find_fields(const struct types *k)
{
    struct types_cache *c = k->cache;
    const struct tree *t = k->names->tree;
    struct node_list attributes = tree_list(t, PY_ATTRIBUTE);
    c->has_fields = true;
    for (size_t i = 0; i < attributes.n; i++) {
        bool is_write;
        uint32_t node = attributes.at[i], value = written_value(t, node, &is_write);
        uint32_t class_scope = is_write ? types__self_class(k, node) : (uint32_t)SCOPE_NONE;
        uint32_t name = tree_child(t, node, FIELD_ATTRIBUTE);
        if (class_scope == SCOPE_NONE || !name)
            continue;
        struct field_key key = {class_scope, t->nodes[name].word};
        uint64_t *first =
            map_at(&c->fields, k->arena, (struct str){(const char *)&key, sizeof key}, NULL);
        struct field_store s = {class_scope, key.word, value, node,
                                *first ? (uint32_t)*first - 1 : UINT32_MAX};
        vec_push(&c->field_stores, k->arena, s);
        *first = c->field_stores.n;
    }
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

/* ---- subjects ---- */

uint32_t types__subject(const struct types *k, const struct api_row *row, uint32_t call)
{
    const struct tree *t = k->names->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    if (row->subject == SUBJECT_RECEIVER)
        return function && t->nodes[function].kind == PY_ATTRIBUTE ? tree_first(t, function) : 0;
    if (row->subject == SUBJECT_RESULT)
        return call;
    if (row->subject < 0)
        return 0;
    uint32_t argument = tree_argument(t, call, (unsigned)row->subject, NULL);
    if (!argument && row->subject_name)
        argument =
            tree_keyword(t, call, py_parser_find_word(t->parser, str_of(row->subject_name)), NULL);
    return argument;
}

uint32_t types__passes(const struct types *k, uint32_t call)
{
    if (k->names->tree->nodes[call].kind != PY_CALL)
        return 0;
    struct call_fact c = types_call(k, call);
    const struct api_row *row = api_row_at(k->api, c.api);
    return c.api != API_NONE && row->traits & (TRAIT_IDENTITY | TRAIT_WRAPS) ? c.subject : 0;
}

static enum role role_of(const struct types *k, const struct api_row *row, uint32_t call)
{
    if (row->role_if_false == ROLE_NONE)
        return row->role;
    const struct tree *t = k->names->tree;
    bool unknown, value;
    uint32_t argument = tree_argument(t, call, (unsigned)row->mode_argument, &unknown);
    if (!argument && row->mode_name) {
        bool unknown_keyword;
        argument = tree_keyword(t, call, py_parser_find_word(t->parser, str_of(row->mode_name)),
                                &unknown_keyword);
        unknown |= unknown_keyword;
    }
    if (!argument)
        return unknown ? ROLE_MODE : row->role;
    if (!tree_bool_value(t, argument, &value))
        return ROLE_MODE;
    return value ? row->role : row->role_if_false;
}

/* ---- calls ---- */

static void use_row(const struct types *k, struct call_fact *f, uint32_t api, uint32_t call,
                    enum confidence confidence)
{
    const struct api_row *row = api_row_at(k->api, api);
    f->api = api;
    f->role = role_of(k, row, call);
    f->subject = types__subject(k, row, call);
    f->confidence = confidence;
    f->is_resolved = true;
    if (row->traits & TRAIT_CLASS && f->role == ROLE_NONE)
        f->role = ROLE_CREATE;
}

/* Inside a class of this file its own object is of that class, or of one derived from it. */
static struct type_fact fact_of_self(const struct types *k, uint32_t self)
{
    const struct names *n = k->names;
    uint32_t class_scope = n->scopes[n->bindings[names_binding(n, self)].scope].parent;
    return types__class_fact(k, class_scope, 0);
}

/* An object that is called: a module runs, a criterion compares. */
static bool use_object(const struct types *k, struct call_fact *f, uint32_t function)
{
    bool is_self = tree_kind(k->names->tree, function) == PY_IDENTIFIER &&
                   names_is_self(k->names, function) &&
                   str_is(tree_text(k->names->tree, function), "self"); /* cls(...) makes one */
    struct type_fact object = is_self ? fact_of_self(k, function) : types_of(k, function);
    if (object.type != TYPE_MODULE && object.type != TYPE_CRITERION)
        return false;
    f->role = object.type == TYPE_MODULE ? ROLE_FORWARD : ROLE_COMPARE;
    f->subject = function;
    f->confidence = object.confidence;
    f->is_resolved = object.api != API_NONE || object.class_scope != SCOPE_NONE ||
                     object.confidence >= CONFIDENCE_MEDIUM;
    if (object.class_scope != SCOPE_NONE) {
        uint32_t word = py_parser_find_word(k->names->tree->parser, STR("forward"));
        f->scope = names_method(k->names, object.class_scope, word, NULL);
    }
    return true;
}

static bool use_method(const struct types *k, struct call_fact *f, uint32_t function, uint32_t call)
{
    const struct tree *t = k->names->tree;
    uint32_t receiver = tree_first(t, function), name = tree_child(t, function, FIELD_ATTRIBUTE);
    if (!receiver || !name)
        return false;
    f->is_method = true;
    uint32_t class_scope = types__self_class(k, function);
    struct type_fact object = {TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, SCOPE_NONE, 0};
    if (class_scope == SCOPE_NONE) {
        object = types_of(k, receiver);
        class_scope = object.class_scope;
    } else {
        object = types__class_fact(k, class_scope, 0);
    }
    uint32_t method = class_scope == SCOPE_NONE
                          ? (uint32_t)SCOPE_NONE
                          : names_method(k->names, class_scope, t->nodes[name].word, NULL);
    if (method != SCOPE_NONE) {
        f->scope = method;
        f->is_resolved = true;
        f->confidence = CONFIDENCE_HIGH;
        return true;
    }
    const struct function_summary *other =
        class_scope == SCOPE_NONE ? types__project_method(k, receiver, t->nodes[name].word) : NULL;
    if (other) {
        bool has_self =
            other->n_parameters && str_is(py_parser_text(t->parser, other->parameters[0]), "self");
        f->path = other->path;
        f->is_resolved = has_self && !other->is_opaque && !other->is_generator;
        f->confidence = MIN(object.confidence, CONFIDENCE_MEDIUM);
        return true;
    }
    uint32_t api = api_find_method(k->api, object.type == TYPE_OTHER ? TYPE_UNKNOWN : object.type,
                                   t->nodes[name].word);
    if (api == API_NONE)
        return false;
    const struct api_row *row = api_row_at(k->api, api);
    enum confidence confidence = object.confidence;
    if (row->receiver == TYPE_UNKNOWN)
        confidence =
            row->traits & TRAIT_IGNORES_NAME ? CONFIDENCE_LOW : MAX(confidence, CONFIDENCE_MEDIUM);
    use_row(k, f, api, call, confidence);
    return true;
}

static bool is_in_project(const struct types *k, uint32_t path)
{
    if (!k->options.project)
        return false;
    const struct function_summary *f = summary_set_function(k->options.project, path);
    return f ? !f->is_opaque && !f->is_generator
             : summary_set_class(k->options.project, path) != NULL;
}

static struct call_fact work_out(const struct types *k, uint32_t call)
{
    const struct tree *t = k->names->tree;
    struct call_fact f = {API_NONE, PATH_NONE,       SCOPE_NONE, ROLE_NONE,
                          0,        CONFIDENCE_NONE, false,      false};
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    if (!function)
        return f;
    function = tree_bare(t, function);
    struct name_ref r = names_resolve(k->names, function);
    if (r.is_exact && r.path != PATH_NONE) {
        uint32_t api = api_find(k->api, r.path);
        f.path = r.path;
        f.confidence = r.confidence;
        if (api != API_NONE) {
            use_row(k, &f, api, call, r.confidence);
            return f;
        }
        if (r.origin == NAME_IMPORT && types__project_value(k, r.path).type != TYPE_UNKNOWN &&
            use_object(k, &f, function))
            return f;
        if (r.origin == NAME_DEFINED)
            f.scope = names_definition_of_path(k->names, r.path);
        f.is_resolved = r.origin == NAME_BUILTIN || f.scope != SCOPE_NONE ||
                        (r.confidence == CONFIDENCE_HIGH && is_in_project(k, f.path));
        return f;
    }
    if (r.path != PATH_NONE && (r.origin == NAME_IMPORT || r.origin == NAME_CONVENTION)) {
        f.path = r.path; /* only a prefix of it is known */
        f.confidence = r.confidence;
        return f;
    }
    enum py_kind kind = tree_kind(t, function);
    if (kind == PY_ATTRIBUTE && use_method(k, &f, function, call))
        return f;
    if (kind == PY_IDENTIFIER || kind == PY_ATTRIBUTE || kind == PY_CALL || kind == PY_SUBSCRIPT)
        use_object(k, &f, function);
    return f;
}

struct call_fact types_call(const struct types *k, uint32_t call)
{
    struct types_cache *c = k->cache;
    struct call_fact nothing = {API_NONE, PATH_NONE,       SCOPE_NONE, ROLE_NONE,
                                0,        CONFIDENCE_NONE, false,      false};
    const uint32_t *kept = node_table__get(&c->calls, call);
    if (kept)
        return c->call_list.at[*kept];
    if (k->names->tree->nodes[call].kind != PY_CALL || !types__enter(k))
        return nothing;
    unsigned was_cut = c->cut;
    bool is_first = c->depth == 1;
    c->cut = 0;
    struct call_fact f = work_out(k, call);
    if (!c->cut || is_first) {
        vec_push(&c->call_list, k->arena, f);
        node_table__put(&c->calls, k->arena, call, (uint32_t)c->call_list.n - 1);
    }
    c->cut |= was_cut;
    types__leave(k);
    return f;
}

uint32_t types_attribute(const struct types *k, uint32_t attribute)
{
    const struct tree *t = k->names->tree;
    struct name_ref r = names_resolve(k->names, attribute);
    if (r.is_exact && r.path != PATH_NONE)
        return api_find(k->api, r.path);
    uint32_t object = tree_first(t, attribute), name = tree_child(t, attribute, FIELD_ATTRIBUTE);
    if (!object || !name)
        return API_NONE;
    struct type_fact f = types_of(k, object);
    return api_find_attribute(k->api, f.type, t->nodes[name].word);
}

/* ---- who calls a function ---- */

static void find_sites(const struct types *k)
{
    struct types_cache *c = k->cache;
    struct node_list calls = tree_list(k->names->tree, PY_CALL);
    c->first_site = arena_new_array(k->arena, uint32_t, k->names->n_scopes);
    memset(c->first_site, 0xFF, k->names->n_scopes * sizeof *c->first_site);
    for (size_t i = calls.n; i-- > 0;) {
        uint32_t function = tree_child(k->names->tree, calls.at[i], FIELD_FUNCTION),
                 scope = SCOPE_NONE;
        if (!function)
            continue;
        uint32_t class_scope = types__self_class(k, function);
        struct name_ref r = names_resolve(k->names, function);
        if (class_scope != SCOPE_NONE)
            scope = names_method(
                k->names, class_scope,
                k->names->tree->nodes[tree_child(k->names->tree, function, FIELD_ATTRIBUTE)].word,
                NULL);
        else if (r.origin == NAME_DEFINED && r.is_exact)
            scope = names_definition_of_path(k->names, r.path);
        if (scope != SCOPE_NONE && k->names->scopes[scope].kind == SCOPE_CLASS)
            scope =
                names_method(k->names, scope,
                             py_parser_find_word(k->names->tree->parser, STR("__init__")), NULL);
        if (scope == SCOPE_NONE)
            continue;
        vec_push(&c->sites, k->arena, (struct call_site){calls.at[i], c->first_site[scope]});
        c->first_site[scope] = (uint32_t)c->sites.n - 1;
    }
}

uint32_t types__first_site(const struct types *k, uint32_t scope)
{
    if (!k->cache->first_site)
        find_sites(k);
    return k->cache->first_site[scope];
}

/* ---- evidence from uses ---- */

struct place_key {
    uint32_t root_kind; /* 0: a binding; 1: an unbound word; 2: self of a class */
    uint32_t root, n_path, path[FLOW_DEPTH];
};

/* The key of a name or a path over one; false for other expressions. */
static bool place_of(const struct types *k, uint32_t node, struct place_key *key)
{
    const struct tree *t = k->names->tree;
    uint32_t words[FLOW_DEPTH], n = 0;
    *key = (struct place_key){0};
    for (; t->nodes[node].kind == PY_ATTRIBUTE && tree_first(t, node); node = tree_first(t, node)) {
        uint32_t name = tree_child(t, node, FIELD_ATTRIBUTE);
        if (n == FLOW_DEPTH || !name)
            return false;
        words[n++] = t->nodes[name].word;
    }
    if (t->nodes[node].kind != PY_IDENTIFIER)
        return false;
    uint32_t binding = names_binding(k->names, node);
    key->root_kind = binding == BINDING_NONE;
    key->root = binding == BINDING_NONE ? t->nodes[node].word : binding;
    if (n && names_is_self(k->names, node)) {
        key->root_kind = 2;
        key->root = k->names->scopes[k->names->bindings[binding].scope].parent;
    }
    key->n_path = n;
    for (uint32_t i = 0; i < n; i++)
        key->path[i] = words[n - 1 - i];
    return true;
}

static struct evidence *evidence_at(const struct types *k, const struct place_key *key)
{
    struct types_cache *c = k->cache;
    uint64_t *at =
        map_at(&c->evidence_of, k->arena, (struct str){(const char *)key, sizeof *key}, NULL);
    if (!*at) {
        vec_push(&c->evidence, k->arena, (struct evidence){0});
        *at = c->evidence.n;
    }
    return &c->evidence.at[*at - 1];
}

struct use_key {
    struct place_key place;
    uint32_t word;
};

/* A step that takes an action is an environment's; only a closure may stand there. */
static bool is_contrary_step(const struct types *k, const struct api_row *row, uint32_t call)
{
    const struct tree *t = k->names->tree;
    uint32_t argument = tree_argument(t, call, 0, NULL);
    if (row->role != ROLE_STEP || !argument || row->subject != SUBJECT_RECEIVER)
        return false;
    if (t->nodes[argument].kind == PY_LAMBDA)
        return false;
    return t->nodes[argument].kind != PY_IDENTIFIER ||
           names_definition(k->names, names_binding(k->names, argument)) == SCOPE_NONE;
}

static void add_use(const struct types *k, struct map *seen, uint32_t call)
{
    const struct tree *t = k->names->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    struct use_key key = {.word = WORD_NONE};
    uint32_t place = function, name = 0;
    if (function && t->nodes[function].kind == PY_ATTRIBUTE) {
        place = tree_first(t, function);
        name = tree_child(t, function, FIELD_ATTRIBUTE);
        key.word = name ? t->nodes[name].word : (uint32_t)WORD_NONE;
    }
    if (!place)
        return;
    bool added;
    if (name && api_receivers(k->api, key.word) && place_of(k, place, &key.place)) {
        map_at(seen, k->arena, (struct str){(const char *)&key, sizeof key}, &added);
        struct evidence *e = evidence_at(k, &key.place);
        uint32_t receivers = api_receivers(k->api, key.word);
        for (unsigned type = 1; receivers >> type; type++) {
            if (!(receivers >> type & 1))
                continue;
            uint32_t api = api_find_method(k->api, (enum value_type)type, key.word);
            const struct api_row *row = api_row_at(k->api, api);
            if (api == API_NONE || row->receiver != (enum value_type)type)
                continue;
            if (row->makes == TYPE_OTHER || is_contrary_step(k, row, call))
                e->contrary |= 1u << type;
            else if (added && !(row->traits & TRAIT_IGNORES_NAME) && e->n[type] < 255)
                e->n[type]++;
            e->has_backward |= row->role == ROLE_BACKWARD && type == TYPE_LOSS;
        }
    }
    /* Being called with something is one fact for a module. */
    uint32_t arguments = tree_child(t, call, FIELD_ARGUMENTS);
    key.word = WORD_NONE;
    if (arguments && tree_first(t, arguments) && place_of(k, function, &key.place)) {
        map_at(seen, k->arena, (struct str){(const char *)&key, sizeof key}, &added);
        struct evidence *e = evidence_at(k, &key.place);
        if (added && e->n[TYPE_MODULE] < 255)
            e->n[TYPE_MODULE]++;
    }
}

const struct evidence *types__evidence(const struct types *k, uint32_t node)
{
    struct types_cache *c = k->cache;
    if (!c->has_evidence) {
        struct map seen = {0};
        struct node_list calls = tree_list(k->names->tree, PY_CALL);
        c->has_evidence = true;
        for (size_t i = 0; i < calls.n; i++)
            add_use(k, &seen, calls.at[i]);
    }
    struct place_key key;
    if (!place_of(k, node, &key))
        return NULL;
    const uint64_t *at = map_get(&c->evidence_of, (struct str){(const char *)&key, sizeof key});
    return at ? &c->evidence.at[*at - 1] : NULL;
}
