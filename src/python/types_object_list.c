/*
 * The numbered objects of a file, each listed once. types_object.c decides when two expressions are
 * one object.
 */
#include "python/types_p.h"

static const struct type_fact unknown_fact = {
    TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, SCOPE_NONE, 0, PATH_NONE, MADE_NOTHING};

struct object_key {
    uint32_t origin, node, root_kind, root, n_path, path[FLOW_DEPTH], scope;
};

uint32_t types__add_object(const struct types *k, const struct types_object *o)
{
    struct types_cache *c = k->cache;
    struct object_key key = {o->origin,
                             o->node,
                             o->binding == BINDING_NONE,
                             o->binding == BINDING_NONE ? o->root : o->binding,
                             o->n_path,
                             {0},
                             o->scope};
    memcpy(key.path, o->path, o->n_path * sizeof *key.path);
    uint64_t *at =
        map_at(&c->object_ids, k->arena, (struct str){(const char *)&key, sizeof key}, NULL);
    if (!*at) {
        vec_push(&c->objects, k->arena, *o);
        vec_last(&c->objects).fact = unknown_fact; /* the owner's type says nothing about it */
        *at = c->objects.n;
    }
    return (uint32_t)*at - 1;
}

const struct types_object *types_object_at(const struct types *k, uint32_t object)
{
    return &k->cache->objects.at[object];
}

uint32_t types__child(const struct types *k, uint32_t owner, uint32_t word)
{
    struct types_object o = *types_object_at(k, owner);
    if (o.n_path == FLOW_DEPTH)
        return OBJECT_NONE;
    o.path[o.n_path++] = word;
    o.owner = owner;
    return types__add_object(k, &o);
}
