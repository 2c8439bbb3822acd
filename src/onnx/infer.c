/*
 * Runs shape functions over a model's nodes in order, and keeps what they found.
 *
 * What is known of values is in two places: dtype and shape in the graph itself, folded integers in
 * a frame per graph that lives for one run. Declared types of outputs are set aside before a node
 * runs and compared afterwards: the node's own word counts. This file knows no operator but
 * Constant, whose tensor is a constant like an initializer.
 */
#include "onnx/infer.h"

#include <string.h>

#include "onnx/infer_p.h"

struct infer_frame {
    struct graph *g;
    const struct fold **folds; /* by value; NULL: nothing known, or not looked yet */
    struct infer_frame *outer;
    unsigned depth;
};

static const struct shape unknown_shape = {0};

bool infer__has(const struct infer *in, uint32_t i)
{
    return i < in->n->n_inputs && in->n->inputs[i] != VALUE_NONE;
}

enum dtype infer__dtype(const struct infer *in, uint32_t i)
{
    return infer__has(in, i) ? in->g->values.at[in->n->inputs[i]].dtype : DTYPE_UNDEFINED;
}

const struct shape *infer__shape(const struct infer *in, uint32_t i)
{
    return infer__has(in, i) ? &in->g->values.at[in->n->inputs[i]].shape : &unknown_shape;
}

/* The tensor of a value that is the same in every run, or NULL. */
static const struct tensor *constant_of(const struct model *m, const struct graph *g, uint32_t v)
{
    const struct graph_value *value = &g->values.at[v];
    while (value->origin == ORIGIN_OUTER) {
        g = g->parent;
        value = &g->values.at[value->origin_at];
    }
    if (value->origin == ORIGIN_INITIALIZER ||
        (value->origin == ORIGIN_INPUT && value->initializer && m->ir_version < 4))
        return value->initializer;
    if (value->origin != ORIGIN_NODE || value->origin_at >= g->nodes.n)
        return NULL;
    const struct node *n = &g->nodes.at[value->origin_at];
    const struct attr *t = str_is(n->op_type, "Constant") ? node_attr(n, "value") : NULL;
    return t && t->kind == ATTR_TENSOR ? t->t : NULL;
}

const struct tensor *infer__constant(const struct infer *in, uint32_t i)
{
    return infer__has(in, i) ? constant_of(in->m, in->g, in->n->inputs[i]) : NULL;
}

static bool is_foldable(enum dtype t)
{
    return t == DTYPE_INT64 || t == DTYPE_INT32 || t == DTYPE_BOOL;
}

static const struct fold *fold_tensor(const struct tensor *t, struct arena *a)
{
    if (!t || !is_foldable(t->dtype) || t->rank > 1 || t->n > INFER_INTS_MAX)
        return NULL;
    struct folded *at = arena_new_array(a, struct folded, t->n);
    for (size_t i = 0; i < t->n; i++)
        at[i] = (struct folded){true, tensor_get_i64(t, i), 0};
    struct fold *f = arena_new(a, struct fold);
    *f = (struct fold){t->rank, (uint32_t)t->n, at};
    return f;
}

const struct fold *infer__ints(const struct infer *in, uint32_t i)
{
    if (!infer__has(in, i))
        return NULL;
    const struct fold **slot = &in->frame->folds[in->n->inputs[i]];
    if (!*slot)
        *slot = fold_tensor(constant_of(in->m, in->g, in->n->inputs[i]), in->a);
    return *slot;
}

bool infer__numbers(const struct infer *in, uint32_t i, int64_t *out, size_t max, size_t *n)
{
    const struct fold *f = infer__ints(in, i);
    if (!f || f->n > max)
        return false;
    for (uint32_t j = 0; j < f->n; j++) {
        if (!f->at[j].is_known)
            return false;
        out[j] = f->at[j].value;
    }
    *n = f->n;
    return true;
}

bool infer__fix_axis(int64_t *axis, uint32_t rank, struct err *e)
{
    if (*axis < -(int64_t)rank || *axis >= (int64_t)rank)
        return err_set(e, ERR_DATA, "axis %lld outside a tensor of rank %u", (long long)*axis,
                       rank);
    if (*axis < 0)
        *axis += rank;
    return true;
}

bool infer__axis(const struct infer *in, const char *attr, int64_t otherwise, int64_t *axis,
                 struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    *axis = node_int(in->n, attr, otherwise);
    return !s->known || infer__fix_axis(axis, s->rank, e) || err_wrap(e, "%s", attr);
}

bool infer__wants(const struct infer *in, uint32_t o)
{
    return o < in->n->n_outputs && in->n->outputs[o] != VALUE_NONE;
}

void infer__set(struct infer *in, uint32_t o, enum dtype dtype, struct shape shape)
{
    if (!infer__wants(in, o))
        return;
    struct graph_value *v = &in->g->values.at[in->n->outputs[o]];
    v->dtype = dtype;
    v->shape = shape;
}

void infer__set_ints(struct infer *in, uint32_t o, struct fold fold)
{
    if (!infer__wants(in, o) || fold.n > INFER_INTS_MAX)
        return;
    in->frame->folds[in->n->outputs[o]] = arena_dup(in->a, &fold, sizeof fold);
}

void infer__set_ints_of_tensor(struct infer *in, uint32_t o, const struct tensor *t)
{
    const struct fold *f = fold_tensor(t, in->a);
    if (f)
        infer__set_ints(in, o, *f);
}

bool infer__same_as_input(struct infer *in, uint32_t o, uint32_t i)
{
    infer__set(in, o, infer__dtype(in, i), *infer__shape(in, i));
    return true;
}

struct shape infer__new_shape(const struct infer *in, uint32_t rank)
{
    struct shape s = {true, rank, arena_new_array(in->a, struct dim, rank)};
    for (uint32_t i = 0; i < rank; i++)
        s.dims[i] = dim_unknown();
    return s;
}

struct shape infer__copy_shape(const struct infer *in, const struct shape *s)
{
    struct shape copy = *s;
    copy.dims = arena_dup(in->a, s->dims, s->rank * sizeof *s->dims);
    return copy;
}

struct shape infer__unknown_shape(void)
{
    return unknown_shape;
}

bool dim__equal(struct dim a, struct dim b)
{
    return a.value >= 0 ? a.value == b.value : b.value < 0 && a.symbol && a.symbol == b.symbol;
}

bool dim__differ(struct dim a, struct dim b)
{
    return a.value >= 0 && b.value >= 0 && a.value != b.value;
}

struct dim dim__merge(struct dim a, struct dim b)
{
    if (a.value >= 0)
        return a;
    return b.value >= 0 || !a.symbol ? b : a;
}

struct folded dim__fold(struct dim d)
{
    return (struct folded){d.value >= 0, d.value, d.symbol};
}

struct dim folded__dim(struct folded f)
{
    if (f.is_known)
        return f.value >= 0 ? dim_of(f.value) : dim_unknown();
    return (struct dim){-1, f.symbol};
}

static bool broadcast_dim(struct dim a, struct dim b, struct dim *out, struct err *e)
{
    if (dim__equal(a, b) || b.value == 1)
        *out = a;
    else if (a.value == 1)
        *out = b;
    else if (dim__differ(a, b))
        return err_set(e, ERR_DATA, "dims %lld and %lld cannot be broadcast", (long long)a.value,
                       (long long)b.value);
    else
        *out = a.value >= 0 ? a : b.value >= 0 ? b : dim_unknown();
    return true;
}

bool infer__broadcast_shapes(const struct infer *in, const struct shape *a, const struct shape *b,
                             struct shape *out, struct err *e)
{
    if (!a->known || !b->known) {
        *out = unknown_shape;
        return true;
    }
    if (b->rank > a->rank) {
        const struct shape *swap = a;
        a = b;
        b = swap;
    }
    struct shape result = infer__copy_shape(in, a); /* out may be one of the two */
    uint32_t lead = a->rank - b->rank;
    for (uint32_t i = 0; i < b->rank; i++)
        if (!broadcast_dim(a->dims[lead + i], b->dims[i], &result.dims[lead + i], e))
            return false;
    *out = result;
    return true;
}

bool infer__need_rank(const struct infer *in, uint32_t i, uint32_t low, uint32_t high,
                      struct err *e)
{
    const struct shape *s = infer__shape(in, i);
    if (!s->known || (s->rank >= low && s->rank <= high))
        return true;
    if (low == high)
        return err_set(e, ERR_DATA, "input %u has rank %u, %u is expected", i, s->rank, low);
    return err_set(e, ERR_DATA, "input %u has rank %u, %u to %u is expected", i, s->rank, low,
                   high);
}

/* Types of inputs (and, afterwards, outputs) against the standard's fact. */
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
    return op__check_types(n->fact, &t, e);
}

static bool check_before(const struct infer *in, struct err *e)
{
    const struct node *n = in->n;
    if (!op__check_node(n, in->opset, e))
        return false;
    for (uint32_t i = 0; i < n->n_inputs; i++)
        if (infer__has(in, i) && in->g->values.at[n->inputs[i]].not_tensor)
            return err_set(e, ERR_UNSUPPORTED, "input %u is no tensor", i);
    return check_types(in, false, e);
}

/* What a file declared of a value, against what its node says. */
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

/* No tensor has more elements than int64 counts, so a shape that says so is wrong. */
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
        v->shape = unknown_shape;
        v->is_declared = false;
        in->frame->folds[n->outputs[o]] = NULL;
    }
    if (!n->op->infer(in, e))
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

/* A node before the first changed one is run again only if what it computes may be folded. */
static bool gives_ints(const struct graph *g, const struct node *n)
{
    for (uint32_t o = 0; o < n->n_outputs; o++) {
        if (n->outputs[o] == VALUE_NONE)
            continue;
        const struct graph_value *v = &g->values.at[n->outputs[o]];
        if (is_foldable(v->dtype) && v->shape.known && v->shape.rank <= 1)
            return true;
    }
    return false;
}

static bool run_graph(struct model *m, struct infer_frame *frame, uint32_t first, struct err *e)
{
    struct graph *g = frame->g;
    for (uint32_t i = 0; i < g->nodes.n; i++) {
        struct node *n = &g->nodes.at[i];
        if (i < first && !gives_ints(g, n))
            continue;
        struct infer in = {m, g, n, m->opset, m->arena, frame};
        if (n->domain.n)
            in.opset = (int)model__opset_of(m, n->domain);
        if (!run_node(&in, e))
            return err_wrap(e, "%s", node__label(g, n, m->arena));
    }
    return true;
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

bool infer__graph(struct infer *in, struct graph *g, const struct infer_input *inputs,
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
