/*
 * What the uses of a place (a name, or attributes of one) show about its type: the methods called
 * on it, each counted once, and the uses that rule a type out. One pass over the calls of the file.
 */
#include "python/types_p.h"

struct place_key {
    uint32_t root_kind; /* 0: a binding; 1: an unbound word; 2: self of a class */
    uint32_t root, n_path, path[FLOW_DEPTH];
};

/* The key of a name or of attributes of one; false for other expressions. */
static bool place_of(const struct types *k, uint32_t node, struct place_key *key)
{
    const struct tree *t = k->names->tree;
    uint32_t words[FLOW_DEPTH], n = 0;
    *key = (struct place_key){0};
    for (;; node = tree_first(t, node)) {
        uint32_t name =
            tree_kind(t, node) == PY_ATTRIBUTE ? tree_child(t, node, FIELD_ATTRIBUTE) : 0;
        uint32_t word = name ? t->nodes[name].word : types__key(k, node);
        if (word == WORD_NONE || !tree_first(t, node))
            break;
        if (n == FLOW_DEPTH)
            return false;
        words[n++] = word;
    }
    if (t->nodes[node].kind != PY_IDENTIFIER)
        return false;
    uint32_t binding = names_binding(k->names, node);
    key->root_kind = binding == BINDING_NONE;
    key->root = binding == BINDING_NONE ? t->nodes[node].word : binding;
    if (n && names_is_self(k->names, node)) {
        key->root_kind = 2;
        key->root = k->names->scopes[k->names->bindings[binding].scope].parent;
    }
    key->n_path = n;
    for (uint32_t i = 0; i < n; i++)
        key->path[i] = words[n - 1 - i];
    return true;
}

static struct evidence *evidence_at(const struct types *k, const struct place_key *key)
{
    struct types_cache *c = k->cache;
    uint64_t *at =
        map_at(&c->evidence_of, k->arena, (struct str){(const char *)key, sizeof *key}, NULL);
    if (!*at) {
        vec_push(&c->evidence, k->arena, (struct evidence){0});
        *at = c->evidence.n;
    }
    return &c->evidence.at[*at - 1];
}

struct use_key {
    struct place_key place;
    uint32_t word;
};

/* A step with an action is that of an environment: an optimizer's takes only a closure. */
static bool is_contrary_step(const struct types *k, const struct api_row *row, uint32_t call)
{
    const struct tree *t = k->names->tree;
    uint32_t argument = tree_argument(t, call, 0, NULL);
    if (row->role != ROLE_STEP || !argument || row->subject != SUBJECT_RECEIVER)
        return false;
    if (t->nodes[argument].kind == PY_LAMBDA)
        return false;
    return t->nodes[argument].kind != PY_IDENTIFIER ||
           names_definition(k->names, names_binding(k->names, argument)) == SCOPE_NONE;
}

static void add_use(const struct types *k, struct map *seen, uint32_t call)
{
    const struct tree *t = k->names->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    struct use_key key = {.word = WORD_NONE};
    uint32_t place = function, name = 0;
    if (function && t->nodes[function].kind == PY_ATTRIBUTE) {
        place = tree_first(t, function);
        name = tree_child(t, function, FIELD_ATTRIBUTE);
        key.word = name ? t->nodes[name].word : (uint32_t)WORD_NONE;
    }
    if (!place)
        return;
    bool added;
    if (name && api_receivers(k->api, key.word) && place_of(k, place, &key.place)) {
        map_at(seen, k->arena, (struct str){(const char *)&key, sizeof key}, &added);
        struct evidence *e = evidence_at(k, &key.place);
        uint32_t receivers = api_receivers(k->api, key.word);
        for (unsigned type = 1; receivers >> type; type++) {
            if (!(receivers >> type & 1))
                continue;
            uint32_t api = api_find_method(k->api, (enum value_type)type, key.word);
            const struct api_row *row = api_row_at(k->api, api);
            if (api == API_NONE || row->receiver != (enum value_type)type)
                continue;
            if (row->makes == TYPE_OTHER || is_contrary_step(k, row, call))
                e->contrary |= 1u << type;
            else if (added && !(row->traits & TRAIT_IGNORES_NAME) && e->n[type] < 255)
                e->n[type]++;
            e->has_backward |= row->role == ROLE_BACKWARD && type == TYPE_LOSS;
        }
    }
    /* Being called with arguments is one fact for a module. */
    uint32_t arguments = tree_child(t, call, FIELD_ARGUMENTS);
    key.word = WORD_NONE;
    if (arguments && tree_first(t, arguments) && place_of(k, function, &key.place)) {
        map_at(seen, k->arena, (struct str){(const char *)&key, sizeof key}, &added);
        struct evidence *e = evidence_at(k, &key.place);
        if (added && e->n[TYPE_MODULE] < 255)
            e->n[TYPE_MODULE]++;
    }
}

const struct evidence *types__evidence(const struct types *k, uint32_t node)
{
    struct types_cache *c = k->cache;
    if (!c->has_evidence) {
        struct map seen = {0};
        struct node_list calls = tree_list(k->names->tree, PY_CALL);
        c->has_evidence = true;
        for (size_t i = 0; i < calls.n; i++)
            add_use(k, &seen, calls.at[i]);
    }
    struct place_key key;
    if (!place_of(k, node, &key))
        return NULL;
    const uint64_t *at = map_get(&c->evidence_of, (struct str){(const char *)&key, sizeof key});
    return at ? &c->evidence.at[*at - 1] : NULL;
}
