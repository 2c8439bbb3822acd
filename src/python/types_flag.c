/*
 * Flags: parameters whose value a call gives as a literal (True, None, "train", or nothing, so that
 * the default holds), and the conditions of a function that such a value decides.
 *
 * Invariant: a condition is decided only from a parameter that its function never sets, and from
 * names that are set once, to such a condition.
 */
#include "base/hash.h"
#include "python/types_p.h"

enum { TEST_DEPTH = 6 };

/* ---- constants ---- */

static struct constant text_constant(struct str text)
{
    struct hash h = hash_of(text.at, text.n);
    return (struct constant){CONSTANT_TEXT, (uint32_t)hash_prefix(&h)};
}

static bool is_object(enum value_type type)
{
    return type == TYPE_MODULE || type == TYPE_OPTIMIZER || type == TYPE_SCHEDULER ||
           type == TYPE_SCALER || type == TYPE_CRITERION;
}

static struct constant literal(const struct types *k, uint32_t node)
{
    const struct tree *t = k->names->tree;
    struct constant out = {CONSTANT_UNKNOWN, 0};
    struct str text;
    bool value;
    node = tree_bare(t, node);
    if (tree_bool_value(t, node, &value))
        out.kind = value ? CONSTANT_TRUE : CONSTANT_FALSE;
    else if (tree_kind(t, node) == PY_NONE)
        out.kind = CONSTANT_NONE;
    else if (tree_kind(t, node) == PY_STRING && tree_string_value(t, node, &text))
        out = text_constant(text);
    return out;
}

struct constant types__constant(const struct types *k, uint32_t node)
{
    struct constant out = literal(k, node);
    struct type_fact f = types_of(k, node);
    if (out.kind == CONSTANT_UNKNOWN && is_object(f.type) && f.confidence >= CONFIDENCE_MEDIUM)
        out.kind = CONSTANT_OBJECT;
    return out;
}

struct constant types__constant_given(const struct types *k, uint32_t call, uint32_t node,
                                      const struct flag *flag)
{
    bool is_splat = false, is_unseen = false;
    if (node)
        return types__constant(k, node);
    (void)tree_argument_count(k->names->tree, call, &is_splat);
    (void)tree_keyword(k->names->tree, call, WORD_NONE, &is_unseen);
    return is_splat || is_unseen ? (struct constant){CONSTANT_UNKNOWN, 0} : flag->absent;
}

struct constant types__default(const struct types *k, uint32_t scope, unsigned parameter)
{
    const struct tree *t = k->names->tree;
    uint32_t list = tree_child(t, k->names->scopes[scope].node, FIELD_PARAMETERS);
    uint32_t words[GIVEN_MAX];
    unsigned n = types__parameters(k, scope, words, GIVEN_MAX);
    for (uint32_t c = list ? tree_first(t, list) : 0; c; c = tree_next(t, c)) {
        uint32_t name = tree_child(t, c, FIELD_NAME), value = tree_child(t, c, FIELD_VALUE);
        if (name && value && parameter < n && t->nodes[name].word == words[parameter])
            return literal(k, value);
    }
    return (struct constant){CONSTANT_UNKNOWN, 0};
}

bool constant_equal(struct constant a, struct constant b)
{
    return a.kind == b.kind && a.text == b.text;
}

/* ---- conditions ---- */

/* The parameter of the scope that the node names, if nothing sets it; -1. */
static int parameter_named(const struct types *k, uint32_t scope, uint32_t node)
{
    if (tree_kind(k->names->tree, node) != PY_IDENTIFIER)
        return -1;
    uint32_t at = names_binding(k->names, node);
    const struct name_binding *b = at == BINDING_NONE ? NULL : &k->names->bindings[at];
    bool is_plain = b && b->scope == scope && b->flags & BINDING_FLAG_PARAMETER &&
                    b->first_store == b->last_store;
    return is_plain ? types__parameter_at(k, scope, b->word) : -1;
}

/* What a name of the scope is set to, if that happens once; 0. */
static uint32_t only_value(const struct types *k, uint32_t scope, uint32_t node)
{
    uint32_t at = tree_kind(k->names->tree, node) == PY_IDENTIFIER ? names_binding(k->names, node)
                                                                   : (uint32_t)BINDING_NONE;
    const struct name_binding *b = at == BINDING_NONE ? NULL : &k->names->bindings[at];
    if (!b || b->scope != scope || b->flags || b->first_store == NAME_STORE_NONE ||
        b->first_store != b->last_store)
        return 0;
    const struct name_store *s = &k->names->stores[b->first_store];
    return s->kind == BIND_ASSIGN ? s->value : 0;
}

static bool is_comparison(const struct types *k, uint32_t scope, uint32_t node,
                          struct flag_test *out)
{
    const struct tree *t = k->names->tree;
    enum py_op op = (enum py_op)t->nodes[node].op;
    uint32_t left = tree_first(t, node), right = left ? tree_next(t, left) : 0;
    if (!right || tree_next(t, right))
        return false;
    int parameter = parameter_named(k, scope, tree_bare(t, left));
    struct constant c = literal(k, right);
    bool is_identity = op == PY_OP_IS || op == PY_OP_IS_NOT,
         is_equality = op == PY_OP_EQUAL || op == PY_OP_NOT_EQUAL;
    if (parameter < 0 || (!is_identity && !is_equality))
        return false;
    *out = (struct flag_test){.parameter = (uint8_t)parameter};
    out->is_negated = op == PY_OP_IS_NOT || op == PY_OP_NOT_EQUAL;
    if (c.kind == CONSTANT_NONE) {
        out->kind = FLAG_PRESENCE;
        out->is_negated = !out->is_negated;
    } else if (c.kind == CONSTANT_TEXT && is_equality) {
        out->kind = FLAG_TEXT;
        out->text = c.text;
    } else if (c.kind == CONSTANT_TRUE || c.kind == CONSTANT_FALSE) {
        out->kind = FLAG_TRUTH;
        out->is_negated ^= c.kind == CONSTANT_FALSE;
    } else {
        return false;
    }
    return true;
}

bool types__flag_test(const struct types *k, uint32_t scope, uint32_t node, struct flag_test *out)
{
    const struct tree *t = k->names->tree;
    bool is_negated = false, found = false;
    for (unsigned depth = 0; node && depth < TEST_DEPTH && !found; depth++) {
        node = tree_bare(t, node);
        int parameter = parameter_named(k, scope, node);
        enum py_kind kind = tree_kind(t, node);
        if (parameter >= 0) {
            *out = (struct flag_test){.kind = FLAG_TRUTH, .parameter = (uint8_t)parameter};
            found = true;
        } else if (kind == PY_COMPARE) {
            found = is_comparison(k, scope, node, out);
            node = 0;
        } else if (kind == PY_NOT) {
            is_negated = !is_negated;
            node = tree_first(t, node);
        } else {
            node = only_value(k, scope, node);
        }
    }
    if (found)
        out->is_negated ^= is_negated;
    return found;
}

enum truth types__test_of(const struct flag_test *test, struct constant c)
{
    enum truth t = TRUTH_UNKNOWN;
    if (c.kind == CONSTANT_UNKNOWN)
        return t;
    if (test->kind == FLAG_PRESENCE)
        t = truth_of(c.kind != CONSTANT_NONE);
    else if (test->kind == FLAG_TEXT && c.kind != CONSTANT_OBJECT)
        t = truth_of(c.kind == CONSTANT_TEXT && c.text == test->text);
    else if (test->kind == FLAG_TRUTH)
        t = truth_of(c.kind == CONSTANT_TRUE || c.kind == CONSTANT_OBJECT ||
                     (c.kind == CONSTANT_TEXT && c.text != text_constant(STR("")).text));
    return test->is_negated ? truth_not(t) : t;
}

/* A value of the parameter for which the test is true. */
static struct constant value_for(const struct flag_test *test)
{
    if (test->kind == FLAG_TEXT)
        return (struct constant){CONSTANT_TEXT, test->is_negated ? ~test->text : test->text};
    if (test->kind == FLAG_PRESENCE)
        return (struct constant){test->is_negated ? CONSTANT_NONE : CONSTANT_OBJECT, 0};
    return (struct constant){test->is_negated ? CONSTANT_FALSE : CONSTANT_TRUE, 0};
}

static enum truth evaluate(const struct types *k, const struct assumption *a, uint32_t node,
                           unsigned depth)
{
    const struct tree *t = k->names->tree;
    struct flag_test test;
    node = tree_bare(t, node);
    if (depth > TEST_DEPTH)
        return TRUTH_UNKNOWN;
    if (tree_kind(t, node) == PY_NOT && tree_first(t, node))
        return truth_not(evaluate(k, a, tree_first(t, node), depth + 1));
    if (tree_kind(t, node) == PY_BOOLEAN) {
        uint32_t left = tree_child(t, node, FIELD_LEFT), right = tree_child(t, node, FIELD_RIGHT);
        enum truth x = left ? evaluate(k, a, left, depth + 1) : TRUTH_UNKNOWN,
                   y = right ? evaluate(k, a, right, depth + 1) : TRUTH_UNKNOWN;
        return t->nodes[node].op == PY_OP_AND ? truth_and(x, y) : truth_or(x, y);
    }
    if (!types__flag_test(k, a->scope, node, &test))
        return TRUTH_UNKNOWN;
    for (unsigned i = 0; i < a->n; i++)
        if (a->flags[i].parameter == test.parameter)
            return types__test_of(&test, a->value[i]);
    return TRUTH_UNKNOWN;
}

enum truth types__decide(const struct types *k, uint32_t node)
{
    const struct assumption *a = k->options.assumed;
    return a && types__flow_scope(k, node) == a->scope ? evaluate(k, a, node, 0) : TRUTH_UNKNOWN;
}

/* ---- what a condition guards ---- */

/* The condition of the branch that the node is; *is_no: it runs where that is false. */
static uint32_t condition_above(const struct tree *t, uint32_t node, bool *is_no)
{
    uint32_t above = t->nodes[node].parent;
    enum py_kind kind = tree_kind(t, above);
    *is_no = false;
    if (kind == PY_IF || kind == PY_ELIF) {
        *is_no = tree_kind(t, node) == PY_ELIF || tree_kind(t, node) == PY_ELSE;
        bool is_branch = *is_no || t->nodes[node].field == FIELD_CONSEQUENCE;
        return is_branch ? tree_child(t, above, FIELD_CONDITION) : 0;
    }
    if (kind != PY_CONDITIONAL)
        return 0;
    *is_no = node == tree_child_at(t, above, 2);
    return *is_no || node == tree_child_at(t, above, 0) ? tree_child_at(t, above, 1) : 0;
}

/* The test that must be true where the condition is: the condition, or one side of its `and`. */
static bool is_needed(const struct types *k, uint32_t scope, uint32_t condition,
                      struct flag_test *out)
{
    const struct tree *t = k->names->tree;
    condition = tree_bare(t, condition);
    bool is_and = tree_kind(t, condition) == PY_BOOLEAN && t->nodes[condition].op == PY_OP_AND;
    if (!is_and)
        return types__flag_test(k, scope, condition, out);
    uint32_t left = tree_child(t, condition, FIELD_LEFT),
             right = tree_child(t, condition, FIELD_RIGHT);
    return (left && types__flag_test(k, scope, left, out)) ||
           (right && types__flag_test(k, scope, right, out));
}

bool types__guard_of(const struct types *k, uint32_t scope, uint32_t node, struct flag_test *out)
{
    const struct tree *t = k->names->tree;
    for (uint32_t n = node; n && n != k->names->scopes[scope].node; n = t->nodes[n].parent) {
        bool is_no;
        uint32_t condition = condition_above(t, n, &is_no);
        if (!condition || !(is_no ? types__flag_test(k, scope, condition, out)
                                  : is_needed(k, scope, condition, out)))
            continue;
        out->is_negated ^= is_no;
        return true;
    }
    return false;
}

/* ---- flow ---- */

/* Marks the edges that are never taken; false: all may be. */
static bool find_dead(const struct types *k, const struct assumption *a, const struct cfg *c,
                      bool *dead)
{
    bool any = false;
    for (uint32_t i = 0; i < c->n_blocks; i++) {
        const struct cfg_block *b = &c->blocks[i];
        if (b->first == b->end || c->steps[b->end - 1].kind != STEP_TEST)
            continue;
        enum truth t = evaluate(k, a, c->steps[b->end - 1].node, 0);
        for (uint32_t e = b->first_out; t != TRUTH_UNKNOWN && e < b->first_out + b->n_out; e++) {
            dead[e] = c->out[e].kind == (t == TRUTH_TRUE ? EDGE_FALSE : EDGE_TRUE);
            any |= dead[e];
        }
    }
    return any;
}

static uint32_t count_edges(const struct cfg *c)
{
    return c->n_blocks ? c->blocks[c->n_blocks - 1].first_out + c->blocks[c->n_blocks - 1].n_out
                       : 0;
}

const bool *types__dead_if(const struct types *k, uint32_t scope, const struct flag_test *test,
                           struct arena *a)
{
    const struct cfg *c = types_cfg(k, scope);
    struct assumption one = {.scope = scope, .n = 1};
    one.flags[0].parameter = test->parameter;
    one.value[0] = value_for(test);
    bool *dead = c ? arena_new_array(a, bool, count_edges(c)) : NULL;
    if (dead)
        (void)find_dead(k, &one, c, dead);
    return dead;
}

void types__query_prune(const struct types *k, struct cfg *c)
{
    struct arena work;
    arena_init(&work);
    bool *dead = arena_new_array(&work, bool, count_edges(c));
    if (find_dead(k, k->options.assumed, c, dead))
        cfg_prune(c, dead, k->arena);
    arena_done(&work);
}

bool types_is_dead(const struct types *k, uint32_t node)
{
    const struct assumption *a = k->options.assumed;
    const struct tree *t = k->names->tree;
    if (!a || !tree_is_in(t, node, k->names->scopes[a->scope].node))
        return false;
    const struct cfg *c = types_cfg(k, a->scope);
    for (uint32_t n = node; c && n && n != k->names->scopes[a->scope].node;
         n = t->nodes[n].parent) {
        uint32_t step = cfg_step(c, n);
        if (step != STEP_NONE)
            return !c->blocks[c->steps[step].block].is_reachable;
    }
    return false;
}
