/*
 * Who calls a function: by name, as a method of self, through super(), or by making an object.
 * Invariant: a call of self.m counts for every method of this file that it may run.
 */
#include "python/names_p.h"
#include "python/types_p.h"

static void add_site(const struct types *k, uint32_t call, uint32_t scope)
{
    struct types_cache *c = k->cache;
    vec_push(&c->sites, k->arena, (struct call_site){call, c->first_site[scope]});
    c->first_site[scope] = (uint32_t)c->sites.n - 1;
}

/* self.m(...) may run the method of each derived class that replaces it. */
static void add_overrides(const struct types *k, uint32_t call, uint32_t class_scope, uint32_t word)
{
    for (uint32_t s = types__next_below(k, class_scope, 0); s != SCOPE_NONE;
         s = types__next_below(k, class_scope, s + 1)) {
        uint32_t binding = names__find(k->names, s, word),
                 scope = binding == BINDING_NONE ? (uint32_t)SCOPE_NONE
                                                 : names_definition(k->names, binding);
        if (scope != SCOPE_NONE && k->names->scopes[scope].kind == SCOPE_FUNCTION)
            add_site(k, call, scope);
    }
}

static void find_sites(const struct types *k)
{
    struct types_cache *c = k->cache;
    struct node_list calls = tree_list(k->names->tree, PY_CALL);
    c->first_site = arena_new_array(k->arena, uint32_t, k->names->n_scopes);
    memset(c->first_site, 0xFF, k->names->n_scopes * sizeof *c->first_site);
    for (size_t i = calls.n; i-- > 0;) {
        uint32_t function = tree_child(k->names->tree, calls.at[i], FIELD_FUNCTION),
                 scope = SCOPE_NONE;
        if (!function)
            continue;
        uint32_t class_scope = types__self_class(k, function);
        struct name_ref r = names_resolve(k->names, function);
        if (class_scope != SCOPE_NONE) {
            uint32_t name = tree_child(k->names->tree, function, FIELD_ATTRIBUTE),
                     word = k->names->tree->nodes[name].word;
            scope = names_method(k->names, class_scope, word, NULL);
            add_overrides(k, calls.at[i], class_scope, word);
        } else if (r.origin == NAME_DEFINED && r.is_exact) {
            scope = names_definition_of_path(k->names, r.path);
        }
        if (scope != SCOPE_NONE && k->names->scopes[scope].kind == SCOPE_CLASS)
            scope =
                names_method(k->names, scope,
                             py_parser_find_word(k->names->tree->parser, STR("__init__")), NULL);
        if (scope == SCOPE_NONE) {
            uint32_t path;
            scope = types__super_method(k, function, &path);
        }
        if (scope == SCOPE_NONE)
            continue;
        add_site(k, calls.at[i], scope);
    }
}

uint32_t types__first_site(const struct types *k, uint32_t scope)
{
    if (!k->cache->first_site)
        find_sites(k);
    return k->cache->first_site[scope];
}
