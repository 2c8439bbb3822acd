/*
 * Facts that a value inherits from everything it is computed from, found in one walk over the nodes
 * in topological order. A node with subgraphs adds the facts of all nodes inside.
 */
#include "judge/ancestry_p.h"

#include <math.h>

#include "onnx/op.h"

static const struct {
    const char *op_type;
    bool nan, inf;
} specified[] = {
#define SPECIFIED(op_type, nan, inf) {op_type, nan, inf},
#include "judge/specified.def"
#undef SPECIFIED
};

bool ancestry__settles(struct str op_type, bool nan, bool inf)
{
    for (size_t i = 0; i < COUNT_OF(specified); i++)
        if (str_is(op_type, specified[i].op_type))
            return (!nan || specified[i].nan) && (!inf || specified[i].inf);
    return false;
}

static bool has_op(struct str op_type, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_is(op_type, names[i]))
            return true;
    return false;
}

static bool is_random(const struct node *n)
{
    if (n->op && n->op->exactness == OP_RANDOM)
        return true;
    if (str_is(n->op_type, "Dropout")) /* third input: training_mode, usually absent */
        return n->n_inputs > 2 && n->inputs[2] != VALUE_NONE;
    return str_is(n->op_type, "BatchNormalization") && node_int(n, "training_mode", 0) != 0;
}

static bool is_byte_product(const struct node *n)
{
    static const char *const names[] = {"QuantizeLinear", "DynamicQuantizeLinear", "QLinearConv",
                                        "QLinearMatMul",  "ConvInteger",           "MatMulInteger"};
    return has_op(n->op_type, names, COUNT_OF(names));
}

static bool is_product_sum(const struct node *n)
{
    static const char *const names[] = {
        "Attention", "Conv", "ConvInteger", "ConvTranspose", "DeformConv",  "Einsum",        "GRU",
        "Gemm",      "LSTM", "MatMul",      "MatMulInteger", "QLinearConv", "QLinearMatMul", "RNN",
    };
    return has_op(n->op_type, names, COUNT_OF(names));
}

struct walk {
    const struct reference *r;
    struct ancestry *ancestries;
    bool with_values;
};

static void join(struct ancestry *to, const struct ancestry *from)
{
    to->moved = to->moved && from->moved;
    to->random = to->random || from->random;
    to->open = to->open || from->open;
    to->made = to->made || from->made;
    to->nonfinite = to->nonfinite || from->nonfinite;
    to->uncertified = to->uncertified || from->uncertified;
    to->empty = to->empty || from->empty;
    to->undefined = to->undefined || from->undefined;
    to->switches = to->switches || from->switches;
    to->bytes = to->bytes || from->bytes;
    to->products = to->products || from->products;
}

static void add_operator(const struct node *n, struct ancestry *c)
{
    c->random = c->random || is_random(n);
    c->uncertified = c->uncertified || !n->op || !n->op->certified;
    c->switches = c->switches || (n->op && n->op->exactness == OP_SWITCH);
    c->bytes = c->bytes || is_byte_product(n);
    c->products = c->products || is_product_sum(n);
}

/* Adds the facts of the nodes in a node's subgraphs and of the top graph's values that they see. */
static void add_inside(const struct walk *w, const struct node *outer, struct ancestry *c)
{
    VEC(const struct graph *) pending = {0};
    const struct graph *top = w->r->model->graph;
    for (uint32_t i = 0; i < outer->n_attrs; i++) {
        if (outer->attrs[i].kind == ATTR_GRAPH)
            vec_push(&pending, w->r->arena, outer->attrs[i].g);
    }
    while (pending.n > 0) {
        const struct graph *g = vec_pop(&pending);
        for (size_t k = 0; k < g->values.n; k++) {
            if (g->parent == top && g->values.at[k].origin == ORIGIN_OUTER)
                join(c, &w->ancestries[g->values.at[k].origin_at]);
        }
        c->moved = false;
        c->open = c->open || c->nonfinite;
        for (size_t k = 0; k < g->nodes.n; k++) {
            const struct node *n = &g->nodes.at[k];
            add_operator(n, c);
            for (uint32_t i = 0; i < n->n_attrs; i++) {
                if (n->attrs[i].kind == ATTR_GRAPH)
                    vec_push(&pending, w->r->arena, n->attrs[i].g);
            }
        }
    }
}

struct classes {
    bool nan, inf;
};

static struct classes classes_of(const struct value *v)
{
    struct classes c = {false, false};
    for (size_t i = 0; v->storage == STORAGE_F64 && v->dtype != DTYPE_UNDEFINED && i < v->n; i++) {
        c.nan = c.nan || isnan(v->f[i]);
        c.inf = c.inf || isinf(v->f[i]);
    }
    return c;
}

static bool any_set(const uint8_t *mask, size_t n)
{
    for (size_t i = 0; mask && i < n; i++)
        if (mask[i])
            return true;
    return false;
}

/* Adds the facts of the value itself. */
static void add_value(const struct walk *w, size_t value)
{
    const struct value *v = &w->r->values.values[value];
    struct ancestry *c = &w->ancestries[value];
    if (!w->with_values)
        return;
    struct classes k = classes_of(v);
    c->nonfinite = c->nonfinite || k.nan || k.inf;
    c->empty = c->empty || (v->dtype != DTYPE_UNDEFINED && v->n == 0);
    c->undefined = c->undefined || any_set(v->undefined, v->n);
}

static bool makes_nonfinite(const struct walk *w, const struct node *n)
{
    struct classes out = {false, false};
    for (uint32_t i = 0; w->with_values && i < n->n_outputs; i++) {
        if (n->outputs[i] == VALUE_NONE)
            continue;
        struct classes k = classes_of(&w->r->values.values[n->outputs[i]]);
        out.nan = out.nan || k.nan;
        out.inf = out.inf || k.inf;
    }
    return (out.nan || out.inf) && !ancestry__settles(n->op_type, out.nan, out.inf);
}

static struct ancestry ancestry_of_node(const struct walk *w, const struct node *n)
{
    struct ancestry c = {.moved = n->op && n->op->exactness == OP_EXACT};
    struct classes in = {false, false};
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        if (n->inputs[i] == VALUE_NONE)
            continue;
        if (w->with_values) {
            struct classes k = classes_of(&w->r->values.values[n->inputs[i]]);
            in.nan = in.nan || k.nan;
            in.inf = in.inf || k.inf;
        }
        join(&c, &w->ancestries[n->inputs[i]]);
    }
    add_operator(n, &c);
    if ((in.nan || in.inf) && !ancestry__settles(n->op_type, in.nan, in.inf))
        c.open = true;
    if (!in.nan && !in.inf && makes_nonfinite(w, n))
        c.made = true;
    add_inside(w, n, &c);
    return c;
}

static const struct ancestry *walk_graph(struct reference *r, bool with_values)
{
    const struct graph *g = r->model->graph;
    struct walk w = {r, arena_new_array(r->arena, struct ancestry, g->values.n), with_values};
    for (size_t i = 0; i < g->values.n; i++) {
        w.ancestries[i] = (struct ancestry){.moved = true};
        add_value(&w, i);
    }
    for (size_t k = 0; k < g->nodes.n; k++) {
        const struct node *n = &g->nodes.at[k];
        struct ancestry c = ancestry_of_node(&w, n);
        for (uint32_t i = 0; i < n->n_outputs; i++) {
            if (n->outputs[i] == VALUE_NONE)
                continue;
            w.ancestries[n->outputs[i]] = c;
            add_value(&w, n->outputs[i]);
        }
    }
    return w.ancestries;
}

const struct ancestry *ancestry__of_graph(struct reference *r)
{
    if (!r->ancestries[0])
        r->ancestries[0] = walk_graph(r, false);
    return r->ancestries[0];
}

const struct ancestry *ancestry__of_values(struct reference *r)
{
    if (!r->ancestries[1])
        r->ancestries[1] = walk_graph(r, true);
    return r->ancestries[1];
}
