/*
 * Patterns of syntax nodes: a qualified API, a method of a type of object, a role, a trait, a
 * syntax kind, a name. Shared by the predicates call, attribute, flow, absence and others.
 *
 * All keys of a pattern must hold; names of one key are alternatives. Of path, method, name and
 * attribute one must fit.
 */
#include "lint/prefilter_p.h"
#include "lint/rule_p.h"

static bool compile_paths(struct compile *c, const struct json *j, struct node_pattern *out,
                          struct err *e)
{
    const struct str *list;
    size_t n;
    if (!compile__strings(c, j, "path", &list, &n, e))
        return false;
    out->paths = arena_new_array(c->arena, uint32_t, n);
    out->below = arena_new_array(c->arena, uint32_t, n);
    out->roots = arena_new(c->arena, struct prefilter_clause);
    bool all = true;
    for (size_t i = 0; i < n; i++) {
        if (str_ends(list[i], STR(".*"))) {
            out->below[out->n_below++] = rule_set__path(c->set, str_sub(list[i], 0, list[i].n - 2));
            all = prefilter__add_path(c, out->roots, list[i]) && all;
        } else
            out->paths[out->n_paths++] = rule_set__path(c->set, list[i]);
    }
    if (!all || !out->n_below)
        out->roots = NULL;
    return true;
}

static bool compile_makers(struct compile *c, const struct json *j, struct node_pattern *out,
                           struct err *e)
{
    const struct str *list;
    if (!compile__strings(c, j, "made-by", &list, &out->n_made_by, e))
        return false;
    out->made_by = arena_new_array(c->arena, uint32_t, out->n_made_by);
    for (size_t i = 0; i < out->n_made_by; i++)
        out->made_by[i] = rule_set__path(c->set, list[i]);
    return true;
}

static bool compile_nodes(struct compile *c, const struct json *j, struct node_pattern *out,
                          struct err *e)
{
    const struct str *list;
    size_t n;
    if (!compile__strings(c, j, "node", &list, &n, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        int k = 0;
        while (k < N_PY_KINDS && !str_is(list[i], py_kind_name((enum py_kind)k)))
            k++;
        if (k == N_PY_KINDS)
            return compile__fail(c, json_get(j, "node"), e,
                                 "\"" STR_FMT "\" is no kind of syntax node", STR_ARG(list[i]));
        out->nodes[k / 64] |= UINT64_C(1) << (k % 64);
    }
    return true;
}

static bool has_word(const uint32_t *list, size_t n, uint32_t word)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == word)
            return true;
    return false;
}

static void add_word(struct node_pattern *s, uint32_t word)
{
    if (!has_word(s->words, s->n_words, word))
        s->words[s->n_words++] = word;
}

static void add_words(struct compile *c, struct node_pattern *s)
{
    s->words = arena_new_array(c->arena, uint32_t, s->n_paths + s->n_methods + s->n_names);
    for (size_t i = 0; i < s->n_paths; i++)
        add_word(s, paths_word(c->set->paths, s->paths[i]));
    for (size_t i = 0; i < s->n_methods; i++)
        add_word(s, s->methods[i]);
    for (size_t i = 0; i < s->n_names; i++)
        add_word(s, s->names[i]);
}

bool node_pattern__compile(struct compile *c, const struct json *j, struct node_pattern *out,
                           struct err *e)
{
    *out = (struct node_pattern){.same = CAPTURE_NO, .node_is = CAPTURE_NO, .capture = CAPTURE_NO};
    uint64_t not_of = 0;
    bool ok = compile_paths(c, j, out, e) && compile_makers(c, j, out, e) &&
              compile__capture(c, j, "node-is", &out->node_is, e) &&
              compile__words(c, j, "method", &out->methods, &out->n_methods, e) &&
              compile__words(c, j, "name", &out->names, &out->n_names, e) &&
              compile__words(c, j, "attribute", &out->attributes, &out->n_attributes, e) &&
              compile__types(c, j, "of", &out->of, e) &&
              compile__types(c, j, "not-of", &not_of, e) &&
              compile__types(c, j, "type", &out->types, e) &&
              compile__roles(c, j, "role", &out->roles, e) &&
              compile__traits(c, j, "trait", &out->traits, e) && compile_nodes(c, j, out, e) &&
              compile__strings(c, j, "like", &out->like, &out->n_like, e) &&
              compile__capture(c, j, "same", &out->same, e) &&
              compile__capture(c, j, "as", &out->capture, e);
    out->is_parameter = json_get_bool(j, "parameter", false);
    if (ok && not_of) {
        out->of = not_of;
        out->not_of = true;
    }
    if (ok)
        add_words(c, out);
    return ok;
}

bool node_pattern__compile_list(struct compile *c, const struct json *j, const char *key,
                                struct node_pattern_list *out, struct err *e)
{
    static const char *const keys[] = {NODE_PATTERN_KEYS};
    const struct json *v = json_get(j, key);
    *out = (struct node_pattern_list){0};
    if (!v)
        return true;
    if (v->kind != JSON_KIND_ARRAY)
        return compile__fail(c, v, e, "key \"%s\": a list of node patterns is expected, got %s",
                             key, json_kind_name(v->kind));
    struct node_pattern *at = arena_new_array(c->arena, struct node_pattern, v->n);
    for (size_t i = 0; i < v->n; i++) {
        if (v->items[i].kind != JSON_KIND_OBJECT)
            return compile__fail(c, &v->items[i], e, "an object is expected, got %s",
                                 json_kind_name(v->items[i].kind));
        if (!json_check_keys(&v->items[i], keys, COUNT_OF(keys), e))
            return err_wrap(e, "%s", c->file);
        if (!node_pattern__compile(c, &v->items[i], &at[i], e))
            return false;
    }
    *out = (struct node_pattern_list){at, v->n};
    return true;
}

static struct answer both(struct answer a, enum truth t, enum confidence c)
{
    a.truth = truth_and(a.truth, t);
    a.confidence = MIN(a.confidence, c);
    return a;
}

/* Is it a resolved name among the paths? Unknown when the root may be anything; an unresolved
 * attribute of a known module is another API. */
static struct answer test_paths(struct match *m, const struct node_pattern *s, uint32_t node)
{
    const struct lint_file *f = m->file;
    struct answer none = {TRUTH_FALSE, CONFIDENCE_HIGH};
    uint32_t name =
        tree_kind(&f->tree, node) == PY_CALL ? tree_child(&f->tree, node, FIELD_FUNCTION) : node;
    enum py_kind kind = tree_kind(&f->tree, name);
    if (kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE && kind != PY_DOTTED_NAME)
        return none;
    struct name_ref ref = names_resolve(&f->names, name);
    if (ref.path == PATH_NONE || !ref.is_exact)
        return none;
    uint32_t canonical = ref.path;
    uint32_t row = api_find(f->api, ref.path);
    if (row != API_NONE) {
        const struct api_row *r = api_row_at(f->api, row);
        uint32_t to = paths_find(f->names.paths, str_of(r->same_as ? r->same_as : r->name));
        canonical = to == PATH_NONE ? ref.path : to;
    }
    for (size_t i = 0; i < s->n_paths; i++)
        if (s->paths[i] == ref.path || s->paths[i] == canonical)
            return (struct answer){TRUTH_TRUE, ref.confidence};
    for (size_t i = 0; i < s->n_below; i++)
        if (paths_is_below(f->names.paths, ref.path, s->below[i]))
            return (struct answer){TRUTH_TRUE, ref.confidence};
    return none;
}

static struct answer test_identity(struct match *m, const struct node_pattern *s, uint32_t node)
{
    const struct tree *t = &m->file->tree;
    bool is_call = tree_kind(t, node) == PY_CALL;
    struct answer a = {TRUTH_FALSE, CONFIDENCE_HIGH};
    if (s->n_paths + s->n_below) {
        a = test_paths(m, s, node);
        if (a.truth != TRUTH_FALSE)
            return a;
    }
    uint32_t function = is_call ? tree_child(t, node, FIELD_FUNCTION) : node;
    if (s->n_methods && is_call && tree_kind(t, function) == PY_ATTRIBUTE &&
        has_word(s->methods, s->n_methods, file__last_word(m->file, node)))
        return (struct answer){TRUTH_TRUE, CONFIDENCE_HIGH};
    if (s->n_names && has_word(s->names, s->n_names, file__last_word(m->file, node)))
        return (struct answer){TRUTH_TRUE, CONFIDENCE_HIGH};
    if (s->n_attributes && !is_call && tree_kind(t, node) == PY_ATTRIBUTE &&
        has_word(s->attributes, s->n_attributes, file__last_word(m->file, node)))
        return (struct answer){TRUTH_TRUE, CONFIDENCE_HIGH};
    return a;
}

static struct answer test_type(struct match *m, uint64_t types, uint32_t node)
{
    struct type_fact fact = types_of(&m->file->types, node);
    if (fact.type == TYPE_UNKNOWN)
        return (struct answer){TRUTH_UNKNOWN, CONFIDENCE_LOW};
    return (struct answer){truth_of((types >> fact.type) & 1), fact.confidence};
}

/* Is it a call of an object that one of these makes, by the row of the call that made the
 * object? */
static struct answer test_maker(struct match *m, const struct node_pattern *s, uint32_t node,
                                struct answer a)
{
    const struct lint_file *f = m->file;
    uint32_t function =
        tree_kind(&f->tree, node) == PY_CALL ? tree_child(&f->tree, node, FIELD_FUNCTION) : node;
    struct type_fact fact = types_of(&f->types, function);
    if (fact.api == API_NONE)
        return both(a, TRUTH_FALSE, CONFIDENCE_HIGH);
    const struct api_row *row = api_row_at(f->api, fact.api);
    uint32_t path = paths_find(f->names.paths, str_of(row->same_as ? row->same_as : row->name));
    return both(a, truth_of(has_word(s->made_by, s->n_made_by, path)), fact.confidence);
}

/* The object whose method is called or attribute read; 0: none. */
static uint32_t owner_of(const struct tree *t, uint32_t node)
{
    if (tree_kind(t, node) == PY_CALL)
        node = tree_child(t, node, FIELD_FUNCTION);
    return tree_kind(t, node) == PY_ATTRIBUTE ? tree_child(t, node, FIELD_OBJECT) : 0;
}

static struct answer test_owner(struct match *m, const struct node_pattern *s, uint32_t node,
                                struct answer a)
{
    uint32_t owner = owner_of(&m->file->tree, node);
    if (!owner)
        return both(a, truth_of(s->not_of), CONFIDENCE_HIGH);
    struct answer k = test_type(m, s->of, owner);
    if (s->not_of)
        return both(a, k.truth == TRUTH_TRUE ? TRUTH_FALSE : TRUTH_TRUE, CONFIDENCE_HIGH);
    return both(a, k.truth, k.truth == TRUTH_TRUE ? k.confidence : CONFIDENCE_HIGH);
}

/* Does a call make a module with parameters, as an instance of this file's own class or through a
 * function of it? */
static bool makes_parameters(const struct lint_file *f, uint32_t call)
{
    struct call_fact fact = types_call(&f->types, call);
    if (fact.scope == SCOPE_NONE || types_of(&f->types, call).type != TYPE_MODULE)
        return false;
    uint32_t class_node = f->names.scopes[fact.scope].node;
    for (uint32_t n = class_node; n < tree_node(&f->tree, class_node)->next; n++) {
        uint32_t api =
            tree_kind(&f->tree, n) == PY_CALL ? types_call(&f->types, n).api : (uint32_t)API_NONE;
        if (api_row_at(f->api, api)->traits & TRAIT_HAS_PARAMETERS)
            return true;
    }
    return false;
}

/* Has a call or an attribute these roles and traits, by its row? */
static struct answer test_facts(struct match *m, const struct node_pattern *s, uint32_t node,
                                struct answer a)
{
    const struct lint_file *f = m->file;
    uint32_t api;
    enum role role = ROLE_NONE;
    enum confidence c = CONFIDENCE_HIGH;
    if (tree_kind(&f->tree, node) == PY_CALL) {
        struct call_fact fact = types_call(&f->types, node);
        api = fact.api;
        role = fact.role;
        c = fact.confidence;
    } else if (tree_kind(&f->tree, node) == PY_ATTRIBUTE) {
        api = types_attribute(&f->types, node);
        role = api == API_NONE ? ROLE_NONE : api_row_at(f->api, api)->role;
    } else {
        return both(a, TRUTH_FALSE, CONFIDENCE_HIGH);
    }
    if (s->roles)
        a = both(a, truth_of((s->roles >> role) & 1), c);
    if (s->traits) {
        bool has = api != API_NONE && (api_row_at(f->api, api)->traits & s->traits) != 0;
        if (!has && (s->traits & TRAIT_HAS_PARAMETERS) && tree_kind(&f->tree, node) == PY_CALL)
            has = makes_parameters(f, node);
        a = both(a, truth_of(has), c);
    }
    return a;
}

static bool is_parameter(const struct lint_file *f, uint32_t node)
{
    uint32_t at = tree_kind(&f->tree, node) == PY_IDENTIFIER ? names_binding(&f->names, node)
                                                             : (uint32_t)BINDING_NONE;
    const struct name_binding *b = at == BINDING_NONE ? NULL : &f->names.bindings[at];
    return b && b->flags & BINDING_FLAG_PARAMETER && b->first_store == b->last_store;
}

/* Is it the same object, or the same attribute path in two places, of which one is a store? */
static bool is_same_thing(struct match *m, uint8_t capture, uint32_t node)
{
    const struct tree *t = &m->file->tree;
    uint32_t object = capture__object(m, capture), other = capture__node(m, capture);
    if (object != OBJECT_NONE && types_object(&m->file->types, node) == object)
        return true;
    return other && tree_kind(t, node) == PY_ATTRIBUTE && tree_kind(t, other) == PY_ATTRIBUTE &&
           str_eq(tree_text(t, node), tree_text(t, other));
}

struct answer node_pattern__test(struct match *m, const struct node_pattern *s, uint32_t node)
{
    const struct tree *t = &m->file->tree;
    struct answer a = {TRUTH_TRUE, CONFIDENCE_HIGH};
    unsigned kind = tree_kind(t, node);
    if ((s->nodes[0] || s->nodes[1]) && !((s->nodes[kind / 64] >> (kind % 64)) & 1))
        return (struct answer){TRUTH_FALSE, CONFIDENCE_HIGH};
    if (m->file->types.options.assumed && types_is_dead(&m->file->types, node))
        return (struct answer){TRUTH_FALSE, CONFIDENCE_HIGH};
    if (s->n_paths + s->n_below + s->n_methods + s->n_names + s->n_attributes) {
        a = test_identity(m, s, node);
        if (a.truth == TRUTH_FALSE)
            return a;
    }
    if (s->n_like && !match_is_like(s->like, s->n_like, tree_text(t, node)))
        return (struct answer){TRUTH_FALSE, CONFIDENCE_HIGH};
    if (s->node_is != CAPTURE_NO && node != capture__node(m, s->node_is))
        return (struct answer){TRUTH_FALSE, CONFIDENCE_HIGH};
    if (s->is_parameter && !is_parameter(m->file, node))
        return (struct answer){TRUTH_FALSE, CONFIDENCE_HIGH};
    if (s->n_made_by)
        a = test_maker(m, s, node, a);
    if (s->of)
        a = test_owner(m, s, node, a);
    if (a.truth != TRUTH_FALSE && (s->roles || s->traits))
        a = test_facts(m, s, node, a);
    if (a.truth != TRUTH_FALSE && s->types) {
        struct answer k = test_type(m, s->types, node);
        a = both(a, k.truth, k.confidence);
    }
    if (a.truth != TRUTH_FALSE && s->same != CAPTURE_NO) {
        a = both(a, truth_of(is_same_thing(m, s->same, node)), CONFIDENCE_HIGH);
    }
    return a;
}

struct answer node_pattern__test_list(struct match *m, const struct node_pattern_list *l,
                                      uint32_t node, const struct node_pattern **which)
{
    struct answer best = {TRUTH_FALSE, CONFIDENCE_HIGH};
    for (size_t i = 0; i < l->n; i++) {
        struct answer a = node_pattern__test(m, &l->at[i], node);
        if (a.truth == TRUTH_TRUE || (a.truth == TRUTH_UNKNOWN && best.truth == TRUTH_FALSE)) {
            best = a;
            if (which)
                *which = &l->at[i];
        }
        if (a.truth == TRUTH_TRUE)
            break;
    }
    return best;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void node_pattern__candidates(struct match *m, const struct node_pattern *s, bool attributes,
                              struct node_vec *out)
{
    struct lint_file *f = m->file;
    const uint32_t *first = attributes ? f->attribute_first : f->call_first;
    const uint32_t *words = s->words;
    size_t n_words = s->n_words;
    bool by_word = !s->n_below || (s->roots && !prefilter__clause_holds(f, s->roots));
    if (attributes && s->n_attributes) {
        words = s->attributes;
        n_words = s->n_attributes;
        by_word = true;
    }
    bool is_any = !(s->n_paths + s->n_below + s->n_methods + s->n_names + s->n_attributes);
    if (is_any || !by_word) {
        struct node_list all = tree_list(&f->tree, attributes ? PY_ATTRIBUTE : PY_CALL);
        for (size_t i = 0; i < all.n; i++)
            vec_push(&out->list, f->scratch, all.at[i]);
        return;
    }
    for (size_t i = 0; i < n_words; i++)
        for (uint32_t at = words[i] < f->n_words ? first[words[i]] : 0; at; at = f->next[at])
            vec_push(&out->list, f->scratch, at);
    if (n_words > 1 && out->list.n > 1)
        qsort(out->list.at, out->list.n, sizeof *out->list.at, by_number);
}

bool literal__compile(struct compile *c, const struct json *j, const char *key, struct literal *out,
                      struct err *e)
{
    const struct json *v = json_get(j, key);
    *out = (struct literal){0};
    if (!v)
        return true;
    switch (v->kind) {
    case JSON_KIND_BOOL:
        *out = (struct literal){.kind = LITERAL_BOOL, .truth = v->truth};
        return true;
    case JSON_KIND_NULL:
        *out = (struct literal){.kind = LITERAL_NULL};
        return true;
    case JSON_KIND_INTEGER:
    case JSON_KIND_REAL:
        *out = (struct literal){.kind = LITERAL_NUMBER, .number = v->real};
        return true;
    case JSON_KIND_STRING:
        *out = (struct literal){.kind = LITERAL_TEXT,
                                .text = {str_dup(c->arena, v->string), v->string.n}};
        return true;
    default:
        return compile__fail(c, v, e, "key \"%s\": a literal is expected, got %s", key,
                             json_kind_name(v->kind));
    }
}

enum truth literal__test(const struct match *m, const struct literal *l, uint32_t node)
{
    const struct tree *t = &m->file->tree;
    uint32_t n = tree_bare(t, node);
    bool truth;
    double number;
    struct str text;
    if (tree_bool_value(t, n, &truth))
        return truth_of(l->kind == LITERAL_BOOL && l->truth == truth);
    if (tree_kind(t, n) == PY_NONE)
        return truth_of(l->kind == LITERAL_NULL);
    if (tree_number_value(t, n, &number))
        return truth_of(l->kind == LITERAL_NUMBER && l->number >= number && l->number <= number);
    if (tree_string_value(t, n, &text))
        return truth_of(l->kind == LITERAL_TEXT && str_eq(text, l->text));
    return TRUTH_UNKNOWN;
}
