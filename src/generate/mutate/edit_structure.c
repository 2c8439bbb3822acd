/*
 * Structure: adding, removing, copying and switching layers, activations, norms, residual edges,
 * gates. All keep dtype and shape of the flow they change, so nothing behind them breaks; inference
 * proves it afterwards.
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

/* The data input that has the output's dtype and shape. */
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
    uint32_t first = (uint32_t)e->s.g->nodes.n;
    const char *op_type = PICK(&e->s, layers);
    e->bucket = op_type;
    uint32_t y = recipe__apply(&e->s, recipe__find(op_type), e->at);
    return edit__join(e, e->at, y, first);
}

bool edit__remove_layer(struct edit *e)
{
    struct node *n = edit__node(e, e->at);
    uint32_t from = n->outputs[0], to = n->inputs[through(e, e->at)];
    if (edit__value(e, from)->is_output && edit__value(e, to)->origin != ORIGIN_NODE)
        return false; /* an output that is an input: another matter */
    graph_replace_uses(e->s.g, from, to);
    graph_remove_dead(e->s.m, e->s.g);
    return true;
}

bool edit__copy_layer(struct edit *e)
{
    struct sketch *s = &e->s;
    uint32_t first = (uint32_t)s->g->nodes.n, i = through(e, e->at);
    struct node copy = *edit__node(e, e->at);
    uint32_t from = copy.outputs[0];
    const char *op_type = str_dup(s->m->arena, copy.op_type);
    uint32_t *inputs = arena_dup(s->m->arena, copy.inputs, copy.n_inputs * sizeof *inputs);
    inputs[i] = from;
    uint32_t y = sketch__op(s, op_type, 1, inputs, copy.n_inputs);
    if (s->failed || !sketch__allows(s, op_type, 0, edit__value(e, from)->dtype))
        return false;
    graph_last_node(s->g)->attrs = copy.attrs;
    graph_last_node(s->g)->n_attrs = copy.n_attrs;
    if (!sketch__ok(s) || !edit__same(e, from, y))
        return false;
    edit__splice(e, from, y, first);
    return true;
}

/* The only consumer of the node, when it keeps dtype and shape too. */
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
    uint32_t *a_out = arena_new_array(e->s.m->arena, uint32_t, 1);
    uint32_t *b_out = arena_new_array(e->s.m->arena, uint32_t, 1);
    sketch__note(&e->s, STR_FMT "<>" STR_FMT, STR_ARG(a->op_type), STR_ARG(b->op_type));
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
    struct sketch *s = &e->s;
    struct node *n = edit__node(e, e->at);
    uint32_t first = (uint32_t)s->g->nodes.n, x = n->inputs[0], from = n->outputs[0];
    const char *op_type = PICK(s, activation_names);
    if (str_is(n->op_type, op_type) || !sketch__allows(s, op_type, 0, edit__value(e, x)->dtype))
        return false;
    e->bucket = op_type;
    uint32_t y = recipe__apply(s, recipe__find(op_type), x);
    if (!sketch__ok(s) || !edit__same(e, from, y))
        return false;
    edit__splice(e, from, y, first);
    graph_remove_dead(s->m, s->g);
    return true;
}

bool edit__activation_family(struct edit *e)
{
    static const char *const forms[] = {"gelu-erf",   "gelu-tanh", "quick-gelu",
                                        "hard-swish", "softplus",  "clip-chain"};
    struct sketch *s = &e->s;
    size_t n_patterns;
    uint32_t first = (uint32_t)s->g->nodes.n, y = VALUE_NONE;
    const struct pattern *patterns = pattern__list(&n_patterns);
    const char *form = sketch__chance(s, 50) ? PICK(s, activation_names) : PICK(s, forms);
    const struct recipe *row = recipe__find(form);
    e->bucket = form;
    if (row)
        y = recipe__apply(s, row, e->at);
    for (size_t i = 0; !row && i < n_patterns; i++) {
        if (strcmp(patterns[i].name, form) == 0)
            y = patterns[i].build(s, e->at);
    }
    return edit__join(e, e->at, y, first);
}

bool edit__residual(struct edit *e)
{
    static const char *const ops[] = {"Add", "Add", "Mul", "Max", "Sub", "Sum"};
    struct sketch *s = &e->s;
    uint32_t first = (uint32_t)s->g->nodes.n, i = through(e, e->at), y;
    uint32_t x = edit__node(e, e->at)->inputs[i], from = edit__node(e, e->at)->outputs[0];
    const char *op_type = PICK(s, ops);
    e->bucket = op_type;
    if (!sketch__allows(s, op_type, 0, edit__value(e, from)->dtype))
        return false;
    uint32_t skip = x;
    uint32_t rank = edit__value(e, x)->shape.rank;
    if (rank > 1 && edit__float(e, x) && sketch__chance(s, 30)) { /* a broadcast skip */
        int64_t axis = sketch__axis(s, rank, NULL);
        skip = sketch__reduce(s, "ReduceMean", x, &axis, 1, 1);
    }
    y = sketch__chance(s, 50) ? OP(s, op_type, from, skip) : OP(s, op_type, skip, from);
    if (!sketch__ok(s) || !edit__same(e, from, y))
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
    static uint32_t (*const decomposed[])(struct sketch *, uint32_t) = {
        pattern__layer_norm, pattern__rms_norm, pattern__instance_norm, pattern__group_norm,
        pattern__l2_normalise};
    struct sketch *s = &e->s;
    uint32_t first = (uint32_t)s->g->nodes.n, y;
    if (sketch__chance(s, 55)) {
        e->bucket = PICK(s, fused);
        y = recipe__apply(s, recipe__find(e->bucket), e->at);
    } else {
        e->bucket = "decomposed";
        y = PICK(s, decomposed)(s, e->at);
    }
    return edit__join(e, e->at, y, first);
}

/* Squeeze and excitation over axis 1, or a gated product over the last. */
bool edit__gate(struct edit *e)
{
    struct sketch *s = &e->s;
    uint32_t first = (uint32_t)s->g->nodes.n, x = e->at, rank = sketch__rank(s, x), y;
    enum dtype t = sketch__dtype(s, x);
    int64_t axes[3] = {2, 3, 4};
    if (sketch__chance(s, 60)) {
        int64_t c = sketch__dim(s, x, 1), r = MAX(c / 4, 1), d[3] = {c, r, 0},
                ones[5] = {0, c, 1, 1, 1};
        uint32_t m = sketch__reduce(s, "ReduceMean", x, axes, rank - 2, 0);
        m = OP(s, "Relu", OP(s, "MatMul", m, sketch__random(s, t, d, 2, 0.5)));
        d[0] = r;
        d[1] = c;
        m = OP(s, "MatMul", m, sketch__random(s, t, d, 2, 0.5));
        m = OP(s, sketch__chance(s, 60) ? "Sigmoid" : "HardSigmoid", m);
        ones[0] = sketch__dim(s, x, 0);
        y = pattern__either(s, "Mul", x, sketch__reshape(s, m, ones, rank));
        e->bucket = "squeeze-excite";
    } else {
        int64_t k = sketch__dim(s, x, -1), d[2] = {k, k};
        double scale = k < 8 ? 0.5 : k < 64 ? 0.25 : 0.0625;
        if (k > 512)
            return false;
        uint32_t a = OP(s, "MatMul", x, sketch__random(s, t, d, 2, scale));
        uint32_t b = OP(s, "MatMul", x, sketch__random(s, t, d, 2, scale));
        y = pattern__either(s, "Mul", pattern__either(s, "Mul", a, OP(s, "Sigmoid", a)), b);
        e->bucket = "gated-product";
    }
    return edit__join(e, e->at, y, first);
}
