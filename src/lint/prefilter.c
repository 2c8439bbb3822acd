/*
 * Derives prefilters of checks from the rule's JSON, and decides whether a file passes them.
 *
 * Knows the keys of the predicates but runs none of them. Invariant: a clause is a necessary
 * condition. A predicate that may also hold for a reason that the file's words do not show (an
 * unknown answer that the check does not drop, code of other files of the project) adds no clause,
 * or its clause counts as met.
 */
#include "lint/prefilter_p.h"

#include "lint/rule_p.h"

struct clause_list {
    VEC(struct prefilter_clause) list;
};

struct prefilter_builder {
    struct compile *c;
    bool is_silent; /* an unknown answer ends the check */
};

/* ---- from JSON ---- */

/* The strings of a key whose value is one string or a list. */
static size_t strings_of(const struct json *j, const char *key, const struct json **first)
{
    const struct json *v = json_get(j, key);
    *first = NULL;
    if (!v || (v->kind != JSON_KIND_STRING && v->kind != JSON_KIND_ARRAY))
        return 0;
    *first = v->kind == JSON_KIND_ARRAY ? v->items : v;
    return v->kind == JSON_KIND_ARRAY ? v->n : 1;
}

static void add_word(struct compile *c, struct prefilter_clause *n, uint32_t word)
{
    VEC(uint32_t) list = {0};
    for (size_t i = 0; i < n->n_words; i++)
        if (n->words[i] == word)
            return;
    vec_reserve(&list, c->arena, n->n_words + 1);
    if (n->n_words)
        memcpy(list.at, n->words, n->n_words * sizeof *list.at);
    list.at[n->n_words++] = word;
    n->words = list.at;
}

/* A file can mean a qualified name only if it has its last word, or that of another name of the
 * same API; a name below a prefix only if it has the prefix's root, or a conventional name of a
 * module. False: no word is needed. */
bool prefilter__add_path(struct compile *c, struct prefilter_clause *n, struct str path)
{
    struct rule_set *set = c->set;
    bool is_prefix = str_ends(path, STR(".*"));
    if (is_prefix)
        path = str_sub(path, 0, path.n - 2);
    if (is_prefix && str_starts(path, STR("builtins")))
        return false;
    uint32_t id = rule_set__path(set, path);
    if (!is_prefix) {
        add_word(c, n, paths_word(set->paths, id));
        for (size_t i = 0; i < set->aliases.n; i++)
            if (set->aliases.at[i].canonical == id)
                add_word(c, n, set->aliases.at[i].word);
        return true;
    }
    size_t n_conventions;
    const struct name_convention *names = api_conventions(set->api, &n_conventions);
    add_word(c, n, rule_set__word(set, str_sub(path, 0, str_find_byte(path, '.'))));
    for (size_t i = 0; i < n_conventions; i++)
        if (paths_is_below(set->paths, names[i].path, id) ||
            paths_is_below(set->paths, id, names[i].path))
            add_word(c, n, names[i].word);
    return true;
}

static void push(struct prefilter_builder *b, struct clause_list *out, struct prefilter_clause n)
{
    if (n.n_words || n.roles || n.traits || n.types || n.facts)
        vec_push(&out->list, b->c->arena, n);
}

/* Path, method, name and attribute are alternatives. */
static void add_identity(struct prefilter_builder *b, const struct json *j, bool with_attribute,
                         struct clause_list *out)
{
    static const char *const keys[] = {"method", "name", "made-by", "attribute"};
    const struct json *text;
    struct prefilter_clause n = {0};
    bool all = true;
    size_t count = strings_of(j, "path", &text);
    for (size_t i = 0; i < count; i++)
        all = prefilter__add_path(b->c, &n, text[i].string) && all;
    for (size_t k = 0; k < COUNT_OF(keys) - !with_attribute; k++) {
        count = strings_of(j, keys[k], &text);
        for (size_t i = 0; i < count; i++)
            if (str_is(str_of(keys[k]), "made-by"))
                all = prefilter__add_path(b->c, &n, text[i].string) && all;
            else
                add_word(b->c, &n, rule_set__word(b->c->set, text[i].string));
    }
    if (all)
        push(b, out, n);
}

static uint64_t bits_of(const struct json *j, const char *key, bool (*read)(struct str, uint64_t *))
{
    const struct json *text;
    uint64_t bits = 0;
    size_t n = strings_of(j, key, &text);
    for (size_t i = 0; i < n; i++) {
        uint64_t one;
        if (read(text[i].string, &one))
            bits |= one;
    }
    return bits;
}

static bool read_role(struct str text, uint64_t *bit)
{
    enum role role;
    bool ok = role_from_name(text, &role);
    *bit = UINT64_C(1) << role;
    return ok;
}

static bool read_type(struct str text, uint64_t *bit)
{
    enum value_type type;
    bool ok = type_from_name(text, &type);
    *bit = UINT64_C(1) << type;
    return ok;
}

static void add_types(struct prefilter_builder *b, const struct json *j, const char *key,
                      struct clause_list *out)
{
    struct prefilter_clause n = {.types = (uint32_t)bits_of(j, key, read_type)};
    push(b, out, n);
}

/* Clauses of a node pattern. made-by is joined with the identity: either word is enough. */
static void add_node_pattern(struct prefilter_builder *b, const struct json *j, bool with_attribute,
                             struct clause_list *out)
{
    struct prefilter_clause roles = {.roles = bits_of(j, "role", read_role)},
                            traits = {.traits = bits_of(j, "trait", trait_from_name)};
    add_identity(b, j, with_attribute, out);
    push(b, out, roles);
    push(b, out, traits);
    if (b->is_silent) {
        add_types(b, j, "type", out);
        add_types(b, j, "of", out);
    }
}

static void add_to(struct prefilter_builder *b, struct prefilter_clause *sum,
                   const struct prefilter_clause *n)
{
    for (size_t i = 0; i < n->n_words; i++)
        add_word(b->c, sum, n->words[i]);
    sum->roles |= n->roles;
    sum->traits |= n->traits;
    sum->types |= n->types;
    sum->facts |= n->facts;
}

static void of_predicate(struct prefilter_builder *b, const struct json *j,
                         struct clause_list *out);

/* Adds one clause that holds when any of the alternatives may. An alternative without a clause may
 * always hold: then nothing is added. */
static void add_any(struct prefilter_builder *b, const struct json *list, bool are_patterns,
                    struct clause_list *out)
{
    struct prefilter_clause sum = {0};
    if (!list || list->kind != JSON_KIND_ARRAY || !list->n)
        return;
    for (size_t i = 0; i < list->n; i++) {
        struct clause_list one = {0};
        if (are_patterns)
            add_node_pattern(b, &list->items[i], true, &one);
        else
            of_predicate(b, &list->items[i], &one);
        if (!one.list.n)
            return;
        add_to(b, &sum, &one.list.at[0]);
    }
    push(b, out, sum);
}

static void of_relation(struct prefilter_builder *b, const struct json *j, struct clause_list *out)
{
    static const uint32_t with_graph = 1u << TYPE_MODULE | 1u << TYPE_CRITERION |
                                       1u << TYPE_TENSOR | 1u << TYPE_LOSS | 1u << TYPE_PARAMETER;
    static const uint32_t blended = 1u << TYPE_PARAMETERS | 1u << TYPE_STATE;
    struct str name = json_get_str(j, "relation", STR(""));
    if (!b->is_silent)
        return;
    if (str_is(name, "type") || str_is(name, "known-type"))
        add_types(b, j, "is", out);
    if (str_is(name, "has-graph"))
        push(b, out, (struct prefilter_clause){.types = with_graph});
    if (str_is(name, "blends-one"))
        push(b, out, (struct prefilter_clause){.types = blended});
}

static void of_context(struct prefilter_builder *b, const struct json *j, struct clause_list *out)
{
    struct str name = json_get_str(j, "context", STR(""));
    if (str_is(name, "cuda"))
        push(b, out, (struct prefilter_clause){.facts = FILE_FACT_CUDA});
    if (str_is(name, "framework"))
        push(b, out, (struct prefilter_clause){.facts = FILE_FACT_FRAMEWORK});
}

static void of_class(struct prefilter_builder *b, const struct json *j, struct clause_list *out)
{
    const struct json *text;
    struct prefilter_clause bases = {0}, methods = {0};
    size_t n = strings_of(j, "base", &text);
    for (size_t i = 0; b->is_silent && i < n; i++)
        (void)prefilter__add_path(b->c, &bases, text[i].string);
    n = strings_of(j, "method", &text);
    for (size_t i = 0; i < n; i++)
        add_word(b->c, &methods, rule_set__word(b->c->set, text[i].string));
    push(b, out, bases);
    push(b, out, methods);
    if (b->is_silent)
        add_types(b, j, "type", out);
}

static void of_flow(struct prefilter_builder *b, const struct json *j, struct clause_list *out)
{
    const struct json *from = json_get(j, "from");
    bool is_forward = from && from->kind == JSON_KIND_STRING;
    if (b->is_silent)
        add_any(b, is_forward ? json_get(j, "to") : from, true, out);
}

/* The pattern of the argument; if only a keyword gives it, the file has that word. A splat that may
 * give it unseen makes the answer unknown. */
static void of_argument(struct prefilter_builder *b, const struct json *j, struct clause_list *out)
{
    const struct json *text;
    struct prefilter_clause n = {0};
    size_t count = strings_of(j, "name", &text);
    if (!b->is_silent || json_get_bool(j, "missing", false))
        return;
    if (json_get(j, "is"))
        add_node_pattern(b, json_get(j, "is"), true, out);
    if (json_get(j, "at") || json_get_bool(j, "every", false))
        return;
    for (size_t i = 0; i < count; i++)
        add_word(b->c, &n, rule_set__word(b->c->set, text[i].string));
    push(b, out, n);
}

static void of_region(struct prefilter_builder *b, const struct json *j, struct clause_list *out)
{
    uint64_t traits = bits_of(j, "trait", trait_from_name);
    if (traits & TRAIT_NO_GRAD)
        traits |= TRAIT_FLAGGED_GRAD;
    if (b->is_silent)
        push(b, out, (struct prefilter_clause){.traits = traits});
}

static void of_predicate(struct prefilter_builder *b, const struct json *j, struct clause_list *out)
{
    const struct json *all = json_get(j, "all"), *part;
    for (size_t i = 0; all && i < all->n; i++)
        of_predicate(b, &all->items[i], out);
    add_any(b, json_get(j, "any"), false, out);
    if (json_get(j, "guard")) {
        const uint64_t *at = map_get(b->c->guards, json_get_str(j, "guard", STR("")));
        if (at)
            of_predicate(b, json_get((const struct json *)(uintptr_t)*at, "when"), out);
    } else if (json_get(j, "event")) {
        push(b, out, (struct prefilter_clause){.roles = bits_of(j, "role", read_role)});
        add_types(b, j, "type", out);
    } else if (json_get(j, "call")) {
        add_node_pattern(b, j, true, out);
    } else if (json_get(j, "store")) {
        if ((part = json_get(j, "target-is")))
            add_node_pattern(b, part, true, out);
        if ((part = json_get(j, "value-is")))
            add_node_pattern(b, part, true, out);
    } else if (json_get(j, "class")) {
        of_class(b, j, out);
    } else if (json_get(j, "flow")) {
        of_flow(b, j, out);
    } else if (json_get(j, "region")) {
        of_region(b, j, out);
    } else if (json_get(j, "relation")) {
        of_relation(b, j, out);
    } else if (json_get(j, "argument")) {
        of_argument(b, j, out);
    } else if (json_get(j, "context")) {
        of_context(b, j, out);
    } else if (json_get(j, "attribute")) {
        add_node_pattern(b, j, false, out);
    }
}

/* ---- of one function ---- */

static bool is_capture(const struct json *j, const char *key, struct str name)
{
    const struct json *v = json_get(j, key);
    return v && v->kind == JSON_KIND_STRING && v->string.n && str_eq(v->string, name);
}

/* The first predicate is an event: events "in" it must be in the same function. */
static void of_scope(struct prefilter_builder *b, const struct json *find, struct prefilter *out)
{
    const struct json *first = find->n ? &find->items[0] : NULL;
    struct str name = first ? json_get_str(first, "event", STR("")) : STR("");
    if (!name.n || json_get(first, "in"))
        return;
    for (size_t i = 0; i < find->n; i++) {
        const struct json *j = &find->items[i];
        uint64_t roles = bits_of(j, "role", read_role);
        if (json_get(j, "event") && (i == 0 || is_capture(j, "in", name)) &&
            out->n_scope_roles < COUNT_OF(out->scope_roles))
            out->scope_roles[out->n_scope_roles++] = roles;
        if (is_capture(j, "region", name))
            out->needs_region = true;
        if (str_is(json_get_str(j, "context", STR("")), "function") && is_capture(j, "of", name)) {
            const struct json *text;
            size_t n = strings_of(j, "like", &text);
            struct str *like = arena_new_array(b->c->arena, struct str, n);
            for (size_t k = 0; k < n; k++)
                like[k] = (struct str){str_dup(b->c->arena, text[k].string), text[k].string.n};
            out->scope_like = like;
            out->n_scope_like = n;
        }
    }
}

void prefilter__compile(struct compile *c, const struct json *find, bool unknown_is_silent,
                        struct prefilter *out)
{
    struct prefilter_builder b = {.c = c, .is_silent = unknown_is_silent};
    struct clause_list list = {0};
    *out = (struct prefilter){0};
    for (size_t i = 0; i < find->n; i++)
        of_predicate(&b, &find->items[i], &list);
    out->file = list.list.at;
    out->n_file = list.list.n;
    of_scope(&b, find, out);
}

/* ---- words ---- */

static uint32_t last_word(const struct rule_set *s, const char *name)
{
    struct str text = str_of(name);
    for (size_t dot = str_find_byte(text, '.'); dot < text.n; dot = str_find_byte(text, '.'))
        text = str_sub(text, dot + 1, text.n);
    return py_parser_find_word(s->parser, text);
}

static void add_row(struct rule_set *s, uint32_t word, const struct api_row *row)
{
    if (word >= s->n_words)
        return;
    struct word_facts *w = &s->words[word];
    w->roles |= UINT64_C(1) << row->role | UINT64_C(1) << row->role_if_false;
    w->traits |= row->traits;
    w->makes |= 1u << row->makes;
    if (row->role == ROLE_COMPARE)
        w->makes |= 1u << TYPE_CRITERION;
}

void prefilter__index_words(struct rule_set *s)
{
    s->words = arena_new_array(&s->arena, struct word_facts, s->n_words);
    for (size_t i = 0; i < api_count(s->api); i++) {
        const struct api_row *row = api_row_at(s->api, (uint32_t)i);
        uint32_t word = last_word(s, row->name);
        add_row(s, word, row);
        if (row->same_as)
            add_row(
                s, word,
                api_row_at(s->api, api_find(s->api, paths_find(s->paths, str_of(row->same_as)))));
        if (word < s->n_words)
            s->words[word].receivers |= api_receivers(s->api, word);
    }
}

/* ---- of one file ---- */

/* A module makes tensors, a criterion losses, and losses and tensors are made of each other. */
static uint32_t spread_types(uint32_t types)
{
    static const uint32_t values = 1u << TYPE_TENSOR | 1u << TYPE_LOSS | 1u << TYPE_PARAMETER;
    static const uint32_t sources =
        values | 1u << TYPE_MODULE | 1u << TYPE_CRITERION | 1u << TYPE_PARAMETERS;
    return types & sources ? types | values : types;
}

/* Types that the methods called on one object may prove: two methods; for a module, one and a
 * call. */
static uint32_t types_of_receivers(const struct lint_file *f)
{
    uint32_t once = 0, twice = 0;
    for (uint32_t w = 0; w < f->n_words; w++) {
        uint32_t bits = f->attribute_first[w] ? f->rules->words[w].receivers : 0;
        twice |= once & bits;
        once |= bits;
    }
    return twice | (once & 1u << TYPE_MODULE);
}

void prefilter__index_file(struct lint_file *f)
{
    const struct rule_set *s = f->rules;
    const struct tree *t = &f->tree;
    uint64_t *has = arena_new_array(f->arena, uint64_t, f->n_words / 64 + 1);
    uint32_t types = 1u << TYPE_NUMBER | 1u << TYPE_CONTAINER | 1u << TYPE_OTHER;
    f->has_word = has;
    f->has_roles_by_word = UINT64_C(1) << ROLE_CREATE | UINT64_C(1) << ROLE_REPLACE |
                           UINT64_C(1) << ROLE_RETURN | UINT64_C(1) << ROLE_KEEP |
                           UINT64_C(1) << ROLE_SUM | UINT64_C(1) << ROLE_ESCAPE |
                           UINT64_C(1) << ROLE_WRITE_GRADIENT;
    for (uint32_t n = 0; n < t->n_nodes; n++) {
        uint32_t word = t->nodes[n].word;
        if (word == WORD_NONE)
            continue;
        types |= 1u << api_type_of_word(s->api, t->parser, word);
        if (word < f->n_words)
            has[word / 64] |= UINT64_C(1) << (word % 64);
    }
    for (uint32_t w = 0; w < f->n_words; w++) {
        if (!(has[w / 64] >> (w % 64) & 1))
            continue;
        f->has_roles_by_word |= s->words[w].roles;
        f->has_traits |= s->words[w].traits;
        types |= s->words[w].makes;
    }
    types = spread_types(types | types_of_receivers(f));
    if (types & (1u << TYPE_MODULE))
        f->has_roles_by_word |= UINT64_C(1) << ROLE_FORWARD;
    if (types & (1u << TYPE_CRITERION))
        f->has_roles_by_word |= UINT64_C(1) << ROLE_COMPARE;
    f->has_types = types;
}

bool prefilter__clause_holds(const struct lint_file *f, const struct prefilter_clause *n)
{
    if (f->types.options.project) /* what other files define is not among these words */
        return true;
    if ((n->roles & f->has_roles_by_word) || (n->traits & f->has_traits) ||
        (n->types & f->has_types) || (n->facts & f->facts))
        return true;
    for (size_t i = 0; i < n->n_words; i++)
        if (f->has_word[n->words[i] / 64] >> (n->words[i] % 64) & 1)
            return true;
    return false;
}

bool prefilter__file_passes(const struct lint_file *f, const struct prefilter *n)
{
    for (size_t i = 0; i < n->n_file; i++)
        if (!prefilter__clause_holds(f, &n->file[i]))
            return false;
    return true;
}

static bool is_named_like(const struct lint_file *f, uint32_t node, const struct prefilter *n)
{
    uint32_t name = tree_child(&f->tree, node, FIELD_NAME);
    return name && match_is_like(n->scope_like, n->n_scope_like, tree_text(&f->tree, name));
}

/* The names of the functions and classes around, and of classes whose bodies run in it. */
static bool has_name(const struct lint_file *f, const struct prefilter *n, uint32_t scope)
{
    const struct name_scope *scopes = f->names.scopes;
    uint32_t depth = 0;
    for (uint32_t s = scope; s != SCOPE_NONE; s = scopes[s].parent, depth++)
        if ((scopes[s].kind == SCOPE_FUNCTION || scopes[s].kind == SCOPE_CLASS) &&
            is_named_like(f, scopes[s].node, n))
            return true;
    names_spend(&f->names, 4 * (uint64_t)depth + f->names.n_scopes / 4);
    for (uint32_t s = 0; s < f->names.n_scopes; s++)
        if (scopes[s].kind == SCOPE_CLASS && file__flow_scope_up(f, s) == scope &&
            is_named_like(f, scopes[s].node, n))
            return true;
    return false;
}

bool prefilter__scope_passes(struct match *m, const struct prefilter *n, uint32_t scope)
{
    for (size_t i = 0; i < n->n_scope_roles; i++)
        if (!file__may_have(m->file, scope, n->scope_roles[i]))
            return false;
    if (n->needs_region && !file__may_have_regions(m->file, scope))
        return false;
    return !n->n_scope_like || has_name(m->file, n, scope);
}
