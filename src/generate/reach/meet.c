/*
 * Which cells a model meets. A node counts when it depends on a graph input and reaches an output.
 * If it depends on static shapes of inputs alone, an optimiser folds it, and it does not count.
 */
#include "generate/reach/reach_p.h"

#include <stdlib.h>
#include <string.h>

struct walk {
    const struct reach *r;
    const struct model *m;
    const struct graph *g;
    struct arena *a;
    bool *varies;  /* per value: does it differ with the inputs? */
    bool *reaches; /* per value: does an output need it? */
    VEC(uint32_t) met;
};

/* Does the result depend on the shape of the input alone? */
static bool reads_shape_only(const struct node *n)
{
    return str_is(n->op_type, "Shape") || str_is(n->op_type, "Size") ||
           str_is(n->op_type, "EyeLike");
}

static bool subgraph_varies(const struct walk *w, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_attrs; i++) {
        const struct graph *inner = n->attrs[i].kind == ATTR_GRAPH ? n->attrs[i].g : NULL;
        for (size_t v = 0; inner && v < inner->values.n; v++) {
            const struct graph_value *x = &inner->values.at[v];
            if (x->origin == ORIGIN_OUTER && inner->parent == w->g && w->varies[x->origin_at])
                return true;
        }
    }
    return false;
}

static bool node_varies(const struct walk *w, const struct node *n)
{
    bool shape_only = reads_shape_only(n);
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        uint32_t v = n->inputs[i];
        if (v != VALUE_NONE && w->varies[v] &&
            !(shape_only && shape_is_static(&w->g->values.at[v].shape)))
            return true;
    }
    return subgraph_varies(w, n);
}

static void find_varying(struct walk *w)
{
    for (size_t v = 0; v < w->g->values.n; v++)
        w->varies[v] = w->g->values.at[v].origin == ORIGIN_INPUT;
    for (size_t i = 0; i < w->g->nodes.n; i++) {
        const struct node *n = &w->g->nodes.at[i];
        bool varies = node_varies(w, n);
        for (uint32_t k = 0; k < n->n_outputs; k++) {
            if (n->outputs[k] != VALUE_NONE)
                w->varies[n->outputs[k]] = varies;
        }
    }
}

static void mark_needed(struct walk *w, const struct node *n)
{
    for (uint32_t k = 0; k < n->n_inputs; k++) {
        if (n->inputs[k] != VALUE_NONE)
            w->reaches[n->inputs[k]] = true;
    }
    for (uint32_t i = 0; i < n->n_attrs; i++) {
        const struct graph *inner = n->attrs[i].kind == ATTR_GRAPH ? n->attrs[i].g : NULL;
        for (size_t v = 0; inner && v < inner->values.n; v++) {
            if (inner->values.at[v].origin == ORIGIN_OUTER && inner->parent == w->g)
                w->reaches[inner->values.at[v].origin_at] = true;
        }
    }
}

static bool any_of(const bool *marks, const uint32_t *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (values[i] != VALUE_NONE && marks[values[i]])
            return true;
    }
    return false;
}

static void find_reaching(struct walk *w)
{
    for (size_t i = 0; i < w->g->outputs.n; i++)
        w->reaches[w->g->outputs.at[i]] = true;
    for (size_t i = w->g->nodes.n; i-- > 0;) {
        const struct node *n = &w->g->nodes.at[i];
        if (any_of(w->reaches, n->outputs, n->n_outputs))
            mark_needed(w, n);
    }
}

static void meet(struct walk *w, enum reach_kind kind, const struct node *n, uint32_t at,
                 uint32_t value)
{
    uint32_t key = reach__key(kind, n->op->row, at, value);
    size_t low = 0, high = w->r->cells.n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (w->r->cells.at[mid].key < key)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < w->r->cells.n && w->r->cells.at[low].key == key)
        vec_push(&w->met, w->a, (uint32_t)low);
}

static void meet_attributes(struct walk *w, const struct node *n, const struct reach_op *own)
{
    for (uint32_t i = 0; i < (uint32_t)own->fact->n_attrs; i++) {
        if (!node_attr(n, own->fact->attrs[i].name))
            meet(w, REACH_ATTRIBUTE, n, i, 0);
    }
    for (size_t i = 0; i < own->attrs.n; i++) {
        const struct reach_attr *at = &own->attrs.at[i];
        const struct attr *v = node_attr(n, at->row->attr);
        uint32_t bucket = v ? reach__bucket(at->row, v) : UINT32_MAX;
        if (bucket != UINT32_MAX)
            meet(w, REACH_ATTRIBUTE, n, at->at, at->bucket + bucket);
    }
}

static void meet_form(struct walk *w, const struct node *n, uint32_t at)
{
    const struct graph_value *v = &w->g->values.at[n->inputs[at]];
    if (v->origin == ORIGIN_INITIALIZER)
        meet(w, REACH_PARAMETER, n, at, REACH_INITIALIZER);
    else if (v->origin == ORIGIN_NODE && str_is(w->g->nodes.at[v->origin_at].op_type, "Constant"))
        meet(w, REACH_PARAMETER, n, at, REACH_CONSTANT);
    else if (v->origin == ORIGIN_NODE && w->varies[n->inputs[at]])
        meet(w, REACH_PARAMETER, n, at, REACH_COMPUTED);
}

static void meet_inputs(struct walk *w, const struct node *n, const struct reach_op *own)
{
    const struct op_fact *f = own->fact;
    for (uint32_t i = 0; i < (uint32_t)f->n_input_facts; i++) {
        bool present = i < n->n_inputs && n->inputs[i] != VALUE_NONE;
        if (f->inputs[i].arity == OP_OPTIONAL)
            meet(w, REACH_OPTIONAL, n, i, present);
        if (f->inputs[i].arity == OP_VARIADIC && n->n_inputs > i)
            meet(w, REACH_OPTIONAL, n, i, MIN(n->n_inputs - i - 1, 2u));
        if (present && reach__has_forms(n->op, f, i))
            meet_form(w, n, i);
    }
}

static void meet_dtypes(struct walk *w, const struct node *n, const struct op_fact *f)
{
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        const struct op_param_fact *p = op_fact_input(f, i);
        if (p && n->inputs[i] != VALUE_NONE)
            meet(w, REACH_DTYPE, n, reach__type_at(f, p->type),
                 w->g->values.at[n->inputs[i]].dtype);
    }
    for (uint32_t i = 0; i < n->n_outputs; i++) {
        const struct op_param_fact *p = op_fact_output(f, i);
        if (p && n->outputs[i] != VALUE_NONE)
            meet(w, REACH_DTYPE, n, reach__type_at(f, p->type),
                 w->g->values.at[n->outputs[i]].dtype);
    }
}

static enum reach_size size_of(int64_t n)
{
    return n < 3 ? (enum reach_size)n : n % 2 ? REACH_ODD : REACH_EVEN;
}

static void meet_shape(struct walk *w, const struct node *n)
{
    const struct shape *s =
        n->n_inputs && n->inputs[0] != VALUE_NONE ? &w->g->values.at[n->inputs[0]].shape : NULL;
    if (!s || !s->known)
        return;
    meet(w, REACH_RANK, n, 0, s->rank);
    for (uint32_t d = 0; d < s->rank; d++) {
        if (s->dims[d].value >= 0)
            meet(w, REACH_SIZE, n, 0, size_of(s->dims[d].value));
    }
}

static void meet_edges(struct walk *w, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        const struct graph_value *v =
            n->inputs[i] == VALUE_NONE ? NULL : &w->g->values.at[n->inputs[i]];
        if (!v || v->origin != ORIGIN_NODE || !w->varies[n->inputs[i]])
            continue;
        const struct op *before = w->g->nodes.at[v->origin_at].op;
        if (before && w->r->ops[before->row].is_neighbour)
            meet(w, i ? REACH_WEIGHT_EDGE : REACH_DATA_EDGE, n, 0, (uint32_t)before->row);
    }
}

static void meet_node(struct walk *w, const struct node *n)
{
    const struct reach_op *own = n->op ? &w->r->ops[n->op->row] : NULL;
    if (!own || !own->fact || !any_of(w->varies, n->outputs, n->n_outputs) ||
        !any_of(w->reaches, n->outputs, n->n_outputs))
        return;
    meet_attributes(w, n, own);
    meet_inputs(w, n, own);
    meet_dtypes(w, n, own->fact);
    meet_shape(w, n);
    if (own->is_neighbour)
        meet_edges(w, n);
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

struct reach_cells reach_meet(const struct reach *r, const struct model *m, struct arena *a)
{
    struct walk w = {.r = r, .m = m, .g = m->graph, .a = a};
    size_t n = 0;
    w.varies = arena_new_array(a, bool, m->graph->values.n);
    w.reaches = arena_new_array(a, bool, m->graph->values.n);
    find_varying(&w);
    find_reaching(&w);
    for (size_t i = 0; i < m->graph->nodes.n; i++)
        meet_node(&w, &m->graph->nodes.at[i]);
    if (w.met.n > 0)
        qsort(w.met.at, w.met.n, sizeof *w.met.at, by_number);
    for (size_t i = 0; i < w.met.n; i++) {
        if (n == 0 || w.met.at[i] != w.met.at[n - 1])
            w.met.at[n++] = w.met.at[i];
    }
    return (struct reach_cells){w.met.at, n};
}
