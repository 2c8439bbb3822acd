/* call: a call of a resolved API, of a method of a type of object, or with a role. Binds the call,
 * its receiver and its function's scope. */
#include "lint/predicate_p.h"

struct call_predicate {
    struct node_pattern pattern;
    uint8_t call, receiver, within;
    int64_t min, max; /* positional arguments */
    bool is_method;   /* only method calls */
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct call_predicate *f = arena_new(c->arena, struct call_predicate);
    *out = f;
    f->min = json_get_i64(j, "min", 0);
    f->max = json_get_i64(j, "max", INT64_MAX);
    return node_pattern__compile(c, j, &f->pattern, e) &&
           compile__capture(c, j, "call", &f->call, e) &&
           compile__capture(c, j, "receiver", &f->receiver, e) &&
           compile__capture(c, j, "in", &f->within, e);
}

/* Is the number of arguments right? Splats make it unknown. */
static enum truth test_count(const struct match *m, const struct call_predicate *f, uint32_t call)
{
    bool unknown = false;
    if (f->min == 0 && f->max == INT64_MAX)
        return TRUTH_TRUE;
    int64_t n = tree_argument_count(&m->file->tree, call, &unknown);
    return unknown ? TRUTH_UNKNOWN : truth_of(n >= f->min && n <= f->max);
}

static enum truth try_call(struct match *m, const struct call_predicate *f, uint32_t call,
                           const struct rest *r)
{
    const struct tree *t = &m->file->tree;
    struct answer a = node_pattern__test(m, &f->pattern, call);
    if (a.truth != TRUTH_FALSE)
        a.truth = truth_and(a.truth, test_count(m, f, call));
    if (a.truth == TRUTH_FALSE)
        return TRUTH_FALSE;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    uint32_t receiver =
        tree_kind(t, function) == PY_ATTRIBUTE ? tree_child(t, function, FIELD_OBJECT) : 0;
    if (f->receiver != CAPTURE_NO && !receiver)
        return TRUTH_FALSE;
    struct capture call_at = capture_of_node(call), receiver_at = capture_of_node(receiver);
    if (f->receiver == CAPTURE_NO)
        return match_bind(m, f->call, &call_at, a.confidence, a.truth, r);
    if (capture__is_bound(m, f->receiver)) {
        uint32_t object = types_object(&m->file->types, receiver);
        if (object == OBJECT_NONE || object != capture__object(m, f->receiver))
            return TRUTH_FALSE;
        return match_bind(m, f->call, &call_at, a.confidence, a.truth, r);
    }
    m->captures[f->receiver] = receiver_at;
    enum truth result = match_bind(m, f->call, &call_at, a.confidence, a.truth, r);
    m->captures[f->receiver] = (struct capture){.kind = CAPTURE_UNBOUND};
    return result;
}

static bool is_within(struct match *m, const struct call_predicate *f, uint32_t call)
{
    if (f->within == CAPTURE_NO)
        return true;
    const struct capture *c = &m->captures[f->within];
    if (c->kind == CAPTURE_LOOP || c->kind == CAPTURE_SCOPE || c->kind == CAPTURE_NODE)
        return tree_is_in(&m->file->tree, call, c->node);
    return file__flow_scope(m->file, call) == c->scope;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct call_predicate *f = data;
    if (capture__is_bound(m, f->call)) {
        uint32_t node = capture__node(m, f->call);
        return tree_kind(&m->file->tree, node) == PY_CALL ? try_call(m, f, node, r) : TRUTH_FALSE;
    }
    struct node_vec list = {0};
    struct arena_mark mark = arena_mark(m->file->scratch);
    enum truth t = TRUTH_FALSE;
    node_pattern__candidates(m, &f->pattern, false, &list);
    for (size_t i = 0; i < list.list.n && !match_is_settled(m, t); i++)
        if (is_within(m, f, list.list.at[i]))
            t = truth_or(t, try_call(m, f, list.list.at[i], r));
    arena_return(m->file->scratch, mark);
    return t;
}

static const char *const keys[] = {"call", "receiver", "in", "min", "max", NODE_PATTERN_KEYS};
const struct predicate_kind predicate__call = {"call", keys, COUNT_OF(keys), compile, run};
