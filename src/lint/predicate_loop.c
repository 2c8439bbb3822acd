/* loop: a loop of the flow that contains all given points, innermost first. Binds the loop. */
#include "lint/predicate_p.h"

struct loop_predicate {
    uint8_t loop;
    uint8_t of[4];
    size_t n_of;
    uint8_t over;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct loop_predicate *f = arena_new(c->arena, struct loop_predicate);
    const struct json *of = json_get(j, "of");
    *out = f;
    if (!of || of->kind != JSON_KIND_ARRAY || of->n == 0 || of->n > COUNT_OF(f->of))
        return compile__fail(c, j, e, "loop needs \"of\": one to %zu captures", COUNT_OF(f->of));
    f->n_of = of->n;
    for (size_t i = 0; i < of->n; i++) {
        const struct str key = STR("of");
        struct json one = {.kind = JSON_KIND_OBJECT, .n = 1, .keys = &key, .items = &of->items[i]};
        one.line = of->items[i].line;
        if (!compile__capture(c, &one, "of", &f->of[i], e))
            return false;
    }
    return compile__capture(c, j, "loop", &f->loop, e) &&
           compile__capture(c, j, "over", &f->over, e);
}

static bool holds_all(struct match *m, const struct loop_predicate *f, const struct cfg *cfg,
                      uint32_t loop)
{
    for (size_t i = 0; i < f->n_of; i++) {
        uint32_t step = capture__step(m, f->of[i]);
        if (step == STEP_NONE || !cfg_loop_holds(cfg, loop, cfg->steps[step].block))
            return false;
    }
    return true;
}

/* The iterable of a for loop or of a clause of a comprehension; 0 for while. */
static uint32_t iterable_of(const struct tree *t, uint32_t node)
{
    enum py_kind k = tree_kind(t, node);
    return k == PY_FOR || k == PY_FOR_IN ? tree_child(t, node, FIELD_RIGHT) : 0;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct loop_predicate *f = data;
    uint32_t scope = capture__scope(m, f->of[0]);
    const struct cfg *cfg = types_cfg(&m->file->types, scope);
    enum truth t = TRUTH_FALSE;
    if (!cfg)
        return TRUTH_UNKNOWN;
    for (size_t i = 1; i < f->n_of; i++)
        if (capture__scope(m, f->of[i]) != scope)
            return TRUTH_FALSE;
    uint32_t step = capture__step(m, f->of[0]);
    uint32_t loop = step == STEP_NONE ? LOOP_NONE : cfg->blocks[cfg->steps[step].block].loop;
    for (; loop != LOOP_NONE && !match_is_settled(m, t); loop = cfg->loops[loop].parent) {
        uint32_t node = cfg->loops[loop].node;
        uint32_t over = iterable_of(&m->file->tree, node);
        if (!holds_all(m, f, cfg, loop) || (f->over != CAPTURE_NO && !over))
            continue;
        struct capture at = {CAPTURE_LOOP, node, scope, loop, OBJECT_NONE, OBJECT_NONE, ROLE_NONE};
        bool binds = f->over != CAPTURE_NO && !capture__is_bound(m, f->over);
        if (binds)
            m->captures[f->over] = capture_of_node(over);
        t = truth_or(t, match_bind(m, f->loop, &at, CONFIDENCE_HIGH, TRUTH_TRUE, r));
        if (binds)
            m->captures[f->over].kind = CAPTURE_UNBOUND;
    }
    return t;
}

static const char *const keys[] = {"loop", "of", "over"};
const struct predicate_kind predicate__loop = {"loop", keys, COUNT_OF(keys), compile, run};
