/* pairing: the terminal activation of the value that an argument receives (found through names, the
 * model's forward and the index of its result; for a parameter, through the arguments of calls in
 * this file). Binds the node that applies the activation. */
#include "lint/predicate_p.h"

struct pairing_predicate {
    uint8_t where, of;
    int64_t at;
    uint32_t *names;
    size_t n_names;
    uint64_t domains;
    bool given; /* compare what the criterion expects with the activation of the argument */
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct pairing_predicate *f = arena_new(c->arena, struct pairing_predicate);
    *out = f;
    f->at = json_get_i64(j, "at", -1);
    if (!compile__capture(c, j, "pairing", &f->where, e) ||
        !compile__need_capture(c, j, "of", &f->of, e) ||
        !compile__words(c, j, "name", &f->names, &f->n_names, e) ||
        !compile__domains(c, j, "domain", &f->domains, e))
        return false;
    return f->domains || compile__fail(c, j, e, "pairing needs \"domain\"");
}

static uint32_t value_of(const struct match *m, const struct pairing_predicate *f)
{
    const struct tree *t = &m->file->tree;
    uint32_t node = capture__node(m, f->of), found = 0;
    if ((f->at < 0 && !f->n_names) || tree_kind(t, node) != PY_CALL)
        return node;
    if (f->at >= 0)
        found = tree_argument(t, node, (unsigned)f->at, NULL);
    for (size_t i = 0; i < f->n_names && !found; i++)
        found = tree_keyword(t, node, f->names[i], NULL);
    return found;
}

/* The only definition that a name can have here; DEF_NONE: there are several. For a local name its
 * value at entry does not count. */
static uint32_t only_def(const struct match *m, const struct flow *flow, uint32_t name,
                         uint32_t step)
{
    const struct names *n = &m->file->names;
    uint32_t binding = names_binding(n, name), found = DEF_NONE;
    bool is_local =
        binding != BINDING_NONE && n->bindings[binding].scope == file__flow_scope(m->file, name);
    struct flow_list defs = flow_defs_of(flow, step);
    for (uint32_t i = 0; i < defs.n; i++) {
        if (is_local && flow->defs[defs.at[i]].kind == DEF_ENTRY)
            continue;
        if (found != DEF_NONE)
            return DEF_NONE;
        found = defs.at[i];
    }
    return found;
}

/* The expression that a value comes from, followed through names, reshaping and copying while there
 * is one way. For a name of one of several values the name itself, and *def says which value. */
static uint32_t origin_of(const struct match *m, uint32_t node, const struct flow_def **def)
{
    enum { STEPS_MAX = 16 };
    const struct tree *t = &m->file->tree;
    const struct types *k = &m->file->types;
    *def = NULL;
    node = tree_bare(t, node);
    for (int i = 0; i < STEPS_MAX; i++) {
        uint32_t next = 0;
        if (tree_kind(t, node) == PY_CALL) {
            struct call_fact fact = types_call(k, node);
            next = types_keeps_numbers(api_row_at(m->file->api, fact.api)) ? fact.subject : 0;
        } else if (tree_kind(t, node) == PY_IDENTIFIER) {
            const struct flow *flow = types_flow(k, file__flow_scope(m->file, node));
            uint32_t step = flow ? cfg_step(flow->cfg, node) : (uint32_t)STEP_NONE;
            uint32_t at = step == STEP_NONE ? (uint32_t)DEF_NONE : only_def(m, flow, node, step);
            *def = at == DEF_NONE ? NULL : &flow->defs[at];
            next = *def && (*def)->kind == DEF_VALUE ? (*def)->value : 0;
        }
        if (!next)
            break;
        node = tree_bare(t, next);
    }
    return node;
}

/* The function that a call runs; for self(x) it is forward. */
static const struct function_summary *function_called(const struct match *m, uint32_t call)
{
    const struct names *n = &m->file->names;
    const struct tree *t = &m->file->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    if (tree_kind(t, function) != PY_IDENTIFIER || !names_is_self(n, function))
        return types_function_called(&m->file->types, call);
    uint32_t scope = names_method(n, names_class_of(n, names_scope_at(n, call)),
                                  py_parser_find_word(t->parser, STR("forward")), NULL);
    const struct function_summary *s =
        scope == SCOPE_NONE ? NULL : summary_of(&m->file->types, scope);
    return s && !s->is_opaque ? s : NULL;
}

/* What the called function gives at one place of the tuple it returns. */
static enum domain domain_returned(const struct function_summary *s, unsigned n, unsigned at)
{
    return s && (n ? s->n_returns == n : s->n_returns > at) ? s->returns[at].domain : DOMAIN_ANY;
}

/* The domain of self(x), of a name for a part of a call's result, or of a call's result by
 * index. */
static enum domain domain_of_call(const struct match *m, uint32_t node, uint32_t *where)
{
    const struct tree *t = &m->file->tree;
    const struct flow_def *def;
    int64_t at = 0;
    node = origin_of(m, node, &def);
    bool is_part = tree_kind(t, node) == PY_IDENTIFIER && def && def->kind == DEF_PART &&
                   def->part != 255 && def->value,
         is_index = tree_kind(t, node) == PY_SUBSCRIPT &&
                    tree_integer_value(t, tree_child(t, node, FIELD_SUBSCRIPT), &at) && at >= 0 &&
                    at < RETURN_MAX;
    uint32_t call = is_part ? def->value : is_index ? tree_child(t, node, FIELD_VALUE) : node;
    const struct flow_def *inner;
    call = call == node ? node : origin_of(m, call, &inner);
    if (tree_kind(t, call) != PY_CALL)
        return DOMAIN_ANY;
    *where = call;
    return domain_returned(function_called(m, call), is_part || is_index ? 0 : 1,
                           is_part ? def->part : (unsigned)at);
}

static enum domain domain_of(const struct match *m, uint32_t node, uint32_t *where)
{
    enum domain d = types_domain(&m->file->types, node, where);
    return d != DOMAIN_ANY ? d : domain_of_call(m, node, where);
}

/* The domain that the first call in this file with one of these domains gives for the parameter. */
static enum domain domain_of_parameter(const struct match *m, const struct pairing_predicate *f,
                                       uint32_t node, uint32_t *where)
{
    const struct names *n = &m->file->names;
    const struct tree *t = &m->file->tree;
    const struct flow_def *def;
    uint32_t name = origin_of(m, node, &def), scope = file__flow_scope(m->file, node),
             binding = tree_kind(t, name) == PY_IDENTIFIER ? names_binding(n, name) : BINDING_NONE;
    if (binding == BINDING_NONE || n->bindings[binding].scope != scope ||
        !(n->bindings[binding].flags & BINDING_FLAG_PARAMETER) ||
        n->bindings[binding].first_store != n->bindings[binding].last_store)
        return DOMAIN_ANY;
    struct node_list calls = tree_list(t, PY_CALL);
    if (!names_spend(n, calls.n))
        return DOMAIN_ANY;
    enum domain elsewhere =
        types_domain_given(&m->file->types, scope, tree_node(t, name)->word, f->domains);
    if (elsewhere != DOMAIN_ANY)
        return elsewhere;
    for (size_t i = 0; i < calls.n; i++) {
        uint32_t given = argument__given_for(m, calls.at[i], scope, tree_node(t, name)->word);
        enum domain d = given ? domain_of(m, given, where) : DOMAIN_ANY;
        if (d != DOMAIN_ANY && (f->domains >> d) & 1)
            return d;
    }
    return DOMAIN_ANY;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct pairing_predicate *f = data;
    uint32_t node = value_of(m, f), where = 0;
    if (!node)
        return TRUTH_FALSE;
    enum domain d = domain_of(m, node, &where);
    if (d == DOMAIN_ANY)
        d = domain_of_parameter(m, f, node, &where);
    struct capture at = capture_of_node(where ? where : node);
    if (d == DOMAIN_ANY)
        return TRUTH_FALSE;
    return (f->domains >> d) & 1 ? match_bind(m, f->where, &at, CONFIDENCE_HIGH, TRUTH_TRUE, r)
                                 : TRUTH_FALSE;
}

static const char *const keys[] = {"pairing", "of", "at", "name", "domain"};
const struct predicate_kind predicate__pairing = {"pairing", keys, COUNT_OF(keys), compile, run};
