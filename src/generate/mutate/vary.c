/*
 * Variations of a node: draws what to vary, applies it, and undoes it if checker or inference
 * refuse. Knows no operator itself: it uses facts (onnx/op.h) and values of attributes
 * (attributes.def).
 */
#include "generate/mutate/vary_p.h"

#include <string.h>

#include "generate/mutate/layer_p.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/op.h"

enum { VARY_DRAWS = 6, VARY_MORE_PERCENT = 55 };

enum variation { VARY_ATTRIBUTE, VARY_OPTIONAL, VARY_DTYPE, VARY_FORM, VARY_WEIGHT };
static const double weights[] = {
    [VARY_ATTRIBUTE] = 40, [VARY_OPTIONAL] = 10, [VARY_DTYPE] = 15,
    [VARY_FORM] = 15,      [VARY_WEIGHT] = 20,
};

static struct node *node_at(const struct graph_builder *b, uint32_t node)
{
    return &b->g->nodes.at[node];
}

/* Attributes. */

/* Sets an attribute that names the dtype of the first output. */
static bool set_dtype(struct graph_builder *b, struct node *n, const char *attr)
{
    static const char *const names[] = {"to", "dtype", "output_datatype", "output_dtype"};
    const struct op_param_fact *out = op_fact_output(n->fact, 0);
    enum dtype t = layer__some_dtype(b, out ? out->dtypes : 0);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(attr, names[i]) != 0 || t == DTYPE_UNDEFINED)
            continue;
        node_set_int(b->m, n, attr, t);
        builder__note(b, "%s=%s", attr, dtype_name(t));
        return true;
    }
    return false;
}

/* Sets the tensor of ConstantOfShape and the like, in another dtype. */
static bool set_tensor(struct graph_builder *b, struct node *n, const char *attr)
{
    const struct op_param_fact *out = op_fact_output(n->fact, 0);
    const struct attr *old = node_attr(n, attr);
    enum dtype t = layer__some_dtype(b, out ? out->dtypes : 0);
    struct tensor *tensor = arena_new(b->m->arena, struct tensor);
    double v = builder__below(b, 3);
    int64_t one = 1;
    if (!old || old->kind != ATTR_TENSOR || t == DTYPE_UNDEFINED ||
        !tensor_from_doubles(t, &one, 1, &v, b->m->arena, tensor, &b->e))
        return false;
    node_set_tensor(b->m, n, attr, tensor);
    return true;
}

static bool vary_attribute(struct graph_builder *b, uint32_t node)
{
    struct node *n = node_at(b, node);
    if (n->fact->n_attrs == 0)
        return false;
    const struct op_attr_fact *attr =
        &n->fact->attrs[builder__below(b, (uint32_t)n->fact->n_attrs)];
    if (!attr->required && node_attr(n, attr->name) && builder__chance(b, 35)) {
        node_remove_attr(b->m, n, attr->name);
        builder__note(b, "no %s", attr->name);
        return true;
    }
    return corner__set(b, n, attr->name) || set_dtype(b, n, attr->name) ||
           set_tensor(b, n, attr->name);
}

/* Inputs. */

static void set_input(struct graph_builder *b, uint32_t node, uint32_t i, uint32_t v)
{
    struct node *n = node_at(b, node);
    uint32_t *inputs = arena_dup(b->m->arena, n->inputs, n->n_inputs * sizeof *inputs);
    uint32_t n_inputs = n->n_inputs;
    inputs[i] = v;
    while (n_inputs > 0 && inputs[n_inputs - 1] == VALUE_NONE)
        n_inputs--;
    node_set_inputs(b->m, n, inputs, n_inputs);
}

/* The tensor of input i, from an initializer or a Constant; NULL: none. */
static const struct tensor *stored(const struct graph_builder *b, uint32_t node, uint32_t i)
{
    const struct node *n = node_at(b, node);
    if (i >= n->n_inputs || n->inputs[i] == VALUE_NONE)
        return NULL;
    const struct graph_value *v = &b->g->values.at[n->inputs[i]];
    if (v->origin == ORIGIN_INITIALIZER)
        return v->initializer;
    if (v->origin != ORIGIN_NODE || !str_is(node_at(b, v->origin_at)->op_type, "Constant"))
        return NULL;
    const struct attr *value = node_attr(node_at(b, v->origin_at), "value");
    return value && value->kind == ATTR_TENSOR ? value->t : NULL;
}

/* Has the node a body? Then inputs that the standard calls optional may be all that ends the
 * loop. */
static bool has_body(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_attrs; i++) {
        if (n->attrs[i].kind == ATTR_GRAPH)
            return true;
    }
    return false;
}

static bool vary_optional(struct graph_builder *b, uint32_t node)
{
    struct node *n = node_at(b, node);
    uint32_t i = builder__below(b, n->n_inputs);
    const struct op_param_fact *p = op_fact_input(n->fact, i);
    if (has_body(n) || !p || p->arity != OP_OPTIONAL || n->inputs[i] == VALUE_NONE)
        return false;
    builder__note(b, "no %s", p->name);
    set_input(b, node, i, VALUE_NONE);
    return true;
}

/* The tensor in another dtype that can hold each of its numbers; NULL: it cannot. */
static const struct tensor *converted(struct graph_builder *b, const struct tensor *from,
                                      enum dtype t)
{
    struct tensor *to = arena_new(b->m->arena, struct tensor);
    struct err e = {0};
    void *data;
    if (!tensor_make(t, from->dims, from->rank, b->m->arena, to, &data, &e))
        return NULL;
    for (size_t i = 0; i < from->n; i++) {
        double v = tensor_get_double(from, i);
        tensor_put_double(t, data, i, v);
        if (!dtype_is_float(t) && tensor_get_double(to, i) != v)
            return NULL;
    }
    return to;
}

/* Changes the dtype of all inputs of one type parameter, if each is stored. */
static bool vary_dtype(struct graph_builder *b, uint32_t node)
{
    struct node *n = node_at(b, node);
    uint32_t at = builder__below(b, n->n_inputs);
    const struct op_param_fact *p = op_fact_input(n->fact, at);
    enum dtype t = layer__some_dtype(b, p ? p->dtypes : 0);
    if (t == DTYPE_UNDEFINED)
        return false;
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        const struct op_param_fact *q = op_fact_input(n->fact, i);
        if (!q || strcmp(q->type, p->type) != 0 || n->inputs[i] == VALUE_NONE)
            continue;
        const struct tensor *old = stored(b, node, i);
        const struct tensor *new = old && old->dtype != t ? converted(b, old, t) : NULL;
        if (!new)
            return false;
        set_input(b, node, i, graph_add_initializer(b->m, b->g, STR("w"), new));
        n = node_at(b, node);
    }
    builder__note(b, "%s=%s", p->type, dtype_name(t));
    return true;
}

static bool vary_form(struct graph_builder *b, uint32_t node)
{
    struct node *n = node_at(b, node);
    uint32_t i = builder__below(b, n->n_inputs), v;
    const struct tensor *t = stored(b, node, i);
    if (!t || (i == 0 && !(n->op->parameter_inputs & 1)))
        return false;
    bool parameter = (n->op->parameter_inputs >> i & 1) || !dtype_is_float(t->dtype);
    bool computed = !b->fixed_inputs && builder__chance(b, 60);
    if (computed)
        v = builder__computed(b, graph_add_initializer(b->m, b->g, STR("w"), t), parameter);
    else
        v = builder__tensor(b, t, builder__chance(b, 50) ? PLACE_CONSTANT : PLACE_INITIALIZER);
    if (v == VALUE_NONE)
        return false;
    builder__note(b, "%s input=%u", computed ? "computed" : "stored", i);
    set_input(b, node, i, v);
    return true;
}

static bool vary_weight(struct graph_builder *b, uint32_t node)
{
    struct node *n = node_at(b, node);
    uint32_t i = builder__below(b, n->n_inputs);
    const struct tensor *t = stored(b, node, i);
    if (b->fixed_inputs || i == 0 || !t || t->n == 0 || (n->op->parameter_inputs >> i & 1))
        return false;
    uint32_t v = vary__neighbour(b, t);
    if (v == VALUE_NONE)
        return false;
    set_input(b, node, i, v);
    return true;
}

/* Trying. */

struct trial {
    struct node before;
    size_t n_nodes, n_inputs, note_n;
};

/* Moves the node after the newest nodes, which it reads; returns its new index. */
static uint32_t move_behind(struct graph *g, uint32_t node, size_t n_nodes, struct arena *a)
{
    uint32_t n_added = (uint32_t)(g->nodes.n - n_nodes);
    if (n_added == 0)
        return node;
    struct node *added = arena_dup(a, g->nodes.at + n_nodes, n_added * sizeof *added);
    memmove(g->nodes.at + node + n_added, g->nodes.at + node, (n_nodes - node) * sizeof *added);
    memcpy(g->nodes.at + node, added, n_added * sizeof *added);
    for (uint32_t i = node; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        for (uint32_t o = 0; o < n->n_outputs; o++) {
            if (n->outputs[o] != VALUE_NONE)
                g->values.at[n->outputs[o]].origin_at = i;
        }
    }
    return node + n_added;
}

static bool make(struct graph_builder *b, uint32_t node)
{
    switch ((enum variation)rng_weighted(b->r, weights, COUNT_OF(weights))) {
    case VARY_ATTRIBUTE:
        return vary_attribute(b, node);
    case VARY_OPTIONAL:
        return vary_optional(b, node);
    case VARY_DTYPE:
        return vary_dtype(b, node);
    case VARY_FORM:
        return vary_form(b, node);
    case VARY_WEIGHT:
        return vary_weight(b, node);
    }
    return false;
}

static void take_back(struct graph_builder *b, uint32_t node, uint32_t moved,
                      const struct trial *before)
{
    struct graph *g = b->g;
    uint32_t n_added = moved - node;
    memmove(g->nodes.at + node, g->nodes.at + moved,
            (before->n_nodes - node) * sizeof *g->nodes.at);
    g->nodes.n = before->n_nodes;
    g->nodes.at[node] = before->before;
    for (uint32_t i = node; n_added > 0 && i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        for (uint32_t o = 0; o < n->n_outputs; o++) {
            if (n->outputs[o] != VALUE_NONE)
                g->values.at[n->outputs[o]].origin_at = i;
        }
    }
    g->inputs.n = before->n_inputs;
    b->note_n = before->note_n;
    b->failed = b->refused = false;
}

/* Does inference accept the node and all later ones, and does the standard know their
 * attributes? */
static bool is_legal(struct graph_builder *b, uint32_t node)
{
    const struct node *n = node_at(b, node);
    struct err e = {0};
    for (uint32_t i = 0; i < n->n_attrs; i++) {
        const char *name = str_dup(b->m->arena, n->attrs[i].name);
        if (!op_fact_attr(n->fact, name))
            return false;
    }
    return infer_model_from(b->m, node, &e);
}

bool vary__node(struct graph_builder *b, uint32_t node)
{
    if (!builder__ok(b) || !node_at(b, node)->fact || node_at(b, node)->n_inputs == 0)
        return false;
    for (int draws = 0; draws < VARY_DRAWS; draws++) {
        struct trial before = {*node_at(b, node), b->g->nodes.n, b->g->inputs.n, b->note_n};
        struct err e = {0};
        bool made = make(b, node) && !b->failed;
        uint32_t moved = move_behind(b->g, node, before.n_nodes, b->m->arena);
        if (made && is_legal(b, moved)) {
            b->n_inferred = (uint32_t)b->g->nodes.n;
            return true;
        }
        take_back(b, node, moved, &before);
        if (!infer_model_from(b->m, node, &e)) {
            builder__fail(b, "a variation could not be taken back");
            return false;
        }
        b->n_inferred = (uint32_t)b->g->nodes.n;
    }
    return false;
}

void vary__added(struct graph_builder *b, uint32_t first, const char *op_type)
{
    for (uint32_t i = first; builder__ok(b) && i < b->g->nodes.n; i++) {
        const struct node *n = node_at(b, i);
        if (n->domain.n > 0 || !str_is(n->op_type, op_type))
            continue;
        while (builder__chance(b, VARY_MORE_PERCENT)) {
            size_t before = b->g->nodes.n;
            vary__node(b, i);
            i += (uint32_t)(b->g->nodes.n - before);
        }
    }
}
