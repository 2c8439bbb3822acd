/*
 * Layer builders of control flow: If, Loop, Scan. Bodies have one operator per value; their names
 * differ from all outside. Any dtype is possible; where no operator of bodies takes it, they use
 * Identity.
 */
#include "generate/mutate/layer_p.h"

enum { STATES_MAX = 3 };

/* One of the operators that take this dtype. */
static const char *body_op(struct graph_builder *b, enum dtype t)
{
    static const char *const ops[] = {"Neg", "Abs", "Relu", "Tanh", "Sigmoid", "Identity", "Sign"};
    const char *op_type = ONE_OF(b, ops);
    return builder__allows(b, op_type, 0, t) ? op_type : "Identity";
}

static uint32_t body_input(struct graph_builder *b, struct graph *g, const char *name, enum dtype t,
                           const struct dims *d)
{
    const char *own = arena_printf(b->m->arena, "%s_%zu_%zu", name, g->values.n, b->g->values.n);
    return graph_add_input(b->m, g, str_of(own), t, d->at, d->n);
}

static void body_output(struct graph_builder *b, struct graph *g, const char *op_type,
                        const uint32_t *in, uint32_t n_in)
{
    uint32_t v = graph_add_node(b->m, g, op_type, in, n_in, 1);
    struct str own = str_of(arena_printf(b->m->arena, STR_FMT "_%zu_%zu", STR_ARG(g->name),
                                         g->nodes.n, b->g->values.n));
    g->values.at[v].name = own;
    map_put(&g->by_name, b->m->arena, own, v);
    graph_add_output(g, v);
}

/* A branch: one operator on the outer value. */
static struct graph *branch(struct graph_builder *b, uint32_t x, const char *op_type,
                            const char *name)
{
    struct graph *g = graph_new(b->m, str_of(name));
    g->parent = b->g;
    uint32_t in = graph_add_value(b->m, g, b->g->values.at[x].name);
    g->values.at[in].origin = ORIGIN_OUTER;
    g->values.at[in].origin_at = x;
    body_output(b, g, op_type, &in, 1);
    return g;
}

uint32_t layer__if_else(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    enum dtype t = builder__dtype(b, x);
    int64_t one = 1;
    const char *then_op = body_op(b, t), *else_op = body_op(b, t);
    uint32_t c = builder__random(b, DTYPE_BOOL, &one, builder__chance(b, 30), 1);
    if (b->failed || !builder__allows(b, "Identity", 0, t)) {
        builder__fail(b, "no body for this dtype");
        return VALUE_NONE;
    }
    uint32_t y = OP(b, row->op_type, c);
    if (b->failed)
        return VALUE_NONE;
    node_set_graph(b->m, graph_last_node(b->g), "then_branch", branch(b, x, then_op, "then"));
    node_set_graph(b->m, graph_last_node(b->g), "else_branch", branch(b, x, else_op, "else"));
    builder__note(b, "%s/%s", then_op, else_op);
    return y;
}

/* One to three iterations of an operator on each carried value, limited by a trip count, or by a
 * condition that the body makes false. */
uint32_t layer__loop(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    struct dims d = builder__dims(b, x), none = {0};
    enum dtype t = builder__dtype(b, x);
    uint32_t n_states = 1 + (builder__chance(b, 40) ? builder__below(b, STATES_MAX) : 0);
    uint32_t in[2 + STATES_MAX] = {VALUE_NONE, VALUE_NONE, x};
    int64_t one = 1;
    const double rounds = (double)builder__between_i(b, 1, 3), yes = 1;
    bool until = builder__chance(b, 20); /* one iteration, then the body ends the loop */
    if (!until || builder__chance(b, 40))
        in[0] = layer__fixed(b, DTYPE_INT64, &one, builder__chance(b, 30), &rounds);
    if (until || builder__chance(b, 30)) /* of the rank that the body declares */
        in[1] = layer__fixed(b, DTYPE_BOOL, NULL, 0, &yes);
    for (uint32_t i = 1; i < n_states; i++)
        in[2 + i] = builder__chance(b, 50) ? x : builder__random(b, t, d.at, d.n, 1);
    if (b->failed || !builder__allows(b, "Identity", 0, t)) {
        builder__fail(b, "no body for this dtype");
        return VALUE_NONE;
    }
    struct graph *g = graph_new(b->m, STR("body"));
    g->parent = b->g;
    body_input(b, g, "round", DTYPE_INT64, &none);
    uint32_t go = body_input(b, g, "go", DTYPE_BOOL, &none), carried[STATES_MAX];
    for (uint32_t i = 0; i < n_states; i++)
        carried[i] = body_input(b, g, "carried", t, &d);
    body_output(b, g, until ? "Not" : "Identity", &go, 1);
    for (uint32_t i = 0; i < n_states; i++)
        body_output(b, g, body_op(b, t), &carried[i], 1);
    uint32_t y = builder__op(b, row->op_type, n_states, in, 2 + n_states);
    if (b->failed)
        return VALUE_NONE;
    node_set_graph(b->m, graph_last_node(b->g), "body", g);
    builder__note(b, "states=%u%s", n_states, until ? " until" : "");
    return y + builder__below(b, n_states);
}

struct scan {
    enum dtype t;
    struct dims slice;
    uint32_t n_inputs, n_states;
};

static struct graph *scan_body(struct graph_builder *b, const struct scan *s)
{
    static const char *const joins[] = {"Add", "Max", "Min", "Sub"};
    struct graph *g = graph_new(b->m, STR("turn"));
    uint32_t state = VALUE_NONE, in[2];
    g->parent = b->g;
    if (s->n_states > 0)
        state = body_input(b, g, "state", s->t, &s->slice);
    uint32_t slices[STATES_MAX];
    for (uint32_t i = 0; i < s->n_inputs; i++)
        slices[i] = body_input(b, g, "slice", s->t, &s->slice);
    in[0] = state;
    in[1] = slices[0];
    const char *join = ONE_OF(b, joins);
    if (s->n_states > 0 && builder__allows(b, join, 0, s->t))
        body_output(b, g, join, in, 2);
    else if (s->n_states > 0)
        body_output(b, g, "Identity", &slices[0], 1);
    for (uint32_t i = 0; i < s->n_inputs; i++)
        body_output(b, g, body_op(b, s->t), &slices[i], 1);
    return g;
}

/* A running sum (or the like) of the slices of x, and one operator on each slice. Further inputs
 * are sliced too, each along its own axis and in its own direction. */
uint32_t layer__scan(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    int64_t plain, axes[STATES_MAX], out_axes[STATES_MAX], back[STATES_MAX], out_back[STATES_MAX];
    x = builder__rank(b, x) == 0 ? layer__rank(b, x, 1) : x;
    uint32_t rank = builder__rank(b, x), in[1 + STATES_MAX], n = 0;
    builder__axis(b, rank, &plain);
    struct dims d = builder__dims(b, x);
    struct scan s = {.t = builder__dtype(b, x), .n_states = builder__chance(b, 80)};
    s.n_inputs = builder__chance(b, 60) ? 1 : 1 + builder__below(b, STATES_MAX);
    for (uint32_t i = 0; i < d.n; i++)
        if (i != plain)
            s.slice.at[s.slice.n++] = d.at[i];
    if (b->failed || d.at[plain] > 64 || !builder__allows(b, "Identity", 0, s.t)) {
        builder__fail(b, "too many steps, or no body for this dtype");
        return VALUE_NONE;
    }
    if (s.n_states)
        in[n++] = builder__filled(b, s.t, s.slice.at, s.slice.n, 0);
    bool by_default = plain == 0 && builder__chance(b, 50);
    for (uint32_t i = 0; i < s.n_inputs; i++) {
        in[n++] = i == 0 || builder__chance(b, 40) ? x : builder__random(b, s.t, d.at, d.n, 1);
        axes[i] = builder__chance(b, 50) ? plain : plain - rank;
        out_axes[i] = builder__axis(b, rank, NULL);
        back[i] = builder__chance(b, 40);
        out_back[i] = builder__chance(b, 30);
    }
    uint32_t n_outputs = s.n_states + s.n_inputs;
    uint32_t y = builder__op(b, row->op_type, n_outputs, in, n);
    if (b->failed)
        return VALUE_NONE;
    node_set_graph(b->m, graph_last_node(b->g), "body", scan_body(b, &s));
    builder__int(b, "num_scan_inputs", s.n_inputs);
    if (!by_default)
        builder__int_list(b, "scan_input_axes", axes, s.n_inputs);
    if (builder__chance(b, 70))
        builder__int_list(b, "scan_input_directions", back, s.n_inputs);
    if (builder__chance(b, 70))
        builder__int_list(b, "scan_output_axes", out_axes, s.n_inputs);
    if (builder__chance(b, 70))
        builder__int_list(b, "scan_output_directions", out_back, s.n_inputs);
    builder__note(b, "axis=%lld inputs=%u", (long long)axes[0], s.n_inputs);
    return y + builder__below(b, n_outputs);
}
