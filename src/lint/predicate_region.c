/* region: the node runs in a region or decorated function with a trait, such as without gradients
 * or under autocast. */
#include "lint/predicate_p.h"

struct region_predicate {
    uint8_t node;
    uint64_t traits;
    bool no_grad;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct region_predicate *f = arena_new(c->arena, struct region_predicate);
    *out = f;
    if (!compile__need_capture(c, j, "region", &f->node, e) ||
        !compile__traits(c, j, "trait", &f->traits, e))
        return false;
    f->no_grad = f->traits == TRAIT_NO_GRAD;
    return f->traits || compile__fail(c, j, e, "region needs \"trait\"");
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct region_predicate *f = data;
    const struct types *k = &m->file->types;
    uint32_t node = capture__node(m, f->node);
    enum truth t = f->no_grad ? types_in_no_grad(k, node) : types_in_region(k, node, f->traits);
    return match_go(m, CONFIDENCE_HIGH, t, r);
}

static const char *const keys[] = {"region", "trait"};
const struct predicate_kind predicate__region = {"region", keys, COUNT_OF(keys), compile, run};
