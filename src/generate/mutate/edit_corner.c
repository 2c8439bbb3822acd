/*
 * Corners: attributes of existing nodes (N21) or of an operator inserted after a value (N21b), all
 * that the operator table lets vary in a node (N22), odd ranks and sizes (N17), the same model in
 * another opset (N19).
 */
#include "generate/mutate/edit_p.h"
#include "generate/mutate/pattern_p.h"
#include "generate/mutate/vary_p.h"
#include "onnx/op.h"

bool fits__corner_node(const struct edit *e, uint32_t at)
{
    return fits__any_node(e, at) && corner__has(edit__node(e, at));
}

bool edit__attribute_corner(struct edit *e)
{
    struct graph *g = e->b.g;
    e->bucket = str_dup(e->b.m->arena, edit__node(e, e->at)->op_type);
    for (size_t v = 0; v < g->values.n; v++)
        g->values.at[v].is_declared = false;
    return corner__change(&e->b, e->at);
}

bool edit__corner_operator(struct edit *e)
{
    size_t n;
    uint32_t first = (uint32_t)e->b.g->nodes.n;
    const struct layer_builder *list = layer__list(&n), *row = NULL;
    if (e->wanted)
        row = layer__find(e->wanted);
    if (!row)
        row = &list[builder__below(&e->b, (uint32_t)n)];
    e->bucket = row->op_type;
    uint32_t y = layer__apply(&e->b, row, e->at);
    vary__added(&e->b, first, row->op_type);
    return edit__join(e, e->at, y, first);
}

bool fits__varied_node(const struct edit *e, uint32_t at)
{
    return fits__any_node(e, at) && edit__node(e, at)->fact && edit__node(e, at)->n_inputs > 0;
}

bool edit__vary_node(struct edit *e)
{
    struct graph *g = e->b.g;
    e->bucket = str_dup(e->b.m->arena, edit__node(e, e->at)->op_type);
    for (size_t v = 0; v < g->values.n; v++)
        g->values.at[v].is_declared = false;
    return vary__node(&e->b, e->at) && builder__ok(&e->b);
}

/* Gives x an unusual shape: rank 0, dims of 1 around it, rank 6 and above, enlarged by
 * broadcasting, or empty (only in LANE_SHAPES, where the model already has a dim of 0). */
bool edit__corner_shape(struct edit *e)
{
    static const char *const forms[] = {"rank-0", "ones", "rank-6", "grow", "negative-axes"};
    struct graph_builder *b = &e->b;
    uint32_t first = (uint32_t)b->g->nodes.n, x = e->at, y;
    size_t n_rows;
    const struct layer_builder *rows = layer__list(&n_rows),
                               *row = &rows[builder__below(b, (uint32_t)n_rows)];
    struct dims p = builder__dims(b, x), d = {0};
    const char *form = ONE_OF(b, forms);
    e->bucket = form;
    builder__note(b, "then=%s", row->op_type);
    if (strcmp(form, "rank-0") == 0) {
        y = p.n == 0 ? x
                     : builder__reduce(b, "ReduceMax", layer__fit(b, "ReduceMax", x), NULL, 0, 0);
    } else if (strcmp(form, "rank-6") == 0) {
        int64_t axes[TENSOR_RANK_MAX];
        uint32_t n = p.n < 6 ? 6 - p.n + builder__below(b, 2) : 1;
        for (uint32_t i = 0; i < n; i++)
            axes[i] = i;
        y = builder__unsqueeze(b, x, axes, n);
    } else if (strcmp(form, "grow") == 0) {
        d.n = MIN(p.n + 1 + builder__below(b, 2), 7u);
        for (uint32_t i = 0; i < d.n; i++)
            d.at[i] = builder__chance(b, 75) ? 1 : 2;
        for (uint32_t i = 0; i < p.n && i < d.n; i++)
            d.at[d.n - 1 - i] = 1;
        x = layer__fit(b, "Add", x);
        y = pattern__either(b, "Add", x, builder__random(b, builder__dtype(b, x), d.at, d.n, 1));
    } else if (strcmp(form, "ones") == 0) {
        for (uint32_t i = 0; i < p.n && i < 5; i++)
            d.at[d.n++] = p.at[i];
        uint32_t at = builder__below(b, p.n + 1);
        int64_t axis = at;
        y = builder__unsqueeze(b, x, &axis, 1);
    } else {
        int64_t axis = p.n > 0 ? -1 - (int64_t)builder__below(b, p.n) : -1;
        y = p.n > 0 ? builder__slice(b, x, axis, -1, INT64_MIN, -1)
                    : builder__unsqueeze(b, x, &axis, 1);
    }
    y = layer__apply(b, row, y);
    return edit__join(e, e->at, y, first);
}

static const int opsets[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26};

/* Does every node mean the same in opset `to`? The standard's row is the same, or differs only in
 * allowed dtypes and still allows those of the node. */
static bool same_in(const struct edit *e, int to)
{
    static const char *const changed[] = {"Softmax",     "LogSoftmax",
                                          "Hardmax",     "BatchNormalization",
                                          "Dropout",     "GroupNormalization",
                                          "Resize",      "Pow",
                                          "AveragePool", "Cast",
                                          "DFT",         "Attention",
                                          "Split",       "ReduceMax",
                                          "ReduceMin",   "TopK"};
    const struct graph *g = e->b.g;
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        if (n->domain.n > 0 || !n->fact || n->op == NULL)
            return false;
        const struct op_fact *f = op_fact_find(n->domain, n->op_type, to);
        if (f == n->fact)
            continue;
        if (!f || f->deprecated || f->n_attrs != n->fact->n_attrs ||
            f->max_inputs != n->fact->max_inputs || f->min_inputs != n->fact->min_inputs ||
            f->max_outputs != n->fact->max_outputs || EDIT_IS(e, i, changed))
            return false;
        for (uint32_t k = 0; k < n->n_inputs; k++) {
            const struct op_param_fact *p = op_fact_input(f, k);
            if (n->inputs[k] != VALUE_NONE &&
                (!p || !(p->dtypes & dtype_bit(edit__value(e, n->inputs[k])->dtype))))
                return false;
        }
        for (uint32_t k = 0; k < n->n_attrs; k++) {
            if (n->attrs[k].kind == ATTR_GRAPH)
                return false;
        }
    }
    return true;
}

bool fits__other_opset(const struct edit *e, uint32_t at)
{
    (void)at;
    if (e->b.g->nodes.n == 0)
        return false;
    for (size_t i = 0; i < COUNT_OF(opsets); i++) {
        if (opsets[i] != e->b.m->opset && same_in(e, opsets[i]))
            return true;
    }
    return false;
}

bool edit__opset(struct edit *e)
{
    struct model *m = e->b.m;
    for (int attempt = 0; attempt < 20; attempt++) {
        int to = ONE_OF(&e->b, opsets);
        if (to == m->opset || !same_in(e, to))
            continue;
        builder__note(&e->b, "%d>%d", m->opset, to);
        struct model *fresh = model_new(m->arena, to);
        m->ir_version = fresh->ir_version;
        for (size_t i = 0; i < m->opsets.n; i++) {
            if (m->opsets.at[i].domain.n == 0)
                m->opsets.at[i].version = to;
        }
        m->opset = to;
        return true;
    }
    return false;
}
