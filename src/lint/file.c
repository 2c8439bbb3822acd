/*
 * Indices and facts of one file. All are made in one pass over the flat nodes, without the control
 * flow.
 */
#include "lint/file_p.h"

#include "base/path.h"
#include "base/vec.h"
#include "lint/rule_p.h"

uint32_t file__last_word(const struct lint_file *f, uint32_t node)
{
    const struct tree *t = &f->tree;
    uint32_t n = tree_kind(t, node) == PY_CALL ? tree_child(t, node, FIELD_FUNCTION) : node;
    if (tree_kind(t, n) == PY_ATTRIBUTE)
        n = tree_child(t, n, FIELD_ATTRIBUTE);
    return n && tree_kind(t, n) == PY_IDENTIFIER ? tree_node(t, n)->word : WORD_NONE;
}

/* The word that a bare name was imported from under another name: softmax for s of `from m import
 * softmax as s`. */
static uint32_t imported_word(const struct lint_file *f, uint32_t node)
{
    const struct tree *t = &f->tree;
    uint32_t function = tree_child(t, node, FIELD_FUNCTION);
    if (tree_kind(t, function) != PY_IDENTIFIER)
        return WORD_NONE;
    uint32_t binding = names_binding(&f->names, function);
    if (binding == BINDING_NONE)
        return WORD_NONE;
    for (uint32_t s = f->names.bindings[binding].first_store; s != NAME_STORE_NONE;
         s = f->names.stores[s].next) {
        const struct name_store *store = &f->names.stores[s];
        if (store->path != PATH_NONE)
            return paths_word(f->names.paths, store->path);
        /* a plain alias: V = torch.autograd.Variable */
        if (store->kind == BIND_ASSIGN && store->value &&
            tree_kind(t, store->value) == PY_ATTRIBUTE)
            return file__last_word(f, store->value);
    }
    return WORD_NONE;
}

static void index_calls(struct lint_file *f)
{
    struct node_list calls = tree_list(&f->tree, PY_CALL);
    for (size_t i = calls.n; i-- > 0;) {
        uint32_t word = file__last_word(f, calls.at[i]);
        uint32_t other = imported_word(f, calls.at[i]);
        if (other != WORD_NONE && other < f->n_words)
            word = other;
        if (word == WORD_NONE || word >= f->n_words)
            continue;
        f->next[calls.at[i]] = f->call_first[word];
        f->call_first[word] = calls.at[i];
    }
}

static void index_attributes(struct lint_file *f)
{
    struct node_list all = tree_list(&f->tree, PY_ATTRIBUTE);
    for (size_t i = all.n; i-- > 0;) {
        uint32_t word = file__last_word(f, all.at[i]);
        if (word == WORD_NONE || word >= f->n_words)
            continue;
        f->next[all.at[i]] = f->attribute_first[word];
        f->attribute_first[word] = all.at[i];
    }
}

void file__index(struct lint_file *f)
{
    f->n_words = (uint32_t)f->rules->n_words; /* no rule looks for another word */
    f->call_first = arena_new_array(f->arena, uint32_t, f->n_words);
    f->attribute_first = arena_new_array(f->arena, uint32_t, f->n_words);
    f->next = arena_new_array(f->arena, uint32_t, f->tree.n_nodes);
    index_calls(f);
    index_attributes(f);
}

void file__words(struct lint_file *f)
{
    static const uint32_t none[1];
    VEC(uint32_t) list = {0};
    if (f->words)
        return;
    struct arena_mark mark = arena_mark(f->scratch);
    size_t n_words = py_parser_word_count(f->tree.parser);
    bool *seen = arena_new_array(f->scratch, bool, n_words);
    for (uint32_t n = 0; n < f->tree.n_nodes; n++) {
        uint32_t word = tree_node(&f->tree, n)->word;
        if (word >= n_words || seen[word])
            continue;
        seen[word] = true;
        vec_push(&list, f->arena, word);
    }
    f->words = list.n ? list.at : none;
    f->n_distinct = (uint32_t)list.n;
    arena_return(f->scratch, mark);
}

uint32_t file__flow_scope_up(const struct lint_file *f, uint32_t scope)
{
    while (f->names.scopes[scope].kind == SCOPE_COMPREHENSION ||
           f->names.scopes[scope].kind == SCOPE_CLASS)
        scope = f->names.scopes[scope].parent;
    return scope;
}

uint32_t file__flow_scope(const struct lint_file *f, uint32_t node)
{
    return file__flow_scope_up(f, names_scope_at(&f->names, node));
}

/* Roles that a call may have by its last word. A call of any name may be a forward or compare a
 * loss; a read or write of any attribute may be one of gradients. */
static uint64_t roles_of_word(const struct lint_file *f, const struct rule_set *s, uint32_t word)
{
    (void)f;
    return word != WORD_NONE && word < s->n_words ? s->words[word].roles : 0;
}

struct call_edge {
    uint32_t from, to;
};

/* Roles of a function of this file are also those of scopes that call something of its name, or it
 * as a value. */
static void spread_roles(struct lint_file *f)
{
    VEC(struct call_edge) edges = {0};
    size_t n_words = py_parser_word_count(f->tree.parser);
    uint32_t *by_name = arena_new_array(f->arena, uint32_t, n_words);
    uint32_t *next = arena_new_array(f->arena, uint32_t, f->n_scopes);
    for (uint32_t s = 1; s < f->n_scopes; s++) {
        uint32_t name = f->names.scopes[s].name;
        if (name == WORD_NONE || name >= n_words)
            continue;
        next[s] = by_name[name];
        by_name[name] = s;
    }
    struct node_list calls = tree_list(&f->tree, PY_CALL);
    for (size_t i = 0; i < calls.n; i++) {
        uint32_t word = file__last_word(f, calls.at[i]),
                 value = types_value_called(&f->types, calls.at[i]);
        if (value != SCOPE_NONE)
            vec_push(&edges, f->arena, (struct call_edge){value, file__flow_scope(f, calls.at[i])});
        if (word == WORD_NONE || word >= n_words)
            continue;
        for (uint32_t s = by_name[word]; s; s = next[s])
            vec_push(&edges, f->arena, (struct call_edge){s, file__flow_scope(f, calls.at[i])});
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < edges.n; i++) {
            uint64_t more = f->scope_roles[edges.at[i].from] & ~f->scope_roles[edges.at[i].to];
            f->scope_roles[edges.at[i].to] |= more;
            changed = changed || more;
        }
    }
}

/* Roles of a function of another file that concern what it is given. */
static uint64_t roles_elsewhere(const struct lint_file *f, uint32_t call)
{
    uint64_t roles = 0;
    uint32_t function = tree_child(&f->tree, call, FIELD_FUNCTION);
    struct name_ref r = function ? names_resolve(&f->names, function) : (struct name_ref){0};
    const struct function_summary *s =
        function && r.is_exact && r.path != PATH_NONE && r.origin == NAME_IMPORT
            ? summary_set_function(f->types.options.project, r.path)
            : NULL;
    for (uint32_t i = 0; s && i < s->n_effects; i++)
        roles |= s->effects[i].may;
    return roles;
}

static void index_roles(struct lint_file *f)
{
    static const uint64_t always =
        UINT64_C(1) << ROLE_FORWARD | UINT64_C(1) << ROLE_COMPARE | UINT64_C(1) << ROLE_CREATE |
        UINT64_C(1) << ROLE_REPLACE | UINT64_C(1) << ROLE_RETURN | UINT64_C(1) << ROLE_KEEP |
        UINT64_C(1) << ROLE_SUM | UINT64_C(1) << ROLE_ESCAPE | UINT64_C(1) << ROLE_READ_GRADIENT |
        UINT64_C(1) << ROLE_WRITE_GRADIENT | UINT64_C(1) << ROLE_FREEZE |
        UINT64_C(1) << ROLE_UNFREEZE;
    const struct rule_set *s = f->rules;
    struct node_list calls = tree_list(&f->tree, PY_CALL);
    f->n_scopes = f->names.n_scopes;
    f->scope_roles = arena_new_array(f->arena, uint64_t, f->n_scopes);
    for (uint32_t i = 0; i < f->n_scopes; i++)
        f->scope_roles[i] = f->types.options.project ? always : always & f->has_roles_by_word;
    for (size_t i = 0; i < calls.n; i++)
        f->scope_roles[file__flow_scope(f, calls.at[i])] |=
            roles_of_word(f, s, file__last_word(f, calls.at[i])) |
            roles_of_word(f, s, imported_word(f, calls.at[i]));
    for (size_t i = 0; f->types.options.project && i < calls.n; i++)
        f->scope_roles[file__flow_scope(f, calls.at[i])] |= roles_elsewhere(f, calls.at[i]);
    spread_roles(f);
    f->has_roles = true;
}

bool file__may_have(struct lint_file *f, uint32_t scope, uint64_t roles)
{
    if (!f->has_roles)
        index_roles(f);
    return (f->scope_roles[scope] & roles) != 0;
}

/* Is a decorator imported, and nothing that the API data know? */
static bool is_foreign(const struct lint_file *f, uint32_t decorator)
{
    const struct tree *t = &f->tree;
    uint32_t value = tree_first(t, decorator) ? tree_bare(t, tree_first(t, decorator)) : 0;
    if (value && tree_kind(t, value) == PY_CALL)
        value = tree_child(t, value, FIELD_FUNCTION);
    struct name_ref r = value ? names_resolve(&f->names, value) : (struct name_ref){0};
    return value && r.is_exact && r.origin == NAME_IMPORT && r.path != PATH_NONE &&
           api_find(f->api, r.path) == API_NONE;
}

static bool has_own_decorator(const struct lint_file *f, uint32_t decorated)
{
    const struct tree *t = &f->tree;
    for (uint32_t c = tree_first(t, decorated); c; c = tree_next(t, c))
        if (tree_kind(t, c) == PY_DECORATOR && !is_foreign(f, c))
            return true;
    return false;
}

/* A default value of a decorated function is evaluated in the scope around it, but lies within the
 * definition: both scopes count. */
static void index_regions(struct lint_file *f)
{
    struct node_list with = tree_list(&f->tree, PY_WITH);
    struct node_list decorated = tree_list(&f->tree, PY_DECORATED);
    f->scope_has_regions = arena_new_array(f->arena, bool, f->names.n_scopes);
    for (size_t i = 0; i < with.n; i++)
        f->scope_has_regions[file__flow_scope(f, with.at[i])] = true;
    for (size_t i = 0; i < decorated.n; i++) {
        if (!has_own_decorator(f, decorated.at[i]))
            continue;
        uint32_t definition = tree_child(&f->tree, decorated.at[i], FIELD_DEFINITION);
        uint32_t scope = definition ? names_scope_of(&f->names, definition) : SCOPE_NONE;
        f->scope_has_regions[file__flow_scope(f, decorated.at[i])] = true;
        if (scope != SCOPE_NONE)
            f->scope_has_regions[scope] = true;
    }
}

bool file__may_have_regions(struct lint_file *f, uint32_t scope)
{
    if (!f->scope_has_regions)
        index_regions(f);
    return f->scope_has_regions[scope];
}

static bool is_test_path(struct str path)
{
    struct str base = path_base(path);
    return str_starts(base, STR("test_")) || str_ends(base, STR("_test.py")) ||
           str_is(base, "conftest.py") || str_is(base, "tests.py") ||
           str_find(path, STR("/tests/")) < path.n || str_find(path, STR("/test/")) < path.n ||
           str_starts(path, STR("tests/")) || str_starts(path, STR("test/")) ||
           str_find(path, STR("/testing/")) < path.n || str_find(base, STR("bench")) < base.n ||
           str_find(path, STR("/benchmark")) < path.n;
}

/* Is it a call of .cuda(), or a string that names the device: 'cuda', "cuda:0"? */
static bool has_cuda(const struct lint_file *f)
{
    const struct tree *t = &f->tree;
    uint32_t word = py_parser_find_word(t->parser, STR("cuda"));
    struct str text;
    if (str_find(f->source.text, STR("cuda")) == f->source.text.n)
        return false;
    if (word < f->n_words && f->call_first[word])
        return true;
    for (uint32_t n = 1; n < t->n_nodes; n++)
        if (tree_kind(t, n) == PY_STRING && tree_string_value(t, n, &text) &&
            str_starts(text, STR("cuda")))
            return true;
    return false;
}

static bool has_framework(const struct lint_file *f)
{
    for (uint32_t s = 0; s < f->names.n_scopes; s++) {
        if (f->names.scopes[s].kind != SCOPE_CLASS)
            continue;
        uint32_t list = tree_child(&f->tree, f->names.scopes[s].node, FIELD_SUPERCLASSES);
        for (uint32_t b = list ? tree_first(&f->tree, list) : 0; b; b = tree_next(&f->tree, b)) {
            struct name_ref ref = names_resolve(&f->names, b);
            uint32_t api = ref.is_exact ? api_find(f->api, ref.path) : API_NONE;
            if (api != API_NONE && (api_row_at(f->api, api)->traits & TRAIT_FRAMEWORK))
                return true;
        }
    }
    return false;
}

void file__facts(struct lint_file *f, bool is_fragment)
{
    if (is_test_path(f->source.path))
        f->facts |= FILE_FACT_TEST;
    if (f->source.form == SOURCE_NOTEBOOK)
        f->facts |= FILE_FACT_NOTEBOOK;
    if (is_fragment)
        f->facts |= FILE_FACT_FRAGMENT;
    if (f->tree.damage.n || f->source.repaired.n)
        f->facts |= FILE_FACT_DAMAGED;
    if (has_cuda(f))
        f->facts |= FILE_FACT_CUDA;
    if (has_framework(f))
        f->facts |= FILE_FACT_FRAMEWORK;
    for (uint32_t s = 0; s < f->names.n_scopes; s++)
        if (f->names.scopes[s].flags & SCOPE_FLAG_STAR_IMPORT)
            f->facts |= FILE_FACT_STAR_IMPORT;
}
