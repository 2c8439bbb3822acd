/*
 * Taint: elements that no rounding model can price, and everything they feed. They start at
 * undefined elements (the evaluator marks them), at values beyond the range in which the target
 * computes, and at switches nearer than F times the noise of their input. Reruns that merely agree
 * or disagree would be a coin toss; the margin decides.
 *
 * Spreading is the evaluator's own: a node that has a newly tainted input is evaluated again,
 * alone, with the tainted values given as undefined, and its kernel says which outputs that
 * reaches. A quantising switch (QuantizeLinear, Cast to a narrower float) does not taint: it moves
 * its element by one quantum, which the reruns with forced ties price.
 */
#include <math.h>
#include <string.h>

#include "judge/cone_p.h"
#include "judge/noise_p.h"
#include "judge/tolerance_p.h"
#include "onnx/op.h"

struct spreading {
    struct reference *r;
    const struct noise_need *need;
    struct noise *n;
    struct value *work;       /* per value: with margins, undefined growing */
    bool *is_new;             /* per value: has taint that the plain evaluation did not mark */
    const uint8_t **unstable; /* per value */
};

/* Largest noise of any element of v, all reruns. */
static double noise_of_value(const struct spreading *s, uint32_t value)
{
    const struct value *v = &s->r->values.values[value];
    double largest = 0;
    for (size_t i = 0; v->storage == STORAGE_F64 && i < v->n; i++)
        largest = fmax(largest, noise__of_element(s->n, s->r, value, i));
    return largest;
}

/* What rounding the element to its dtype alone may do. */
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

/* One input of a node with switches: its noise anywhere, and the gauge for single elements. */
struct switch_input {
    uint32_t value; /* VALUE_NONE: without noise */
    struct gauge gauge;
    double largest;
};

static struct switch_input switch_input_of(const struct spreading *s, uint32_t value)
{
    struct switch_input in = {.value = VALUE_NONE};
    if (value == VALUE_NONE || s->work[value].storage != STORAGE_F64 || s->work[value].exact)
        return in;
    const struct value *v = &s->work[value];
    in.value = value;
    in.gauge = tolerance__gauge(s->need->o, v, s->need->target);
    in.largest = noise_of_value(s, value);
    for (size_t i = 0; i < v->n; i++)
        in.largest = fmax(in.largest, rounding_of_element(&in.gauge, v, i));
    return in;
}

/* Noise of what the switch at element i of out looks at. */
static double noise_at_switch(const struct spreading *s, const struct switch_input *in,
                              uint32_t n_in, const struct value *out, size_t i)
{
    double largest = 0;
    for (uint32_t k = 0; k < n_in; k++) {
        if (in[k].value == VALUE_NONE)
            continue;
        const struct value *v = &s->work[in[k].value];
        double own = v->n == out->n ? noise__of_element(s->n, s->r, in[k].value, i) +
                                          rounding_of_element(&in[k].gauge, v, i)
                                    : in[k].largest;
        largest = fmax(largest, own);
    }
    return largest;
}

static uint8_t *own_mask(struct spreading *s, uint32_t value)
{
    struct value *v = &s->work[value];
    uint8_t *mask = arena_new_array(s->r->arena, uint8_t, v->n);
    if (v->undefined)
        memcpy(mask, v->undefined, v->n);
    return mask;
}

/* The evaluator forces ties by distance relative to the largest element of the input. */
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

/* Largest magnitude the target may hold in a value of this dtype; INFINITY: no limit of interest.
 */
static double range_of(const struct spreading *s, const struct value *v)
{
    enum dtype computes = tolerance__computes(s->need->target->traits, v->dtype);
    if (dtype_is_float(v->dtype))
        return 0.9 * tolerance__gauge(s->need->o, v, s->need->target).largest;
    if (dtype_is_integer(v->dtype) && dtype_row(computes)->n_bits < dtype_row(v->dtype)->n_bits)
        return ldexp(1, dtype_row(computes)->n_bits - 1) - 1;
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
    if (v->n == 0 || !overflow__may(n, s->work, v))
        return;
    uint8_t *mask = own_mask(s, value);
    memset(mask, 1, v->n);
    v->undefined = mask;
    s->n->n_of[TAINT_RANGE] += v->n;
    s->is_new[value] = true;
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
    if (!eval_run(r->c->graph, &r->c->input_sets[r->input_set], &o, r->arena, &again, e))
        return err_wrap(e, "taint through node " STR_FMT, STR_ARG(n->name));
    for (uint32_t i = 0; i < n->n_outputs; i++) {
        uint32_t out = n->outputs[i];
        if (out == VALUE_NONE)
            continue;
        s->work[out] = again.values[out];
        s->is_new[out] = true;
    }
    return true;
}

/* A node with subgraphs may see any value. */
static bool has_new_input(const struct spreading *s, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_inputs; i++)
        if (n->inputs[i] != VALUE_NONE && s->is_new[n->inputs[i]])
            return true;
    bool has_subgraph = false, any = false;
    for (uint32_t i = 0; i < n->n_attrs; i++)
        has_subgraph = has_subgraph || n->attrs[i].kind == ATTR_GRAPH;
    for (size_t i = 0; has_subgraph && i < s->r->values.n_values; i++)
        any = any || s->is_new[i];
    return any;
}

static bool walk(struct spreading *s, struct err *e)
{
    const struct graph *g = s->r->c->graph->graph;
    const struct target_traits *traits = s->need->target->traits;
    for (size_t i = 0; i < g->values.n; i++) { /* what is stored in its own dtype is in range */
        enum dtype t = s->work[i].dtype;
        if (g->values.at[i].origin != ORIGIN_NODE && t != DTYPE_UNDEFINED &&
            tolerance__computes(traits, t) != t)
            mark_range(s, (uint32_t)i);
    }
    for (size_t k = 0; k < g->nodes.n; k++) {
        const struct node *n = &g->nodes.at[k];
        if (has_new_input(s, n) && !spread_through(s, n, e))
            return false;
        for (uint32_t i = 0; i < n->n_outputs; i++) {
            uint32_t out = n->outputs[i];
            if (out == VALUE_NONE || s->work[out].dtype == DTYPE_UNDEFINED)
                continue;
            mark_range(s, out);
            mark_overflow(s, n, out);
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
    if (!eval_run(r->c->graph, &r->c->input_sets[r->input_set], &o, r->arena, &with_margins, e))
        return err_wrap(e, "margins of the reference");
    need->counts->n_reruns++;
    struct spreading s = {.r = r,
                          .need = need,
                          .n = n,
                          .work = with_margins.values,
                          .is_new = arena_new_array(r->arena, bool, n_values),
                          .unstable = arena_new_array(r->arena, const uint8_t *, n_values)};
    if (!walk(&s, e))
        return false;
    for (size_t i = 0; i < n_values; i++) {
        const struct value *v = &r->values.values[i];
        for (size_t k = 0; v->undefined && k < v->n; k++)
            n->n_of[TAINT_UNDEFINED] += v->undefined[k];
    }
    n->tainted = s.work;
    n->unstable = s.unstable;
    return true;
}
