/* class: a class of this file with given bases or whose objects are of a type, or one of its
 * methods. Binds the class and the method's definition. */
#include "lint/rule_p.h"

struct class_predicate {
    uint8_t class_at, method_at;
    uint32_t *bases, *methods;
    size_t n_bases, n_methods;
    uint64_t types; /* of its objects; 0: any */
    bool has_base, has_method, lacks_method;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct class_predicate *f = arena_new(c->arena, struct class_predicate);
    const struct str *bases;
    *out = f;
    f->lacks_method = json_get(j, "lacks") != NULL;
    if (!compile__capture(c, j, "class", &f->class_at, e) ||
        !compile__capture(c, j, "as", &f->method_at, e) ||
        !compile__strings(c, j, "base", &bases, &f->n_bases, e) ||
        !compile__types(c, j, "type", &f->types, e) ||
        !compile__words(c, j, f->lacks_method ? "lacks" : "method", &f->methods, &f->n_methods, e))
        return false;
    f->bases = arena_new_array(c->arena, uint32_t, f->n_bases);
    for (size_t i = 0; i < f->n_bases; i++)
        f->bases[i] = rule_set__path(c->set, bases[i]);
    return true;
}

/* Is every base known: a class of this file, or one that the API data describe? */
static bool has_known_bases(const struct match *m, uint32_t scope)
{
    const struct names *n = &m->file->names;
    const struct tree *t = &m->file->tree;
    uint32_t list = tree_child(t, n->scopes[scope].node, FIELD_SUPERCLASSES);
    for (uint32_t b = list ? tree_first(t, list) : 0; b; b = tree_next(t, b)) {
        if (tree_kind(t, b) == PY_KEYWORD_ARGUMENT)
            continue;
        struct name_ref ref = names_resolve(n, b);
        bool known = ref.is_exact &&
                     (ref.origin == NAME_BUILTIN || api_find(m->file->api, ref.path) != API_NONE);
        if (!known)
            return false;
    }
    return true;
}

static enum truth derives(const struct match *m, const struct class_predicate *f, uint32_t scope)
{
    enum truth t = f->n_bases ? TRUTH_FALSE : TRUTH_TRUE;
    for (size_t i = 0; i < f->n_bases && t != TRUTH_TRUE; i++)
        t = truth_or(t, names_derives(&m->file->names, scope, f->bases[i]));
    return t == TRUTH_UNKNOWN && has_known_bases(m, scope) ? TRUTH_FALSE : t;
}

/* A class that derives from classes of other files only may be of any type. */
static enum truth is_of_type(const struct match *m, const struct class_predicate *f, uint32_t scope)
{
    struct type_fact fact = types_of_class(&m->file->types, scope);
    if (fact.type != TYPE_UNKNOWN && fact.type != TYPE_OTHER)
        return truth_of((f->types >> fact.type) & 1);
    return has_known_bases(m, scope) ? TRUTH_FALSE : TRUTH_UNKNOWN;
}

static enum truth try_class(struct match *m, const struct class_predicate *f, uint32_t scope,
                            const struct rest *r)
{
    const struct names *n = &m->file->names;
    enum truth t = derives(m, f, scope);
    if (t != TRUTH_FALSE && f->types)
        t = truth_and(t, is_of_type(m, f, scope));
    struct capture at = capture_of_node(n->scopes[scope].node);
    if (t == TRUTH_FALSE)
        return t;
    if (!f->n_methods)
        return match_bind(m, f->class_at, &at, CONFIDENCE_HIGH, t, r);
    for (size_t i = 0; i < f->n_methods; i++) {
        bool unknown = false;
        uint32_t method = names_method(n, scope, f->methods[i], &unknown);
        if (f->lacks_method) {
            t = truth_and(t, method != SCOPE_NONE ? TRUTH_FALSE
                             : unknown            ? TRUTH_UNKNOWN
                                                  : TRUTH_TRUE);
            continue;
        }
        if (method == SCOPE_NONE)
            continue;
        if (f->method_at == CAPTURE_NO)
            return match_bind(m, f->class_at, &at, CONFIDENCE_HIGH, t, r);
        if (capture__is_bound(m, f->method_at))
            return capture__node(m, f->method_at) == n->scopes[method].node
                       ? match_bind(m, f->class_at, &at, CONFIDENCE_HIGH, t, r)
                       : TRUTH_FALSE;
        m->captures[f->method_at] = capture_of_node(n->scopes[method].node);
        enum truth result = match_bind(m, f->class_at, &at, CONFIDENCE_HIGH, t, r);
        m->captures[f->method_at].kind = CAPTURE_UNBOUND;
        return result;
    }
    return f->lacks_method ? match_bind(m, f->class_at, &at, CONFIDENCE_HIGH, t, r) : TRUTH_FALSE;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct class_predicate *f = data;
    const struct names *n = &m->file->names;
    enum truth t = TRUTH_FALSE;
    uint32_t bound = capture__node(m, f->class_at);
    for (uint32_t s = 0; s < n->n_scopes && !match_is_settled(m, t); s++)
        if (n->scopes[s].kind == SCOPE_CLASS && (!bound || n->scopes[s].node == bound))
            t = truth_or(t, try_class(m, f, s, r));
    return t;
}

static const char *const keys[] = {"class", "base", "type", "method", "lacks", "as"};
const struct predicate_kind predicate__class = {"class", keys, COUNT_OF(keys), compile, run};
