/*
 * Shapes: SM runs a layer on a padded or cropped input and brings its result back; DM runs a layer
 * on another rank; N13 makes a dim of the inputs symbolic, so that shapes are computed.
 */
#include "generate/mutate/edit_p.h"
#include "generate/mutate/layer_p.h"

bool fits__has_data_input(const struct edit *e, uint32_t at)
{
    static const char *const not_these[] = {"Constant",        "Shape", "Size",  "Reshape",
                                            "Identity",        "If",    "Loop",  "Scan",
                                            "ConstantOfShape", "Range", "Gather"};
    const struct node *n = edit__node(e, at);
    return n->n_inputs > 0 && n->inputs[0] != VALUE_NONE && n->n_outputs == 1 &&
           edit__float(e, n->inputs[0]) && edit__float(e, n->outputs[0]) &&
           !edit__value(e, n->inputs[0])->initializer &&
           edit__value(e, n->inputs[0])->shape.rank >= 1 && edit__is_used(e, n->outputs[0]) &&
           edit__count(e, n->inputs[0]) > 0 && edit__count(e, n->inputs[0]) < 1 << 16 &&
           !EDIT_IS(e, at, not_these);
}

/* Lengthens the axis of x by Pad, or shortens it by Slice. */
static uint32_t resize_axis(struct graph_builder *b, uint32_t x, uint32_t axis, int64_t to)
{
    int64_t from = builder__dim(b, x, axis), pads[2 * TENSOR_RANK_MAX] = {0};
    uint32_t rank = builder__rank(b, x);
    if (to == from)
        return x;
    if (to < from)
        return builder__slice(b, x, axis, 0, to, 1);
    pads[rank + axis] = to - from;
    return OP(b, "Pad", x, builder__i64s(b, pads, 2 * rank));
}

bool edit__input_shape(struct edit *e)
{
    struct graph_builder *b = &e->b;
    struct node copy = *edit__node(e, e->at);
    uint32_t first = (uint32_t)b->g->nodes.n, x = copy.inputs[0], from = copy.outputs[0];
    uint32_t rank = edit__value(e, x)->shape.rank;
    /* Axes whose size may change: the spatial ones of an image, the second last of a product.
     * Weights fix the others. */
    uint32_t axis = rank >= 3 ? rank - 1 - builder__below(b, rank == 3 ? 1 : 2) : 0;
    static const char *const products[] = {"MatMul", "Gemm", "LayerNormalization", "Softmax"};
    if (EDIT_IS(e, e->at, products))
        axis = rank >= 2 ? rank - 2 : 0;
    int64_t size = edit__value(e, x)->shape.dims[axis].value;
    int64_t to = builder__chance(b, 50) ? size + builder__between_i(b, 1, MAX(size / 2, 1))
                                        : builder__between_i(b, MAX(size / 4, 1), MAX(size - 1, 1));
    if (to == size)
        return false;
    builder__note(b, "axis=%u %lld>%lld", axis, (long long)size, (long long)to);
    uint32_t *inputs = arena_dup(b->m->arena, copy.inputs, copy.n_inputs * sizeof *inputs);
    inputs[0] = resize_axis(b, x, axis, to);
    uint32_t y = builder__op(b, str_dup(b->m->arena, copy.op_type), 1, inputs, copy.n_inputs);
    if (b->failed)
        return false;
    graph_last_node(b->g)->attrs = copy.attrs;
    graph_last_node(b->g)->n_attrs = copy.n_attrs;
    struct dims now = builder__dims(b, y);
    const struct shape *want = &edit__value(e, from)->shape;
    if (b->failed || now.n != want->rank)
        return false;
    for (uint32_t i = 0; i < now.n; i++) {
        if (now.at[i] > 0)
            y = resize_axis(b, y, i, edit__value(e, from)->shape.dims[i].value);
    }
    if (!builder__ok(b) || !edit__same(e, from, y))
        return false;
    edit__splice(e, from, y, first);
    graph_remove_dead(b->m, b->g);
    return true;
}

bool fits__reshapable(const struct edit *e, uint32_t at)
{
    const struct graph_value *v = edit__value(e, at);
    return edit__static(e, at) && v->shape.rank >= 1 && v->shape.rank <= 5 &&
           (v->origin == ORIGIN_NODE || v->origin == ORIGIN_INPUT) && edit__is_used(e, at) &&
           edit__count(e, at) > 0 && edit__count(e, at) < 1 << 17;
}

/* Runs an elementwise or last-axis layer on another rank, and changes back. */
bool edit__input_dimension(struct edit *e)
{
    static const char *const layers[] = {"Relu",
                                         "Sigmoid",
                                         "Softmax",
                                         "Tanh",
                                         "Add",
                                         "Mul",
                                         "LayerNormalization",
                                         "CumSum",
                                         "LogSoftmax",
                                         "Clip",
                                         "BatchNormalization",
                                         "InstanceNormalization",
                                         "MaxPool",
                                         "AveragePool",
                                         "Conv"};
    struct graph_builder *b = &e->b;
    uint32_t first = (uint32_t)b->g->nodes.n, x = e->at;
    struct dims p = builder__dims(b, x);
    uint32_t rank = 1 + builder__below(b, 5);
    if (rank == p.n)
        rank = p.n == 5 ? 4 : p.n + 1;
    const char *op_type = ONE_OF(b, layers);
    e->bucket = op_type;
    builder__note(b, "rank=%u>%u", p.n, rank);
    uint32_t y = layer__apply(b, layer__find(op_type), layer__rank(b, x, rank));
    if (builder__ok(b) && builder__count(b, y) == edit__count(e, x))
        y = builder__reshape(b, y, p.at, p.n);
    return edit__join(e, x, y, first);
}

bool fits__dynamic_model(const struct edit *e, uint32_t at)
{
    (void)at;
    for (size_t i = 0; i < e->b.g->inputs.n; i++) {
        const struct graph_value *v = edit__value(e, e->b.g->inputs.at[i]);
        if (!v->initializer && edit__static(e, e->b.g->inputs.at[i]) && v->shape.rank > 0)
            return e->b.g->nodes.n > 0;
    }
    return false;
}

/* Gives the first dim (rarely another) of every input one symbolic name, where sizes agree. */
bool edit__dynamic_dims(struct edit *e)
{
    struct graph_builder *b = &e->b;
    struct graph *g = b->g;
    int64_t size = -1;
    bool changed = false;
    uint32_t axis = builder__chance(b, 70) ? 0 : 1;
    uint32_t symbol = intern_id(&b->m->symbols, b->m->arena, axis == 0 ? STR("N") : STR("M")) + 1;
    for (size_t i = 0; i < g->inputs.n; i++) {
        struct graph_value *v = &g->values.at[g->inputs.at[i]];
        if (v->initializer || !shape_is_static(&v->shape) || v->shape.rank <= axis)
            continue;
        if (size < 0)
            size = v->shape.dims[axis].value;
        if (v->shape.dims[axis].value != size || size < 1)
            continue;
        struct dim *dims = arena_dup(b->m->arena, v->shape.dims, v->shape.rank * sizeof *dims);
        dims[axis] = (struct dim){-1, symbol};
        v->shape.dims = dims;
        changed = true;
    }
    builder__note(b, "axis=%u size=%lld", axis, (long long)size);
    return changed;
}
