/*
 * Descriptions of events and sets of points in a scope's flow.
 *
 * An event whose subject is not known may concern any object: `relates: may` takes it, `same` does
 * not.
 */
#include "lint/event_p.h"
#include "lint/prefilter_p.h"

bool event__compile_pattern(struct compile *c, const struct json *j, struct event_pattern *out,
                            struct err *e)
{
    struct str relates = json_get_str(j, "relates", STR("same"));
    struct str deep = json_get_str(j, "deep", STR("may"));
    *out = (struct event_pattern){.of = CAPTURE_NO};
    if (!compile__roles(c, j, "role", &out->roles, e) ||
        !compile__types(c, j, "type", &out->types, e) || !compile__capture(c, j, "of", &out->of, e))
        return false;
    if (!out->roles)
        return compile__fail(c, j, e, "an event needs \"role\"");
    out->relation = str_is(relates, "may")   ? RELATION_MAY
                    : str_is(relates, "any") ? RELATION_ANY
                                             : RELATION_SAME;
    if (out->relation == RELATION_SAME && !str_is(relates, "same"))
        return compile__fail(c, json_get(j, "relates"), e, "relates is same, may or any");
    out->by_name = json_get_bool(j, "by-name", false);
    out->no_deep = str_is(deep, "no");
    out->must_deep = str_is(deep, "must");
    if (!out->no_deep && !out->must_deep && !str_is(deep, "may"))
        return compile__fail(c, json_get(j, "deep"), e, "deep is no, must or may");
    return true;
}

/* What an optimizer cannot hold, whatever else is unknown. */
static bool is_held_by_none(enum value_type type)
{
    return type == TYPE_LOSS || type == TYPE_TENSOR || type == TYPE_CRITERION ||
           type == TYPE_NUMBER || type == TYPE_ARRAY || type == TYPE_SIZE || type == TYPE_LOADER ||
           type == TYPE_CLOCK || type == TYPE_WRITER || type == TYPE_SCHEDULER;
}

static enum truth may_relate(struct match *m, uint32_t a, uint32_t b)
{
    const struct types *k = &m->file->types;
    if (a == OBJECT_NONE || b == OBJECT_NONE)
        return TRUTH_UNKNOWN;
    if (a == b)
        return TRUTH_TRUE;
    const struct types_object *first = types_object_at(k, a), *second = types_object_at(k, b);
    if (first->owner == b || second->owner == a || types_is_kept_by(k, a, b) ||
        types_is_kept_by(k, b, a))
        return TRUTH_UNKNOWN;
    if (is_held_by_none(first->fact.type) || is_held_by_none(second->fact.type))
        return TRUTH_FALSE;
    if (types_may_be_taken_from(k, b, a) == TRUTH_UNKNOWN ||
        types_may_be_taken_from(k, a, b) == TRUTH_UNKNOWN)
        return TRUTH_UNKNOWN;
    if (first->fact.type == TYPE_OPTIMIZER && second->fact.type != TYPE_OPTIMIZER)
        return types_holds(k, a, b);
    if (second->fact.type == TYPE_OPTIMIZER && first->fact.type != TYPE_OPTIMIZER)
        return types_holds(k, b, a);
    if (first->fact.type == TYPE_ENGINE || second->fact.type == TYPE_ENGINE)
        return TRUTH_UNKNOWN;
    return TRUTH_FALSE;
}

enum truth event__test(struct match *m, const struct event_pattern *s, uint32_t scope,
                       const struct types_event *ev)
{
    (void)scope;
    if (!((s->roles >> ev->role) & 1) || (ev->is_deep && s->no_deep) ||
        (ev->is_deep && s->must_deep && !ev->is_must))
        return TRUTH_FALSE;
    if (s->types) {
        if (ev->object == OBJECT_NONE)
            return TRUTH_FALSE;
        enum value_type type = types_object_at(&m->file->types, ev->object)->fact.type;
        if (!((s->types >> type) & 1))
            return TRUTH_FALSE;
    }
    if (s->of == CAPTURE_NO || s->relation == RELATION_ANY)
        return TRUTH_TRUE;
    uint32_t object = capture__object(m, s->of);
    if (s->relation == RELATION_SAME)
        return truth_of(object != OBJECT_NONE && ev->object == object);
    return may_relate(m, object, ev->object);
}

bool event__may_stand(struct match *m, const struct event_pattern *s, uint32_t scope)
{
    if (!file__may_have(m->file, scope, s->roles))
        return false;
    return m->is_nested || !m->check || prefilter__scope_passes(m, m->check->prefilter, scope);
}

bool event__compile_points(struct compile *c, const struct json *j, const char *key,
                           struct points *out, struct err *e)
{
    static const char *const keys[] = {EVENT_KEYS};
    const struct json *v = json_get(j, key);
    *out = (struct points){.capture = CAPTURE_NO};
    if (!v)
        return true;
    out->is_given = true;
    if (v->kind == JSON_KIND_STRING && v->string.n && v->string.at[0] != '$') {
        out->is_border = str_is(v->string, "entry") || str_is(v->string, "exit");
        return out->is_border || compile__fail(c, v, e,
                                               "entry, exit, a capture or a list of events "
                                               "is expected");
    }
    if (v->kind == JSON_KIND_STRING)
        return compile__capture(c, j, key, &out->capture, e);
    if (v->kind != JSON_KIND_ARRAY)
        return compile__fail(c, v, e, "key \"%s\": a capture or a list of events is expected", key);
    struct event_pattern *patterns = arena_new_array(c->arena, struct event_pattern, v->n);
    for (size_t i = 0; i < v->n; i++)
        if (!json_check_keys(&v->items[i], keys, COUNT_OF(keys), e) ||
            !event__compile_pattern(c, &v->items[i], &patterns[i], e))
            return err_wrap(e, "%s", c->file);
    out->patterns = patterns;
    out->n_patterns = v->n;
    return true;
}

static void add_step(struct step_set *s, uint32_t step)
{
    if (step != STEP_NONE && (s->n == 0 || s->at[s->n - 1] != step))
        s->at[s->n++] = step;
}

void event__points(struct match *m, const struct points *p, uint32_t scope, struct step_set *out)
{
    *out = (struct step_set){0};
    if (p->capture != CAPTURE_NO) {
        const struct cfg *cfg = types_cfg(&m->file->types, scope);
        out->at = arena_new_array(m->file->scratch, uint32_t, 16);
        for (uint32_t s = capture__step(m, p->capture); s != STEP_NONE && out->n < 16;
             s = cfg ? cfg_step_next(cfg, s) : STEP_NONE)
            add_step(out, s);
        return;
    }
    struct types_event_list all = types_events(&m->file->types, scope);
    out->at = arena_new_array(m->file->scratch, uint32_t, all.n + 1);
    names_spend(&m->file->names, all.n * p->n_patterns);
    for (size_t i = 0; i < all.n; i++)
        for (size_t k = 0; k < p->n_patterns; k++)
            if (event__test(m, &p->patterns[k], scope, &all.at[i]) != TRUTH_FALSE) {
                add_step(out, all.at[i].step);
                break;
            }
}
