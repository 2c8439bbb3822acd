/*
 * What a call calls and does: a resolved API, a method of an object whose type is known, a function
 * of this file, an object that is called. Also what an attribute is.
 * Invariant: is_resolved is set only when the code that runs is known, so that nothing else can
 * happen to the call's arguments.
 */
#include "python/types_p.h"

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

uint32_t types__mode_argument(const struct types *k, const struct api_row *row, uint32_t call,
                              bool *unknown)
{
    const struct tree *t = k->names->tree;
    bool is_unknown, unknown_keyword = false;
    uint32_t argument = tree_argument(t, call, (unsigned)row->mode_argument, &is_unknown);
    if (!argument && row->mode_name)
        argument = tree_keyword(t, call, py_parser_find_word(t->parser, str_of(row->mode_name)),
                                &unknown_keyword);
    if (unknown)
        *unknown = is_unknown || unknown_keyword;
    return argument;
}

static enum role role_of(const struct types *k, const struct api_row *row, uint32_t call)
{
    if (row->role_if_false == ROLE_NONE)
        return row->role;
    const struct tree *t = k->names->tree;
    bool unknown, value;
    uint32_t argument = types__mode_argument(k, row, call, &unknown);
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

/* In a class of this file, self is an object of that class or of a derived one. */
static struct type_fact fact_of_self(const struct types *k, uint32_t self)
{
    const struct names *n = k->names;
    uint32_t class_scope = n->scopes[n->bindings[names_binding(n, self)].scope].parent;
    return types__class_fact(k, class_scope, 0);
}

/* Is it an object of a class of the project that has __call__: stopper(loss, model)? */
static bool use_call_method(const struct types *k, struct call_fact *f, uint32_t function,
                            struct type_fact object)
{
    uint32_t word = py_parser_find_word(k->names->tree->parser, STR("__call__"));
    uint32_t scope = object.class_scope == SCOPE_NONE || word == WORD_NONE
                         ? (uint32_t)SCOPE_NONE
                         : names_method(k->names, object.class_scope, word, NULL);
    const struct function_summary *other =
        scope == SCOPE_NONE && word != WORD_NONE && object.class_path != PATH_NONE
            ? types__project_method(k, function, word)
            : NULL;
    if (scope == SCOPE_NONE && (!other || other->is_opaque || other->is_generator))
        return false;
    f->scope = scope;
    f->path = other ? other->path : (uint32_t)PATH_NONE;
    f->confidence = MIN(object.confidence, CONFIDENCE_MEDIUM);
    f->is_resolved = f->is_object_call = true;
    return true;
}

/* Is an object called? A module runs, a criterion compares. */
static bool use_object(const struct types *k, struct call_fact *f, uint32_t function)
{
    bool is_self = tree_kind(k->names->tree, function) == PY_IDENTIFIER &&
                   names_is_self(k->names, function) &&
                   str_is(tree_text(k->names->tree, function), "self"); /* cls(...) constructs */
    struct type_fact object = is_self ? fact_of_self(k, function) : types_of(k, function);
    if (object.type != TYPE_MODULE && object.type != TYPE_CRITERION)
        return use_call_method(k, f, function, object);
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
    struct type_fact object = {TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, SCOPE_NONE, 0,
                               PATH_NONE,    MADE_NOTHING};
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
    uint32_t n_stores = 0, own = types__self_class(k, function);
    if (own != SCOPE_NONE && types__field(k, own, t->nodes[name].word, &n_stores) != UINT32_MAX)
        return false; /* self.softmax(x) calls the object in that field, whatever its name */
    const struct function_summary *other =
        class_scope == SCOPE_NONE ? types__project_method(k, receiver, t->nodes[name].word)
                                  : types__inherited(k, class_scope, t->nodes[name].word);
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

/* super().m(...): the method of the base class. */
static bool use_super(const struct types *k, struct call_fact *f, uint32_t function)
{
    uint32_t path, scope = types__super_method(k, function, &path);
    const struct function_summary *other =
        path == PATH_NONE ? NULL : summary_set_function(k->options.project, path);
    if (scope == SCOPE_NONE && !other)
        return false;
    f->scope = scope;
    f->path = path;
    f->is_method = true;
    f->is_resolved = scope != SCOPE_NONE || (!other->is_opaque && !other->is_generator);
    f->confidence = CONFIDENCE_HIGH;
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

/* Makes the call one of several classes an object of a type that all of them give? */
static void use_choice(const struct types *k, struct call_fact *f, uint32_t call)
{
    struct type_fact made = k->queries->choice(k, 0, call);
    if (made.type == TYPE_UNKNOWN || made.type == TYPE_TENSOR || made.type == TYPE_LOSS)
        return;
    f->role = ROLE_CREATE;
    f->subject = call;
    f->confidence = made.confidence;
    f->is_resolved = true;
}

static struct call_fact work_out(const struct types *k, uint32_t call)
{
    const struct tree *t = k->names->tree;
    struct call_fact f = {API_NONE,        PATH_NONE, SCOPE_NONE, ROLE_NONE, 0,
                          CONFIDENCE_NONE, false,     false,      false};
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
        f.path = r.path; /* only a prefix of it is resolved */
        f.confidence = r.confidence;
        return f;
    }
    enum py_kind kind = tree_kind(t, function);
    if (kind == PY_ATTRIBUTE && (use_super(k, &f, function) || use_method(k, &f, function, call)))
        return f;
    f.scope = types__value_called(k, call).scope;
    if (f.scope != SCOPE_NONE) {
        f.is_method = false;
        f.is_resolved = true;
        f.confidence = CONFIDENCE_MEDIUM;
        return f;
    }
    bool is_object =
        kind == PY_IDENTIFIER || kind == PY_ATTRIBUTE || kind == PY_CALL || kind == PY_SUBSCRIPT;
    if (!(is_object && use_object(k, &f, function)))
        use_choice(k, &f, call);
    return f;
}

struct call_fact types__query_call(const struct types *k, uint32_t call)
{
    struct types_cache *c = k->cache;
    struct call_fact nothing = {API_NONE,        PATH_NONE, SCOPE_NONE, ROLE_NONE, 0,
                                CONFIDENCE_NONE, false,     false,      false};
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
