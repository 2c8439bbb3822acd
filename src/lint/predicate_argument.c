/* argument: an argument of a call that is given, missing or a literal, whose keyword is none of the
 * listed ones, or that becomes a named parameter of the function called. A splat before it or a **
 * makes the answer unknown. */
#include "lint/predicate_p.h"

struct argument_predicate {
    uint8_t argument, of, parameter; /* parameter: a name for that of the called function */
    int64_t at;
    const uint32_t *names;
    size_t n_names;
    bool missing, any;        /* any: tries every argument */
    const uint32_t *expected; /* keywords; the argument sought has none of these */
    size_t n_expected;
    struct literal value;
    struct node_pattern pattern;
    bool has_pattern;
    const struct str *to; /* patterns for the parameter that it becomes */
    size_t n_to;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct argument_predicate *f = arena_new(c->arena, struct argument_predicate);
    uint32_t *names = NULL, *expected = NULL;
    *out = f;
    f->at = json_get_i64(j, "at", -1);
    f->missing = json_get_bool(j, "missing", false);
    f->any = json_get_bool(j, "every", false);
    f->has_pattern = json_get(j, "is") != NULL;
    struct json empty = {.kind = JSON_KIND_OBJECT};
    bool ok = compile__capture(c, j, "argument", &f->argument, e) &&
              compile__need_capture(c, j, "of", &f->of, e) &&
              compile__capture(c, j, "for", &f->parameter, e) &&
              compile__words(c, j, "name", &names, &f->n_names, e) &&
              compile__words(c, j, "other-than", &expected, &f->n_expected, e) &&
              compile__strings(c, j, "to", &f->to, &f->n_to, e) &&
              literal__compile(c, j, "value", &f->value, e) &&
              node_pattern__compile(c, f->has_pattern ? json_get(j, "is") : &empty, &f->pattern, e);
    f->names = names;
    f->expected = expected;
    if (ok && f->at < 0 && !f->n_names && !f->any && !f->n_expected && f->parameter == CAPTURE_NO)
        return compile__fail(
            c, j, e, "an argument needs \"at\", \"name\", \"every\", \"other-than\" or \"for\"");
    return ok;
}

uint32_t argument__given_for(const struct match *m, uint32_t call, uint32_t scope, uint32_t word)
{
    const struct tree *t = &m->file->tree;
    struct call_fact fact = types_call(&m->file->types, call);
    const struct function_summary *s =
        fact.scope == scope ? summary_of(&m->file->types, scope) : NULL;
    bool is_object = fact.is_object_call || fact.role == ROLE_FORWARD || fact.role == ROLE_COMPARE;
    bool is_value = types_value_called(&m->file->types, call) == scope;
    unsigned is_bound =
        (fact.is_method || is_object || is_value) && names_is_method(&m->file->names, scope);
    for (unsigned i = 0; s && i < s->n_parameters; i++)
        if (s->parameters[i] == word && i >= is_bound)
            return types_argument(&m->file->types, call, i - is_bound, word);
    return s ? tree_keyword(t, call, word, NULL) : 0;
}

/* The argument that becomes the parameter `name`; 0: none, or the function stores something else to
 * it. */
static uint32_t find_given(const struct match *m, uint32_t call, uint32_t name)
{
    const struct names *n = &m->file->names;
    uint32_t at = tree_kind(n->tree, name) == PY_IDENTIFIER ? names_binding(n, name) : BINDING_NONE;
    const struct name_binding *b = at == BINDING_NONE ? NULL : &n->bindings[at];
    if (!b || !(b->flags & BINDING_FLAG_PARAMETER) || b->first_store != b->last_store)
        return 0;
    return argument__given_for(m, call, b->scope, b->word);
}

static uint32_t find(const struct match *m, const struct argument_predicate *f, uint32_t call,
                     bool *unknown)
{
    const struct tree *t = &m->file->tree;
    uint32_t found = 0;
    bool unsure = false;
    *unknown = false;
    if (f->at >= 0)
        found = tree_argument(t, call, (unsigned)f->at, &unsure);
    *unknown |= unsure;
    for (size_t i = 0; i < f->n_names && !found; i++) {
        unsure = false;
        found = tree_keyword(t, call, f->names[i], &unsure);
        *unknown |= unsure;
    }
    return found;
}

/* Does it become a parameter whose name is like one of `to`? */
static bool becomes(const struct match *m, const struct argument_predicate *f, uint32_t node)
{
    uint32_t word = types_parameter_of(&m->file->types, capture__node(m, f->of), node);
    return word != WORD_NONE &&
           match_is_like(f->to, f->n_to, py_parser_text(m->file->tree.parser, word));
}

static enum truth try_node(struct match *m, const struct argument_predicate *f, uint32_t node,
                           const struct rest *r)
{
    struct answer a = {TRUTH_TRUE, CONFIDENCE_HIGH};
    if (f->value.kind != LITERAL_NONE)
        a.truth = literal__test(m, &f->value, node);
    if (f->has_pattern && a.truth != TRUTH_FALSE) {
        struct answer b = node_pattern__test(m, &f->pattern, node);
        a.truth = truth_and(a.truth, b.truth);
        a.confidence = b.confidence;
    }
    if (f->n_to && a.truth != TRUTH_FALSE && !becomes(m, f, node))
        return TRUTH_FALSE;
    struct capture at = capture_of_node(node);
    return a.truth == TRUTH_FALSE ? TRUTH_FALSE
                                  : match_bind(m, f->argument, &at, a.confidence, a.truth, r);
}

static bool is_expected(const struct argument_predicate *f, uint32_t word)
{
    for (size_t i = 0; i < f->n_expected; i++)
        if (f->expected[i] == word)
            return true;
    return false;
}

/* Tries keywords other than the listed ones; a misspelt listed one would raise an error itself. */
static enum truth try_others(struct match *m, const struct argument_predicate *f, uint32_t list,
                             const struct rest *r)
{
    const struct tree *t = &m->file->tree;
    enum truth result = TRUTH_FALSE;
    for (uint32_t n = list ? tree_first(t, list) : 0; n && !match_is_settled(m, result);
         n = tree_next(t, n)) {
        uint32_t name = tree_kind(t, n) == PY_KEYWORD_ARGUMENT ? tree_child(t, n, FIELD_NAME) : 0,
                 value = name ? tree_child(t, n, FIELD_VALUE) : 0;
        if (value && !is_expected(f, tree_node(t, name)->word))
            result = truth_or(result, try_node(m, f, value, r));
    }
    return result;
}

/* The value of an argument node, without its keyword or star. */
static uint32_t value_of(const struct tree *t, uint32_t n)
{
    if (tree_kind(t, n) == PY_KEYWORD_ARGUMENT)
        return tree_child(t, n, FIELD_VALUE);
    if (tree_kind(t, n) == PY_LIST_SPLAT || tree_kind(t, n) == PY_DICT_SPLAT)
        return tree_first(t, n);
    return n;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct argument_predicate *f = data;
    const struct tree *t = &m->file->tree;
    uint32_t call = capture__node(m, f->of);
    bool unknown;
    if (!call || tree_kind(t, call) != PY_CALL)
        return TRUTH_FALSE;
    if (f->n_expected)
        return try_others(m, f, tree_child(t, call, FIELD_ARGUMENTS), r);
    if (f->any) {
        uint32_t list = tree_child(t, call, FIELD_ARGUMENTS);
        enum truth result = TRUTH_FALSE;
        for (uint32_t n = list ? tree_first(t, list) : 0; n && !match_is_settled(m, result);
             n = tree_next(t, n))
            if (value_of(t, n))
                result = truth_or(result, try_node(m, f, value_of(t, n), r));
        return result;
    }
    if (f->parameter != CAPTURE_NO) {
        uint32_t given = find_given(m, call, capture__node(m, f->parameter));
        return given ? try_node(m, f, given, r) : TRUTH_FALSE;
    }
    uint32_t node = find(m, f, call, &unknown);
    if (f->missing)
        return node      ? TRUTH_FALSE
               : unknown ? match_go(m, CONFIDENCE_LOW, TRUTH_UNKNOWN, r)
                         : match_rest(m, r);
    if (!node)
        return unknown ? match_go(m, CONFIDENCE_LOW, TRUTH_UNKNOWN, r) : TRUTH_FALSE;
    return try_node(m, f, node, r);
}

static const char *const keys[] = {"argument", "of",    "at",         "name", "missing", "value",
                                   "is",       "every", "other-than", "for",  "to"};
const struct predicate_kind predicate__argument = {"argument", keys, COUNT_OF(keys), compile, run};
