/*
 * The program's optimisers: which one a rule works on, what replaces its call, and what is done to
 * all calls of a program that the rules have made. Must not know rules nor seeds.
 */
#include "generate/diffuse/diffuse_p.h"
#include "python/edit_call.h"

static struct str text_of(const struct mutation *m, uint32_t node)
{
    return tree_text(&m->was->tree, node);
}

const struct program_part *diffuse__draw_optimizer(struct mutation *m)
{
    VEC(const struct program_part *) l = {0};
    for (size_t i = 0; i < m->was->parts.n; i++) {
        const struct program_part *p = &m->was->parts.at[i];
        if (p->kind == PART_OPTIMIZER && p->model && p->row->inputs < 0 &&
            str_is(p->row->oracle, "shadow"))
            vec_push(&l, m->a, p);
    }
    return l.n ? l.at[rng_below(m->rng, l.n)] : NULL;
}

struct str diffuse__put_call(struct mutation *m, const struct program_part *p, struct str template)
{
    struct str model = p->is_decorator ? STR("f") : text_of(m, p->model);
    struct str call = p->is_decorator ? STR("f") : text_of(m, p->node);
    const struct filling f[] = {{"model", model}, {"call", call}};
    struct str text = diffuse__fill(template, f, 2, m->a);
    if (p->is_decorator)
        text = str_of(arena_printf(m->a, "@(lambda f: " STR_FMT ")", STR_ARG(text)));
    return diffuse__replace(m, p->node, text);
}

/* A call of a plain name, or print(), alone on its line, whose result nobody keeps. */
static bool is_plain_call(const struct reading *r, uint32_t statement)
{
    uint32_t call = tree_first(&r->tree, statement);
    return tree_kind(&r->tree, statement) == PY_EXPRESSION_STATEMENT &&
           tree_kind(&r->tree, call) == PY_CALL &&
           tree_kind(&r->tree, tree_child(&r->tree, call, FIELD_FUNCTION)) == PY_IDENTIFIER;
}

/* A call of the model itself, in front of its optimiser in one statement: print(f(x),
 * compile(f)(x)). */
static bool is_eager_twin(const struct reading *r, const struct program_part *p, uint32_t n)
{
    const struct tree *t = &r->tree;
    if (tree_kind(t, n) != PY_CALL || !p->model ||
        tree_statement(t, n) != tree_statement(t, p->node))
        return false;
    struct str callee = tree_text(t, tree_child(t, n, FIELD_FUNCTION));
    struct str model = tree_text(t, p->model);
    return str_find(model, callee) < model.n;
}

/* Calls in front of the first optimiser, which run the model once without it, in its own function
 * or the module: the snapshot does that too, and what raises there would keep the program from its
 * optimiser. */
struct str diffuse__drop_eager_calls(struct mutation *m)
{
    struct edit_set edits = {0};
    const struct tree *t = &m->was->tree;
    const struct program_part *first = parts_next(&m->was->parts, PART_OPTIMIZER, NULL);
    for (uint32_t n = 1; first && n < first->node; n++) {
        uint32_t function = tree_function(t, n);
        if (tree_node(t, n)->next > first->node)
            continue;
        bool is_statement =
            is_plain_call(m->was, n) && (!function || function == tree_function(t, first->node));
        if (!is_statement && !is_eager_twin(m->was, first, n))
            continue;
        edit_add(&edits, m->a, tree_node(t, n)->start, tree_node(t, n)->end,
                 is_statement ? STR("pass") : STR("None"), n);
        n = tree_node(t, n)->next - 1; /* edits do not overlap */
    }
    return edit_apply(&edits, m->was->source.text, m->a).text;
}

/* The strategy's optimiser in place of one of the program's. */
struct str diffuse__use_optimizer(struct mutation *m)
{
    const struct program_part *p = diffuse__draw_optimizer(m);
    return p ? diffuse__put_call(m, p, m->optimizer) : m->was->source.text;
}

/* torch.compile without a backend, or with the expensive one: all but one in eight become the same
 * decompositions without its compiler, and all where many operators were added, since it compiles
 * a file of C++ for nearly each of them. */
struct str diffuse__order_by_cost(struct mutation *m)
{
    enum { MANY = 3 };
    struct edit_set edits = {0};
    const struct tree *t = &m->was->tree;
    uint32_t mode = py_parser_word(t->parser, STR("mode"));
    const struct keyword cheap = {STR("backend"), STR("\"aot_eager_decomp_partition\""),
                                  py_parser_word(t->parser, STR("backend"))};
    for (size_t i = 0; i < m->was->parts.n; i++) {
        const struct program_part *p = &m->was->parts.at[i];
        if (p->kind != PART_OPTIMIZER || !str_is(p->symbol, "torch.compile") ||
            (m->n_operators < MANY && rng_below(m->rng, 8) == 0))
            continue;
        uint32_t call = p->is_decorator ? tree_first(t, p->node) : p->node;
        uint32_t given = tree_keyword(t, call, cheap.word, NULL);
        struct str backend = given                               ? text_of(m, given)
                             : tree_keyword(t, call, mode, NULL) ? STR("")
                                                                 : STR("inductor");
        if (str_find(backend, STR("inductor")) < backend.n)
            edit_set_keyword(&edits, m->a, t, call, &cheap, (uint32_t)i);
    }
    return edit_apply(&edits, m->was->source.text, m->a).text;
}
