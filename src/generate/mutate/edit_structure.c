/*
 * Structure: adding, removing, copying and switching layers, activations, norms, residual edges,
 * gates. All keep the dtype and shape of the values that later nodes read; inference checks it
 * afterwards.
 */
#include "generate/mutate/edit_p.h"
#include "generate/mutate/pattern_p.h"

static const char *const activation_names[] = {
    "Relu",     "LeakyRelu", "Elu",   "Selu",      "Celu", "Sigmoid",         "Tanh",
    "Softplus", "Softsign",  "Gelu",  "HardSwish", "Mish", "HardSigmoid",     "PRelu",
    "Clip",     "Erf",       "Swish", "Abs",       "Neg",  "ThresholdedRelu", "Shrink"};

bool fits__any_value(const struct edit *e, uint32_t at)
{
    const struct graph_value *v = edit__value(e, at);
    return edit__static(e, at) && edit__count(e, at) <= 1 << 17 &&
           (v->origin == ORIGIN_NODE || v->origin == ORIGIN_INPUT);
}

bool fits__float_value(const struct edit *e, uint32_t at)
{
    return fits__any_value(e, at) && edit__float(e, at) && edit__is_used(e, at);
}

bool fits__any_node(const struct edit *e, uint32_t at)
{
    const struct node *n = edit__node(e, at);
    return n->n_outputs > 0 && n->outputs[0] != VALUE_NONE && edit__static(e, n->outputs[0]);
}

/* The data input with the output's dtype and shape. */
static uint32_t through(const struct edit *e, uint32_t at)
{
    const struct node *n = edit__node(e, at);
    if (n->n_outputs != 1 || n->outputs[0] == VALUE_NONE || !edit__is_used(e, n->outputs[0]))
        return VALUE_NONE;
    for (uint32_t i = 0; i < n->n_inputs && i < 2; i++) {
        if (n->inputs[i] != VALUE_NONE && !edit__value(e, n->inputs[i])->initializer &&
            edit__same(e, n->inputs[i], n->outputs[0]))
            return i;
    }
    return VALUE_NONE;
}

bool fits__same_shape_node(const struct edit *e, uint32_t at)
{
    static const char *const plain[] = {"Identity", "Dropout"};
    return through(e, at) != VALUE_NONE && !EDIT_IS(e, at, plain);
}

bool fits__activation(const struct edit *e, uint32_t at)
{
    return EDIT_IS(e, at, activation_names) && through(e, at) == 0;
}

bool edit__add_layer(struct edit *e)
{
    static const char *const layers[] = {
        "Relu",   "Sigmoid", "Tanh",      "LeakyRelu", "Elu",     "BatchNormalization",
        "Conv",   "MatMul",  "Softmax",   "Add",       "Mul",     "LayerNormalization",
        "Gelu",   "Clip",    "Where",     "PRelu",     "MaxPool", "AveragePool",
        "CumSum", "Erf",     "Transpose", "Slice",     "Pad",     "InstanceNormalization",
        "LRN",    "Sub",     "Div",       "Pow",       "Gather",  "ReduceMean"};
    uint32_t first = (uint32_t)e->b.g->nodes.n;
    const char *op_type = ONE_OF(&e->b, layers);
    e->bucket = op_type;
    uint32_t y = layer__apply(&e->b, layer__find(op_type), e->at);
    return edit__join(e, e->at, y, first);
}

bool edit__remove_layer(struct edit *e)
{
    struct node *n = edit__node(e, e->at);
    uint32_t from = n->outputs[0], to = n->inputs[through(e, e->at)];
    if (edit__value(e, from)->is_output && edit__value(e, to)->origin != ORIGIN_NODE)
        return false; /* an output that is also an input stays as it is */
    graph_replace_uses(e->b.g, from, to);
    graph_remove_dead(e->b.m, e->b.g);
    return true;
}

bool edit__copy_layer(struct edit *e)
{
    struct graph_builder *b = &e->b;
    uint32_t first = (uint32_t)b->g->nodes.n, i = through(e, e->at);
    struct node copy = *edit__node(e, e->at);
    uint32_t from = copy.outputs[0];
    const char *op_type = str_dup(b->m->arena, copy.op_type);
    uint32_t *inputs = arena_dup(b->m->arena, copy.inputs, copy.n_inputs * sizeof *inputs);
    inputs[i] = from;
    uint32_t y = builder__op(b, op_type, 1, inputs, copy.n_inputs);
    if (b->failed || !builder__allows(b, op_type, 0, edit__value(e, from)->dtype))
        return false;
    graph_last_node(b->g)->attrs = copy.attrs;
    graph_last_node(b->g)->n_attrs = copy.n_attrs;
    if (!builder__ok(b) || !edit__same(e, from, y))
        return false;
    edit__splice(e, from, y, first);
    return true;
}

/* The only consumer of the node, if it keeps dtype and shape too; NODE_NONE: none. */
static uint32_t follower(const struct edit *e, uint32_t at)
{
    uint32_t v = edit__node(e, at)->outputs[0];
    uint32_t n_uses = e->uses->uses_at[v + 1] - e->uses->uses_at[v];
    if (n_uses != 1 || edit__value(e, v)->is_output)
        return NODE_NONE;
    uint32_t next = e->uses->nodes[e->uses->uses_at[v]];
    uint32_t i = through(e, next);
    return i != VALUE_NONE && edit__node(e, next)->inputs[i] == v ? next : (uint32_t)NODE_NONE;
}

bool fits__switchable(const struct edit *e, uint32_t at)
{
    if (through(e, at) == VALUE_NONE)
        return false;
    uint32_t next = follower(e, at);
    return next != NODE_NONE && !str_eq(edit__node(e, next)->op_type, edit__node(e, at)->op_type);
}

bool edit__switch_layers(struct edit *e)
{
    uint32_t next = follower(e, e->at), i = through(e, e->at), j = through(e, next);
    struct node *a = edit__node(e, e->at), *b = edit__node(e, next);
    uint32_t in = a->inputs[i], middle = a->outputs[0], out = b->outputs[0];
    uint32_t *a_out = arena_new_array(e->b.m->arena, uint32_t, 1);
    uint32_t *b_out = arena_new_array(e->b.m->arena, uint32_t, 1);
    builder__note(&e->b, STR_FMT "<>" STR_FMT, STR_ARG(a->op_type), STR_ARG(b->op_type));
    edit__set_input(e, next, j, in);
    edit__set_input(e, e->at, i, middle);
    *b_out = middle;
    *a_out = out;
    edit__node(e, next)->outputs = b_out;
    edit__node(e, e->at)->outputs = a_out;
    return true;
}

bool edit__replace_activation(struct edit *e)
{
    struct graph_builder *b = &e->b;
    struct node *n = edit__node(e, e->at);
    uint32_t first = (uint32_t)b->g->nodes.n, x = n->inputs[0], from = n->outputs[0];
    const char *op_type = ONE_OF(b, activation_names);
    if (str_is(n->op_type, op_type) || !builder__allows(b, op_type, 0, edit__value(e, x)->dtype))
        return false;
    e->bucket = op_type;
    uint32_t y = layer__apply(b, layer__find(op_type), x);
    if (!builder__ok(b) || !edit__same(e, from, y))
        return false;
    edit__splice(e, from, y, first);
    graph_remove_dead(b->m, b->g);
    return true;
}

bool edit__activation_family(struct edit *e)
{
    static const char *const forms[] = {"gelu-erf",   "gelu-tanh", "quick-gelu",
                                        "hard-swish", "softplus",  "clip-chain"};
    struct graph_builder *b = &e->b;
    size_t n_patterns;
    uint32_t first = (uint32_t)b->g->nodes.n, y = VALUE_NONE;
    const struct pattern *patterns = pattern__list(&n_patterns);
    const char *form = builder__chance(b, 50) ? ONE_OF(b, activation_names) : ONE_OF(b, forms);
    const struct layer_builder *row = layer__find(form);
    e->bucket = form;
    if (row)
        y = layer__apply(b, row, e->at);
    for (size_t i = 0; !row && i < n_patterns; i++) {
        if (strcmp(patterns[i].name, form) == 0)
            y = patterns[i].build(b, e->at);
    }
    return edit__join(e, e->at, y, first);
}

bool edit__residual(struct edit *e)
{
    static const char *const ops[] = {"Add", "Add", "Mul", "Max", "Sub", "Sum"};
    struct graph_builder *b = &e->b;
    uint32_t first = (uint32_t)b->g->nodes.n, i = through(e, e->at), y;
    uint32_t x = edit__node(e, e->at)->inputs[i], from = edit__node(e, e->at)->outputs[0];
    const char *op_type = ONE_OF(b, ops);
    e->bucket = op_type;
    if (!builder__allows(b, op_type, 0, edit__value(e, from)->dtype))
        return false;
    uint32_t skip = x;
    uint32_t rank = edit__value(e, x)->shape.rank;
    if (rank > 1 && edit__float(e, x) && builder__chance(b, 30)) { /* a broadcast skip */
        int64_t axis = builder__axis(b, rank, NULL);
        skip = builder__reduce(b, "ReduceMean", x, &axis, 1, 1);
    }
    y = builder__chance(b, 50) ? OP(b, op_type, from, skip) : OP(b, op_type, skip, from);
    if (!builder__ok(b) || !edit__same(e, from, y))
        return false;
    edit__splice(e, from, y, first);
    return true;
}

bool fits__image_or_sequence(const struct edit *e, uint32_t at)
{
    const struct shape *p = &edit__value(e, at)->shape;
    return fits__float_value(e, at) && p->rank >= 3 && p->rank <= 5 && edit__count(e, at) > 0;
}

bool edit__swap_norm(struct edit *e)
{
    static const char *const fused[] = {"BatchNormalization", "InstanceNormalization",
                                        "GroupNormalization", "LayerNormalization",
                                        "RMSNormalization",   "MeanVarianceNormalization",
                                        "LpNormalization",    "LRN"};
    static uint32_t (*const decomposed[])(struct graph_builder *, uint32_t) = {
        pattern__layer_norm, pattern__rms_norm, pattern__instance_norm, pattern__group_norm,
        pattern__l2_normalise};
    struct graph_builder *b = &e->b;
    uint32_t first = (uint32_t)b->g->nodes.n, y;
    if (builder__chance(b, 55)) {
        e->bucket = ONE_OF(b, fused);
        y = layer__apply(b, layer__find(e->bucket), e->at);
    } else {
        e->bucket = "decomposed";
        y = ONE_OF(b, decomposed)(b, e->at);
    }
    return edit__join(e, e->at, y, first);
}

/* Squeeze and excitation over axis 1, or a gated product over the last. */
bool edit__gate(struct edit *e)
{
    struct graph_builder *b = &e->b;
    uint32_t first = (uint32_t)b->g->nodes.n, x = e->at, rank = builder__rank(b, x), y;
    enum dtype t = builder__dtype(b, x);
    int64_t axes[3] = {2, 3, 4};
    if (builder__chance(b, 60)) {
        int64_t c = builder__dim(b, x, 1), r = MAX(c / 4, 1), d[3] = {c, r, 0},
                ones[5] = {0, c, 1, 1, 1};
        uint32_t m = builder__reduce(b, "ReduceMean", x, axes, rank - 2, 0);
        m = OP(b, "Relu", OP(b, "MatMul", m, builder__random(b, t, d, 2, 0.5)));
        d[0] = r;
        d[1] = c;
        m = OP(b, "MatMul", m, builder__random(b, t, d, 2, 0.5));
        m = OP(b, builder__chance(b, 60) ? "Sigmoid" : "HardSigmoid", m);
        ones[0] = builder__dim(b, x, 0);
        y = pattern__either(b, "Mul", x, builder__reshape(b, m, ones, rank));
        e->bucket = "squeeze-excite";
    } else {
        int64_t k = builder__dim(b, x, -1), d[2] = {k, k};
        double scale = k < 8 ? 0.5 : k < 64 ? 0.25 : 0.0625;
        if (k > 512)
            return false;
        uint32_t a = OP(b, "MatMul", x, builder__random(b, t, d, 2, scale));
        uint32_t up = OP(b, "MatMul", x, builder__random(b, t, d, 2, scale));
        y = pattern__either(b, "Mul", pattern__either(b, "Mul", a, OP(b, "Sigmoid", a)), up);
        e->bucket = "gated-product";
    }
    return edit__join(e, e->at, y, first);
}
