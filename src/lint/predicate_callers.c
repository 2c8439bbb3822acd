/*
 * callers: true when all calls of the function around a node are known, there is at least one, and
 * the predicates under "every" hold for each of them. Each call is bound while they are evaluated.
 *
 * The callers are known of a function that is nested in another, is private by its name (one
 * underscore), or belongs to a program: a notebook, a file with an `if __name__`, one that calls
 * the function itself. This file must use its name for nothing but calls, and no other linted file
 * may import it; a private method belongs to its class, wherever that is imported. Whatever else
 * could call it makes the answer false: a decorator, a base class of other code, a string with its
 * name. Code in no function runs without a caller: there the answer is true.
 */
#include "lint/predicate_p.h"

struct callers_predicate {
    uint8_t caller, of;
    struct predicates every;
};

/* The function that contains the node, and where its name is bound. */
struct callee {
    uint32_t scope, node, word;
    uint32_t class_scope; /* of a method; SCOPE_NONE */
    uint32_t binding;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct callers_predicate *f = arena_new(c->arena, struct callers_predicate);
    *out = f;
    return compile__capture(c, j, "callers", &f->caller, e) &&
           compile__need_capture(c, j, "of", &f->of, e) &&
           compile__predicates(c, json_get(j, "every"), &f->every, e);
}

/* ---- what kind of function it is ---- */

static bool find_callee(const struct match *m, uint32_t scope, struct callee *out)
{
    const struct names *n = &m->file->names;
    const struct name_scope *s = &n->scopes[scope];
    if (s->kind != SCOPE_FUNCTION || s->name == WORD_NONE ||
        (s->flags & (SCOPE_FLAG_YIELDS | SCOPE_FLAG_ASYNC)) || /* runs later */
        tree_kind(&m->file->tree, tree_node(&m->file->tree, s->node)->parent) == PY_DECORATED)
        return false;
    *out = (struct callee){.scope = scope,
                           .node = s->node,
                           .word = s->name,
                           .class_scope = names_class_of(n, scope),
                           .binding = names_local(n, s->parent, s->name)};
    return out->binding != BINDING_NONE && names_definition(n, out->binding) == scope;
}

/* Base classes of other code may call the method. Those that the API data describe do not, unless
 * they are frameworks. */
static bool has_known_bases(const struct match *m, uint32_t class_scope)
{
    const struct lint_file *f = m->file;
    const struct tree *t = &f->tree;
    uint32_t list = tree_child(t, f->names.scopes[class_scope].node, FIELD_SUPERCLASSES);
    for (uint32_t b = list ? tree_first(t, list) : 0; b; b = tree_next(t, b)) {
        struct name_ref ref = names_resolve(&f->names, b);
        uint32_t api = ref.is_exact ? api_find(f->api, ref.path) : API_NONE;
        bool is_object = ref.origin == NAME_BUILTIN && str_is(tree_text(t, b), "object");
        bool is_plain_api = api != API_NONE && !(api_row_at(f->api, api)->traits & TRAIT_FRAMEWORK);
        if (!is_object && !is_plain_api)
            return false;
    }
    return true;
}

static bool is_private(struct str name)
{
    return name.n > 1 && name.at[0] == '_' && name.at[1] != '_';
}

/* `if __name__ == "__main__":` in the module itself. */
static bool has_main(const struct tree *t)
{
    for (uint32_t n = tree_first(t, 0); n; n = tree_next(t, n)) {
        uint32_t condition = tree_kind(t, n) == PY_IF ? tree_child(t, n, FIELD_CONDITION) : 0;
        struct str text = condition ? tree_text(t, condition) : (struct str){0};
        if (str_find(text, STR("__name__")) < text.n)
            return true;
    }
    return false;
}

/* The name by which other files could import it: its own, or that of the class around it. */
static struct str name_outside(const struct match *m, const struct callee *c)
{
    const struct name_scope *scopes = m->file->names.scopes;
    uint32_t scope = c->scope;
    while (scopes[scope].parent && scopes[scope].parent != SCOPE_NONE)
        scope = scopes[scope].parent;
    return py_parser_text(m->file->tree.parser, scopes[scope].name);
}

static bool is_imported(const struct match *m, struct str name)
{
    for (size_t i = 0; i < m->file->n_taken; i++)
        if (str_eq(m->file->taken[i], name))
            return true;
    return m->file->is_taken_whole && !is_private(name);
}

static bool is_closed(const struct match *m, const struct callee *c, bool is_called_by_module)
{
    const struct lint_file *f = m->file;
    struct str name = py_parser_text(f->tree.parser, c->word);
    enum scope_kind around = f->names.scopes[f->names.scopes[c->scope].parent].kind;
    if (str_starts(name, STR("__")) || (f->facts & FILE_FACT_DAMAGED))
        return false;
    if (c->class_scope != SCOPE_NONE && !has_known_bases(m, c->class_scope))
        return false;
    if (around == SCOPE_FUNCTION)
        return true;
    bool is_own_method = c->class_scope != SCOPE_NONE && is_private(name);
    bool is_program = (f->facts & FILE_FACT_NOTEBOOK) || is_called_by_module || has_main(&f->tree);
    return !(f->facts & FILE_FACT_FRAGMENT) && (is_private(name) || is_program) &&
           (is_own_method || !is_imported(m, name_outside(m, c)));
}

/* ---- its calls ---- */

/* The call whose function is this node; 0: the node is used as a value. */
static uint32_t call_by(const struct tree *t, uint32_t node)
{
    uint32_t above = tree_node(t, node)->parent;
    return tree_kind(t, above) == PY_CALL && tree_child(t, above, FIELD_FUNCTION) == node ? above
                                                                                          : 0;
}

/* The expression by which the identifier means the function; 0: it means something else. */
static uint32_t use_of(const struct match *m, const struct callee *c, uint32_t identifier)
{
    const struct tree *t = &m->file->tree;
    uint32_t above = tree_node(t, identifier)->parent;
    if (tree_kind(t, above) == PY_ATTRIBUTE && tree_child(t, above, FIELD_ATTRIBUTE) == identifier)
        return c->class_scope != SCOPE_NONE ? above : 0;
    if (tree_kind(t, above) == PY_KEYWORD_ARGUMENT &&
        tree_child(t, above, FIELD_NAME) == identifier)
        return 0;
    return names_binding(&m->file->names, identifier) == c->binding ? identifier : 0;
}

static bool is_its_name(const struct match *m, const struct callee *c, uint32_t string)
{
    struct str text;
    return tree_string_value(&m->file->tree, string, &text) &&
           str_eq(text, py_parser_text(m->file->tree.parser, c->word));
}

/* All calls but those by the function itself. False: it is also used in another way. */
static bool find_calls(struct match *m, const struct callee *c, struct node_vec *out,
                       bool *is_called_by_module)
{
    const struct lint_file *f = m->file;
    const struct tree *t = &f->tree;
    uint32_t own_name = tree_child(t, c->node, FIELD_NAME);
    bool is_sure = false;
    for (uint32_t n = 1; n < t->n_nodes; n++) {
        if (tree_kind(t, n) == PY_STRING && is_its_name(m, c, n))
            return false;
        if (tree_kind(t, n) != PY_IDENTIFIER || tree_node(t, n)->word != c->word || n == own_name)
            continue;
        uint32_t use = use_of(m, c, n), call = use ? call_by(t, use) : 0;
        if (use && !call)
            return false;
        if (!call || file__flow_scope(f, call) == c->scope)
            continue;
        is_sure = is_sure || types_call(&f->types, call).scope == c->scope;
        *is_called_by_module = *is_called_by_module || file__flow_scope(f, call) == 0;
        vec_push(&out->list, f->scratch, call);
    }
    return is_sure;
}

static enum truth ask_each(struct match *m, const struct callers_predicate *f,
                           const struct node_vec *calls)
{
    enum truth t = TRUTH_TRUE;
    for (size_t i = 0; i < calls->list.n && t != TRUTH_FALSE; i++) {
        struct capture kept = {.kind = CAPTURE_UNBOUND};
        if (f->caller != CAPTURE_NO) {
            kept = m->captures[f->caller];
            m->captures[f->caller] = capture_of_node(calls->list.at[i]);
        }
        t = truth_and(t, match_all(m, f->every));
        if (f->caller != CAPTURE_NO)
            m->captures[f->caller] = kept;
    }
    return t;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct callers_predicate *f = data;
    uint32_t node = capture__node(m, f->of), scope = node ? file__flow_scope(m->file, node) : 0;
    struct callee callee;
    struct node_vec calls = {0};
    bool is_called_by_module = false;
    if (!scope)
        return match_rest(m, r);
    if (!find_callee(m, scope, &callee) || !names_spend(&m->file->names, m->file->tree.n_nodes))
        return TRUTH_FALSE;
    struct arena_mark mark = arena_mark(m->file->scratch);
    bool is_known = find_calls(m, &callee, &calls, &is_called_by_module) &&
                    is_closed(m, &callee, is_called_by_module);
    enum truth t = is_known ? ask_each(m, f, &calls) : TRUTH_FALSE;
    arena_return(m->file->scratch, mark);
    return match_go(m, CONFIDENCE_HIGH, t, r);
}

static const char *const keys[] = {"callers", "of", "every"};
const struct predicate_kind predicate__callers = {"callers", keys, COUNT_OF(keys), compile, run};
