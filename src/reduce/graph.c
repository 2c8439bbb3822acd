/*
 * Passes over the structure: they drop outputs, cut off the end, cut out chunks, bypass nodes,
 * remove optional inputs and attributes. Each edits a copy. Only graph__settle decides whether the
 * result is a valid model, so a pass may try edits that do not always work.
 *
 * Must not know what failed nor how it is judged.
 */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "onnx/check.h"
#include "onnx/eval.h"
#include "onnx/infer.h"
#include "onnx/op.h"
#include "reduce/reduce_p.h"

void graph__reads(const struct node *n, struct arena *a, struct value_list *out)
{
    VEC(const struct graph *) worklist = {0};
    const struct graph *top = NULL;
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        if (n->inputs[i] != VALUE_NONE)
            vec_push(out, a, n->inputs[i]);
    }
    for (uint32_t i = 0; i < n->n_attrs; i++) {
        if (n->attrs[i].kind == ATTR_GRAPH) {
            top = n->attrs[i].g->parent;
            vec_push(&worklist, a, n->attrs[i].g);
        }
    }
    while (worklist.n > 0) {
        const struct graph *g = vec_pop(&worklist);
        for (size_t i = 0; g->parent == top && i < g->values.n; i++) {
            if (g->values.at[i].origin == ORIGIN_OUTER)
                vec_push(out, a, g->values.at[i].origin_at);
        }
        for (size_t k = 0; k < g->nodes.n; k++) {
            for (uint32_t i = 0; i < g->nodes.at[k].n_attrs; i++) {
                if (g->nodes.at[k].attrs[i].kind == ATTR_GRAPH)
                    vec_push(&worklist, a, g->nodes.at[k].attrs[i].g);
            }
        }
    }
}

bool graph__is_computed(const struct graph *g, uint32_t value)
{
    const struct graph_value *v = &g->values.at[value];
    return v->origin == ORIGIN_NODE && !str_is(g->nodes.at[v->origin_at].op_type, "Constant");
}

void trial__set_input(struct trial *t, struct str name, struct tensor value)
{
    for (size_t i = 0; i < t->inputs.n; i++) {
        if (str_eq(t->inputs.at[i].name, name)) {
            t->inputs.at[i].tensor = value;
            return;
        }
    }
    struct named_tensor *at = arena_new_array(t->a, struct named_tensor, t->inputs.n + 1);
    memcpy(at, t->inputs.at, t->inputs.n * sizeof *at);
    at[t->inputs.n] = (struct named_tensor){name, value};
    t->inputs.at = at;
    t->inputs.n++;
}

/* Makes the output of a removed node a graph input that holds the reference's value or, without a
 * reference, has the known dtype and shape. */
static bool record(struct trial *t, uint32_t value)
{
    struct graph *g = t->m->graph;
    struct graph_value *v = &g->values.at[value];
    struct tensor recorded;
    struct err ignored = {0};
    bool has_value = value < t->from->ref.n_values &&
                     t->from->ref.values[value].dtype != DTYPE_UNDEFINED &&
                     value_to_tensor(&t->from->ref.values[value], t->a, &recorded, &ignored);
    if (!has_value && (!t->is_unvalued || v->dtype == DTYPE_UNDEFINED || !v->shape.known))
        return false;
    v->origin = ORIGIN_INPUT;
    vec_push(&g->inputs, t->a, value);
    if (!has_value)
        return true;
    v->dtype = recorded.dtype;
    v->shape = shape_from_dims(recorded.dims, recorded.rank, t->a);
    trial__set_input(t, v->name, recorded);
    return true;
}

/* Marks the values that kept nodes produce, and inputs and constants. */
static void mark_present(const struct graph *g, const bool *keep, bool *present)
{
    for (size_t i = 0; i < g->values.n; i++)
        present[i] = g->values.at[i].origin != ORIGIN_NODE;
    for (size_t k = 0; k < g->nodes.n; k++)
        for (uint32_t i = 0; keep[k] && i < g->nodes.at[k].n_outputs; i++)
            if (g->nodes.at[k].outputs[i] != VALUE_NONE)
                present[g->nodes.at[k].outputs[i]] = true;
}

static void collect_reads(const struct graph *g, const bool *keep, bool of_kept, struct arena *a,
                          struct value_list *out)
{
    for (size_t k = 0; k < g->nodes.n; k++)
        if (keep[k] == of_kept)
            graph__reads(&g->nodes.at[k], a, out);
}

/* Keeps the outputs that are still produced, and adds those values of `lost` that are. */
static void keep_outputs(struct trial *t, const bool *present, const struct value_list *lost)
{
    struct graph *g = t->m->graph;
    size_t n = 0;
    bool *is_output = arena_new_array(t->a, bool, g->values.n);
    for (size_t i = 0; i < g->outputs.n; i++) {
        uint32_t v = g->outputs.at[i];
        if (present[v] && g->values.at[v].origin == ORIGIN_NODE && !is_output[v]) {
            is_output[v] = true;
            g->outputs.at[n++] = v;
        }
    }
    g->outputs.n = n;
    for (size_t i = 0; i < lost->n; i++) {
        uint32_t v = lost->at[i];
        if (present[v] && !is_output[v] && graph__is_computed(g, v)) {
            is_output[v] = true;
            graph_add_output(g, v);
        }
    }
}

bool graph__keep(struct trial *t, const bool *keep, bool frontier)
{
    struct graph *g = t->m->graph;
    bool *present = arena_new_array(t->a, bool, g->values.n);
    struct value_list needed = {0}, lost = {0};
    mark_present(g, keep, present);
    collect_reads(g, keep, true, t->a, &needed);
    if (frontier)
        collect_reads(g, keep, false, t->a, &lost);
    keep_outputs(t, present, &lost);
    if (g->outputs.n == 0)
        return false;
    for (size_t i = 0; i < needed.n; i++) {
        if (present[needed.at[i]])
            continue;
        if (!record(t, needed.at[i]))
            return false;
        present[needed.at[i]] = true;
    }
    size_t n = 0;
    for (size_t k = 0; k < g->nodes.n; k++)
        if (keep[k])
            g->nodes.at[n++] = g->nodes.at[k];
    bool changed = n < g->nodes.n;
    g->nodes.n = n;
    return changed && n > 0;
}

/* Forgets the shapes of nodes' outputs, since stale ones would contradict the new ones. */
static void forget_shapes(struct trial *t)
{
    VEC(struct graph *) worklist = {0};
    vec_push(&worklist, t->a, t->m->graph);
    while (worklist.n > 0) {
        struct graph *g = vec_pop(&worklist);
        for (size_t i = 0; i < g->values.n; i++) {
            if (g->values.at[i].origin != ORIGIN_NODE)
                continue;
            g->values.at[i].dtype = DTYPE_UNDEFINED;
            g->values.at[i].shape = (struct shape){0};
        }
        for (size_t k = 0; k < g->nodes.n; k++) {
            for (uint32_t i = 0; i < g->nodes.at[k].n_attrs; i++) {
                if (g->nodes.at[k].attrs[i].kind == ATTR_GRAPH)
                    vec_push(&worklist, t->a, g->nodes.at[k].attrs[i].g);
            }
        }
    }
}

/* Removes inputs that no node reads and that are no output, with their tensors. */
static void drop_inputs(struct trial *t)
{
    struct graph *g = t->m->graph;
    struct value_list reads = {0};
    bool *used = arena_new_array(t->a, bool, g->values.n);
    for (size_t k = 0; k < g->nodes.n; k++)
        graph__reads(&g->nodes.at[k], t->a, &reads);
    for (size_t i = 0; i < reads.n; i++)
        used[reads.at[i]] = true;
    for (size_t i = 0; i < g->outputs.n; i++)
        used[g->outputs.at[i]] = true;
    size_t n = 0;
    for (size_t i = 0; i < g->inputs.n; i++)
        if (used[g->inputs.at[i]])
            g->inputs.at[n++] = g->inputs.at[i];
    g->inputs.n = n;
    struct named_tensor *kept = arena_new_array(t->a, struct named_tensor, t->inputs.n);
    n = 0;
    for (size_t i = 0; i < t->inputs.n; i++) {
        uint32_t v = graph_find_value(g, t->inputs.at[i].name);
        if (v != VALUE_NONE && used[v])
            kept[n++] = t->inputs.at[i];
    }
    t->inputs = (struct tensors){kept, n};
}

bool graph__tidy(struct trial *t, struct err *e)
{
    graph_remove_dead(t->m, t->m->graph);
    if (t->m->graph->nodes.n == 0)
        return err_set(e, ERR_DATA, "no node is left");
    drop_inputs(t);
    forget_shapes(t);
    return model_finish(t->m, e) && check_model(t->m, e) && infer_model(t->m, e);
}

bool graph__settle(struct trial *t, struct eval_result *ref, struct err *e)
{
    return graph__tidy(t, e) && eval_run(t->m, &t->inputs, &(struct eval_options){0}, t->a, ref, e);
}

/* ---- static dims: inputs are declared with the sizes of their tensors */
uint32_t pass__count_static(const struct state *s)
{
    (void)s;
    return 1;
}

bool pass__apply_static(struct trial *t, uint32_t lo, uint32_t hi)
{
    struct graph *g = t->m->graph;
    bool changed = false;
    (void)lo;
    (void)hi;
    for (size_t i = 0; i < g->inputs.n; i++) {
        struct graph_value *v = &g->values.at[g->inputs.at[i]];
        const struct tensor *x = tensors_find(&t->inputs, v->name);
        if (!x || shape_is_static(&v->shape))
            continue;
        v->shape = shape_from_dims(x->dims, x->rank, t->a);
        changed = true;
    }
    return changed;
}

/* ---- outputs */
uint32_t pass__count_other_outputs(const struct state *s)
{
    return s->m->graph->outputs.n > 1;
}

bool pass__apply_other_outputs(struct trial *t, uint32_t lo, uint32_t hi)
{
    struct graph *g = t->m->graph;
    uint32_t v = graph_find_value(g, t->output);
    (void)lo;
    (void)hi;
    for (size_t i = 0; v != VALUE_NONE && i < g->outputs.n; i++) {
        if (g->outputs.at[i] == v) {
            g->outputs.at[0] = v;
            g->outputs.n = 1;
            return true;
        }
    }
    return false;
}

uint32_t pass__count_outputs(const struct state *s)
{
    return s->m->graph->outputs.n > 1 ? (uint32_t)s->m->graph->outputs.n : 0;
}

bool pass__apply_outputs(struct trial *t, uint32_t lo, uint32_t hi)
{
    struct graph *g = t->m->graph;
    size_t n = 0;
    if (hi - lo >= g->outputs.n)
        return false;
    for (size_t i = 0; i < g->outputs.n; i++)
        if (i < lo || i >= hi)
            g->outputs.at[n++] = g->outputs.at[i];
    g->outputs.n = n;
    return true;
}

/* ---- nodes */
static uint32_t n_nodes(const struct state *s)
{
    return (uint32_t)s->m->graph->nodes.n;
}

static bool remove_range(struct trial *t, uint32_t lo, uint32_t hi, bool frontier)
{
    size_t n = t->m->graph->nodes.n;
    bool *keep = arena_new_array(t->a, bool, n);
    for (size_t k = 0; k < n; k++)
        keep[k] = k < lo || k >= hi;
    return graph__keep(t, keep, frontier);
}

uint32_t pass__count_suffix(const struct state *s)
{
    return n_nodes(s);
}

bool pass__apply_suffix(struct trial *t, uint32_t lo, uint32_t hi)
{
    return lo > 0 && hi == t->m->graph->nodes.n && remove_range(t, lo, hi, true);
}

uint32_t pass__count_cut(const struct state *s)
{
    return n_nodes(s);
}

bool pass__apply_cut(struct trial *t, uint32_t lo, uint32_t hi)
{
    return remove_range(t, lo, hi, false);
}

uint32_t pass__count_bypass(const struct state *s)
{
    return n_nodes(s);
}

bool pass__apply_bypass(struct trial *t, uint32_t lo, uint32_t hi)
{
    struct graph *g = t->m->graph;
    const struct node *n = &g->nodes.at[lo];
    (void)hi;
    if (n->n_outputs == 0 || n->outputs[0] == VALUE_NONE)
        return false;
    const struct value *out = &t->from->ref.values[n->outputs[0]];
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        if (n->inputs[i] == VALUE_NONE || g->values.at[n->inputs[i]].origin == ORIGIN_INITIALIZER)
            continue;
        const struct value *in = &t->from->ref.values[n->inputs[i]];
        if (in->dtype != out->dtype || in->dtype == DTYPE_UNDEFINED || in->rank != out->rank ||
            (in->rank > 0 && memcmp(in->dims, out->dims, in->rank * sizeof *in->dims) != 0))
            continue;
        graph_replace_uses(g, n->outputs[0], n->inputs[i]);
        for (size_t k = 0; k < g->outputs.n; k++)
            if (g->values.at[g->outputs.at[k]].origin != ORIGIN_NODE)
                return false; /* an input would become an output */
        return true;
    }
    return false;
}

/* ---- producers: where only a node's value matters, and not how it is made, it becomes Neg of an
 * input that holds the negated value. An input alone may not do: optimisers treat it otherwise. So
 * one cause has one key, whichever operator happens to stand before it. Only of a wrong output: a
 * refusal or a crash says less about its cause, and would more often be exchanged for another. */
uint32_t pass__count_producers(const struct state *s)
{
    return n_nodes(s);
}

static bool negated(const struct value *v, struct arena *a, struct tensor *out)
{
    struct err ignored = {0};
    void *data;
    if (v->storage != STORAGE_F64 || !dtype_is_float(v->dtype) ||
        !tensor_make(v->dtype, v->dims, v->rank, a, out, &data, &ignored))
        return false;
    for (size_t i = 0; i < v->n; i++)
        tensor_put_double(v->dtype, data, i, -v->f[i]);
    return true;
}

bool pass__apply_producers(struct trial *t, uint32_t lo, uint32_t hi)
{
    struct graph *g = t->m->graph;
    const struct node *n = &g->nodes.at[lo];
    struct tensor x;
    (void)hi;
    if (t->output.n == 0 || n->n_inputs == 0 || n->n_outputs != 1 || str_is(n->op_type, "Neg") ||
        g->values.at[n->outputs[0]].is_output ||
        !negated(&t->from->ref.values[n->outputs[0]], t->a, &x))
        return false;
    uint32_t made = n->outputs[0];
    uint32_t input = graph_add_input(t->m, g, STR("negated"), x.dtype, x.dims, x.rank);
    trial__set_input(t, g->values.at[input].name, x);
    graph_replace_uses(g, made, graph_add_node(t->m, g, "Neg", &input, 1, 1));
    return true;
}

/* ---- consumers: where a node matters only because it reads the value before it, it becomes
 * Identity. The value itself may not do as the output: optimisers leave a node alone whose result
 * is one. */
uint32_t pass__count_consumers(const struct state *s)
{
    return n_nodes(s);
}

bool pass__apply_consumers(struct trial *t, uint32_t lo, uint32_t hi)
{
    struct graph *g = t->m->graph;
    const struct node n = g->nodes.at[lo];
    (void)hi;
    if (n.n_outputs != 1 || str_is(n.op_type, "Identity") || !g->values.at[n.outputs[0]].is_output)
        return false;
    for (uint32_t i = 0; i < n.n_inputs; i++) {
        if (n.inputs[i] == VALUE_NONE || !graph__is_computed(g, n.inputs[i]))
            continue;
        graph_copy_output(t->m, g, n.outputs[0], n.inputs[i]);
        return true;
    }
    return false;
}

/* ---- optional inputs and attributes: each is a site, numbered across all nodes */
static bool find_site(uint32_t site, const struct model *m, uint32_t (*sites)(const struct node *),
                      uint32_t *node, uint32_t *at)
{
    for (size_t k = 0; k < m->graph->nodes.n; k++) {
        uint32_t n = sites(&m->graph->nodes.at[k]);
        if (site < n) {
            *node = (uint32_t)k;
            *at = site;
            return true;
        }
        site -= n;
    }
    return false;
}

static uint32_t count_sites(const struct state *s, uint32_t (*sites)(const struct node *))
{
    uint32_t n = 0;
    for (size_t k = 0; k < s->m->graph->nodes.n; k++)
        n += sites(&s->m->graph->nodes.at[k]);
    return n;
}

static uint32_t input_sites(const struct node *n)
{
    return n->n_inputs;
}

static uint32_t attr_sites(const struct node *n)
{
    return n->n_attrs;
}

uint32_t pass__count_optional(const struct state *s)
{
    return count_sites(s, input_sites);
}

bool pass__apply_optional(struct trial *t, uint32_t lo, uint32_t hi)
{
    uint32_t node, at;
    (void)hi;
    if (!find_site(lo, t->m, input_sites, &node, &at))
        return false;
    struct node *n = &t->m->graph->nodes.at[node];
    const struct op_param_fact *p = n->fact ? op_fact_input(n->fact, at) : NULL;
    if (!p || p->arity == OP_SINGLE || n->inputs[at] == VALUE_NONE)
        return false;
    uint32_t *inputs = arena_dup(t->a, n->inputs, n->n_inputs * sizeof *inputs);
    uint32_t n_inputs = n->n_inputs;
    if (p->arity == OP_VARIADIC) {
        if ((int)n_inputs <= n->fact->min_inputs || n_inputs <= 1)
            return false;
        memmove(inputs + at, inputs + at + 1, (n_inputs - at - 1) * sizeof *inputs);
        n_inputs--;
    } else {
        inputs[at] = VALUE_NONE;
    }
    while (n_inputs > 0 && inputs[n_inputs - 1] == VALUE_NONE)
        n_inputs--;
    node_set_inputs(t->m, n, inputs, n_inputs);
    return true;
}

uint32_t pass__count_attributes(const struct state *s)
{
    return count_sites(s, attr_sites);
}

bool pass__apply_attributes(struct trial *t, uint32_t lo, uint32_t hi)
{
    uint32_t node, at;
    (void)hi;
    if (!find_site(lo, t->m, attr_sites, &node, &at))
        return false;
    struct node *n = &t->m->graph->nodes.at[node];
    const struct attr *attr = &n->attrs[at];
    char *name = str_dup(t->a, attr->name);
    const struct op_attr_fact *f = n->fact ? op_fact_attr(n->fact, name) : NULL;
    if (attr->kind == ATTR_GRAPH || str_is(n->op_type, "Constant") || (f && f->required))
        return false;
    node_remove_attr(t->m, n, name);
    return true;
}
