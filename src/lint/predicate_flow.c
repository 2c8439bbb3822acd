/*
 * flow: a value from a source reaches a node without a sanitizer (backward: "from" is a
 * description, "to" a capture), or a node's value reaches a sink (forward: "from" is a capture,
 * "to" a description). Binds the source or sink found.
 *
 * An unknown call may return anything. With "calls": "known" the answer is then unknown instead of
 * false. With "all" the value is taken to pass through, with "none" to end there. "receiver" is
 * like "none", but a method whose result is known only by the type of its receiver passes on to the
 * receiver. accelerate's prepare gives its arguments back: the value goes on in the same part.
 */
#include "lint/predicate_p.h"

enum through { THROUGH_KNOWN, THROUGH_ALL, THROUGH_NONE, THROUGH_RECEIVER };

struct flow_predicate {
    uint8_t flow, start;
    bool forward, itself;
    struct node_pattern_list ends, stops;
    enum through through;
};

struct walk {
    struct match *m;
    const struct flow_predicate *f;
    struct node_vec found;
    struct node_vec unsure; /* ends that may be sources or sinks */
    VEC(uint8_t) confidences;
    uint32_t start;
    uint32_t n_visited;
    bool is_unknown;
};

enum { FLOW_VISITS_MAX = 20000 };

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct flow_predicate *f = arena_new(c->arena, struct flow_predicate);
    const struct json *from = json_get(j, "from");
    struct str calls = json_get_str(j, "calls", STR("known"));
    *out = f;
    f->forward = from && from->kind == JSON_KIND_STRING;
    f->itself = json_get_bool(j, "itself", true);
    f->through = str_is(calls, "all")        ? THROUGH_ALL
                 : str_is(calls, "none")     ? THROUGH_NONE
                 : str_is(calls, "receiver") ? THROUGH_RECEIVER
                                             : THROUGH_KNOWN;
    if (f->through == THROUGH_KNOWN && !str_is(calls, "known"))
        return compile__fail(c, json_get(j, "calls"), e, "calls is known, all, none or receiver");
    return compile__capture(c, j, "flow", &f->flow, e) &&
           compile__need_capture(c, j, f->forward ? "from" : "to", &f->start, e) &&
           node_pattern__compile_list(c, j, f->forward ? "to" : "from", &f->ends, e) &&
           node_pattern__compile_list(c, j, "stop", &f->stops, e);
}

/* Was the row found by the receiver's type? For detach() the name is enough, for reshape() not. */
static bool rests_on_receiver(const struct walk *w, struct call_fact call)
{
    const struct api_row *row = api_row_at(w->m->file->api, call.api);
    return call.api != API_NONE && row->form == API_METHOD && row->receiver != TYPE_UNKNOWN;
}

static enum trace_next at_call(struct walk *w, uint32_t node)
{
    struct call_fact call = types_call(&w->m->file->types, node);
    if (call.role == ROLE_PREPARE)
        return TRACE_SAME_PART;
    if (w->f->through == THROUGH_RECEIVER)
        return rests_on_receiver(w, call) ? TRACE_RECEIVER_ONLY : TRACE_STOP_HERE;
    if (w->f->through == THROUGH_ALL)
        return TRACE_ON;
    if (w->f->through == THROUGH_NONE)
        return TRACE_STOP_HERE;
    if (call.is_resolved)
        return TRACE_ON;
    w->is_unknown = true;
    return TRACE_STOP_HERE;
}

static enum trace_next visit(void *ctx, uint32_t node, uint32_t def)
{
    struct walk *w = ctx;
    const struct flow_predicate *f = w->f;
    (void)def;
    if (++w->n_visited > FLOW_VISITS_MAX) {
        w->is_unknown = true;
        return TRACE_END;
    }
    bool is_start = node == w->start;
    if (!is_start || f->itself) {
        struct answer stop = node_pattern__test_list(w->m, &f->stops, node, NULL);
        if (stop.truth == TRUTH_TRUE)
            return TRACE_STOP_HERE;
        struct answer end = node_pattern__test_list(w->m, &f->ends, node, NULL);
        if (end.truth == TRUTH_TRUE) {
            vec_push(&w->found.list, w->m->file->scratch, node);
            vec_push(&w->confidences, w->m->file->scratch, (uint8_t)end.confidence);
            return TRACE_STOP_HERE;
        }
        if (end.truth == TRUTH_UNKNOWN)
            w->is_unknown = true;
        if (stop.truth == TRUTH_UNKNOWN) {
            w->is_unknown = true;
            return TRACE_STOP_HERE;
        }
    }
    if (tree_kind(&w->m->file->tree, node) == PY_CALL && !(is_start && f->forward))
        return at_call(w, node);
    return TRACE_ON;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct flow_predicate *f = data;
    uint32_t start = capture__node(m, f->start);
    if (!start)
        return TRUTH_FALSE;
    const struct flow *flow = types_flow(&m->file->types, file__flow_scope(m->file, start));
    if (!flow || !flow->is_known)
        return match_go(m, CONFIDENCE_LOW, TRUTH_UNKNOWN, r);
    struct arena_mark mark = arena_mark(m->file->scratch);
    struct walk w = {.m = m, .f = f, .start = start};
    struct flow_trace trace = {visit, &w, true};
    if (f->forward)
        flow_trace_forward(flow, start, &trace);
    else
        flow_trace_back(flow, start, &trace);
    enum truth t = TRUTH_FALSE;
    for (size_t i = 0; i < w.found.list.n && !match_is_settled(m, t); i++) {
        struct capture at = capture_of_node(w.found.list.at[i]);
        t = truth_or(
            t, match_bind(m, f->flow, &at, (enum confidence)w.confidences.at[i], TRUTH_TRUE, r));
    }
    if (t != TRUTH_TRUE && w.is_unknown && !w.found.list.n)
        t = truth_or(t, f->flow == CAPTURE_NO || capture__is_bound(m, f->flow)
                            ? match_go(m, CONFIDENCE_LOW, TRUTH_UNKNOWN, r)
                            : TRUTH_UNKNOWN);
    arena_return(m->file->scratch, mark);
    return t;
}

static const char *const keys[] = {"flow", "from", "to", "stop", "calls", "itself"};
const struct predicate_kind predicate__flow = {"flow", keys, COUNT_OF(keys), compile, run};
