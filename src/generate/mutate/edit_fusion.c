/*
 * N18, near misses of fusions: a pattern of patterns.def after any value. N20, fusion breakers: an
 * intermediate value made a graph output, an Identity on an edge, swapped operands, keepdims=0
 * followed by Unsqueeze. N20 is exact, so a difference between the two forms is a defect of the
 * optimiser.
 */
#include "generate/mutate/edit_p.h"
#include "generate/mutate/pattern_p.h"

static const struct pattern *draw_pattern(struct edit *e)
{
    size_t n;
    double weights[128];
    const struct pattern *list = pattern__list(&n);
    for (size_t i = 0; i < n && i < COUNT_OF(weights); i++) {
        if (e->wanted && strcmp(e->wanted, list[i].name) == 0)
            return &list[i];
        weights[i] = list[i].weight;
    }
    return &list[rng_weighted(e->b.r, weights, MIN(n, COUNT_OF(weights)))];
}

/* Makes one intermediate value of the new nodes a graph output; rarely, because that prevents the
 * fusion. */
static void expose_some(struct edit *e, uint32_t first)
{
    struct graph_builder *b = &e->b;
    uint32_t n_new = (uint32_t)b->g->nodes.n - first;
    if (n_new < 2 || !builder__chance(b, 12))
        return;
    const struct node *n = edit__node(e, first + builder__below(b, n_new - 1));
    uint32_t v = n->n_outputs > 0 ? n->outputs[0] : (uint32_t)VALUE_NONE;
    if (v != VALUE_NONE && edit__static(e, v) && !edit__value(e, v)->is_output &&
        !str_is(n->op_type, "Constant")) {
        graph_add_output(b->g, v);
        builder__note(b, "shown=" STR_FMT, STR_ARG(n->op_type));
    }
}

bool edit__near_miss(struct edit *e)
{
    uint32_t first = (uint32_t)e->b.g->nodes.n;
    const struct pattern *p = draw_pattern(e);
    e->bucket = p->name;
    uint32_t y = p->build(&e->b, e->at);
    if (!edit__join(e, e->at, y, first))
        return false;
    expose_some(e, first);
    return true;
}

static bool swap_operands(struct edit *e)
{
    static const char *const commutative[] = {
        "Add", "Mul",   "Max",        "Min",       "Sum",        "And", "Or",
        "Xor", "Equal", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Mean"};
    struct node *n = edit__node(e, e->at);
    if (!EDIT_IS(e, e->at, commutative) || n->n_inputs < 2)
        return false;
    uint32_t a = n->inputs[0], b = n->inputs[1];
    if (a == b)
        return false;
    edit__set_input(e, e->at, 0, b);
    edit__set_input(e, e->at, 1, a);
    return true;
}

static bool keepdims_by_unsqueeze(struct edit *e)
{
    struct graph_builder *b = &e->b;
    struct node *n = edit__node(e, e->at);
    uint32_t first = (uint32_t)b->g->nodes.n, from = n->outputs[0];
    if (!str_starts(n->op_type, STR("Reduce")) || node_int(n, "keepdims", 1) != 1)
        return false;
    struct dims d = builder__dims(b, from);
    uint32_t *out = arena_new_array(b->m->arena, uint32_t, 1);
    node_set_int(b->m, n, "keepdims", 0);
    *out = graph_add_value(b->m, b->g, STR("reduced"));
    b->g->values.at[*out].dtype = b->g->values.at[from].dtype;
    edit__node(e, e->at)->outputs = out;
    b->g->values.at[*out].origin = ORIGIN_NODE;
    b->g->values.at[*out].origin_at = e->at;
    b->n_inferred = e->at;
    uint32_t y = builder__reshape(b, *out, d.at, d.n);
    if (!builder__ok(b))
        return false;
    edit__splice(e, from, y, first);
    return true;
}

static bool identity_in_edge(struct edit *e)
{
    struct graph_builder *b = &e->b;
    struct node *n = edit__node(e, e->at);
    uint32_t i = n->n_inputs ? builder__below(b, n->n_inputs) : 0;
    if (i >= n->n_inputs || n->inputs[i] == VALUE_NONE || edit__value(e, n->inputs[i])->initializer)
        return false;
    uint32_t y = OP(b, "Identity", n->inputs[i]);
    if (!builder__ok(b))
        return false;
    edit__set_input(e, e->at, i, y);
    return true;
}

bool edit__fusion_breaker(struct edit *e)
{
    static const char *const forms[] = {"show", "swap", "identity", "keepdims"};
    const char *form = ONE_OF(&e->b, forms);
    e->bucket = form;
    if (strcmp(form, "swap") == 0 && swap_operands(e))
        return true;
    if (strcmp(form, "keepdims") == 0 && keepdims_by_unsqueeze(e))
        return true;
    if (strcmp(form, "identity") == 0 && identity_in_edge(e))
        return true;
    uint32_t v = edit__node(e, e->at)->outputs[0];
    if (edit__value(e, v)->is_output)
        return identity_in_edge(e);
    e->bucket = "show";
    graph_add_output(e->b.g, v);
    return builder__ok(&e->b);
}
