/* inside: the node is in a syntax node of a given kind, in a class or function with a given name,
 * or in a branch whose condition is like "test". Binds the nearest one that fits. */
#include "lint/predicate_p.h"

struct inside_predicate {
    uint8_t of, at, under;
    struct node_pattern pattern;
    bool any_function; /* look beyond the innermost function */
    const struct str *test;
    size_t n_test;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct inside_predicate *f = arena_new(c->arena, struct inside_predicate);
    *out = f;
    f->any_function = json_get_bool(j, "beyond", false);
    return compile__need_capture(c, j, "inside", &f->of, e) &&
           compile__capture(c, j, "under", &f->under, e) &&
           compile__strings(c, j, "test", &f->test, &f->n_test, e) &&
           node_pattern__compile(c, j, &f->pattern, e);
}

/* Does the condition of an if, elif, while or conditional expression fit "test", where that is
 * given? */
static bool test_fits(const struct tree *t, const struct inside_predicate *f, uint32_t node)
{
    uint32_t condition = tree_kind(t, node) == PY_CONDITIONAL
                             ? tree_child_at(t, node, 1)
                             : tree_child(t, node, FIELD_CONDITION);
    return !f->n_test || (condition && match_is_like(f->test, f->n_test, tree_text(t, condition)));
}

/* `if __name__ == "__main__":` says how the file is run, not whether: no condition, unless a rule
 * asks for its text. */
static bool is_main_guard(const struct tree *t, const struct inside_predicate *f, uint32_t node)
{
    uint32_t condition = tree_kind(t, node) == PY_IF && !f->pattern.n_like
                             ? tree_child(t, node, FIELD_CONDITION)
                             : 0;
    uint32_t first = condition ? tree_first(t, tree_bare(t, condition)) : 0;
    return first && str_is(tree_text(t, first), "__name__");
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct inside_predicate *f = data;
    const struct tree *t = &m->file->tree;
    uint32_t node = capture__node(m, f->of);
    uint32_t function = f->any_function ? 0 : tree_function(t, node);
    if (capture__is_bound(m, f->under)) {
        uint32_t above = capture__node(m, f->under);
        return match_go(m, CONFIDENCE_HIGH, truth_of(tree_is_in(t, node, above)), r);
    }
    for (uint32_t up = node ? tree_node(t, node)->parent : 0; up && up != function;
         up = tree_node(t, up)->parent) {
        struct node_pattern unbound = f->pattern;
        unbound.capture = CAPTURE_NO;
        if (!test_fits(t, f, up) || is_main_guard(t, f, up))
            continue;
        struct answer a = node_pattern__test(m, &unbound, up);
        struct capture at = capture_of_node(up);
        if (a.truth == TRUTH_TRUE)
            return match_bind(m, f->pattern.capture, &at, a.confidence, a.truth, r);
    }
    return TRUTH_FALSE;
}

static const char *const keys[] = {"inside", "under", "beyond", "test", NODE_PATTERN_KEYS};
const struct predicate_kind predicate__inside = {"inside", keys, COUNT_OF(keys), compile, run};
