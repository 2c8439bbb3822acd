/*
 * Order of evaluation of expressions (Python reference 6.16), and their branches: `and`, `or`,
 * conditional expressions and comprehensions get blocks of their own only when something happens in
 * the part that may be skipped or repeated.
 */
#include "python/cfg_p.h"

static void push_visit(struct cfg_builder *b, uint32_t node)
{
    if (node)
        cfg__push(b, TASK_VISIT, node, 0);
}

/* Does evaluating the subtree do anything beyond making a value? Looks at LOOK nodes at most; more
 * count as yes. */
static bool has_effects(const struct tree *t, uint32_t node)
{
    enum { LOOK = 200 };
    uint32_t end = MIN(t->nodes[node].next, node + LOOK);
    for (uint32_t n = node; n < end; n++) {
        enum py_kind k = tree_kind(t, n);
        if (k == PY_CALL || k == PY_NAMED || k == PY_AWAIT || k == PY_YIELD)
            return true;
        if (k == PY_LAMBDA)
            n = t->nodes[n].next - 1;
    }
    return end < t->nodes[node].next;
}

static void visit_default(struct cfg_builder *b, uint32_t node)
{
    uint32_t first = tree_first(b->t, node);
    cfg__push(b, TASK_STEP, node, STEP_EVAL);
    if (first)
        cfg__push(b, TASK_CHILDREN, first, 0);
}

static void visit_boolean(struct cfg_builder *b, uint32_t node)
{
    uint32_t left = tree_child(b->t, node, FIELD_LEFT), right = tree_child(b->t, node, FIELD_RIGHT);
    if (!left || !right || !has_effects(b->t, right)) {
        visit_default(b, node);
        return;
    }
    bool is_and = b->t->nodes[node].op == PY_OP_AND;
    uint32_t more = cfg__new_block(b), after = cfg__new_block(b);
    cfg__push(b, TASK_STEP, node, STEP_EVAL);
    cfg__push(b, TASK_START, after, 0);
    push_visit(b, right);
    cfg__push(b, TASK_START, more, 0);
    cfg__push(b, TASK_JUMP, after, is_and ? EDGE_FALSE : EDGE_TRUE);
    cfg__push(b, TASK_EDGE, more, is_and ? EDGE_TRUE : EDGE_FALSE);
    cfg__push(b, TASK_STEP, left, STEP_TEST);
    push_visit(b, left);
}

static void visit_conditional(struct cfg_builder *b, uint32_t node)
{
    uint32_t yes = tree_child_at(b->t, node, 0), condition = tree_child_at(b->t, node, 1);
    uint32_t no = tree_child_at(b->t, node, 2);
    cfg__push(b, TASK_STEP, node, STEP_EVAL);
    if (!no || (!has_effects(b->t, yes) && !has_effects(b->t, no))) {
        push_visit(b, no);
        push_visit(b, yes);
        push_visit(b, condition);
        return;
    }
    uint32_t on_true = cfg__new_block(b), on_false = cfg__new_block(b), after = cfg__new_block(b);
    cfg__push(b, TASK_START, after, 0);
    push_visit(b, no);
    cfg__push(b, TASK_START, on_false, 0);
    cfg__push(b, TASK_JUMP, after, EDGE_NEXT);
    push_visit(b, yes);
    cfg__push(b, TASK_START, on_true, 0);
    cfg__push(b, TASK_JUMP, on_false, EDGE_FALSE);
    cfg__push(b, TASK_EDGE, on_true, EDGE_TRUE);
    cfg__push(b, TASK_STEP, condition, STEP_TEST);
    push_visit(b, condition);
}

/* ---- comprehensions ---- */

/* If nothing happens inside, one pass in order is enough for all iterations. */
static void visit_simple_comprehension(struct cfg_builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    size_t first = b->targets.n;
    for (uint32_t c = tree_first(t, node); c; c = tree_next(t, c))
        vec_push(&b->targets, &b->work, c);
    cfg__push(b, TASK_STEP, node, STEP_EVAL);
    push_visit(b, tree_child(t, node, FIELD_BODY));
    while (b->targets.n > first) {
        uint32_t c = vec_pop(&b->targets);
        if (t->nodes[c].kind == PY_IF_CLAUSE)
            push_visit(b, tree_first(t, c));
        if (t->nodes[c].kind != PY_FOR_IN)
            continue;
        if (tree_child(t, c, FIELD_LEFT))
            cfg__push(b, TASK_STORE, tree_child(t, c, FIELD_LEFT), STEP_STORE);
        cfg__push(b, TASK_STEP, c, STEP_NEXT);
        push_visit(b, tree_child(t, c, FIELD_RIGHT));
    }
}

/* The tasks of one for clause: a loop around what follows it, which is already on the stack. */
static void push_clause(struct cfg_builder *b, uint32_t clause, uint32_t head, uint32_t body,
                        uint32_t after, uint32_t frame)
{
    const struct tree *t = b->t;
    if (tree_child(t, clause, FIELD_LEFT))
        cfg__push(b, TASK_STORE, tree_child(t, clause, FIELD_LEFT), STEP_STORE);
    cfg__push(b, TASK_START, body, 0);
    cfg__push(b, TASK_JUMP, after, EDGE_FALSE);
    cfg__push(b, TASK_EDGE, body, EDGE_TRUE);
    cfg__push(b, TASK_STEP, clause, STEP_NEXT);
    cfg__push(b, TASK_START, head, 0);
    cfg__push(b, TASK_FRAME, frame, 0);
    push_visit(b, tree_child(t, clause, FIELD_RIGHT));
}

struct round {
    uint32_t clause, head, body, after, frame, outer;
};

/* Clauses nest from left to right; each loop ends with its own back edge. */
static void visit_comprehension(struct cfg_builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    if (!has_effects(t, node) || tree_child_count(t, node) > 32) {
        visit_simple_comprehension(b, node);
        return;
    }
    struct round rounds[32];
    uint32_t n_rounds = 0, here = b->frame, n_ifs = 0, round_of_if[32], ifs[32];
    for (uint32_t c = tree_first(t, node); c; c = tree_next(t, c)) {
        if (t->nodes[c].kind == PY_IF_CLAUSE && n_rounds) {
            round_of_if[n_ifs] = n_rounds - 1;
            ifs[n_ifs++] = c;
        }
        if (t->nodes[c].kind != PY_FOR_IN)
            continue;
        struct round r = {
            .clause = c, .outer = b->frame, .after = cfg__new_block(b), .head = cfg__new_block(b)};
        r.body = cfg__new_block(b);
        r.frame = cfg__new_loop(b, c, r.head, r.after);
        b->frame = r.frame;
        rounds[n_rounds++] = r;
    }
    b->frame = here;
    cfg__push(b, TASK_STEP, node, STEP_EVAL);
    for (uint32_t i = 0; i < n_rounds; i++) {
        cfg__push(b, TASK_START, rounds[i].after, 0);
        cfg__push(b, TASK_FRAME, rounds[i].outer, 0);
        cfg__push(b, TASK_JUMP, rounds[i].head, EDGE_BACK);
    }
    push_visit(b, tree_child(t, node, FIELD_BODY));
    for (uint32_t i = n_rounds; i-- > 0;) {
        for (uint32_t j = n_ifs; j-- > 0;) {
            if (round_of_if[j] != i)
                continue;
            cfg__push(b, TASK_START, cfg__new_block(b), 0);
            cfg__push(b, TASK_EDGE, rounds[i].head, EDGE_BACK);
            push_visit(b, tree_first(t, ifs[j]));
        }
        push_clause(b, rounds[i].clause, rounds[i].head, rounds[i].body, rounds[i].after,
                    rounds[i].frame);
    }
}

/* ---- leaves and the rest ---- */

static void visit_lambda(struct cfg_builder *b, uint32_t node)
{
    uint32_t parameters = tree_child(b->t, node, FIELD_PARAMETERS);
    cfg__push(b, TASK_STEP, node, STEP_EVAL);
    for (uint32_t c = parameters ? tree_first(b->t, parameters) : 0; c; c = tree_next(b->t, c))
        push_visit(b, tree_child(b->t, c, FIELD_VALUE));
}

static void visit_attribute(struct cfg_builder *b, uint32_t node)
{
    cfg__push(b, TASK_STEP, node, STEP_EVAL);
    push_visit(b, tree_first(b->t, node));
}

static void visit_keyword(struct cfg_builder *b, uint32_t node)
{
    push_visit(b, tree_child(b->t, node, FIELD_VALUE));
}

static void visit_named(struct cfg_builder *b, uint32_t node)
{
    uint32_t target = tree_first(b->t, node);
    cfg__push(b, TASK_STEP, node, STEP_EVAL);
    if (target && b->t->nodes[target].kind == PY_IDENTIFIER)
        cfg__push(b, TASK_STEP, target, STEP_STORE);
    push_visit(b, tree_child(b->t, node, FIELD_VALUE));
}

static void visit_leaf(struct cfg_builder *b, uint32_t node)
{
    cfg__push(b, TASK_STEP, node, STEP_EVAL);
}

static void visit_nothing(struct cfg_builder *b, uint32_t node)
{
    (void)b;
    (void)node;
}

static void visit_transparent(struct cfg_builder *b, uint32_t node)
{
    uint32_t first = tree_first(b->t, node);
    if (first)
        cfg__push(b, TASK_CHILDREN, first, 0);
}

static void (*const forms[N_PY_KINDS])(struct cfg_builder *b, uint32_t node) = {
    [PY_IDENTIFIER] = visit_leaf,
    [PY_ATTRIBUTE] = visit_attribute,
    [PY_KEYWORD_ARGUMENT] = visit_keyword,
    [PY_NAMED] = visit_named,
    [PY_BOOLEAN] = visit_boolean,
    [PY_CONDITIONAL] = visit_conditional,
    [PY_LAMBDA] = visit_lambda,
    [PY_LIST_COMPREHENSION] = visit_comprehension,
    [PY_SET_COMPREHENSION] = visit_comprehension,
    [PY_DICT_COMPREHENSION] = visit_comprehension,
    [PY_GENERATOR] = visit_comprehension,
    [PY_PARENTHESES] = visit_transparent,
    [PY_STRING] = visit_transparent,
    [PY_CONCATENATED_STRING] = visit_transparent,
    [PY_INTERPOLATION] = visit_transparent,
    [PY_FORMAT_SPECIFIER] = visit_transparent,
    [PY_ARGUMENTS] = visit_transparent,
    [PY_PAIR] = visit_transparent,
    [PY_IF_CLAUSE] = visit_transparent,
    [PY_ERROR] = visit_transparent,
    [PY_WITH_CLAUSE] = visit_transparent,
    [PY_WITH_ITEM] = visit_transparent,
    [PY_ELSE] = visit_transparent,
    [PY_FINALLY] = visit_transparent,
    [PY_EXCEPT] = visit_transparent,
    [PY_CASE] = visit_transparent,
    [PY_OTHER] = visit_transparent,
    [PY_INTEGER] = visit_nothing,
    [PY_FLOAT] = visit_nothing,
    [PY_TRUE] = visit_nothing,
    [PY_FALSE] = visit_nothing,
    [PY_NONE] = visit_nothing,
    [PY_ELLIPSIS] = visit_nothing,
    [PY_TYPE] = visit_nothing,
    [PY_TYPE_PARAMETER] = visit_nothing,
    [PY_PARAMETERS] = visit_nothing,
    [PY_LAMBDA_PARAMETERS] = visit_nothing,
    [PY_CASE_PATTERN] = visit_nothing,
};

void cfg__visit_expression(struct cfg_builder *b, uint32_t node)
{
    if (forms[tree_kind(b->t, node)])
        forms[tree_kind(b->t, node)](b, node);
    else
        visit_default(b, node);
}

/* ---- targets ---- */

static void push_target(struct cfg_builder *b, uint32_t n, enum step_kind kind)
{
    const struct tree *t = b->t;
    switch (tree_kind(t, n)) {
    case PY_IDENTIFIER:
        cfg__push(b, TASK_STEP, n, kind);
        break;
    case PY_ATTRIBUTE:
        cfg__push(b, TASK_STEP, n, kind);
        push_visit(b, tree_first(t, n));
        break;
    case PY_SUBSCRIPT: {
        uint32_t first = tree_first(t, n);
        cfg__push(b, TASK_STEP, n, kind);
        if (first)
            cfg__push(b, TASK_CHILDREN, first, 0);
        break;
    }
    case PY_TYPE:
    case PY_KEYWORD_SEPARATOR:
    case PY_POSITIONAL_SEPARATOR:
        break;
    case PY_DEFAULT_PARAMETER:
    case PY_TYPED_DEFAULT_PARAMETER:
        cfg__push(b, TASK_STORE, tree_child(t, n, FIELD_NAME), kind);
        break;
    default:
        /* A list of targets, a starred one, parameters. */
        if (!tree_first(t, n))
            break;
        for (uint32_t c = tree_first(t, n); c; c = tree_next(t, c))
            cfg__push(b, TASK_STORE, c, kind);
        break;
    }
}

void cfg__store(struct cfg_builder *b, uint32_t target, enum step_kind kind)
{
    size_t first = b->tasks.n;
    enum py_kind k = tree_kind(b->t, target);
    push_target(b, target, kind);
    if (k == PY_IDENTIFIER || k == PY_ATTRIBUTE || k == PY_SUBSCRIPT)
        return;
    for (size_t i = first, j = b->tasks.n; i + 1 < j; i++) {
        struct cfg_task swap = b->tasks.at[i];
        b->tasks.at[i] = b->tasks.at[--j];
        b->tasks.at[j] = swap;
    }
}
