/* binop: a binary operation, or an assignment with an operator such as +=. Binds both operands. */
#include "lint/predicate_p.h"

struct binop_predicate {
    uint8_t binop, left, right;
    uint64_t ops;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct binop_predicate *f = arena_new(c->arena, struct binop_predicate);
    const struct str *ops;
    size_t n;
    *out = f;
    if (!compile__strings(c, j, "op", &ops, &n, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        int op = 1;
        while (op < N_PY_OPS && !str_is(ops[i], py_op_text((enum py_op)op)))
            op++;
        if (op == N_PY_OPS)
            return compile__fail(c, json_get(j, "op"), e, "\"" STR_FMT "\" is no operator",
                                 STR_ARG(ops[i]));
        f->ops |= UINT64_C(1) << op;
    }
    return compile__capture(c, j, "binop", &f->binop, e) &&
           compile__capture(c, j, "left", &f->left, e) &&
           compile__capture(c, j, "right", &f->right, e);
}

static enum truth try_node(struct match *m, const struct binop_predicate *f, uint32_t node,
                           const struct rest *r)
{
    const struct tree *t = &m->file->tree;
    if (!((f->ops >> tree_node(t, node)->op) & 1))
        return TRUTH_FALSE;
    struct capture at = capture_of_node(node);
    struct capture left = capture_of_node(tree_child(t, node, FIELD_LEFT));
    struct capture right = capture_of_node(tree_child(t, node, FIELD_RIGHT));
    bool bind_left = f->left != CAPTURE_NO && !capture__is_bound(m, f->left);
    bool bind_right = f->right != CAPTURE_NO && !capture__is_bound(m, f->right);
    if (!left.node || !right.node)
        return TRUTH_FALSE;
    if ((f->left != CAPTURE_NO && !bind_left && capture__node(m, f->left) != left.node) ||
        (f->right != CAPTURE_NO && !bind_right && capture__node(m, f->right) != right.node))
        return TRUTH_FALSE;
    if (bind_left)
        m->captures[f->left] = left;
    if (bind_right)
        m->captures[f->right] = right;
    enum truth result = match_bind(m, f->binop, &at, CONFIDENCE_HIGH, TRUTH_TRUE, r);
    if (bind_left)
        m->captures[f->left].kind = CAPTURE_UNBOUND;
    if (bind_right)
        m->captures[f->right].kind = CAPTURE_UNBOUND;
    return result;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct binop_predicate *f = data;
    const enum py_kind kinds[] = {PY_BINARY, PY_AUGMENTED};
    const struct tree *tree = &m->file->tree;
    enum truth t = TRUTH_FALSE;
    if (capture__is_bound(m, f->binop))
        return try_node(m, f, tree_bare(tree, capture__node(m, f->binop)), r);
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        struct node_list all = tree_list(tree, kinds[k]);
        for (size_t i = 0; i < all.n && !match_is_settled(m, t); i++)
            t = truth_or(t, try_node(m, f, all.at[i], r));
    }
    return t;
}

static const char *const keys[] = {"binop", "op", "left", "right"};
const struct predicate_kind predicate__binop = {"binop", keys, COUNT_OF(keys), compile, run};
