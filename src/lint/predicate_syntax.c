/* syntax: a node of one of the given kinds, such as a comparison or a return. Binds it. */
#include "lint/predicate_p.h"

struct syntax_predicate {
    struct node_pattern pattern;
    uint8_t syntax, within;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct syntax_predicate *f = arena_new(c->arena, struct syntax_predicate);
    *out = f;
    if (!node_pattern__compile(c, j, &f->pattern, e) ||
        !compile__capture(c, j, "syntax", &f->syntax, e) ||
        !compile__capture(c, j, "in", &f->within, e))
        return false;
    return f->pattern.nodes[0] || f->pattern.nodes[1] ||
           compile__fail(c, j, e, "syntax needs \"node\"");
}

static enum truth try_node(struct match *m, const struct syntax_predicate *f, uint32_t node,
                           const struct rest *r)
{
    struct answer a = node_pattern__test(m, &f->pattern, node);
    struct capture at = capture_of_node(node);
    return a.truth == TRUTH_FALSE ? TRUTH_FALSE
                                  : match_bind(m, f->syntax, &at, a.confidence, a.truth, r);
}

/* The nodes of the pattern's kinds in the whole file, in source order; false: one of the kinds is
 * not listed. */
static bool list_nodes(struct match *m, const struct syntax_predicate *f, struct node_vec *out)
{
    enum { LISTS_MAX = 4 };
    struct node_list lists[LISTS_MAX];
    size_t n_lists = 0;
    for (unsigned k = 0; k < N_PY_KINDS; k++) {
        if (!((f->pattern.nodes[k / 64] >> (k % 64)) & 1))
            continue;
        if (!py_is_listed((enum py_kind)k) || n_lists == LISTS_MAX)
            return false;
        lists[n_lists++] = tree_list(&m->file->tree, (enum py_kind)k);
    }
    for (;;) {
        struct node_list *next = NULL;
        for (size_t i = 0; i < n_lists; i++)
            if (lists[i].n && (!next || lists[i].at[0] < next->at[0]))
                next = &lists[i];
        if (!next)
            return true;
        vec_push(&out->list, m->file->scratch, next->at[0]);
        next->at++;
        next->n--;
    }
}

static enum truth run_listed(struct match *m, const struct syntax_predicate *f,
                             const struct node_vec *nodes, const struct rest *r)
{
    enum truth result = TRUTH_FALSE;
    for (size_t i = 0; i < nodes->list.n && !match_is_settled(m, result); i++)
        result = truth_or(result, try_node(m, f, nodes->list.at[i], r));
    return result;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct syntax_predicate *f = data;
    const struct tree *t = &m->file->tree;
    uint32_t above = capture__node(m, f->within);
    enum truth result = TRUTH_FALSE;
    if (capture__is_bound(m, f->syntax))
        return try_node(m, f, capture__node(m, f->syntax), r);
    if (!above) {
        struct node_vec nodes = {0};
        struct arena_mark mark = arena_mark(m->file->scratch);
        bool is_listed = list_nodes(m, f, &nodes);
        if (is_listed)
            result = run_listed(m, f, &nodes, r);
        arena_return(m->file->scratch, mark);
        if (is_listed)
            return result;
    }
    for (uint32_t n = above; n < tree_node(t, above)->next && !match_is_settled(m, result); n++) {
        unsigned k = tree_kind(t, n);
        if ((f->pattern.nodes[k / 64] >> (k % 64)) & 1)
            result = truth_or(result, try_node(m, f, n, r));
    }
    return result;
}

static const char *const keys[] = {"syntax", "in", NODE_PATTERN_KEYS};
const struct predicate_kind predicate__syntax = {"syntax", keys, COUNT_OF(keys), compile, run};
