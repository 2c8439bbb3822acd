/*
 * What one file tells the others: its functions, its classes and their fields, the names that it
 * imports, and the objects that a name of the module keeps.
 */
#include "python/summary_p.h"

/* ---- classes, exports, imports ---- */

static uint32_t object_of_field(const struct types *k, uint32_t scope, uint32_t word)
{
    uint32_t count, at = types__field(k, scope, word, &count);
    return types_object(k, k->cache->field_stores.at[at].value);
}

/* Adds the fields with modules that the optimizer in another field holds. */
static void add_held(const struct types *k, uint32_t scope, const struct class_summary *c,
                     struct class_field *f)
{
    uint32_t optimizer = object_of_field(k, scope, f->word);
    for (uint32_t i = 0; i < c->n_fields && i < 32 && optimizer != OBJECT_NONE; i++) {
        uint32_t module = c->fields[i].fact.type == TYPE_MODULE
                              ? object_of_field(k, scope, c->fields[i].word)
                              : (uint32_t)OBJECT_NONE;
        if (module != OBJECT_NONE && types_holds(k, optimizer, module) == TRUTH_TRUE)
            f->fact.holds |= 1u << i;
    }
}

/* Adds fields that are written once, with a parameter of __init__ or with an object that the class
 * makes. */
static void add_fields(const struct types *k, uint32_t scope, struct class_summary *c)
{
    VEC(struct class_field) fields = {0};
    uint32_t count;
    (void)types__field(k, scope, WORD_NONE, &count); /* computes the fields */
    for (uint32_t i = 0; i < k->cache->field_stores.n; i++) {
        const struct field_store s = k->cache->field_stores.at[i];
        if (s.class_scope != scope || !s.value)
            continue;
        (void)types__field(k, scope, s.word, &count);
        struct type_fact f = types_of(k, s.value);
        struct given_fact g = {.api_path = PATH_NONE,
                               .class_path = PATH_NONE,
                               .parameter = types__kept_parameter(k, scope, s.word),
                               .key = WORD_NONE};
        if (f.confidence >= CONFIDENCE_MEDIUM && f.type != TYPE_OTHER) {
            g.type = f.type;
            g.confidence = f.confidence;
            g.api_path = summary__path_of_row(k, f.api);
            g.class_path = types__class_path(k, s.value);
            g.made = summary__made(k, s.value);
        }
        if (count == 1 && (g.parameter >= 0 || g.type != TYPE_UNKNOWN))
            vec_push(&fields, k->arena, (struct class_field){s.word, g});
    }
    c->fields = fields.at;
    c->n_fields = (uint32_t)fields.n;
    for (uint32_t i = 0; i < c->n_fields; i++)
        if (fields.at[i].fact.type == TYPE_OPTIMIZER)
            add_held(k, scope, c, &fields.at[i]);
}

static void add_class(const struct types *k, uint32_t scope, struct class_summary *c)
{
    const struct tree *t = k->names->tree;
    uint32_t list = tree_child(t, k->names->scopes[scope].node, FIELD_SUPERCLASSES),
             n = list ? tree_child_count(t, list) : 0;
    uint32_t *bases = arena_new_array(k->arena, uint32_t, n);
    *c = (struct class_summary){
        .path = names__scope_path(k->names, scope),
        .line = source_line_of(t->source, t->nodes[k->names->scopes[scope].node].start),
        .bases = bases,
        .type = types__class_fact(k, scope, 0).type};
    for (uint32_t b = list ? tree_first(t, list) : 0; b; b = tree_next(t, b)) {
        if (t->nodes[b].kind == PY_KEYWORD_ARGUMENT)
            continue;
        struct name_ref r = names_resolve(k->names, b);
        bases[c->n_bases++] = r.is_exact ? r.path : (uint32_t)PATH_NONE;
        c->has_unknown_members |= !r.is_exact;
    }
    struct member_facts m = types__class_members(k, scope);
    c->traits = m.traits;
    c->has_unknown_members |= m.has_unknown;
    add_fields(k, scope, c);
}

static void add_exports(const struct types *k, struct arena *a, struct file_summary *out)
{
    const struct names *n = k->names;
    VEC(struct summary_export) exports = {0};
    VEC(uint32_t) imports = {0};
    for (uint32_t i = 0; i < n->n_stores; i++) {
        const struct name_store *s = &n->stores[i];
        if (s->kind != BIND_IMPORT || s->path == PATH_NONE)
            continue;
        vec_push(&imports, a, s->path);
        if (n->bindings[s->binding].scope == 0) {
            uint32_t path = paths_add_word(n->paths, n->module, n->bindings[s->binding].word);
            uint32_t target =
                n->options.follow ? n->options.follow(n->options.follow_ctx, s->path) : s->path;
            vec_push(&exports, a, (struct summary_export){path, target, false});
        }
    }
    for (uint32_t i = 0; i < n->n_star_imports; i++) {
        uint32_t target = n->star_imports[i];
        if (n->options.follow && target != PATH_NONE)
            target = n->options.follow(n->options.follow_ctx, target);
        vec_push(&imports, a, target);
        if (target != PATH_NONE)
            vec_push(&exports, a, (struct summary_export){n->module, target, true});
    }
    out->exports = exports.at;
    out->n_exports = (uint32_t)exports.n;
    out->imports = imports.at;
    out->n_imports = (uint32_t)imports.n;
}

/* What a call of any of the values of a dict gives. */
static struct summary_return entries_of(const struct types *k, uint32_t name, uint32_t value)
{
    enum py_kind kind = tree_kind(k->names->tree, tree_bare(k->names->tree, value));
    struct summary_return r = {
        .parameter = -1, .entry = -1, .class_path = PATH_NONE, .api_path = PATH_NONE};
    if (kind != PY_DICT && kind != PY_CALL)
        return r;
    struct type_fact f = k->queries->choice(k, name ? name : value, 0);
    r.type = f.type;
    r.api_path = summary__path_of_row(k, f.api);
    r.class_path =
        f.class_scope == SCOPE_NONE ? f.class_path : names__scope_path(k->names, f.class_scope);
    r.made = f.made;
    return r;
}

/* Adds names of the module that are bound once, to an object of a known type. */
static void add_values(const struct types *k, struct arena *a, struct file_summary *out)
{
    const struct names *n = k->names;
    VEC(struct summary_value) values = {0};
    for (uint32_t b = n->scopes[0].first_binding; b != BINDING_NONE; b = n->bindings[b].next) {
        const struct name_binding *binding = &n->bindings[b];
        if (binding->first_store == NAME_STORE_NONE ||
            binding->first_store != binding->last_store || binding->flags & BINDING_FLAG_ESCAPES)
            continue;
        const struct name_store *s = &n->stores[binding->first_store];
        if (s->kind != BIND_ASSIGN || !s->value)
            continue;
        struct type_fact f = types_of(k, s->value);
        if (f.type == TYPE_UNKNOWN || f.type == TYPE_OTHER || f.confidence < CONFIDENCE_MEDIUM)
            continue;
        struct summary_value v = {.path = paths_add_word(n->paths, n->module, binding->word),
                                  .type = f.type,
                                  .confidence = f.confidence,
                                  .api_path = summary__path_of_row(k, f.api),
                                  .class_path = types__class_path(k, s->value),
                                  .entries = entries_of(k, s->node, s->value)};
        vec_push(&values, a, v);
    }
    out->values = values.at;
    out->n_values = (uint32_t)values.n;
}

void summary_build(const struct types *k, struct arena *a, struct file_summary *out)
{
    VEC(struct function_summary) functions = {0};
    VEC(struct class_summary) classes = {0};
    *out = (struct file_summary){.module = k->names->module};
    for (uint32_t s = 1; s < k->names->n_scopes; s++) {
        if (k->names->scopes[s].kind == SCOPE_CLASS) {
            struct class_summary c;
            add_class(k, s, &c);
            vec_push(&classes, a, c);
        } else if (k->names->scopes[s].kind == SCOPE_FUNCTION) {
            const struct function_summary *f = summary_of(k, s);
            if (f)
                vec_push(&functions, a, *f);
        }
    }
    out->functions = functions.at;
    out->n_functions = (uint32_t)functions.n;
    out->classes = classes.at;
    out->n_classes = (uint32_t)classes.n;
    add_exports(k, a, out);
    add_values(k, a, out);
    summary__add_sites(k, a, out);
}
