/*
 * Variables and definitions of one scope. A path that is never written gets no definitions of its
 * own, so that method names cost nothing. What a write means (value, part, element) follows from
 * the statement around its target. Solving is in flow_solve.c, queries are in flow_query.c and
 * flow_trace.c.
 */
#include "base/hash.h"
#include "python/flow_p.h"

static const char *const def_names[] = {"entry",   "parameter", "value",     "part",
                                        "element", "entered",   "augmented", "named",
                                        "prefix",  "may",       "gone",      "unknown"};

const char *def_kind_name(enum def_kind kind)
{
    return def_names[kind];
}

/* ---- variables ---- */

static uint64_t key_of(uint32_t prefix, uint32_t root_is_word, uint32_t id)
{
    return prefix == VAR_NONE ? (uint64_t)(root_is_word ? 0xFFFFFFFEu : 0xFFFFFFFFu) << 32 | id
                              : (uint64_t)prefix << 32 | id;
}

static uint64_t key_of_var(const struct flow_var *v)
{
    if (v->prefix != VAR_NONE)
        return key_of(v->prefix, 0, v->path[v->n_path - 1]);
    return v->binding == BINDING_NONE ? key_of(VAR_NONE, 1, v->root)
                                      : key_of(VAR_NONE, 0, v->binding);
}

static uint32_t slot_of(const struct flow_builder *b, uint64_t key)
{
    uint32_t mask = b->n_table - 1, at = (uint32_t)hash_mix64(key) & mask;
    while (b->table[at] && key_of_var(&b->vars.at[b->table[at] - 1]) != key)
        at = (at + 1) & mask;
    return at;
}

static uint32_t add_var(struct flow_builder *b, const struct flow_var *v)
{
    if ((b->vars.n + 1) * 2 > b->n_table) {
        b->n_table = b->n_table ? b->n_table * 2 : 64;
        b->table = arena_new_array(&b->work, uint32_t, b->n_table);
        for (uint32_t i = 0; i < b->vars.n; i++)
            b->table[slot_of(b, key_of_var(&b->vars.at[i]))] = i + 1;
    }
    uint32_t at = slot_of(b, key_of_var(v));
    if (!b->table[at]) {
        vec_push(&b->vars, &b->work, *v);
        b->table[at] = (uint32_t)b->vars.n;
    }
    return b->table[at] - 1;
}

/* The variable of a step's node: a name, or an attribute of a variable whose step came before. */
static uint32_t var_of(struct flow_builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    if (t->nodes[node].kind == PY_IDENTIFIER) {
        struct flow_var v = {.binding = names_binding(b->c->names, node),
                             .root = t->nodes[node].word,
                             .prefix = VAR_NONE};
        return v.root == WORD_NONE ? (uint32_t)VAR_NONE : add_var(b, &v);
    }
    if (t->nodes[node].kind != PY_ATTRIBUTE || !tree_first(t, node))
        return VAR_NONE;
    uint32_t object = tree_bare(t, tree_first(t, node)),
             name = tree_child(t, node, FIELD_ATTRIBUTE);
    uint32_t step = cfg_step(b->c, object);
    uint32_t prefix = step == STEP_NONE ? (uint32_t)VAR_NONE : b->step_var[step];
    if (prefix == VAR_NONE || !name || b->vars.at[prefix].n_path == FLOW_DEPTH)
        return VAR_NONE;
    struct flow_var v = b->vars.at[prefix];
    v.prefix = prefix;
    v.path[v.n_path++] = t->nodes[name].word;
    return add_var(b, &v);
}

static bool is_variable(const struct tree *t, const struct cfg_step *s)
{
    enum py_kind k = tree_kind(t, s->node);
    return (k == PY_IDENTIFIER || k == PY_ATTRIBUTE) &&
           (s->kind == STEP_EVAL || s->kind == STEP_STORE || s->kind == STEP_DELETE);
}

void flow__find_vars(struct flow_builder *b)
{
    b->step_var = arena_new_array(&b->work, uint32_t, b->c->n_steps);
    memset(b->step_var, 0xFF, b->c->n_steps * sizeof *b->step_var);
    /* An object's step comes before its attribute's, unless its block has a later place; a second
     * round finds those, and a third would change nothing that a query can see. */
    for (int round = 0; round < 2; round++)
        for (uint32_t s = 0; s < b->c->n_steps; s++)
            if (b->step_var[s] == VAR_NONE && is_variable(b->t, &b->c->steps[s]))
                b->step_var[s] = var_of(b, b->c->steps[s].node);
}

/* ---- definitions ---- */

/* The element that `a, b = x, y` gives to the target at a place of its list; 0: the value is no
 * list of as many elements, or one of them is unpacked. */
static uint32_t element_for(const struct tree *t, uint32_t targets, uint32_t value, uint32_t at)
{
    value = value ? tree_bare(t, value) : 0;
    enum py_kind k = value ? tree_kind(t, value) : PY_OTHER;
    if ((k != PY_EXPRESSION_LIST && k != PY_TUPLE && k != PY_LIST) ||
        tree_child_count(t, value) != tree_child_count(t, targets))
        return 0;
    for (uint32_t c = tree_first(t, value), d = tree_first(t, targets); c && d;
         c = tree_next(t, c), d = tree_next(t, d))
        if (tree_kind(t, c) == PY_LIST_SPLAT || tree_kind(t, d) == PY_LIST_SPLAT_PATTERN)
            return 0;
    return tree_child_at(t, value, at);
}

/* What a target gets, by the statement that contains it. */
static struct flow_def source_of(const struct flow_builder *b, uint32_t target)
{
    const struct tree *t = b->t;
    uint32_t n = target, list_at = 0, list = 0;
    bool in_list = false, is_nested = false;
    struct flow_def d = {.kind = DEF_UNKNOWN, .part = 255};
    for (;; n = t->nodes[n].parent) {
        uint32_t parent = t->nodes[n].parent;
        enum py_kind k = tree_kind(t, parent);
        if (k == PY_PATTERN_LIST || k == PY_TUPLE_PATTERN || k == PY_LIST_PATTERN ||
            k == PY_TUPLE || k == PY_LIST || k == PY_LIST_SPLAT_PATTERN ||
            k == PY_EXPRESSION_LIST) {
            is_nested |= in_list || k == PY_LIST_SPLAT_PATTERN;
            in_list = true;
            list = parent;
            list_at = 0;
            for (uint32_t c = tree_first(t, parent); c && c != n && list_at < 255;
                 c = tree_next(t, c))
                list_at++;
            continue;
        }
        if (k == PY_PARENTHESES || k == PY_AS_PATTERN_TARGET)
            continue;
        bool is_left = t->nodes[n].field == FIELD_LEFT;
        if (k == PY_ASSIGNMENT && is_left) {
            uint32_t value = tree_child(t, parent, FIELD_RIGHT);
            while (value && t->nodes[value].kind == PY_ASSIGNMENT)
                value = tree_child(t, value, FIELD_RIGHT);
            d.kind = in_list ? DEF_PART : DEF_VALUE;
            d.value = value;
        } else if (k == PY_AUGMENTED) {
            d.kind = DEF_AUGMENTED;
            d.value = tree_child(t, parent, FIELD_RIGHT);
        } else if (k == PY_NAMED) {
            d.kind = DEF_VALUE;
            d.value = tree_child(t, parent, FIELD_VALUE);
        } else if ((k == PY_FOR || k == PY_FOR_IN) && is_left) {
            d.kind = DEF_ELEMENT;
            d.value = tree_child(t, parent, FIELD_RIGHT);
        } else if (k == PY_AS_PATTERN) {
            uint32_t above = tree_bare(t, t->nodes[parent].parent);
            d.kind = t->nodes[above].kind == PY_EXCEPT ? DEF_UNKNOWN : DEF_ENTERED;
            d.value = tree_first(t, parent);
        } else if (k == PY_FUNCTION || k == PY_CLASS) {
            d.kind = DEF_NAMED;
            d.value = parent;
        } else if (k == PY_DEFAULT_PARAMETER || k == PY_TYPED_DEFAULT_PARAMETER) {
            d.kind = DEF_PARAMETER;
            d.value = tree_child(t, parent, FIELD_VALUE);
        } else if (k == PY_PARAMETERS || k == PY_LAMBDA_PARAMETERS || k == PY_TYPED_PARAMETER ||
                   k == PY_DICT_SPLAT_PATTERN) {
            d.kind = DEF_PARAMETER;
        } else if (k == PY_DOTTED_NAME || k == PY_ALIASED_IMPORT) {
            d.kind = DEF_NAMED;
            d.value = tree_statement(t, parent);
        }
        break;
    }
    if (in_list && !is_nested) {
        uint32_t element = d.kind == DEF_PART ? element_for(t, list, d.value, list_at) : 0;
        d.part = (uint8_t)list_at;
        if (element)
            d = (struct flow_def){.kind = DEF_VALUE, .value = element, .part = 255};
    }
    return d;
}

static void add_def(struct flow_builder *b, uint32_t var, uint32_t step, struct flow_def d)
{
    d.var = var;
    d.step = step;
    if (b->defs.n < MAX_DEFS)
        vec_push(&b->defs, &b->work, d);
}

/* Links each variable that is written, or is a prefix of one, to its own prefix. */
static void link_paths(struct flow_builder *b, const bool *is_written)
{
    uint32_t n = (uint32_t)b->vars.n;
    b->child = arena_new_array(&b->work, uint32_t, n);
    b->sibling = arena_new_array(&b->work, uint32_t, n);
    bool *leads = arena_new_array(&b->work, bool, n);
    memset(b->child, 0xFF, n * sizeof *b->child);
    memset(b->sibling, 0xFF, n * sizeof *b->sibling);
    for (uint32_t v = n; v-- > 0;) { /* prefixes have smaller numbers */
        uint32_t prefix = b->vars.at[v].prefix;
        if (prefix == VAR_NONE || !(leads[v] || is_written[v]))
            continue;
        leads[prefix] = true;
        b->sibling[v] = b->child[prefix];
        b->child[prefix] = v;
    }
}

/* Defines all written paths below `prefix`: a write to it, or a call, may change them. */
static void add_below(struct flow_builder *b, const bool *is_written, uint32_t prefix,
                      uint32_t step, enum def_kind kind)
{
    uint32_t v = b->child[prefix];
    while (v != VAR_NONE && b->defs.n < MAX_DEFS) {
        if (is_written[v])
            add_def(b, v, step, (struct flow_def){.kind = (uint8_t)kind, .part = 255});
        if (b->child[v] != VAR_NONE) {
            v = b->child[v];
            continue;
        }
        while (v != prefix && b->sibling[v] == VAR_NONE)
            v = b->vars.at[v].prefix;
        if (v == prefix)
            break;
        v = b->sibling[v];
    }
}

static bool is_self_method(const struct flow_builder *b, uint32_t function)
{
    const struct names *n = b->c->names;
    uint32_t object = tree_first(b->t, function),
             name = tree_child(b->t, function, FIELD_ATTRIBUTE);
    if (!object || !name || b->t->nodes[object].kind != PY_IDENTIFIER || !names_is_self(n, object))
        return false;
    uint32_t class_scope = names_class_of(n, n->bindings[names_binding(n, object)].scope);
    return class_scope != SCOPE_NONE &&
           names_method(n, class_scope, b->t->nodes[name].word, NULL) != SCOPE_NONE;
}

/* A call may write paths below what it receives: its arguments, and the object whose method is
 * called. `self.x(...)` receives self only when x is a method of the class. */
static void add_call_effects(struct flow_builder *b, const bool *is_written, uint32_t call,
                             uint32_t step)
{
    const struct tree *t = b->t;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION),
             arguments = tree_child(t, call, FIELD_ARGUMENTS);
    if (function && t->nodes[function].kind == PY_ATTRIBUTE) {
        uint32_t object = tree_bare(t, tree_first(t, function)), at = cfg_step(b->c, object);
        uint32_t var = at == STEP_NONE ? (uint32_t)VAR_NONE : b->step_var[at];
        bool is_self = t->nodes[object].kind == PY_IDENTIFIER && names_is_self(b->c->names, object);
        if (var != VAR_NONE && (!is_self || is_self_method(b, function)))
            add_below(b, is_written, var, step, DEF_MAY);
    }
    for (uint32_t c = arguments ? tree_first(t, arguments) : 0; c; c = tree_next(t, c)) {
        uint32_t value =
            t->nodes[c].kind == PY_KEYWORD_ARGUMENT ? tree_child(t, c, FIELD_VALUE) : c;
        uint32_t at = value ? cfg_step(b->c, tree_bare(t, value)) : (uint32_t)STEP_NONE;
        if (at != STEP_NONE && b->step_var[at] != VAR_NONE)
            add_below(b, is_written, b->step_var[at], step, DEF_MAY);
    }
}

/* Names that nested functions write (nonlocal, global): any call may run such a function. */
static uint32_t find_escaping(const struct flow_builder *b, const bool *is_written, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < b->vars.n; v++) {
        uint32_t binding = b->vars.at[v].binding;
        if (b->vars.at[v].n_path == 0 && is_written[v] && binding != BINDING_NONE &&
            b->c->names->bindings[binding].flags & BINDING_FLAG_ESCAPES)
            out[n++] = v;
    }
    return n;
}

static int compare_defs(const void *x, const void *y)
{
    const struct flow_def *a = x, *b = y;
    if (a->var != b->var)
        return a->var < b->var ? -1 : 1;
    if ((a->kind == DEF_ENTRY) != (b->kind == DEF_ENTRY))
        return a->kind == DEF_ENTRY ? -1 : 1;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

void flow__find_defs(struct flow_builder *b)
{
    uint32_t n_vars = (uint32_t)b->vars.n;
    bool *is_written = arena_new_array(&b->work, bool, n_vars), any_path = false;
    for (uint32_t s = 0; s < b->c->n_steps; s++) {
        enum step_kind k = (enum step_kind)b->c->steps[s].kind;
        if ((k != STEP_STORE && k != STEP_DELETE) || b->step_var[s] == VAR_NONE)
            continue;
        is_written[b->step_var[s]] = true;
        any_path |= b->vars.at[b->step_var[s]].n_path > 0;
    }
    link_paths(b, is_written);
    uint32_t *escaping = arena_new_array(&b->work, uint32_t, n_vars),
             n_escaping = find_escaping(b, is_written, escaping);
    for (uint32_t v = 0; v < n_vars; v++)
        if (is_written[v] || b->vars.at[v].prefix == VAR_NONE)
            add_def(b, v, STEP_NONE, (struct flow_def){.kind = DEF_ENTRY, .part = 255});
    for (uint32_t s = 0; s < b->c->n_steps && b->defs.n < MAX_DEFS; s++) {
        const struct cfg_step *step = &b->c->steps[s];
        uint32_t var = b->step_var[s];
        if (step->kind == STEP_STORE || step->kind == STEP_DELETE) {
            if (var == VAR_NONE)
                continue;
            struct flow_def d = step->kind == STEP_DELETE
                                    ? (struct flow_def){.kind = DEF_GONE, .part = 255}
                                    : source_of(b, step->node);
            add_def(b, var, s, d);
            if (any_path)
                add_below(b, is_written, var, s, DEF_PREFIX);
        } else if (step->kind == STEP_EVAL && b->t->nodes[step->node].kind == PY_CALL) {
            if (any_path)
                add_call_effects(b, is_written, step->node, s);
            for (uint32_t i = 0; i < n_escaping; i++)
                add_def(b, escaping[i], s, (struct flow_def){.kind = DEF_MAY, .part = 255});
        }
    }
    if (b->defs.n)
        qsort(b->defs.at, b->defs.n, sizeof *b->defs.at, compare_defs);
    for (uint32_t d = 0; d < b->defs.n; d++) {
        struct flow_var *v = &b->vars.at[b->defs.at[d].var];
        if (!v->n_defs++)
            v->first_def = d;
    }
}

void flow_build(const struct cfg *c, struct arena *a, struct flow *out)
{
    *out = (struct flow){.cfg = c, .arena = a};
    struct flow_builder b = {.f = out, .c = c, .t = c->names->tree};
    arena_init(&b.work);
    flow__find_vars(&b);
    flow__find_defs(&b);
    out->n_vars = (uint32_t)b.vars.n;
    out->vars = arena_dup(a, b.vars.at, b.vars.n * sizeof *b.vars.at);
    out->n_defs = (uint32_t)b.defs.n;
    out->defs = arena_dup(a, b.defs.at, b.defs.n * sizeof *b.defs.at);
    flow__solve(&b, a);
    arena_done(&b.work);
}
