/*
 * The validity filter and the no-op check. A mutant that computes the same as its parent wastes the
 * engines' time, and one whose numbers leave the format's range gives false alarms; the reference
 * finds both here, before any engine runs.
 *
 * Invariant: a value is taken from the seed's cache only if its node and all nodes before it are
 * the same in the seed: operator, attributes and inputs.
 */
#include "generate/mutate/filter_p.h"

#include <math.h>

#include "onnx/infer.h"

enum {
    FILTER_MACS_MAX = 96 << 20,
    FILTER_BYTES_MAX = 256 << 20,
    FILTER_REPAIRS = 3,
    FILTER_FEW = 16
};
static const double rms_low = 1e-2, rms_high = 1e2, same_within = 1e-6;

bool filter__has_no_zero_dim(const struct model *m)
{
    for (size_t v = 0; v < m->graph->values.n; v++) {
        const struct graph_value *value = &m->graph->values.at[v];
        bool needed = value->origin == ORIGIN_NODE || value->origin == ORIGIN_INPUT;
        for (uint32_t d = 0; needed && value->shape.known && d < value->shape.rank; d++) {
            if (value->shape.dims[d].value == 0)
                return false;
        }
    }
    return true;
}

/* Takes the seed's inputs where they still fit, and draws the others. */
static bool take_inputs(struct filter *f, struct err *e)
{
    struct tensors fresh;
    struct input_options o = {f->style, 0};
    const struct tensors *cached =
        seed__caches(f->seed, f->style) ? &f->seed->inputs[f->style] : NULL;
    const struct graph *graph = f->m->graph;
    bool complete = cached && !f->seed->is_stem;
    struct tensors taken = {arena_new_array(f->a, struct named_tensor, graph->inputs.n), 0};
    for (size_t i = 0; complete && i < graph->inputs.n; i++) {
        const struct graph_value *v = &graph->values.at[graph->inputs.at[i]];
        const struct tensor *t = tensors_find(cached, v->name);
        if (v->initializer)
            continue;
        complete = t && t->dtype == v->dtype && v->shape.known && v->shape.rank == t->rank;
        for (uint32_t d = 0; complete && d < t->rank; d++)
            complete = v->shape.dims[d].value < 0 || v->shape.dims[d].value == t->dims[d];
        if (complete)
            taken.at[taken.n++] = (struct named_tensor){v->name, *t};
    }
    if (complete) {
        f->inputs = taken;
        return true;
    }
    if (!inputs_generate(f->m, &o, f->r, f->a, &fresh, e))
        return false;
    for (size_t i = 0; cached && i < fresh.n; i++) {
        const struct tensor *t = tensors_find(cached, fresh.at[i].name);
        if (t && t->dtype == fresh.at[i].tensor.dtype && tensor_same_shape(t, &fresh.at[i].tensor))
            fresh.at[i].tensor = *t;
    }
    f->inputs = fresh;
    return true;
}

static bool same_node(const struct node *a, const struct node *b, const uint32_t *clean)
{
    if (a->fact != b->fact || a->attrs != b->attrs || a->n_attrs != b->n_attrs ||
        a->n_inputs != b->n_inputs || a->n_outputs != b->n_outputs || a->domain.n != b->domain.n ||
        !str_eq(a->op_type, b->op_type))
        return false;
    for (uint32_t i = 0; i < a->n_inputs; i++) {
        bool none = a->inputs[i] == VALUE_NONE;
        if (none != (b->inputs[i] == VALUE_NONE) || (!none && clean[a->inputs[i]] != b->inputs[i]))
            return false;
    }
    return true;
}

/* For each value of the mutant the equal value of the seed, or VALUE_NONE. */
static const uint32_t *clean_values(const struct filter *f)
{
    const struct graph *m = f->m->graph, *p = f->seed->m->graph;
    const struct tensors *inputs = &f->seed->inputs[f->style];
    uint32_t *clean = arena_new_array(f->a, uint32_t, m->values.n);
    for (size_t v = 0; v < m->values.n; v++) {
        const struct graph_value *value = &m->values.at[v];
        uint32_t at = graph_find_value(p, value->name);
        clean[v] = VALUE_NONE;
        if (at == VALUE_NONE || value->origin == ORIGIN_NODE)
            continue;
        const struct graph_value *old = &p->values.at[at];
        if (value->initializer && value->origin == old->origin &&
            value->initializer == old->initializer)
            clean[v] = at;
        const struct tensor *mine = tensors_find(&f->inputs, value->name);
        const struct tensor *theirs = tensors_find(inputs, value->name);
        if (!value->initializer && mine && theirs && mine->data == theirs->data &&
            value->dtype == old->dtype)
            clean[v] = at;
    }
    for (size_t i = 0; i < m->nodes.n; i++) {
        const struct node *n = &m->nodes.at[i];
        uint32_t out = n->n_outputs ? n->outputs[0] : (uint32_t)VALUE_NONE;
        uint32_t at = out == VALUE_NONE ? out : graph_find_value(p, m->values.at[out].name);
        if (at == VALUE_NONE || p->values.at[at].origin != ORIGIN_NODE)
            continue;
        const struct node *old = &p->nodes.at[p->values.at[at].origin_at];
        if (!same_node(n, old, clean))
            continue;
        for (uint32_t o = 0; o < n->n_outputs; o++) {
            if (n->outputs[o] != VALUE_NONE && old->outputs[o] != VALUE_NONE)
                clean[n->outputs[o]] = old->outputs[o];
        }
    }
    return clean;
}

static bool evaluate(struct filter *f, const uint32_t *clean, struct err *e)
{
    struct eval_options o = {.budget = {FILTER_MACS_MAX, FILTER_BYTES_MAX}};
    if (clean) {
        struct value *given = arena_new_array(f->a, struct value, f->m->graph->values.n);
        for (size_t v = 0; v < f->m->graph->values.n; v++) {
            if (clean[v] != VALUE_NONE)
                given[v] = f->seed->values[f->style].values[clean[v]];
        }
        o.given = given;
    }
    if (eval_run(f->m, &f->inputs, &o, f->a, &f->result, e))
        return true;
    if (e->code == ERR_LIMIT)
        f->counts->n_discarded_budget++;
    else
        f->counts->n_discarded_infer++;
    return false;
}

static double rms_of(const struct value *v)
{
    double sum = 0;
    for (size_t i = 0; i < v->n; i++)
        sum += v->f[i] * v->f[i];
    return v->n ? sqrt(sum / (double)v->n) : 1;
}

static bool is_scaled(const struct node *n)
{
    return str_is(n->op_type, "Conv") || str_is(n->op_type, "ConvTranspose") ||
           str_is(n->op_type, "Gemm") || str_is(n->op_type, "MatMul");
}

static bool is_watched(const struct node *n)
{
    return is_scaled(n) || str_is(n->op_type, "Add") || str_ends(n->op_type, STR("Normalization"));
}

/* The first node whose output leaves the range; NODE_NONE: none. *rms: that of the output. */
static uint32_t first_outside(const struct filter *f, const uint32_t *clean, double *rms)
{
    const struct graph *m = f->m->graph;
    for (uint32_t i = 0; i < m->nodes.n; i++) {
        const struct node *n = &m->nodes.at[i];
        uint32_t out = n->n_outputs ? n->outputs[0] : (uint32_t)VALUE_NONE;
        if (out == VALUE_NONE || !is_watched(n) || (clean && clean[out] != VALUE_NONE))
            continue;
        const struct value *v = &f->result.values[out];
        if (v->dtype == DTYPE_UNDEFINED || v->storage != STORAGE_F64)
            continue;
        *rms = rms_of(v);
        bool low = *rms < rms_low && v->n >= FILTER_FEW;
        if (low || *rms > rms_high || isnan(*rms))
            return i;
    }
    return NODE_NONE;
}

/* Multiplies the weights of the node by factor, in a new tensor. */
static bool rescale(struct filter *f, uint32_t node, double factor)
{
    struct node *n = &f->m->graph->nodes.at[node];
    uint32_t at = n->n_inputs > 1 ? 1 : 0;
    struct err e = {0};
    struct tensor *t = arena_new(f->a, struct tensor);
    void *data;
    if (!is_scaled(n) || !isfinite(factor) || factor <= 0)
        return false;
    const struct graph_value *w = &f->m->graph->values.at[n->inputs[at]];
    if (!w->initializer || w->origin != ORIGIN_INITIALIZER) {
        at = 0;
        w = &f->m->graph->values.at[n->inputs[at]];
    }
    const struct tensor *old = w->initializer;
    if (!old || w->origin != ORIGIN_INITIALIZER || !dtype_is_float(old->dtype) ||
        !tensor_make(old->dtype, old->dims, old->rank, f->a, t, &data, &e))
        return false;
    for (size_t i = 0; i < old->n; i++)
        tensor_put_double(old->dtype, data, i, factor * tensor_get_double(old, i));
    uint32_t *inputs = arena_dup(f->a, n->inputs, n->n_inputs * sizeof *inputs);
    inputs[at] = graph_add_initializer(f->m, f->m->graph, w->name, t);
    n->inputs = inputs;
    return model_finish(f->m, &e) && infer_model(f->m, &e);
}

static bool is_finite(const struct value *v)
{
    for (size_t i = 0; i < v->n; i++) {
        if (!isfinite(v->f[i]))
            return false;
    }
    return true;
}

/* Does no value exceed half of the largest finite number of its narrow float dtype? */
static bool narrow_fits(const struct value *v)
{
    const struct number_format *f = dtype_row(v->dtype)->format;
    if (v->storage != STORAGE_F64 || !f || v->dtype == DTYPE_FLOAT)
        return true;
    double limit = number_largest(f) / 2;
    for (size_t i = 0; i < v->n; i++) {
        if (isfinite(v->f[i]) && fabs(v->f[i]) > limit)
            return false;
    }
    return true;
}

static bool mostly_undefined(const struct value *v)
{
    size_t n = 0;
    for (size_t i = 0; v->undefined && i < v->n; i++)
        n += v->undefined[i];
    return 2 * n > v->n;
}

static bool outputs_fit(const struct filter *f, const uint32_t *clean)
{
    const struct graph *m = f->m->graph;
    for (size_t i = 0; i < m->outputs.n; i++) {
        const struct value *v = &f->result.values[m->outputs.at[i]];
        if ((v->storage == STORAGE_F64 && !is_finite(v)) || mostly_undefined(v))
            return false;
    }
    for (size_t v = 0; v < m->values.n; v++) {
        if (f->result.values[v].dtype != DTYPE_UNDEFINED && (!clean || clean[v] == VALUE_NONE) &&
            !narrow_fits(&f->result.values[v]))
            return false;
    }
    return true;
}

static bool values_differ(const struct value *a, const struct value *b)
{
    double largest = 0, worst = 0;
    if (a->dtype != b->dtype || a->rank != b->rank || a->n != b->n || a->storage != b->storage)
        return true;
    for (uint32_t d = 0; d < a->rank; d++) {
        if (a->dims[d] != b->dims[d])
            return true;
    }
    if (a->storage != STORAGE_F64)
        return a->storage == STORAGE_STRING ||
               memcmp(a->b, b->b, a->n * (a->storage == STORAGE_BOOL ? 1 : 8)) != 0;
    for (size_t i = 0; i < a->n; i++) {
        if (isnan(a->f[i]) || isnan(b->f[i]) || isinf(a->f[i]) || isinf(b->f[i])) {
            if (isnan(a->f[i]) != isnan(b->f[i]) || (!isnan(a->f[i]) && a->f[i] != b->f[i]))
                return true;
            continue;
        }
        largest = fmax(largest, fabs(b->f[i]));
        worst = fmax(worst, fabs(a->f[i] - b->f[i]));
    }
    return worst > same_within * largest;
}

/* Does the mutant compute something other than the seed (whose values are `old`), or have more
 * outputs? */
static bool differs(const struct filter *f, const struct eval_result *old, const uint32_t *clean,
                    bool more_is_different)
{
    const struct graph *m = f->m->graph, *p = f->seed->m->graph;
    if (m->outputs.n < p->outputs.n || (more_is_different && m->outputs.n != p->outputs.n))
        return true;
    for (size_t i = 0; i < p->outputs.n; i++) {
        uint32_t v = m->outputs.at[i], w = p->outputs.at[i];
        if ((!clean || clean[v] != w) && values_differ(&f->result.values[v], &old->values[w]))
            return true;
    }
    return false;
}

static bool all_clean(const struct filter *f, const uint32_t *clean)
{
    const struct graph *m = f->m->graph, *p = f->seed->m->graph;
    if (m->outputs.n != p->outputs.n)
        return false;
    for (size_t i = 0; i < m->outputs.n; i++) {
        if (clean[m->outputs.at[i]] != p->outputs.at[i])
            return false;
    }
    return true;
}

/* Evaluates, and rescales weights as long as a product leaves the range. */
static const uint32_t *evaluate_in_range(struct filter *f, const uint32_t *clean, bool *ok)
{
    struct err e = {0};
    double rms;
    for (int repairs = 0;; repairs++) {
        *ok = evaluate(f, clean, &e);
        if (!*ok || f->lane == LANE_VALUES || f->lane == LANE_SHAPES)
            return clean;
        uint32_t at = first_outside(f, clean, &rms);
        if (at == NODE_NONE)
            return clean;
        if (repairs == FILTER_REPAIRS || f->preserves || !rescale(f, at, 1 / rms)) {
            f->counts->n_discarded_range++;
            *ok = false;
            return clean;
        }
        if (clean)
            clean = clean_values(f);
    }
}

/* Does the mutant compute the same function as its parent, or another one, as its operators
 * promise? */
static bool keeps_promise(struct filter *f, const uint32_t *clean)
{
    struct eval_result fresh;
    const struct eval_result *old = &fresh;
    struct err e = {0};
    if (clean) {
        old = &f->seed->values[f->style];
    } else {
        struct eval_options o = {.budget = {FILTER_MACS_MAX, FILTER_BYTES_MAX}};
        if (f->seed->m->graph->nodes.n == 0 ||
            !eval_run(f->seed->m, &f->inputs, &o, f->a, &fresh, &e))
            return true; /* nothing to compare */
    }
    if (f->preserves)
        return !differs(f, old, clean, false);
    return f->lane == LANE_SHAPES || differs(f, old, clean, true);
}

void filter__declare_outputs(struct model *m, const struct eval_result *r, struct arena *a)
{
    for (size_t i = 0; i < m->graph->outputs.n; i++) {
        struct graph_value *v = &m->graph->values.at[m->graph->outputs.at[i]];
        const struct value *seen = &r->values[m->graph->outputs.at[i]];
        if (v->shape.known || seen->dtype == DTYPE_UNDEFINED)
            continue;
        v->shape = shape_from_dims(seen->dims, seen->rank, a);
        for (uint32_t d = 0; d < seen->rank; d++)
            v->shape.dims[d] = (struct dim){.value = -1};
    }
}

bool filter__pass(struct filter *f)
{
    struct err e = {0};
    bool ok;
    if (!take_inputs(f, &e)) {
        f->counts->n_discarded_infer++;
        return false;
    }
    const uint32_t *clean = seed__caches(f->seed, f->style) ? clean_values(f) : NULL;
    if (clean && !f->preserves && all_clean(f, clean)) {
        f->counts->n_discarded_noop++;
        return false;
    }
    clean = evaluate_in_range(f, clean, &ok);
    if (!ok)
        return false;
    if (f->lane != LANE_VALUES && f->lane != LANE_SHAPES && !outputs_fit(f, clean)) {
        f->counts->n_discarded_range++;
        return false;
    }
    ok = keeps_promise(f, clean);
    f->counts->n_discarded_noop += !ok;
    if (ok)
        filter__declare_outputs(f->m, &f->result, f->a);
    return ok;
}
