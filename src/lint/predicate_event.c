/* event: something happens to an object at a point of a scope's control flow: backward, step, zero,
 * eval, forward, ... Binds the event and its object. */
#include "lint/event_p.h"

struct event_predicate {
    uint8_t event, object, other, within;
    struct event_pattern pattern;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct event_predicate *f = arena_new(c->arena, struct event_predicate);
    *out = f;
    return compile__capture(c, j, "event", &f->event, e) &&
           compile__capture(c, j, "object", &f->object, e) &&
           compile__capture(c, j, "other", &f->other, e) &&
           compile__capture(c, j, "in", &f->within, e) &&
           event__compile_pattern(c, j, &f->pattern, e);
}

static enum confidence confidence_of(const struct match *m, const struct event_predicate *f,
                                     const struct types_event *ev)
{
    bool by_name = f->pattern.by_name && !(m->file->facts & FILE_FACT_FRAGMENT);
    return by_name ? MAX(ev->confidence, CONFIDENCE_MEDIUM) : ev->confidence;
}

static enum truth bind(struct match *m, const struct event_predicate *f, uint32_t scope,
                       const struct types_event *ev, const struct rest *r)
{
    struct capture at = {CAPTURE_EVENT, ev->node, scope, ev->step, ev->object, ev->other, ev->role};
    struct capture object = {
        .kind = CAPTURE_OBJECT, .node = ev->node, .object = ev->object, .other = OBJECT_NONE};
    enum truth t = event__test(m, &f->pattern, scope, ev);
    enum confidence c = confidence_of(m, f, ev);
    if (t == TRUTH_FALSE || (f->object != CAPTURE_NO && ev->object == OBJECT_NONE))
        return TRUTH_FALSE;
    if (f->object == CAPTURE_NO)
        return match_bind(m, f->event, &at, c, t, r);
    if (capture__is_bound(m, f->object))
        return capture__object(m, f->object) == ev->object ? match_bind(m, f->event, &at, c, t, r)
                                                           : TRUTH_FALSE;
    m->captures[f->object] = object;
    enum truth result = match_bind(m, f->event, &at, c, t, r);
    m->captures[f->object].kind = CAPTURE_UNBOUND;
    return result;
}

static enum truth run_scope(struct match *m, const struct event_predicate *f, uint32_t scope,
                            const struct rest *r)
{
    enum truth t = TRUTH_FALSE;
    if (!event__may_stand(m, &f->pattern, scope))
        return t;
    struct types_event_list all = types_events(&m->file->types, scope);
    for (size_t i = 0; i < all.n && !match_is_settled(m, t); i++)
        if ((f->pattern.roles >> all.at[i].role) & 1)
            t = truth_or(t, bind(m, f, scope, &all.at[i], r));
    return t;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct event_predicate *f = data;
    const struct names *n = &m->file->names;
    enum truth t = TRUTH_FALSE;
    if (capture__is_bound(m, f->event))
        return run_scope(m, f, capture__scope(m, f->event), r);
    if (capture__is_bound(m, f->within))
        return run_scope(m, f, capture__scope(m, f->within), r);
    for (uint32_t s = 0; s < n->n_scopes && !match_is_settled(m, t); s++)
        if (file__flow_scope_up(m->file, s) == s)
            t = truth_or(t, run_scope(m, f, s, r));
    return t;
}

static const char *const keys[] = {"event", "object", "other", "in", EVENT_KEYS};
const struct predicate_kind predicate__event = {"event", keys, COUNT_OF(keys), compile, run};
