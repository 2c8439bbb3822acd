/*
 * What a call makes that runs one of several classes or functions: {"adam": Adam, "sgd": SGD}[name]
 * (...), the values of such a dict of another file, getattr(torch.optim, name), Adam if x else SGD,
 * a name that is bound to several classes. Invariant: the type is known only where all that may run
 * make one type; which class it is, only where there is one.
 */
#include "python/names_p.h"
#include "python/types_p.h"

enum { CHOICE_MAX = 32, CHOICE_DEPTH = 4 };

struct choice {
    const struct types *k;
    uint32_t call; /* 0: no call is meant, only what it would make */
    unsigned n, depth;
    bool is_unknown;
    struct type_fact made;
};

static const struct type_fact nothing = {TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, SCOPE_NONE, 0,
                                         PATH_NONE,    MADE_NOTHING};

static void add_expression(struct choice *c, uint32_t node);

static void add_made(struct choice *c, struct type_fact made)
{
    bool is_other = c->n && made.type != c->made.type;
    c->is_unknown |= made.type == TYPE_UNKNOWN || is_other || c->n == CHOICE_MAX;
    if (c->is_unknown)
        return;
    made.origin = c->call;
    c->made = c->n ? types__join_modules(c->k, c->made, made) : made;
    c->n++;
}

/* A class or function by its path. */
static void add_path(struct choice *c, struct name_ref r)
{
    const struct types *k = c->k;
    uint32_t api = api_find(k->api, r.path), scope = SCOPE_NONE;
    if (api != API_NONE) {
        const struct api_row *row = api_row_at(k->api, api);
        add_made(c, row->form == API_CALL ? types__known(row->makes, r.confidence, api, c->call)
                                          : nothing);
        return;
    }
    if (r.origin == NAME_DEFINED)
        scope = names_definition_of_path(k->names, r.path);
    if (scope != SCOPE_NONE) {
        bool is_class = k->names->scopes[scope].kind == SCOPE_CLASS;
        const struct summary_return *s =
            is_class ? NULL : types__return_at(summary_of(k, scope), WHOLE);
        add_made(c, is_class ? types__class_fact(k, scope, c->call)
                    : s      ? types__fact_of_returned(k, c->call, s)
                             : nothing);
        return;
    }
    const struct summary_set *set = k->options.project;
    const struct class_summary *class = set ? summary_set_class(set, r.path) : NULL;
    const struct summary_return *s =
        set && !class ? types__return_at(summary_set_function(set, r.path), WHOLE) : NULL;
    struct type_fact made = nothing;
    if (class) {
        made = types__known(class->type, CONFIDENCE_HIGH, API_NONE, c->call);
        made.class_path = class->path;
    } else if (s) {
        made = types__fact_of_returned(k, c->call, s);
    }
    add_made(c, made);
}

/* What the calls of the values of a dict of another file make. */
static void add_entries_elsewhere(struct choice *c, uint32_t dict)
{
    const struct types *k = c->k;
    struct name_ref r = names_resolve(k->names, dict);
    const struct summary_value *v = k->options.project && r.is_exact && r.path != PATH_NONE
                                        ? summary_set_value(k->options.project, r.path)
                                        : NULL;
    if (v && v->entries.type != TYPE_UNKNOWN)
        add_made(c, types__fact_of_returned(k, c->call, &v->entries));
    else
        c->is_unknown = true;
}

/* Does this file write into a dict of that name, so that the display does not show all its values?
 */
static bool is_extended(const struct types *k, uint32_t dict)
{
    const struct tree *t = k->names->tree;
    struct node_list subscripts = tree_list(t, PY_SUBSCRIPT), calls = tree_list(t, PY_CALL);
    struct str text = tree_text(t, dict);
    for (size_t i = 0; i < subscripts.n; i++)
        if (types__is_target(t, subscripts.at[i]) &&
            str_eq(tree_text(t, tree_first(t, subscripts.at[i])), text))
            return true;
    for (size_t i = 0; i < calls.n; i++) {
        uint32_t function = tree_child(t, calls.at[i], FIELD_FUNCTION),
                 name = function && tree_kind(t, function) == PY_ATTRIBUTE
                            ? tree_child(t, function, FIELD_ATTRIBUTE)
                            : 0;
        if (name &&
            (str_is(tree_text(t, name), "update") || str_is(tree_text(t, name), "setdefault")) &&
            str_eq(tree_text(t, tree_first(t, function)), text))
            return true;
    }
    return !names_spend(k->names, subscripts.n + calls.n);
}

static void add_entries(struct choice *c, uint32_t dict)
{
    const struct tree *t = c->k->names->tree;
    uint32_t object = types_object(c->k, dict),
             display = object == OBJECT_NONE ? 0 : types__display(c->k, object);
    if (!display) {
        add_entries_elsewhere(c, dict);
        return;
    }
    c->is_unknown |= is_extended(c->k, dict);
    bool is_call = tree_kind(t, display) == PY_CALL;
    uint32_t list = is_call ? tree_child(t, display, FIELD_ARGUMENTS) : display;
    for (uint32_t e = tree_first(t, list); e && !c->is_unknown; e = tree_next(t, e)) {
        enum py_kind kind = tree_kind(t, e);
        uint32_t value =
            kind == PY_PAIR || kind == PY_KEYWORD_ARGUMENT ? tree_child(t, e, FIELD_VALUE) : 0;
        if (value)
            add_expression(c, value);
        else
            c->is_unknown = true;
    }
}

/* getattr(torch.optim, name): all classes of the module that the API data describe. */
static void add_members(struct choice *c, uint32_t module)
{
    const struct types *k = c->k;
    struct name_ref r = names_resolve(k->names, module);
    struct strbuf text = {0};
    enum value_type type = TYPE_UNKNOWN;
    bool is_mixed = !r.is_exact || r.path == PATH_NONE;
    if (!is_mixed)
        paths_text(k->names->paths, r.path, &text);
    strbuf_addc(&text, '.');
    for (uint32_t api = 0; !is_mixed && api < api_count(k->api); api++) {
        const struct api_row *row = api_row_at(k->api, api);
        struct str name = str_of(row->name);
        bool is_member = row->form == API_CALL && row->traits & TRAIT_CLASS &&
                         str_starts(name, strbuf_str(&text)) &&
                         str_find_byte(str_sub(name, text.n, name.n), '.') == name.n - text.n;
        is_mixed |= is_member && type != TYPE_UNKNOWN && row->makes != type;
        if (is_member)
            type = row->makes;
    }
    strbuf_done(&text);
    add_made(c, is_mixed || type == TYPE_UNKNOWN
                    ? nothing
                    : types__known(type, CONFIDENCE_MEDIUM, API_NONE, c->call));
}

/* table.get(name), functools.partial(cls, ...), getattr(module, name) */
static void add_call(struct choice *c, uint32_t call)
{
    const struct names *n = c->k->names;
    const struct tree *t = n->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION),
             first = tree_argument(t, call, 0, NULL);
    struct name_ref r = names_resolve(n, function);
    bool is_method = tree_kind(t, function) == PY_ATTRIBUTE,
         is_get =
             is_method && str_is(tree_text(t, tree_child(t, function, FIELD_ATTRIBUTE)), "get");
    if (first && r.origin == NAME_BUILTIN && str_is(tree_text(t, function), "getattr"))
        add_members(c, first);
    else if (first && r.is_exact && r.path != PATH_NONE &&
             r.path == paths_find(n->paths, STR("functools.partial")))
        add_expression(c, first);
    else if (first && is_get)
        add_entries(c, tree_first(t, function));
    else
        c->is_unknown = true;
}

static void add_name(struct choice *c, uint32_t node)
{
    const struct names *n = c->k->names;
    struct name_ref r = names_resolve(n, node);
    if (r.is_exact && r.path != PATH_NONE) {
        add_path(c, r);
        return;
    }
    uint32_t at =
        tree_kind(n->tree, node) == PY_IDENTIFIER ? names_binding(n, node) : (uint32_t)BINDING_NONE;
    const struct name_binding *b = at == BINDING_NONE ? NULL : &n->bindings[at];
    if (!b || b->flags & BINDING_FLAG_PARAMETER || b->first_store == NAME_STORE_NONE)
        c->is_unknown = true;
    for (uint32_t s = c->is_unknown ? (uint32_t)NAME_STORE_NONE : b->first_store;
         s != NAME_STORE_NONE && !c->is_unknown; s = n->stores[s].next) {
        if (n->stores[s].kind == BIND_ASSIGN && n->stores[s].value)
            add_expression(c, n->stores[s].value);
        else
            c->is_unknown = true;
    }
}

static void add_subscript(struct choice *c, uint32_t node)
{
    uint32_t value = types__value_under(c->k, node);
    if (value)
        add_expression(c, value);
    else
        add_entries(c, tree_first(c->k->names->tree, node));
}

static void add_expression(struct choice *c, uint32_t node)
{
    const struct tree *t = c->k->names->tree;
    node = tree_bare(t, node);
    if (c->depth++ == CHOICE_DEPTH)
        c->is_unknown = true;
    enum py_kind kind = c->is_unknown ? PY_NONE : tree_kind(t, node);
    uint32_t body = kind == PY_LAMBDA ? tree_child(t, node, FIELD_BODY) : 0;
    if (kind == PY_IDENTIFIER || kind == PY_ATTRIBUTE) {
        add_name(c, node);
    } else if (kind == PY_CONDITIONAL) {
        add_expression(c, tree_child_at(t, node, 0));
        add_expression(c, tree_child_at(t, node, 2));
    } else if (kind == PY_SUBSCRIPT) {
        add_subscript(c, node);
    } else if (kind == PY_CALL) {
        add_call(c, node);
    } else if (body && tree_kind(t, tree_bare(t, body)) == PY_CALL) {
        struct type_fact made = types_of(c->k, body);
        add_made(c, made.confidence >= CONFIDENCE_MEDIUM ? made : nothing);
    } else {
        c->is_unknown = true;
    }
    c->depth--;
}

static struct type_fact finish(const struct choice *c)
{
    if (c->is_unknown || !c->n || c->made.type == TYPE_OTHER)
        return nothing;
    struct type_fact f = c->made;
    f.confidence = MIN(f.confidence, CONFIDENCE_MEDIUM);
    if (c->n > 1)
        f.origin = c->call;
    return f;
}

struct type_fact types__query_choice(const struct types *k, uint32_t dict, uint32_t call)
{
    struct choice c = {.k = k, .call = call, .made = nothing};
    const struct tree *t = k->names->tree;
    uint32_t function = dict ? 0 : tree_bare(t, tree_child(t, call, FIELD_FUNCTION));
    enum py_kind kind = tree_kind(t, function);
    bool may_be = dict || kind == PY_IDENTIFIER || kind == PY_SUBSCRIPT || kind == PY_CONDITIONAL ||
                  kind == PY_CALL;
    if (!may_be || !types__enter(k))
        return nothing;
    if (dict)
        add_entries(&c, dict);
    else
        add_expression(&c, function);
    types__leave(k);
    return finish(&c);
}

int8_t types__entry_called(const struct types *k, uint32_t scope, uint32_t value)
{
    const struct tree *t = k->names->tree;
    uint32_t function = tree_kind(t, value) == PY_CALL ? tree_child(t, value, FIELD_FUNCTION) : 0;
    uint32_t dict =
        function && tree_kind(t, function) == PY_SUBSCRIPT ? tree_first(t, function) : 0;
    uint32_t at = dict && tree_kind(t, dict) == PY_IDENTIFIER ? names_binding(k->names, dict)
                                                              : (uint32_t)BINDING_NONE;
    const struct name_binding *b = at == BINDING_NONE ? NULL : &k->names->bindings[at];
    bool is_given = b && b->scope == scope && b->flags & BINDING_FLAG_PARAMETER &&
                    b->first_store == b->last_store;
    return is_given ? (int8_t)types__parameter_at(k, scope, b->word) : (int8_t)-1;
}
