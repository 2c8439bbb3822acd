/*
 * Control flow of each statement form (Python reference, chapters 7 and 8), as tasks pushed in
 * reverse order. Knows the order in which statements run, not what they mean.
 */
#include "python/cfg_p.h"
#include "python/names_p.h"

static void push_visit(struct cfg_builder *b, uint32_t node)
{
    if (node)
        cfg__push(b, TASK_VISIT, node, 0);
}

static void push_children(struct cfg_builder *b, uint32_t node)
{
    uint32_t first = tree_first(b->t, node);
    if (first)
        cfg__push(b, TASK_CHILDREN, first, 0);
}

static void step_after_children(struct cfg_builder *b, uint32_t node)
{
    cfg__push(b, TASK_STEP, node, STEP_EVAL);
    push_children(b, node);
}

/* ---- branches ---- */

/* `while 1`, `while True`: the condition is never false. */
static bool is_always_true(const struct tree *t, uint32_t condition)
{
    int64_t value;
    condition = tree_bare(t, condition);
    return t->nodes[condition].kind == PY_TRUE ||
           (tree_integer_value(t, condition, &value) && value != 0);
}

static void test(struct cfg_builder *b, uint32_t condition, uint32_t yes, uint32_t no, bool always)
{
    if (!always)
        cfg__push(b, TASK_EDGE, no, EDGE_FALSE);
    cfg__push(b, TASK_EDGE, yes, EDGE_TRUE);
    if (condition) {
        cfg__push(b, TASK_STEP, condition, STEP_TEST);
        cfg__push(b, TASK_VISIT, condition, 0);
    }
}

/* The body in a block of its own, then a jump to `after`; ends the block before it. */
static void push_body(struct cfg_builder *b, uint32_t start, uint32_t body, uint32_t after,
                      enum edge_kind kind)
{
    cfg__push(b, TASK_JUMP, after, kind);
    push_visit(b, body);
    cfg__push(b, TASK_START, start, 0);
    cfg__push(b, TASK_JUMP, BLOCK_NONE, 0);
}

static void visit_if(struct cfg_builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    uint32_t after = cfg__new_block(b);
    uint32_t no = cfg__new_block(b), yes = cfg__new_block(b);
    uint32_t next = 0, body = tree_child(t, node, FIELD_CONSEQUENCE);
    if (t->nodes[node].kind == PY_IF)
        next = tree_child(t, node, FIELD_ALTERNATIVE);
    else
        next = tree_next(t, node);
    while (next && t->nodes[next].kind != PY_ELIF && t->nodes[next].kind != PY_ELSE)
        next = tree_next(t, next);
    cfg__push(b, TASK_START, after, 0);
    cfg__push(b, TASK_JUMP, after, EDGE_NEXT);
    if (next)
        push_visit(b, t->nodes[next].kind == PY_ELSE ? tree_child(t, next, FIELD_BODY) : next);
    cfg__push(b, TASK_START, no, 0);
    push_body(b, yes, body, after, EDGE_NEXT);
    test(b, tree_child(t, node, FIELD_CONDITION), yes, no, false);
}

static bool is_wildcard(const struct tree *t, uint32_t clause)
{
    uint32_t pattern = tree_child_kind(t, clause, PY_CASE_PATTERN);
    return pattern && !tree_child(t, clause, FIELD_GUARD) && str_is(tree_text(t, pattern), "_");
}

static void push_case(struct cfg_builder *b, uint32_t clause, uint32_t after, uint32_t next)
{
    const struct tree *t = b->t;
    uint32_t body = cfg__new_block(b), guard = tree_child(t, clause, FIELD_GUARD);
    uint32_t condition = guard ? tree_first(t, guard) : 0;
    push_body(b, body, tree_child(t, clause, FIELD_CONSEQUENCE), after, EDGE_NEXT);
    test(b, condition, body, next, is_wildcard(t, clause));
    for (uint32_t c = tree_first(t, clause); c && t->nodes[c].kind == PY_CASE_PATTERN;
         c = tree_next(t, c))
        for (uint32_t n = t->nodes[c].next - 1; n > c; n--)
            if (t->nodes[n].kind == PY_IDENTIFIER && names_store(b->n, n) != NAME_STORE_NONE)
                cfg__push(b, TASK_STEP, n, STEP_STORE);
    if (condition)
        cfg__push(b, TASK_EDGE, next, EDGE_FALSE);
}

static void visit_match(struct cfg_builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    uint32_t after = cfg__new_block(b), body = tree_child(t, node, FIELD_BODY);
    size_t first = b->targets.n;
    for (uint32_t c = body ? tree_first(t, body) : 0; c; c = tree_next(t, c))
        if (t->nodes[c].kind == PY_CASE)
            vec_push(&b->targets, &b->work, c);
    cfg__push(b, TASK_START, after, 0);
    uint32_t next = after;
    while (b->targets.n > first) {
        uint32_t clause = vec_pop(&b->targets), start = cfg__new_block(b);
        push_case(b, clause, after, next);
        cfg__push(b, TASK_START, start, 0);
        cfg__push(b, TASK_JUMP, BLOCK_NONE, 0);
        next = start;
    }
    cfg__push(b, TASK_EDGE, next, EDGE_NEXT);
    for (uint32_t c = tree_first(t, node); c; c = tree_next(t, c))
        if (t->nodes[c].field == FIELD_SUBJECT)
            push_visit(b, c);
}

/* ---- loops ---- */

static void visit_loop(struct cfg_builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    bool is_for = t->nodes[node].kind == PY_FOR;
    uint32_t outer = b->frame, after = cfg__new_block(b), otherwise = cfg__new_block(b);
    uint32_t head = cfg__new_block(b), body = cfg__new_block(b);
    uint32_t frame = cfg__new_loop(b, node, head, after);
    uint32_t condition = is_for ? 0 : tree_child(t, node, FIELD_CONDITION);
    uint32_t alternative = tree_child_kind(t, node, PY_ELSE),
             left = is_for ? tree_child(t, node, FIELD_LEFT) : 0;
    cfg__push(b, TASK_START, after, 0);
    cfg__push(b, TASK_JUMP, after, EDGE_NEXT);
    if (alternative)
        push_visit(b, tree_child(t, alternative, FIELD_BODY));
    cfg__push(b, TASK_START, otherwise, 0);
    cfg__push(b, TASK_FRAME, outer, 0);
    cfg__push(b, TASK_JUMP, head, EDGE_BACK);
    push_visit(b, tree_child(t, node, FIELD_BODY));
    if (left)
        cfg__push(b, TASK_STORE, left, STEP_STORE);
    cfg__push(b, TASK_START, body, 0);
    cfg__push(b, TASK_JUMP, BLOCK_NONE, 0);
    test(b, condition, body, otherwise, condition && is_always_true(t, condition));
    if (is_for)
        cfg__push(b, TASK_STEP, node, STEP_NEXT);
    cfg__push(b, TASK_START, head, 0);
    cfg__push(b, TASK_FRAME, frame, 0);
    if (is_for)
        push_visit(b, tree_child(t, node, FIELD_RIGHT));
}

/* ---- with and try ---- */

static void push_items(struct cfg_builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    uint32_t clause = tree_child_kind(t, node, PY_WITH_CLAUSE);
    size_t first = b->targets.n;
    for (uint32_t c = clause ? tree_first(t, clause) : 0; c; c = tree_next(t, c))
        if (t->nodes[c].kind == PY_WITH_ITEM)
            vec_push(&b->targets, &b->work, c);
    while (b->targets.n > first) {
        uint32_t item = vec_pop(&b->targets);
        uint32_t value = tree_first(t, item) ? tree_bare(t, tree_first(t, item)) : 0;
        bool is_named = value && t->nodes[value].kind == PY_AS_PATTERN;
        if (is_named && tree_child(t, value, FIELD_ALIAS))
            cfg__push(b, TASK_STORE, tree_child(t, value, FIELD_ALIAS), STEP_STORE);
        cfg__push(b, TASK_STEP, item, STEP_ENTER);
        push_visit(b, is_named ? tree_first(t, value) : value);
    }
}

/* Is it a with contextlib.suppress(...), where some exceptions of the body end? */
static bool suppresses(const struct cfg_builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    uint32_t clause = tree_child_kind(t, node, PY_WITH_CLAUSE);
    for (uint32_t c = clause ? tree_first(t, clause) : 0; c; c = tree_next(t, c)) {
        uint32_t value = tree_first(t, c) ? tree_bare(t, tree_first(t, c)) : 0;
        uint32_t function =
            value && t->nodes[value].kind == PY_CALL ? tree_child(t, value, FIELD_FUNCTION) : 0;
        struct name_ref r = {.is_exact = false};
        if (function)
            r = names_resolve(b->n, function);
        if (r.is_exact && r.path == paths__suppress(b->n->paths))
            return true;
    }
    return false;
}

/* The body as in a try statement whose handler leaves the items, then continues after the statement
 * or raises outwards. */
static void push_suppressed(struct cfg_builder *b, uint32_t node, uint32_t frame)
{
    uint32_t outer = b->frame, join = cfg__new_block(b), dispatch = cfg__new_block(b),
             within = cfg__new_frame(b, FRAME_EXCEPT, frame, node);
    b->frames.at[within].dispatch = dispatch;
    cfg__push(b, TASK_START, join, 0);
    cfg__push(b, TASK_RAISE, outer, 0);
    cfg__push(b, TASK_EDGE, join, EDGE_NEXT);
    cfg__push(b, TASK_LEAVE_ALL, node, 0);
    cfg__push(b, TASK_START, dispatch, 0);
    cfg__push(b, TASK_JUMP, join, EDGE_NEXT);
    cfg__push(b, TASK_FRAME, outer, 0);
    cfg__push(b, TASK_LEAVE_ALL, node, 0);
    cfg__push(b, TASK_SPLIT, 0, 0);
    push_visit(b, tree_child(b->t, node, FIELD_BODY));
    cfg__push(b, TASK_SPLIT, 0, 0);
    cfg__push(b, TASK_FRAME, within, 0);
}

static void visit_with(struct cfg_builder *b, uint32_t node)
{
    uint32_t outer = b->frame, frame = cfg__new_frame(b, FRAME_WITH, outer, node);
    if (suppresses(b, node)) {
        push_suppressed(b, node, frame);
    } else {
        cfg__push(b, TASK_EXCEPTIONAL, frame, 0);
        cfg__push(b, TASK_FRAME, outer, 0);
        cfg__push(b, TASK_LEAVE_ALL, node, 0);
        cfg__push(b, TASK_SPLIT, 0, 0);
        push_visit(b, tree_child(b->t, node, FIELD_BODY));
        cfg__push(b, TASK_FRAME, frame, 0);
    }
    push_items(b, node);
}

static void push_handler(struct cfg_builder *b, uint32_t clause, uint32_t start, uint32_t join)
{
    const struct tree *t = b->t;
    uint32_t value = tree_child(t, clause, FIELD_VALUE);
    uint32_t pattern =
        value && t->nodes[tree_bare(t, value)].kind == PY_AS_PATTERN ? tree_bare(t, value) : 0;
    uint32_t target =
        pattern ? tree_child(t, pattern, FIELD_ALIAS) : tree_child(t, clause, FIELD_ALIAS);
    cfg__push(b, TASK_JUMP, join, EDGE_NEXT);
    if (target)
        cfg__push(b, TASK_STORE, target, STEP_DELETE);
    push_visit(b, tree_child_kind(t, clause, PY_BLOCK));
    if (target)
        cfg__push(b, TASK_STORE, target, STEP_STORE);
    push_visit(b, pattern ? tree_first(t, pattern) : value);
    cfg__push(b, TASK_START, start, 0);
}

/* The block that exceptions of the body reach: an edge to each handler, and one outwards when no
 * `except:` is bare. */
static void push_handlers(struct cfg_builder *b, uint32_t node, uint32_t dispatch, uint32_t join)
{
    const struct tree *t = b->t;
    bool is_caught = false;
    size_t first = b->targets.n;
    for (uint32_t c = tree_first(t, node); c; c = tree_next(t, c)) {
        if (t->nodes[c].kind != PY_EXCEPT)
            continue;
        is_caught |= !tree_child(t, c, FIELD_VALUE);
        vec_push(&b->targets, &b->work, c);
    }
    size_t n = b->targets.n - first;
    uint32_t starts = (uint32_t)b->blocks.n;
    for (size_t i = 0; i < n; i++)
        cfg__new_block(b);
    for (size_t i = 0; i < n; i++)
        push_handler(b, b->targets.at[first + i], starts + (uint32_t)i, join);
    if (is_caught)
        cfg__push(b, TASK_JUMP, BLOCK_NONE, 0);
    else
        cfg__push(b, TASK_RAISE, UINT32_MAX, 0);
    for (size_t i = 0; i < n; i++)
        cfg__push(b, TASK_EDGE, starts + (uint32_t)i, EDGE_EXCEPTION);
    cfg__push(b, TASK_START, dispatch, 0);
    b->targets.n = first;
}

static void visit_try(struct cfg_builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    uint32_t outer = b->frame, frame = outer, join = cfg__new_block(b);
    uint32_t clause = tree_child_kind(t, node, PY_FINALLY),
             otherwise = tree_child_kind(t, node, PY_ELSE);
    uint32_t last = clause ? tree_child_kind(t, clause, PY_BLOCK) : 0;
    if (last) {
        frame = cfg__new_frame(b, FRAME_FINALLY, outer, last);
        cfg__push(b, TASK_EXCEPTIONAL, frame, 0);
    }
    push_visit(b, last);
    cfg__push(b, TASK_START, join, 0);
    cfg__push(b, TASK_FRAME, outer, 0);
    uint32_t within = frame;
    bool has_handlers = tree_child_kind(t, node, PY_EXCEPT) != 0;
    if (has_handlers) {
        uint32_t dispatch = cfg__new_block(b);
        within = cfg__new_frame(b, FRAME_EXCEPT, frame, node);
        b->frames.at[within].dispatch = dispatch;
        push_handlers(b, node, dispatch, join);
    }
    cfg__push(b, TASK_JUMP, join, EDGE_NEXT);
    if (otherwise)
        push_visit(b, tree_child(t, otherwise, FIELD_BODY));
    cfg__push(b, TASK_FRAME, frame, 0);
    cfg__push(b, TASK_SPLIT, 0, 0);
    push_visit(b, tree_child(t, node, FIELD_BODY));
    cfg__push(b, TASK_SPLIT, 0, 0);
    cfg__push(b, TASK_FRAME, within, 0);
}

/* ---- definitions and simple statements ---- */

static void push_defaults(struct cfg_builder *b, uint32_t parameters)
{
    size_t first = b->targets.n;
    for (uint32_t c = parameters ? tree_first(b->t, parameters) : 0; c; c = tree_next(b->t, c))
        if (tree_child(b->t, c, FIELD_VALUE))
            vec_push(&b->targets, &b->work, tree_child(b->t, c, FIELD_VALUE));
    while (b->targets.n > first)
        push_visit(b, vec_pop(&b->targets));
}

static void visit_function(struct cfg_builder *b, uint32_t node)
{
    uint32_t name = tree_child(b->t, node, FIELD_NAME);
    if (name)
        cfg__push(b, TASK_STEP, name, STEP_STORE);
    cfg__push(b, TASK_STEP, node, STEP_EVAL);
    push_defaults(b, tree_child(b->t, node, FIELD_PARAMETERS));
}

static void visit_class(struct cfg_builder *b, uint32_t node)
{
    uint32_t name = tree_child(b->t, node, FIELD_NAME);
    if (name)
        cfg__push(b, TASK_STEP, name, STEP_STORE);
    cfg__push(b, TASK_STEP, node, STEP_EVAL);
    push_visit(b, tree_child(b->t, node, FIELD_BODY));
    push_visit(b, tree_child(b->t, node, FIELD_SUPERCLASSES));
}

static void visit_return(struct cfg_builder *b, uint32_t node)
{
    cfg__push(b, TASK_OUT, JUMP_RETURN, 0);
    step_after_children(b, node);
}

static void visit_raise(struct cfg_builder *b, uint32_t node)
{
    cfg__push(b, TASK_RAISE, UINT32_MAX, 0);
    step_after_children(b, node);
}

static void visit_assignment(struct cfg_builder *b, uint32_t node)
{
    uint32_t right = tree_child(b->t, node, FIELD_RIGHT), left = tree_child(b->t, node, FIELD_LEFT);
    if (left && right)
        cfg__push(b, TASK_STORE, left, STEP_STORE);
    push_visit(b, right);
}

static void visit_augmented(struct cfg_builder *b, uint32_t node)
{
    uint32_t left = tree_first(b->t, node);
    if (left) {
        cfg__push(b, TASK_STEP, left, STEP_STORE);
        push_visit(b, tree_child(b->t, node, FIELD_RIGHT));
        push_visit(b, left);
    }
}

static void visit_import(struct cfg_builder *b, uint32_t node)
{
    const struct tree *t = b->t;
    for (uint32_t n = t->nodes[node].next - 1; n > node; n--)
        if (t->nodes[n].kind == PY_IDENTIFIER && names_store(b->n, n) != NAME_STORE_NONE)
            cfg__push(b, TASK_STEP, n, STEP_STORE);
}

static void visit_delete(struct cfg_builder *b, uint32_t node)
{
    for (uint32_t c = tree_first(b->t, node); c; c = tree_next(b->t, c))
        cfg__push(b, TASK_STORE, c, STEP_DELETE);
}

static void visit_break(struct cfg_builder *b, uint32_t node)
{
    (void)node;
    cfg__push(b, TASK_OUT, JUMP_BREAK, 0);
}

static void visit_continue(struct cfg_builder *b, uint32_t node)
{
    (void)node;
    cfg__push(b, TASK_OUT, JUMP_CONTINUE, 0);
}

static void visit_nothing(struct cfg_builder *b, uint32_t node)
{
    (void)b;
    (void)node;
}

static const struct {
    enum py_kind kind;
    void (*visit)(struct cfg_builder *b, uint32_t node);
} forms[] = {
    {PY_BLOCK, push_children},
    {PY_EXPRESSION_STATEMENT, push_children},
    {PY_IF, visit_if},
    {PY_ELIF, visit_if},
    {PY_FOR, visit_loop},
    {PY_WHILE, visit_loop},
    {PY_TRY, visit_try},
    {PY_WITH, visit_with},
    {PY_MATCH, visit_match},
    {PY_FUNCTION, visit_function},
    {PY_CLASS, visit_class},
    {PY_DECORATED, push_children},
    {PY_DECORATOR, push_children},
    {PY_RETURN, visit_return},
    {PY_RAISE, visit_raise},
    {PY_BREAK, visit_break},
    {PY_CONTINUE, visit_continue},
    {PY_ASSIGNMENT, visit_assignment},
    {PY_AUGMENTED, visit_augmented},
    {PY_DELETE, visit_delete},
    {PY_IMPORT, visit_import},
    {PY_IMPORT_FROM, visit_import},
    {PY_FUTURE_IMPORT, visit_nothing},
    {PY_GLOBAL, visit_nothing},
    {PY_NONLOCAL, visit_nothing},
    {PY_PASS, visit_nothing},
    {PY_TYPE_ALIAS, visit_nothing},
    {PY_ASSERT, step_after_children},
    {PY_PRINT, step_after_children},
    {PY_CHEVRON, push_children},
    {PY_EXEC, step_after_children},
};

bool cfg__visit_statement(struct cfg_builder *b, uint32_t node)
{
    enum py_kind k = tree_kind(b->t, node);
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        if (forms[i].kind == k) {
            forms[i].visit(b, node);
            return true;
        }
    }
    return false;
}
