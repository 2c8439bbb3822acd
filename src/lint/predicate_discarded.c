/* discarded: the value of an expression is not used, because it is a statement of its own. */
#include "lint/predicate_p.h"

struct discarded_predicate {
    uint8_t node;
    bool is_pure; /* the call is known to have no other effect */
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct discarded_predicate *f = arena_new(c->arena, struct discarded_predicate);
    *out = f;
    f->is_pure = json_get_bool(j, "pure", false);
    return compile__need_capture(c, j, "discarded", &f->node, e);
}

/* Is it the last expression of a notebook cell? That is shown, which is a use. */
static bool is_shown(const struct lint_file *f, uint32_t statement)
{
    for (size_t i = 0; i < f->source.n_cells; i++) {
        struct str rest = str_sub(f->source.text, tree_node(&f->tree, statement)->end,
                                  f->source.cells[i].text_end);
        if (tree_node(&f->tree, statement)->start >= f->source.cells[i].text_at &&
            tree_node(&f->tree, statement)->end <= f->source.cells[i].text_end)
            return str_trim(rest).n == 0;
    }
    return false;
}

/* Is the receiver of a class of the project? Its methods may do anything, whatever their names. */
static bool is_own_method(const struct lint_file *f, uint32_t call)
{
    uint32_t function =
        tree_kind(&f->tree, call) == PY_CALL ? tree_child(&f->tree, call, FIELD_FUNCTION) : 0;
    return tree_kind(&f->tree, function) == PY_ATTRIBUTE && tree_first(&f->tree, function) &&
           types_is_of_own_class(&f->types, tree_first(&f->tree, function));
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct discarded_predicate *f = data;
    const struct tree *t = &m->file->tree;
    uint32_t node = capture__node(m, f->node);
    uint32_t up = tree_node(t, node)->parent;
    while (tree_kind(t, up) == PY_PARENTHESES)
        up = tree_node(t, up)->parent;
    bool is = tree_kind(t, up) == PY_EXPRESSION_STATEMENT && !is_shown(m->file, up);
    if (is && f->is_pure && is_own_method(m->file, node))
        return match_go(m, CONFIDENCE_LOW, TRUTH_UNKNOWN, r);
    return match_go(m, CONFIDENCE_HIGH, truth_of(is), r);
}

static const char *const keys[] = {"discarded", "pure"};
const struct predicate_kind predicate__discarded = {"discarded", keys, COUNT_OF(keys), compile,
                                                    run};
