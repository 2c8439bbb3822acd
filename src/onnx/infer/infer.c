/*
 * Runs shape functions over a model's nodes in order, and keeps what they found.
 *
 * What is known of values is in two places: dtype and shape in the graph itself, folded integers in
 * a frame per graph that lives for one run. Declared types of outputs are saved before a node runs
 * and compared afterwards; the result is what the node's shape function says. This file knows no
 * operator.
 */
#include "onnx/infer.h"

#include <string.h>

#include "onnx/infer/infer_p.h"

struct infer_frame {
    struct graph *g;
    const struct fold **folds; /* by value; NULL: nothing known, or not looked up yet */
    struct infer_frame *outer;
    unsigned depth;
};

/* Checks the types of inputs (and, afterwards, outputs) against the standard's fact. */
static bool check_types(const struct infer *in, bool with_outputs, struct err *e)
{
    enum dtype few[32], *dtypes = few;
    const struct node *n = in->n;
    if (n->n_inputs + n->n_outputs > COUNT_OF(few))
        dtypes = arena_new_array(in->a, enum dtype, n->n_inputs + n->n_outputs);
    for (uint32_t i = 0; i < n->n_inputs; i++)
        dtypes[i] = infer__dtype(in, i);
    for (uint32_t o = 0; o < n->n_outputs; o++)
        dtypes[n->n_inputs + o] =
            n->outputs[o] == VALUE_NONE ? DTYPE_UNDEFINED : in->g->values.at[n->outputs[o]].dtype;
    struct op_types t = {dtypes, dtypes + n->n_inputs, n->n_inputs,
                         with_outputs ? n->n_outputs : 0};
    return op_check_types(n->fact, &t, e);
}

static bool check_before(const struct infer *in, struct err *e)
{
    const struct node *n = in->n;
    if (!op_check_node(n, in->opset, e))
        return false;
    for (uint32_t i = 0; i < n->n_inputs; i++)
        if (infer__has(in, i) && in->g->values.at[n->inputs[i]].not_tensor)
            return err_set(e, ERR_UNSUPPORTED, "input %u is no tensor", i);
    return check_types(in, false, e);
}

/* Compares what the file declares of a value with what was inferred. */
static bool compare(const struct infer *in, const struct graph_value *declared,
                    const struct graph_value *found, struct err *e)
{
    if (declared->dtype != found->dtype)
        return err_set(e, ERR_DATA, "output '" STR_FMT "' is declared %s but is %s",
                       STR_ARG(found->name), dtype_name(declared->dtype), dtype_name(found->dtype));
    const struct shape *a = &declared->shape, *b = &found->shape;
    if (!a->known || !b->known)
        return true;
    bool same = a->rank == b->rank;
    for (uint32_t i = 0; same && i < a->rank; i++)
        same = !dim__differ(a->dims[i], b->dims[i]);
    if (same)
        return true;
    struct strbuf text = {0};
    shape_print(in->m, a, &text);
    strbuf_adds(&text, " but is ");
    shape_print(in->m, b, &text);
    err_set(e, ERR_DATA, "output '" STR_FMT "' is declared %s", STR_ARG(found->name), text.at);
    strbuf_done(&text);
    return false;
}

/* Can an int64 count the tensor's elements? A shape with more is an error. */
static bool is_countable(const struct graph_value *v, struct err *e)
{
    int64_t n = 1;
    bool fits = true;
    for (uint32_t d = 0; v->shape.known && d < v->shape.rank; d++) {
        int64_t dim = v->shape.dims[d].value;
        if (dim <= 0) /* unknown, or no element at all */
            return true;
        fits = fits && dim <= INT64_MAX / n;
        n = fits ? n * dim : n;
    }
    return fits || err_set(e, ERR_DATA, "output '" STR_FMT "' would have 2^63 elements or more",
                           STR_ARG(v->name));
}

static bool run_node(struct infer *in, struct err *e)
{
    const struct node *n = in->n;
    if (!check_before(in, e))
        return false;
    struct graph_value few[4], *before = few;
    if (n->n_outputs > COUNT_OF(few))
        before = arena_new_array(in->a, struct graph_value, n->n_outputs);
    for (uint32_t o = 0; o < n->n_outputs; o++) {
        if (n->outputs[o] == VALUE_NONE)
            continue;
        struct graph_value *v = &in->g->values.at[n->outputs[o]];
        before[o] = *v;
        v->dtype = DTYPE_UNDEFINED;
        v->shape = infer__unknown_shape();
        v->is_declared = false;
        in->folds[n->outputs[o]] = NULL;
    }
    if (!infer__function_of(n->op)(in, e))
        return false;
    for (uint32_t o = 0; o < n->n_outputs; o++) {
        if (n->outputs[o] == VALUE_NONE)
            continue;
        const struct graph_value *v = &in->g->values.at[n->outputs[o]];
        if (v->dtype == DTYPE_UNDEFINED)
            return err_set(e, ERR_UNSUPPORTED, "the type of output %u cannot be inferred", o);
        if (before[o].not_tensor)
            return err_set(e, ERR_DATA, "output %u is declared to be no tensor", o);
        if (!is_countable(v, e))
            return false;
        if (before[o].is_declared && !compare(in, &before[o], v, e))
            return false;
    }
    return check_types(in, true, e);
}

/* May an output of the node be folded? Only then does it run again before the first changed node.
 */
static bool gives_ints(const struct graph *g, const struct node *n)
{
    for (uint32_t o = 0; o < n->n_outputs; o++) {
        if (n->outputs[o] == VALUE_NONE)
            continue;
        const struct graph_value *v = &g->values.at[n->outputs[o]];
        if (infer__is_foldable(v->dtype) && v->shape.known && v->shape.rank <= 1)
            return true;
    }
    return false;
}

static struct infer_frame open_frame(struct model *m, struct graph *g, struct infer_frame *outer)
{
    const struct fold **folds = arena_new_array(m->arena, const struct fold *, g->values.n);
    for (size_t v = 0; v < g->values.n; v++) {
        struct graph_value *value = &g->values.at[v];
        if (value->initializer && value->origin == ORIGIN_INITIALIZER) {
            value->dtype = value->initializer->dtype;
            value->shape =
                shape_from_dims(value->initializer->dims, value->initializer->rank, m->arena);
        }
        if (value->origin != ORIGIN_OUTER || !outer)
            continue;
        const struct graph_value *around = &outer->g->values.at[value->origin_at];
        value->dtype = around->dtype;
        value->shape = around->shape;
        value->not_tensor = around->not_tensor;
        folds[v] = outer->folds[value->origin_at];
    }
    return (struct infer_frame){g, folds, outer, outer ? outer->depth + 1 : 0};
}

/* Declared here since nodes run subgraphs, which run nodes. */
static bool run_subgraph(struct infer *in, struct graph *g, const struct infer_input *inputs,
                         size_t n_inputs, struct err *e);

static bool run_graph(struct model *m, struct infer_frame *frame, uint32_t first, struct err *e)
{
    struct graph *g = frame->g;
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        struct node *n = &g->nodes.at[i];
        if (i < first && !gives_ints(g, n))
            continue;
        struct infer in = {m, g, n, m->opset, m->arena, frame, frame->folds, run_subgraph};
        if (n->domain.n)
            in.opset = (int)model_opset_of(m, n->domain);
        if (!run_node(&in, e))
            return err_wrap(e, "%s", node_label(g, n, m->arena));
    }
    return true;
}

static bool run_subgraph(struct infer *in, struct graph *g, const struct infer_input *inputs,
                         size_t n_inputs, struct err *e)
{
    if (in->frame->depth >= GRAPH_DEPTH_MAX)
        return err_set(e, ERR_LIMIT, "subgraphs are nested more than %d deep", GRAPH_DEPTH_MAX);
    if (n_inputs != g->inputs.n)
        return err_set(e, ERR_DATA, "subgraph '" STR_FMT "' has %zu inputs, %zu are expected",
                       STR_ARG(g->name), g->inputs.n, n_inputs);
    struct infer_frame frame = open_frame(in->m, g, in->frame);
    for (size_t i = 0; i < n_inputs; i++) {
        struct graph_value *v = &g->values.at[g->inputs.at[i]];
        if (inputs[i].dtype != DTYPE_UNDEFINED) {
            if (v->dtype != DTYPE_UNDEFINED && v->dtype != inputs[i].dtype)
                return err_set(e, ERR_DATA, "subgraph input '" STR_FMT "' is declared %s, gets %s",
                               STR_ARG(v->name), dtype_name(v->dtype), dtype_name(inputs[i].dtype));
            v->dtype = inputs[i].dtype;
            v->shape = inputs[i].shape;
        }
        frame.folds[g->inputs.at[i]] = inputs[i].ints;
    }
    return run_graph(in->m, &frame, 0, e);
}

bool infer_model_from(struct model *m, uint32_t first_node, struct err *e)
{
    struct infer_frame frame = open_frame(m, m->graph, NULL);
    for (size_t i = 0; i < m->graph->inputs.n; i++) {
        const struct graph_value *v = &m->graph->values.at[m->graph->inputs.at[i]];
        if (v->dtype == DTYPE_UNDEFINED)
            return err_set(e, v->not_tensor ? ERR_UNSUPPORTED : ERR_DATA,
                           "graph input '" STR_FMT "' is no tensor of known type",
                           STR_ARG(v->name));
    }
    return run_graph(m, &frame, first_node, e);
}

bool infer_model(struct model *m, struct err *e)
{
    return infer_model_from(m, 0, e);
}
