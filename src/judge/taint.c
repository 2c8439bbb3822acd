/*
 * Taint: elements whose error no rounding model bounds, and everything they feed. It starts at
 * undefined elements (the evaluator marks them), at values beyond the range in which the target
 * computes, at NaN and infinities that meet an operator whose text does not settle them, and at
 * switches nearer than F times the noise of their input. The margin decides there: whether a few
 * reruns cross the switch would be chance.
 *
 * The evaluator spreads it: a node with a newly tainted input is evaluated again, alone, with the
 * tainted elements given as undefined, and its kernel says which outputs these reach. If tainted
 * elements decide a shape or an order, the kernel cannot say that: then the outputs and all that
 * they feed are open. A quantising switch (QuantizeLinear, Cast to a narrower float) does not
 * taint: it moves its element by one quantum, which the reruns with forced ties allow for.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judge/ancestry_p.h"
#include "judge/noise_p.h"
#include "judge/tolerance_p.h"
#include "onnx/eval.h"
#include "onnx/op.h"

struct spreading {
    struct reference *r;
    const struct noise_need *need;
    struct noise *n;
    struct value *work;       /* per value: with margins; taint is added to its undefined */
    bool *is_new;             /* per value: has taint that the plain evaluation did not mark */
    const uint8_t **unstable; /* per value */
    bool *open;               /* per value */
};

/* The largest noise of any element of the value in all reruns. */
static double noise_of_value(const struct spreading *s, uint32_t value)
{
    const struct value *v = &s->r->values.values[value];
    double largest = 0;
    for (size_t i = 0; v->storage == STORAGE_F64 && i < v->n; i++)
        largest = fmax(largest, noise__of_element(s->n, s->r, value, i));
    return largest;
}

/* The error that rounding the element to its dtype may make. */
static double rounding_of_element(const struct gauge *g, const struct value *v, size_t i)
{
    double scale = v->scales ? v->scales[i] : v->noise_scale;
    return g->unit * (fabs(value_get_double(v, i)) + scale) + g->eta;
}

static bool is_quantising(const struct node *n, const struct value *out)
{
    return str_is(n->op_type, "QuantizeLinear") || str_is(n->op_type, "DynamicQuantizeLinear") ||
           ((str_is(n->op_type, "Cast") || str_is(n->op_type, "CastLike")) &&
            dtype_is_float(out->dtype));
}

/* One input of a node with switches: its largest noise, and the gauge for single elements. */
struct switch_input {
    uint32_t value; /* VALUE_NONE: without noise */
    struct gauge gauge;
    double largest;
    bool is_exact; /* a target that flushes denormals still moves those */
};

static double noise_of_element(const struct spreading *s, const struct switch_input *in, size_t i)
{
    const struct value *v = &s->work[in->value];
    if (!in->is_exact)
        return noise__of_element(s->n, s->r, in->value, i) + rounding_of_element(&in->gauge, v, i);
    double x = fabs(value_get_double(v, i));
    return x < in->gauge.eta ? x : 0;
}

static struct switch_input switch_input_of(const struct spreading *s, uint32_t value)
{
    struct switch_input in = {.value = VALUE_NONE};
    if (value == VALUE_NONE || s->work[value].storage != STORAGE_F64 ||
        (s->work[value].exact && !s->n->flushes))
        return in;
    const struct value *v = &s->work[value];
    in.value = value;
    in.is_exact = v->exact;
    in.gauge = tolerance__gauge(s->need->o, v, s->need->target);
    in.largest = in.is_exact ? 0 : noise_of_value(s, value);
    for (size_t i = 0; i < v->n; i++)
        in.largest = fmax(in.largest, in.is_exact ? noise_of_element(s, &in, i)
                                                  : rounding_of_element(&in.gauge, v, i));
    return in;
}

/* The noise of the input on which the switch at element i of out depends. */
static double noise_at_switch(const struct spreading *s, const struct switch_input *in,
                              uint32_t n_in, const struct value *out, size_t i)
{
    double largest = 0;
    for (uint32_t k = 0; k < n_in; k++)
        if (in[k].value != VALUE_NONE)
            largest =
                fmax(largest, s->work[in[k].value].n == out->n ? noise_of_element(s, &in[k], i)
                                                               : in[k].largest);
    return largest;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* May noise make two of the computed values of a Unique equal? Reruns cannot tell: they take for
 * equal what is equal without noise. */
static bool may_merge(const struct spreading *s, const struct node *n)
{
    if (!str_is(n->op_type, "Unique"))
        return false;
    struct switch_input in = switch_input_of(s, n->inputs[0]);
    if (in.value == VALUE_NONE)
        return false;
    const struct value *v = &s->work[in.value];
    double *sorted = arena_new_array(s->r->arena, double, v->n);
    double near = 2 * tolerance__row(s->need->target->family, DTYPE_FLOAT)->factor * in.largest;
    memcpy(sorted, v->f, v->n * sizeof *sorted);
    qsort(sorted, v->n, sizeof *sorted, by_value);
    for (size_t i = 1; i < v->n; i++)
        if (sorted[i] > sorted[i - 1] && sorted[i] - sorted[i - 1] <= near)
            return true;
    return false;
}

static uint8_t *own_mask(struct spreading *s, uint32_t value)
{
    struct value *v = &s->work[value];
    uint8_t *mask = arena_new_array(s->r->arena, uint8_t, v->n);
    if (v->undefined)
        memcpy(mask, v->undefined, v->n);
    return mask;
}

/* Raises tie_limit: the evaluator forces ties within a distance relative to the largest element. */
static void note_tie(struct spreading *s, const struct node *n, double distance)
{
    const struct value *in = &s->work[n->inputs[0]];
    double largest = 0;
    for (size_t i = 0; in->storage == STORAGE_F64 && i < in->n; i++)
        if (isfinite(in->f[i]))
            largest = fmax(largest, fabs(in->f[i]));
    if (largest > 0)
        s->n->tie_limit = fmax(s->n->tie_limit, distance / largest);
}

/* Marks elements of an output of n whose switch is nearer than its noise. */
static void mark_switches(struct spreading *s, const struct node *n, uint32_t value)
{
    struct value *v = &s->work[value];
    double factor = tolerance__row(s->need->target->family, DTYPE_FLOAT)->factor;
    bool quantising = is_quantising(n, v);
    uint8_t *mask = NULL;
    if (!v->margin)
        return;
    struct switch_input *in = arena_new_array(s->r->arena, struct switch_input, n->n_inputs);
    for (uint32_t k = 0; k < n->n_inputs; k++)
        in[k] = switch_input_of(s, n->inputs[k]);
    for (size_t i = 0; i < v->n; i++) {
        double noise = noise_at_switch(s, in, n->n_inputs, v, i);
        if (noise == 0 || !(v->margin[i] <= factor * noise))
            continue;
        if (!mask)
            mask = quantising ? arena_new_array(s->r->arena, uint8_t, v->n) : own_mask(s, value);
        if (!mask[i])
            s->n->n_of[TAINT_SWITCH]++;
        mask[i] = 1;
        if (quantising)
            note_tie(s, n, factor * noise);
    }
    if (!mask)
        return;
    if (quantising) {
        s->n->has_quantum = true;
        s->unstable[value] = mask;
        return;
    }
    v->undefined = mask;
    s->is_new[value] = true;
}

/* The largest magnitude that the target surely holds in a value of this dtype; INFINITY: any that
 * the dtype has. */
static double range_of(const struct spreading *s, const struct value *v)
{
    enum dtype computes = tolerance__computes(s->need->target->traits, v->dtype);
    if (dtype_is_float(v->dtype))
        return 0.9 * tolerance__gauge(s->need->o, v, s->need->target).largest;
    if (dtype_is_integer(v->dtype) && dtype_row(computes)->n_bits < dtype_row(v->dtype)->n_bits)
        return ldexp(1 - 0x1p-20, dtype_row(computes)->n_bits - 1); /* maybe through floats */
    return INFINITY;
}

static void mark_range(struct spreading *s, uint32_t value)
{
    struct value *v = &s->work[value];
    double range = v->storage == STORAGE_STRING ? INFINITY : range_of(s, v);
    uint8_t *mask = NULL;
    if (range == INFINITY)
        return;
    for (size_t i = 0; i < v->n; i++) {
        double x = fabs(value_get_double(v, i));
        if (!(x > range && isfinite(x)))
            continue;
        if (!mask)
            mask = own_mask(s, value);
        mask[i] = 1;
        s->n->n_of[TAINT_RANGE]++;
    }
    if (mask) {
        v->undefined = mask;
        s->is_new[value] = true;
    }
}

static void mark_overflow(struct spreading *s, const struct node *n, uint32_t value)
{
    struct value *v = &s->work[value];
    if (v->n == 0 || (!overflow__may(n, s->work, v) && !overflow__may_on_the_way(n, s->work, v)))
        return;
    uint8_t *mask = own_mask(s, value);
    memset(mask, 1, v->n);
    v->undefined = mask;
    s->n->n_of[TAINT_RANGE] += v->n;
    s->is_new[value] = true;
}

static bool has_nonfinite(const struct spreading *s, const struct node *n, bool *nan, bool *inf)
{
    *nan = *inf = false;
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        const struct value *v = n->inputs[i] == VALUE_NONE ? NULL : &s->work[n->inputs[i]];
        for (size_t k = 0; v && v->storage == STORAGE_F64 && k < v->n; k++) {
            *nan = *nan || isnan(v->f[k]);
            *inf = *inf || isinf(v->f[k]);
        }
    }
    return *nan || *inf;
}

/* Marks what an operator makes of NaN or infinities when its text leaves that open: the elements
 * that are not finite if elements keep their places, otherwise all. */
static void mark_open_classes(struct spreading *s, const struct node *n, uint32_t value)
{
    struct value *v = &s->work[value];
    bool nan, inf, any = false;
    if (v->n == 0 || !has_nonfinite(s, n, &nan, &inf) || ancestry__settles(n->op_type, nan, inf))
        return;
    bool in_place = v->storage == STORAGE_F64 && n->n_inputs == 1 && n->inputs[0] != VALUE_NONE &&
                    s->work[n->inputs[0]].n == v->n && !(n->op && n->op->exactness == OP_SWITCH);
    uint8_t *mask = own_mask(s, value);
    for (size_t i = 0; i < v->n; i++) {
        mask[i] |= !in_place || !isfinite(v->f[i]);
        any = any || mask[i];
    }
    if (!any)
        return;
    v->undefined = mask;
    s->n->n_of[TAINT_OPEN]++;
    s->is_new[value] = true;
}

/* Opens the outputs of the node: nothing is known of them nor of what they feed. */
static void leave_open(struct spreading *s, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_outputs; i++) {
        uint32_t out = n->outputs[i];
        if (out == VALUE_NONE)
            continue;
        s->work[out] = s->r->values.values[out];
        s->open[out] = true;
        s->is_new[out] = true;
    }
}

/* Evaluates one node again on the working values, so that taint of its inputs reaches its outputs.
 */
static bool spread_through(struct spreading *s, const struct node *n, struct err *e)
{
    struct reference *r = s->r;
    struct eval_result again;
    for (uint32_t i = 0; i < n->n_outputs; i++)
        if (n->outputs[i] != VALUE_NONE)
            s->work[n->outputs[i]].dtype = DTYPE_UNDEFINED;
    struct eval_options o = {.given = s->work, .want_margins = true};
    if (!eval_run(r->model, &r->c->input_sets[r->input_set], &o, r->arena, &again, e)) {
        if (e->code != ERR_UNSUPPORTED && e->code != ERR_DATA)
            return err_wrap(e, "taint through node " STR_FMT, STR_ARG(n->name));
        err_clear(e);
        leave_open(s, n);
        return true;
    }
    for (uint32_t i = 0; i < n->n_outputs; i++) {
        uint32_t out = n->outputs[i];
        if (out == VALUE_NONE)
            continue;
        s->work[out] = again.values[out];
        s->is_new[out] = true;
    }
    return true;
}

/* Is `set` true for an input of the node? One with subgraphs may see any value. */
static bool any_input(const struct spreading *s, const struct node *n, const bool *set)
{
    for (uint32_t i = 0; i < n->n_inputs; i++)
        if (n->inputs[i] != VALUE_NONE && set[n->inputs[i]])
            return true;
    bool has_subgraph = false, any = false;
    for (uint32_t i = 0; i < n->n_attrs; i++)
        has_subgraph = has_subgraph || n->attrs[i].kind == ATTR_GRAPH;
    for (size_t i = 0; has_subgraph && i < s->r->values.n_values; i++)
        any = any || set[i];
    return any;
}

/* Is the value computed, and not an input, an initializer or a Constant? */
static bool is_computed(const struct graph *g, uint32_t value)
{
    const struct graph_value *v = &g->values.at[value];
    return v->origin == ORIGIN_NODE && g->nodes.at[v->origin_at].n_inputs > 0;
}

/* Does taint decide a shape, axes or bounds? Kernels read such lists without their flags. A list
 * that is given means what it says, however large: Slice clamps an end of 2^63 - 1. */
static bool has_tainted_list(const struct spreading *s, const struct node *n)
{
    for (uint32_t i = 0; n->op && i < n->n_inputs && i < 32; i++) {
        if (n->inputs[i] == VALUE_NONE || !(n->op->parameter_inputs >> i & 1) ||
            !is_computed(s->r->model->graph, n->inputs[i]))
            continue;
        const struct value *v = &s->work[n->inputs[i]];
        if ((v->dtype == DTYPE_INT64 || v->dtype == DTYPE_INT32) && v->undefined &&
            memchr(v->undefined, 1, v->n))
            return true;
    }
    return false;
}

static bool walk(struct spreading *s, struct err *e)
{
    const struct graph *g = s->r->model->graph;
    const struct target_traits *traits = s->need->target->traits;
    for (size_t i = 0; i < g->values.n; i++) { /* an input of a dtype it computes is in range */
        enum dtype t = s->work[i].dtype;
        if (g->values.at[i].origin != ORIGIN_NODE && t != DTYPE_UNDEFINED &&
            tolerance__computes(traits, t) != t)
            mark_range(s, (uint32_t)i);
    }
    for (size_t k = 0; k < g->nodes.n; k++) {
        const struct node *n = &g->nodes.at[k];
        if (any_input(s, n, s->open) || may_merge(s, n) || has_tainted_list(s, n)) {
            leave_open(s, n);
            continue;
        }
        if (any_input(s, n, s->is_new) && !spread_through(s, n, e))
            return false;
        for (uint32_t i = 0; i < n->n_outputs; i++) {
            uint32_t out = n->outputs[i];
            if (out == VALUE_NONE || s->work[out].dtype == DTYPE_UNDEFINED)
                continue;
            if (s->open[out])
                continue;
            mark_range(s, out);
            mark_overflow(s, n, out);
            mark_open_classes(s, n, out);
            mark_switches(s, n, out);
        }
    }
    return true;
}

bool taint__spread(struct reference *r, const struct noise_need *need, struct noise *n,
                   struct err *e)
{
    size_t n_values = r->values.n_values;
    struct eval_result with_margins;
    struct eval_options o = {.want_margins = true};
    if (!eval_run(r->model, &r->c->input_sets[r->input_set], &o, r->arena, &with_margins, e))
        return err_wrap(e, "margins of the reference");
    need->counts->n_reruns++;
    struct spreading s = {.r = r,
                          .need = need,
                          .n = n,
                          .work = with_margins.values,
                          .is_new = arena_new_array(r->arena, bool, n_values),
                          .unstable = arena_new_array(r->arena, const uint8_t *, n_values),
                          .open = arena_new_array(r->arena, bool, n_values)};
    if (!walk(&s, e))
        return false;
    for (size_t i = 0; i < n_values; i++) {
        const struct value *v = &r->values.values[i];
        for (size_t k = 0; v->undefined && k < v->n; k++)
            n->n_of[TAINT_UNDEFINED] += v->undefined[k];
    }
    n->tainted = s.work;
    n->open = s.open;
    n->unstable = s.unstable;
    return true;
}
