/*
 * sequence: is there a path through the flow from one set of points to another that meets none of a
 * third? "some": there is one. "none": there is none, so every path meets a point of the third.
 */
#include "lint/event_p.h"

struct sequence_predicate {
    struct points from, to, without;
    uint8_t loop, within;
    bool none, once, exceptions;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct sequence_predicate *f = arena_new(c->arena, struct sequence_predicate);
    struct str word = json_get_str(j, "sequence", STR(""));
    *out = f;
    f->none = str_is(word, "none");
    if (!f->none && !str_is(word, "some"))
        return compile__fail(c, j, e, "sequence is some or none");
    f->once = json_get_bool(j, "once", false);
    f->exceptions = json_get_bool(j, "exceptions", false);
    return event__compile_points(c, j, "from", &f->from, e) &&
           event__compile_points(c, j, "to", &f->to, e) &&
           event__compile_points(c, j, "without", &f->without, e) &&
           compile__capture(c, j, "loop", &f->loop, e) &&
           compile__capture(c, j, "in", &f->within, e);
}

/* The scope that contains all points; SCOPE_NONE when they do not share one. */
static uint32_t scope_of(struct match *m, const struct sequence_predicate *f)
{
    const uint8_t captures[] = {f->from.capture, f->to.capture, f->without.capture, f->loop,
                                f->within};
    uint32_t scope = SCOPE_NONE;
    for (size_t i = 0; i < COUNT_OF(captures); i++) {
        if (!capture__is_bound(m, captures[i]))
            continue;
        uint32_t s = capture__scope(m, captures[i]);
        if (scope != SCOPE_NONE && scope != s)
            return SCOPE_NONE;
        scope = s;
    }
    return scope;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct sequence_predicate *f = data;
    uint32_t scope = scope_of(m, f);
    if (scope == SCOPE_NONE)
        return f->none ? match_rest(m, r) : TRUTH_FALSE;
    const struct flow *flow = types_flow(&m->file->types, scope);
    if (!flow)
        return match_go(m, CONFIDENCE_LOW, TRUTH_UNKNOWN, r);
    struct step_set from, to, without;
    struct arena_mark mark = arena_mark(m->file->scratch);
    event__points(m, &f->from, scope, &from);
    event__points(m, &f->to, scope, &to);
    event__points(m, &f->without, scope, &without);
    struct flow_query q = {.from = f->from.is_border ? NULL : &from,
                           .to = f->to.is_border ? NULL : &to,
                           .avoid = &without,
                           .loop = LOOP_NONE,
                           .once = f->once,
                           .with_exceptions = f->exceptions};
    if (capture__is_bound(m, f->loop))
        q.loop = m->captures[f->loop].step;
    enum truth t = (!f->from.is_border && from.n == 0) || (!f->to.is_border && to.n == 0)
                       ? TRUTH_FALSE
                       : flow_path(flow, &q);
    arena_return(m->file->scratch, mark);
    return match_go(m, CONFIDENCE_HIGH, f->none ? truth_not(t) : t, r);
}

static const char *const keys[] = {"sequence", "from", "to",         "without",
                                   "loop",     "once", "exceptions", "in"};
const struct predicate_kind predicate__sequence = {"sequence", keys, COUNT_OF(keys), compile, run};
