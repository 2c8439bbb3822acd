/*
 * Runs a check: conjunctions with continuations, captures and what they are bound to. Knows no
 * predicate and no rule.
 *
 * Invariant: whatever a predicate binds or lowers is as before when its run returns.
 */
#include "lint/predicate_p.h"

enum truth match_rest(struct match *m, const struct rest *r)
{
    if (r->at == r->list.n) {
        if (r->done)
            return r->done(m, r->ctx);
        return r->then ? match_rest(m, r->then) : TRUTH_TRUE;
    }
    if (m->n_left == 0 || !names_spend(&m->file->names, 1))
        return TRUTH_UNKNOWN;
    m->n_left--;
    const struct predicate *p = &r->list.at[r->at];
    struct rest next = *r;
    next.at++;
    return p->kind->run(m, p->data, &next);
}

enum truth match_all(struct match *m, struct predicates list)
{
    struct rest r = {.list = list};
    enum confidence kept = m->confidence;
    uint32_t kept_unsure = m->n_unsure;
    bool was_nested = m->is_nested;
    m->is_nested = true;
    enum truth t = match_rest(m, &r);
    m->is_nested = was_nested;
    m->confidence = kept;
    m->n_unsure = kept_unsure;
    return t;
}

/* Nothing that follows can make it a finding: the check is silent on unknown answers, or the
 * confidence is too low already. */
static bool is_lost(const struct match *m, enum confidence c, enum truth t)
{
    return !m->is_nested && m->check &&
           (c < m->least || (t == TRUTH_UNKNOWN && !m->check->unknown_is_low));
}

enum truth match_go(struct match *m, enum confidence c, enum truth t, const struct rest *r)
{
    if (t == TRUTH_FALSE || is_lost(m, c, t))
        return TRUTH_FALSE;
    enum confidence kept = m->confidence;
    m->confidence = MIN(m->confidence, c);
    m->n_unsure += t == TRUTH_UNKNOWN;
    enum truth result = truth_and(t, match_rest(m, r));
    m->n_unsure -= t == TRUTH_UNKNOWN;
    m->confidence = kept;
    return result;
}

static bool is_same(struct match *m, const struct capture *a, const struct capture *b)
{
    const struct lint_file *f = m->file;
    if (a->kind == CAPTURE_EVENT && b->kind == CAPTURE_EVENT)
        return a->node == b->node && a->step == b->step && a->role == b->role;
    if (a->kind == CAPTURE_OBJECT || b->kind == CAPTURE_OBJECT) {
        uint32_t first = a->object != OBJECT_NONE ? a->object : types_object(&f->types, a->node);
        uint32_t second = b->object != OBJECT_NONE ? b->object : types_object(&f->types, b->node);
        return first == second && first != OBJECT_NONE;
    }
    if (a->kind == CAPTURE_SCOPE || a->kind == CAPTURE_LOOP)
        return a->kind == b->kind && a->scope == b->scope && a->node == b->node;
    return a->node == b->node;
}

enum truth match_bind(struct match *m, uint8_t capture, const struct capture *value,
                      enum confidence c, enum truth t, const struct rest *r)
{
    if (capture == CAPTURE_NO)
        return match_go(m, c, t, r);
    struct capture *slot = &m->captures[capture];
    if (slot->kind != CAPTURE_UNBOUND)
        return is_same(m, slot, value) ? match_go(m, c, t, r) : TRUTH_FALSE;
    *slot = *value;
    enum truth result = match_go(m, c, t, r);
    *slot = (struct capture){.kind = CAPTURE_UNBOUND};
    return result;
}

bool match_is_like(const struct str *patterns, size_t n, struct str text)
{
    for (size_t i = 0; i < n; i++)
        if (str_like(text, patterns[i], true))
            return true;
    return false;
}

struct capture capture_of_node(uint32_t node)
{
    return (struct capture){
        .kind = CAPTURE_NODE, .node = node, .object = OBJECT_NONE, .other = OBJECT_NONE};
}

bool capture__is_bound(const struct match *m, uint8_t capture)
{
    return capture != CAPTURE_NO && m->captures[capture].kind != CAPTURE_UNBOUND;
}

uint32_t capture__node(const struct match *m, uint8_t capture)
{
    return capture__is_bound(m, capture) ? m->captures[capture].node : 0;
}

uint32_t capture__object(struct match *m, uint8_t capture)
{
    if (!capture__is_bound(m, capture))
        return OBJECT_NONE;
    const struct capture *c = &m->captures[capture];
    if (c->object != OBJECT_NONE)
        return c->object;
    return c->kind == CAPTURE_NODE && c->node ? types_object(&m->file->types, c->node)
                                              : OBJECT_NONE;
}

uint32_t capture__scope(struct match *m, uint8_t capture)
{
    const struct capture *c = &m->captures[capture];
    if (c->kind == CAPTURE_EVENT || c->kind == CAPTURE_LOOP || c->kind == CAPTURE_SCOPE)
        return c->scope;
    return file__flow_scope(m->file, c->node);
}

/* The step of a node; of a statement, the last step of its parts. */
static uint32_t step_of(const struct lint_file *f, const struct cfg *cfg, uint32_t node)
{
    enum { PARTS_MAX = 2000 };
    uint32_t step = cfg_step(cfg, node), end = tree_node(&f->tree, node)->next;
    if (step != STEP_NONE)
        return step;
    for (uint32_t n = node + 1; n < end && n < node + PARTS_MAX; n++) {
        uint32_t part = cfg_step(cfg, n);
        if (part != STEP_NONE && (step == STEP_NONE || part > step))
            step = part;
    }
    return step;
}

uint32_t capture__step(struct match *m, uint8_t capture)
{
    const struct capture *c = &m->captures[capture];
    if (c->kind == CAPTURE_EVENT)
        return c->step;
    if (c->kind != CAPTURE_NODE)
        return STEP_NONE;
    const struct cfg *cfg = types_cfg(&m->file->types, file__flow_scope(m->file, c->node));
    return cfg ? step_of(m->file, cfg, c->node) : STEP_NONE;
}
