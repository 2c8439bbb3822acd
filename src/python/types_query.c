/*
 * The queries that depend on each other: the type of a value depends on what a call calls, which
 * depends on the type of the receiver. Each query goes through the table that types_build sets, so
 * that each file answers one query and includes no other file.
 *
 * Nesting is bounded in depth (TYPES_DEPTH) and in number (TYPES_BUDGET). Beyond that the answer is
 * "unknown", and `cut` tells the outer queries that theirs are incomplete.
 */
#include "python/types_p.h"

struct type_fact types_of(const struct types *k, uint32_t node)
{
    return k->queries->type(k, node);
}

struct call_fact types_call(const struct types *k, uint32_t call)
{
    return k->queries->call(k, call);
}

uint32_t types_object(const struct types *k, uint32_t node)
{
    return k->queries->object(k, node);
}

struct types_event_list types_events(const struct types *k, uint32_t scope)
{
    return k->queries->events(k, scope);
}

const struct function_summary *summary_of(const struct types *k, uint32_t scope)
{
    return k->queries->summary(k, scope);
}

/* ---- bounds ---- */

bool types__enter(const struct types *k)
{
    struct types_cache *c = k->cache;
    if (c->depth == 0) {
        c->budget = TYPES_BUDGET;
        c->cut = 0;
    }
    if (c->depth >= TYPES_DEPTH || !c->budget) {
        c->cut |= CUT_LIMIT;
        return false;
    }
    c->depth++;
    c->budget--;
    return true;
}

void types__leave(const struct types *k)
{
    k->cache->depth--;
}

/* ---- scopes ---- */

static struct scope_facts *scope_in(const struct types *k, uint32_t scope, struct scope_facts **s)
{
    if (!*s)
        *s = arena_new(k->arena, struct scope_facts);
    if ((*s)->flow_state == SCOPE_NOT_ASKED) {
        bool ok = cfg_build(k->names, scope, &cfg_default_limits, k->arena, &(*s)->cfg);
        if (ok && s == &k->cache->assumed)
            k->queries->prune(k, &(*s)->cfg);
        if (ok)
            flow_build(&(*s)->cfg, k->arena, &(*s)->flow);
        (*s)->flow_state = ok && (*s)->flow.is_known ? SCOPE_READY : SCOPE_TOO_LARGE;
    }
    return *s;
}

struct scope_facts *types__plain_scope(const struct types *k, uint32_t scope)
{
    return scope_in(k, scope, &k->cache->scopes[scope]);
}

struct scope_facts *types__scope(const struct types *k, uint32_t scope)
{
    const struct assumption *a = k->options.assumed;
    return a && a->scope == scope && !k->cache->n_plain ? scope_in(k, scope, &k->cache->assumed)
                                                        : types__plain_scope(k, scope);
}

const struct cfg *types_cfg(const struct types *k, uint32_t scope)
{
    struct scope_facts *s = types__scope(k, scope);
    return s->flow_state == SCOPE_READY ? &s->cfg : NULL;
}

const struct flow *types_flow(const struct types *k, uint32_t scope)
{
    struct scope_facts *s = types__scope(k, scope);
    return s->flow_state == SCOPE_READY ? &s->flow : NULL;
}

uint32_t types__flow_scope(const struct types *k, uint32_t node)
{
    uint32_t scope = names_scope_at(k->names, node);
    while (k->names->scopes[scope].kind == SCOPE_COMPREHENSION)
        scope = k->names->scopes[scope].parent;
    return scope;
}
