/*
 * Replaces control flow by its body: the branch that an If took, one iteration of a Loop or a Scan.
 * The passes over nodes can then shrink the body. One iteration is enough, because a smaller model
 * need not give the same values as the original.
 *
 * Takes only innermost bodies; the bodies around them follow later.
 */
#include "reduce/reduce_p.h"

/* A body that is being moved into the graph. */
struct inlining {
    struct trial *t;
    struct graph *g; /* the top graph */
    struct node n;   /* a copy of the If, Loop or Scan */
    const struct graph *body;
    uint32_t *to;      /* value of the body -> value of the graph */
    uint32_t n_states; /* values carried from iteration to iteration */
};

static bool has_body(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_attrs; i++)
        if (n->attrs[i].kind == ATTR_GRAPH)
            return true;
    return false;
}

static uint32_t constant(struct inlining *in, enum dtype dtype, uint32_t rank, double number)
{
    static const int64_t one[] = {1};
    struct tensor *x = arena_new(in->t->a, struct tensor);
    struct err ignored = {0};
    if (!tensor_from_doubles(dtype, one, rank, &number, in->t->a, x, &ignored))
        return VALUE_NONE;
    return graph_add_initializer(in->t->m, in->g, STR("turn"), x);
}

static int64_t axis_of(const struct inlining *in, const char *name, uint32_t at)
{
    size_t n;
    const int64_t *axes = node_ints(&in->n, name, &n);
    return at < n ? axes[at] : 0;
}

/* The first slice of a scanned input. */
static uint32_t slice(struct inlining *in, uint32_t value, int64_t axis)
{
    uint32_t inputs[] = {value, constant(in, DTYPE_INT64, 0, 0)};
    uint32_t out = graph_add_node(in->t->m, in->g, "Gather", inputs, 2, 1);
    node_set_int(in->t->m, graph_last_node(in->g), "axis", axis);
    return out;
}

/* The slice that one iteration adds to a scan output. */
static uint32_t stack(struct inlining *in, uint32_t value, int64_t axis)
{
    bool is_input = in->t->m->opset >= 13; /* before opset 13 the axes were an attribute */
    uint32_t inputs[] = {value, VALUE_NONE};
    if (is_input)
        inputs[1] = constant(in, DTYPE_INT64, 1, (double)axis);
    uint32_t out = graph_add_node(in->t->m, in->g, "Unsqueeze", inputs, is_input ? 2 : 1, 1);
    if (!is_input)
        node_set_ints(in->t->m, graph_last_node(in->g), "axes", &axis, 1);
    return out;
}

static bool open_if(struct inlining *in)
{
    const struct value *taken = &in->t->from->ref.values[in->n.inputs[0]];
    if (taken->storage != STORAGE_BOOL || taken->n != 1)
        return false;
    const struct attr *branch = node_attr(&in->n, taken->b[0] ? "then_branch" : "else_branch");
    in->body = branch ? branch->g : NULL;
    in->n_states = in->n.n_outputs;
    return in->body != NULL;
}

static bool open_turn(struct inlining *in, bool is_loop)
{
    const struct attr *body = node_attr(&in->n, "body");
    uint32_t n_inputs = in->n.n_inputs;
    uint32_t n_read = is_loop ? 2 : (uint32_t)node_int(&in->n, "num_scan_inputs", 0);
    if (!body || n_read > n_inputs || body->g->inputs.n != n_inputs)
        return false;
    in->body = body->g;
    in->n_states = n_inputs - n_read;
    in->to = arena_new_array(in->t->a, uint32_t, in->body->values.n);
    for (uint32_t i = 0; i < n_inputs; i++) {
        uint32_t *to = &in->to[in->body->inputs.at[i]];
        if (is_loop && i < 2)
            *to = i == 0 ? constant(in, DTYPE_INT64, 0, 0) : constant(in, DTYPE_BOOL, 0, 1);
        else if (is_loop || i < in->n_states)
            *to = in->n.inputs[i];
        else
            *to = slice(in, in->n.inputs[i], axis_of(in, "scan_input_axes", i - in->n_states));
    }
    return true;
}

static void copy_values(struct inlining *in)
{
    for (size_t i = 0; i < in->body->values.n; i++) {
        const struct graph_value *v = &in->body->values.at[i];
        if (v->origin == ORIGIN_OUTER)
            in->to[i] = v->origin_at;
        else if (v->origin == ORIGIN_INITIALIZER)
            in->to[i] = graph_add_initializer(in->t->m, in->g, v->name, v->initializer);
    }
}

static void copy_nodes(struct inlining *in)
{
    for (size_t k = 0; k < in->body->nodes.n; k++) {
        const struct node *n = &in->body->nodes.at[k];
        uint32_t *inputs = arena_new_array(in->t->a, uint32_t, n->n_inputs);
        for (uint32_t i = 0; i < n->n_inputs; i++)
            inputs[i] = n->inputs[i] == VALUE_NONE ? (uint32_t)VALUE_NONE : in->to[n->inputs[i]];
        uint32_t first = graph_add_node(in->t->m, in->g, str_dup(in->t->a, n->op_type), inputs,
                                        n->n_inputs, n->n_outputs);
        struct node *copy = graph_last_node(in->g);
        copy->domain = n->domain;
        copy->attrs = n->attrs;
        copy->n_attrs = n->n_attrs;
        for (uint32_t i = 0; i < n->n_outputs; i++)
            if (n->outputs[i] != VALUE_NONE)
                in->to[n->outputs[i]] = first + i;
    }
}

/* Replaces the node's outputs by those of the body. skip: leading outputs of the body to leave out,
 * such as a Loop's condition. */
static bool replace_outputs(struct inlining *in, uint32_t skip)
{
    for (uint32_t k = 0; k < in->n.n_outputs; k++) {
        if (in->n.outputs[k] == VALUE_NONE)
            continue;
        if (skip + k >= in->body->outputs.n)
            return false;
        uint32_t value = in->to[in->body->outputs.at[skip + k]];
        if (k >= in->n_states)
            value = stack(in, value, axis_of(in, "scan_output_axes", k - in->n_states));
        graph_replace_uses(in->g, in->n.outputs[k], value);
    }
    for (size_t k = 0; k < in->g->outputs.n; k++)
        if (in->g->values.at[in->g->outputs.at[k]].origin != ORIGIN_NODE)
            return false; /* an input or a constant would become an output */
    return true;
}

uint32_t pass__count_inline(const struct state *s)
{
    const struct graph *g = s->m->graph;
    for (size_t k = 0; k < g->nodes.n; k++)
        if (has_body(&g->nodes.at[k]))
            return (uint32_t)g->nodes.n;
    return 0;
}

bool pass__apply_inline(struct trial *t, uint32_t lo, uint32_t hi)
{
    struct graph *g = t->m->graph;
    struct inlining in = {.t = t, .g = g, .n = g->nodes.at[lo]};
    bool is_if = str_is(in.n.op_type, "If"), is_loop = str_is(in.n.op_type, "Loop");
    (void)hi;
    if (!has_body(&in.n) || in.n.n_inputs == 0 ||
        !(is_if || is_loop || str_is(in.n.op_type, "Scan")) ||
        !(is_if ? open_if(&in) : open_turn(&in, is_loop)))
        return false;
    for (size_t k = 0; k < in.body->nodes.n; k++)
        if (has_body(&in.body->nodes.at[k]))
            return false;
    if (!in.to)
        in.to = arena_new_array(t->a, uint32_t, in.body->values.n);
    copy_values(&in);
    copy_nodes(&in);
    return replace_outputs(&in, is_loop);
}
