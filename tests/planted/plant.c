/*
 * Rewrites one node. Faults of the result are nodes inserted after it: the node writes a fresh
 * value, the last new node writes the old one, so names and consumers stay. Must not know judge/.
 */
#include "planted/plant.h"

#include <math.h>
#include <string.h>

#include "onnx/check.h"
#include "onnx/infer.h"

struct planting {
    struct model *m;
    struct graph *g;
    uint32_t node;  /* index in g->nodes */
    uint32_t value; /* its first output */
    struct arena *a;
};

static bool not_here(struct err *e)
{
    return err_set(e, ERR_UNSUPPORTED, "the fault does not apply to this node");
}

static struct node *node_of(struct planting *p)
{
    return &p->g->nodes.at[p->node];
}

/* Makes the node write a fresh value, which is returned. */
static uint32_t divert(struct planting *p)
{
    uint32_t fresh = graph_add_value(p->m, p->g, STR("planted"));
    struct node *n = node_of(p);
    uint32_t *outputs = arena_dup(p->a, n->outputs, n->n_outputs * sizeof *outputs);
    outputs[0] = fresh;
    n->outputs = outputs;
    return fresh;
}

/* Makes the newest node write the old value. */
static void rejoin(struct planting *p)
{
    uint32_t *outputs = arena_new_array(p->a, uint32_t, 1);
    outputs[0] = p->value;
    graph_last_node(p->g)->outputs = outputs;
    graph_last_node(p->g)->n_outputs = 1;
}

static uint32_t add_constant(struct planting *p, const struct tensor *t)
{
    return graph_add_initializer(p->m, p->g, STR("planted_constant"),
                                 arena_dup(p->a, t, sizeof *t));
}

static bool plant_channel(struct planting *p, struct err *e)
{
    const struct graph_value *v = &p->g->values.at[p->value];
    int64_t dims[TENSOR_RANK_MAX];
    if (!dtype_is_float(v->dtype) || !shape_to_dims(&v->shape, dims) || v->shape.rank == 0)
        return not_here(e);
    uint32_t axis = v->shape.rank >= 3 ? 1 : v->shape.rank - 1;
    for (uint32_t i = 0; i < v->shape.rank; i++)
        dims[i] = i == axis ? dims[i] : 1;
    struct tensor t;
    void *data;
    if (!tensor_make(v->dtype, dims, v->shape.rank, p->a, &t, &data, e))
        return false;
    for (size_t i = 0; i < t.n; i++)
        tensor_put_double(t.dtype, data, i, i == t.n / 2 ? 1.05 : 1);
    uint32_t inputs[] = {divert(p), add_constant(p, &t)};
    graph_add_node(p->m, p->g, "Mul", inputs, 2, 1);
    rejoin(p);
    return true;
}

static uint32_t add_cast(struct planting *p, uint32_t from, enum dtype to)
{
    uint32_t y = graph_add_node(p->m, p->g, "Cast", &from, 1, 1);
    node_set_int(p->m, graph_last_node(p->g), "to", to);
    return y;
}

static bool plant_f16(struct planting *p, struct err *e)
{
    enum dtype own = p->g->values.at[p->value].dtype;
    if (own != DTYPE_FLOAT && own != DTYPE_DOUBLE)
        return not_here(e);
    add_cast(p, add_cast(p, divert(p), DTYPE_FLOAT16), own);
    rejoin(p);
    return true;
}

/* Replaces input i's initializer by one with moved elements: element k comes from from[k]. */
static void set_moved(struct planting *p, uint32_t i, const struct tensor *t, const size_t *from)
{
    struct node *n = node_of(p);
    struct tensor moved = *t;
    void *data = arena_alloc(p->a, dtype_size(t->dtype, t->n));
    for (size_t k = 0; k < t->n; k++)
        tensor_put_double(t->dtype, data, k, tensor_get_double(t, from[k]));
    moved.data = data;
    uint32_t *inputs = arena_dup(p->a, n->inputs, n->n_inputs * sizeof *inputs);
    inputs[i] = add_constant(p, &moved);
    node_set_inputs(p->m, node_of(p), inputs, n->n_inputs);
}

static const struct tensor *initializer_of(struct planting *p, uint32_t i)
{
    const struct node *n = node_of(p);
    if (i >= n->n_inputs || n->inputs[i] == VALUE_NONE)
        return NULL;
    return p->g->values.at[n->inputs[i]].initializer;
}

static bool plant_mirror(struct planting *p, struct err *e)
{
    const struct tensor *w = initializer_of(p, 1);
    if (!str_starts(node_of(p)->op_type, STR("Conv")) || !w || w->rank < 3)
        return not_here(e);
    size_t spatial = w->n / (size_t)(w->dims[0] * w->dims[1]);
    size_t *from = arena_new_array(p->a, size_t, w->n);
    if (spatial == 1)
        return not_here(e);
    for (size_t k = 0; k < w->n; k++)
        from[k] = k / spatial * spatial + (spatial - 1 - k % spatial);
    set_moved(p, 1, w, from);
    return true;
}

static bool plant_pad(struct planting *p, struct err *e)
{
    size_t n;
    const int64_t *pads = node_ints(node_of(p), "pads", &n);
    if (n < 2 || pads[0] < 1)
        return not_here(e);
    int64_t *wrong = arena_dup(p->a, pads, n * sizeof *pads);
    wrong[0]--;
    wrong[n / 2]++;
    if (str_ends(node_of(p)->op_type, STR("Pool"))) { /* a window must not be in the pad alone */
        size_t n_kernel;
        const int64_t *kernel = node_ints(node_of(p), "kernel_shape", &n_kernel);
        if (n_kernel == 0 || wrong[n / 2] >= kernel[0])
            return not_here(e);
    }
    node_set_ints(p->m, node_of(p), "pads", wrong, n);
    return true;
}

static bool plant_axis(struct planting *p, struct err *e)
{
    struct node *n = node_of(p);
    const struct shape *s = &p->g->values.at[p->value].shape;
    if (!s->known || s->rank < 2)
        return not_here(e);
    int64_t rank = s->rank;
    if (str_is(n->op_type, "Softmax") || str_is(n->op_type, "LogSoftmax") ||
        str_is(n->op_type, "CumSum")) {
        int64_t axis = node_int(n, "axis", -1);
        axis = axis < 0 ? axis + rank : axis;
        int64_t other = axis == 0 ? rank - 1 : axis - 1;
        if (s->dims[other].value < 2)
            return not_here(e);
        node_set_int(p->m, n, "axis", other);
        return true;
    }
    size_t n_perm;
    const int64_t *perm = node_ints(n, "perm", &n_perm);
    if (!str_is(n->op_type, "Transpose") || n_perm < 2 ||
        s->dims[n_perm - 1].value != s->dims[n_perm - 2].value)
        return not_here(e);
    int64_t *wrong = arena_dup(p->a, perm, n_perm * sizeof *perm);
    wrong[n_perm - 1] = perm[n_perm - 2];
    wrong[n_perm - 2] = perm[n_perm - 1];
    node_set_ints(p->m, n, "perm", wrong, n_perm);
    return true;
}

static bool same_shape(const struct shape *a, const struct shape *b)
{
    if (!a->known || !b->known || a->rank != b->rank)
        return false;
    for (uint32_t i = 0; i < a->rank; i++)
        if (a->dims[i].value < 0 || a->dims[i].value != b->dims[i].value)
            return false;
    return true;
}

static bool plant_swap(struct planting *p, struct err *e)
{
    static const char *const ordered[] = {"Sub", "Div", "Pow", "MatMul", "Gemm"};
    struct node *n = node_of(p);
    bool is_ordered = false;
    for (size_t i = 0; i < COUNT_OF(ordered); i++)
        is_ordered = is_ordered || str_is(n->op_type, ordered[i]);
    if (!is_ordered || n->n_inputs < 2 || n->inputs[0] == n->inputs[1])
        return not_here(e);
    const struct shape *a = &p->g->values.at[n->inputs[0]].shape;
    const struct shape *b = &p->g->values.at[n->inputs[1]].shape;
    bool product = str_is(n->op_type, "MatMul") || str_is(n->op_type, "Gemm");
    if (product ? !same_shape(a, b) || a->rank < 2 ||
                      a->dims[a->rank - 1].value != a->dims[a->rank - 2].value
                : false)
        return not_here(e);
    uint32_t *inputs = arena_dup(p->a, n->inputs, n->n_inputs * sizeof *inputs);
    inputs[0] = n->inputs[1];
    inputs[1] = n->inputs[0];
    node_set_inputs(p->m, n, inputs, n->n_inputs);
    return true;
}

static bool plant_stale(struct planting *p, struct err *e)
{
    const struct node *n = node_of(p);
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        const struct tensor *t = initializer_of(p, i);
        if (!t || !dtype_is_float(t->dtype) || t->n < 2)
            continue;
        size_t *from = arena_new_array(p->a, size_t, t->n);
        for (size_t k = 0; k < t->n; k++)
            from[k] = (k + 1) % t->n;
        set_moved(p, i, t, from);
        return true;
    }
    return not_here(e);
}

static bool plant_nan_dropped(struct planting *p, struct err *e)
{
    enum dtype own = p->g->values.at[p->value].dtype;
    if (!dtype_is_float(own))
        return not_here(e);
    uint32_t x = divert(p);
    uint32_t is_nan = graph_add_node(p->m, p->g, "IsNaN", &x, 1, 1);
    struct tensor zero = tensor_scalar_double(own, 0, p->a);
    uint32_t inputs[] = {is_nan, add_constant(p, &zero), x};
    graph_add_node(p->m, p->g, "Where", inputs, 3, 1);
    rejoin(p);
    return true;
}

static bool plant_dtype(struct planting *p, struct err *e)
{
    const struct graph_value *v = &p->g->values.at[p->value];
    if (v->dtype != DTYPE_FLOAT || !v->is_output)
        return not_here(e);
    for (size_t k = 0; k < p->g->nodes.n; k++)
        for (uint32_t i = 0; i < p->g->nodes.at[k].n_inputs; i++)
            if (p->g->nodes.at[k].inputs[i] == p->value)
                return not_here(e);
    add_cast(p, divert(p), DTYPE_DOUBLE);
    rejoin(p);
    p->g->values.at[p->value].dtype = DTYPE_DOUBLE;
    return true;
}

static const struct {
    const char *name;
    bool (*plant)(struct planting *p, struct err *e);
} kinds[PLANT_COUNT] = {
    [PLANT_CHANNEL] = {"channel times 1.05", plant_channel},
    [PLANT_F16] = {"cast through float16", plant_f16},
    [PLANT_MIRROR] = {"mirrored kernel", plant_mirror},
    [PLANT_PAD] = {"pads one off", plant_pad},
    [PLANT_AXIS] = {"another axis", plant_axis},
    [PLANT_SWAP] = {"swapped inputs", plant_swap},
    [PLANT_STALE_CONSTANT] = {"stale constant", plant_stale},
    [PLANT_NAN_DROPPED] = {"NaN dropped", plant_nan_dropped},
    [PLANT_DTYPE] = {"another dtype", plant_dtype},
};

const char *plant_name(enum plant_kind k)
{
    return k < PLANT_COUNT ? kinds[k].name : "unknown";
}

/* Does the node follow the operator with which it is wrongly fused? */
static bool is_fused(const struct planting *x, const struct plant *p)
{
    const struct node *n = &x->g->nodes.at[x->node];
    if (p->after.n == 0)
        return true;
    if (n->n_inputs == 0 || n->inputs[0] == VALUE_NONE)
        return false;
    const struct graph_value *in = &x->g->values.at[n->inputs[0]];
    return in->origin == ORIGIN_NODE && str_eq(x->g->nodes.at[in->origin_at].op_type, p->after);
}

bool plant_fault(const struct model *m, const struct plant *p, struct arena *a,
                 struct model **faulty, struct err *e)
{
    struct planting x = {.m = model_copy(m, a), .a = a};
    x.g = x.m->graph;
    x.value = graph_find_value(x.g, p->output);
    *faulty = x.m;
    if (x.value == VALUE_NONE || x.g->values.at[x.value].origin != ORIGIN_NODE)
        return true;
    x.node = x.g->values.at[x.value].origin_at;
    if (x.g->nodes.at[x.node].outputs[0] != x.value)
        return not_here(e);
    if (!is_fused(&x, p))
        return true;
    if (!kinds[p->kind].plant(&x, e))
        return false;
    return model_finish(x.m, e) && infer_model(x.m, e);
}

/* Inputs and initializers stay as they are: an engine rounds what it computes, not what it is
 * given. */
static bool given_values(const struct model *m, const struct tensors *inputs, struct arena *a,
                         struct value **out, struct err *e)
{
    struct eval_result plain;
    if (!eval_run(m, inputs, &(struct eval_options){0}, a, &plain, e))
        return false;
    for (size_t i = 0; i < plain.n_values; i++)
        if (m->graph->values.at[i].origin == ORIGIN_NODE)
            plain.values[i].dtype = DTYPE_UNDEFINED;
    *out = plain.values;
    return true;
}

static bool evaluate(const struct shim *s, const struct model *m, const struct tensors *inputs,
                     struct arena *a, struct observation *out, struct err *e)
{
    struct model *run = NULL;
    struct eval_result r;
    struct eval_options o = {.perturb_seed = s->noise_seed};
    struct value *given;
    if (!s->plant || !plant_fault(m, s->plant, a, &run, e))
        run = model_copy(m, a);
    if (!given_values(run, inputs, a, &given, e))
        return false;
    o.given = given;
    if (!eval_run(run, inputs, &o, a, &r, e))
        return false;
    const struct graph *g = m->graph;
    out->outputs =
        (struct tensors){arena_new_array(a, struct named_tensor, g->outputs.n), g->outputs.n};
    for (size_t i = 0; i < g->outputs.n; i++) {
        struct str name = g->values.at[g->outputs.at[i]].name;
        uint32_t v = graph_find_value(run->graph, name);
        out->outputs.at[i].name = name;
        if (!value_to_tensor(&r.values[v], a, &out->outputs.at[i].tensor, e))
            return false;
    }
    return true;
}

void shim_run(const struct shim *s, const struct model *m, const struct tensors *inputs,
              struct arena *a, struct observation *out)
{
    struct err e = {0};
    *out = (struct observation){.target = s->target};
    if (evaluate(s, m, inputs, a, out, &e))
        return;
    out->outcome = OUTCOME_EXCEPTION;
    out->message.raw = str_of(arena_strdup(a, e.text));
    out->message.type = STR("EvalError");
}

static double distance(const struct tensor *x, const struct tensor *r)
{
    double error = 0, scale = 0;
    if (x->dtype != r->dtype || !tensor_same_shape(x, r))
        return INFINITY;
    for (size_t i = 0; i < x->n; i++) {
        double a = tensor_get_double(x, i), b = tensor_get_double(r, i);
        if (isnan(a) != isnan(b) || isinf(a) != isinf(b))
            return INFINITY;
        if (!isfinite(a))
            continue;
        error = fmax(error, fabs(a - b));
        scale = fmax(scale, fabs(b));
    }
    return error == 0 ? 0 : scale > 0 ? error / scale : INFINITY;
}

double plant_effect(const struct model *m, const struct plant *p, const struct tensors *inputs,
                    struct arena *a)
{
    struct observation right, wrong;
    struct shim s = {.plant = NULL};
    shim_run(&s, m, inputs, a, &right);
    s.plant = p;
    shim_run(&s, m, inputs, a, &wrong);
    if (right.outcome != OUTCOME_OK || wrong.outcome != OUTCOME_OK)
        return 0;
    double largest = 0;
    for (size_t i = 0; i < right.outputs.n; i++)
        largest = fmax(largest, distance(&wrong.outputs.at[i].tensor, &right.outputs.at[i].tensor));
    return largest;
}
