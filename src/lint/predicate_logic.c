/* all, any, not: how predicates are joined. `not` binds nothing outside itself. */
#include "lint/predicate_p.h"

struct logic {
    struct predicates list;
};

static bool compile_list(struct compile *c, const struct json *j, const char *key, void **out,
                         struct err *e)
{
    struct logic *l = arena_new(c->arena, struct logic);
    *out = l;
    return compile__predicates(c, json_get(j, key), &l->list, e);
}

static bool compile_all(struct compile *c, const struct json *j, void **out, struct err *e)
{
    return compile_list(c, j, "all", out, e);
}

static bool compile_any(struct compile *c, const struct json *j, void **out, struct err *e)
{
    return compile_list(c, j, "any", out, e);
}

static bool compile_not(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct logic *l = arena_new(c->arena, struct logic);
    struct predicate *p = arena_new(c->arena, struct predicate);
    l->list = (struct predicates){p, 1};
    *out = l;
    return compile__predicate(c, json_get(j, "not"), p, e);
}

static enum truth run_all(struct match *m, const void *data, const struct rest *r)
{
    const struct logic *l = data;
    struct rest inner = {.list = l->list, .then = r};
    return match_rest(m, &inner);
}

static enum truth run_any(struct match *m, const void *data, const struct rest *r)
{
    const struct logic *l = data;
    enum truth t = TRUTH_FALSE;
    for (size_t i = 0; i < l->list.n && !match_is_settled(m, t); i++) {
        struct rest one = {.list = {&l->list.at[i], 1}, .then = r};
        t = truth_or(t, match_rest(m, &one));
    }
    return t;
}

static enum truth run_not(struct match *m, const void *data, const struct rest *r)
{
    const struct logic *l = data;
    return match_go(m, CONFIDENCE_HIGH, truth_not(match_all(m, l->list)), r);
}

static const char *const all_keys[] = {"all"};
static const char *const any_keys[] = {"any"};
static const char *const not_keys[] = {"not"};
const struct predicate_kind predicate__all = {"all", all_keys, 1, compile_all, run_all};
const struct predicate_kind predicate__any = {"any", any_keys, 1, compile_any, run_any};
const struct predicate_kind predicate__not = {"not", not_keys, 1, compile_not, run_not};
