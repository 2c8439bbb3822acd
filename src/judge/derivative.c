/*
 * Central differences of a weighted sum of outputs. Decides for which graphs a derivative can be
 * told. Must not know targets.
 *
 * A switch (Relu at 0, a tie of Max) within reach of the step makes the differences to the left and
 * to the right unlike, and that is counted as their error. The direction has no two elements alike,
 * so that ties of several elements do not cancel in it. Rounding that moves a value across a switch
 * moves the derivative of the reruns with noise in the same way.
 */
#include "judge/derivative_p.h"

#include <math.h>

#include "judge/ancestry_p.h"
#include "onnx/eval.h"

enum { N_NOISE = 8 };
static const double NOISE_UNITS = 8, STEPS[] = {1e-6, 1e-7};

/* Multiples of 1/16 without 0: exact in every float dtype of more than four bits. */
static double weight(size_t output, size_t element)
{
    return (2 * (double)((7 * element + 3 * output + 5) % 13) - 13) / 16;
}

double derivative__direction(size_t argument, size_t element)
{
    return 2 * fmod((double)(element + 1) * 0.6180339887498949 + 0.3 * (double)argument, 1) - 1;
}

/* The argument's value, moved by step times the direction. */
static struct value moved(const struct value *v, size_t argument, double step, struct arena *a)
{
    struct value out = *v;
    double *at = arena_new_array(a, double, v->n);
    for (size_t i = 0; i < v->n; i++)
        at[i] = v->f[i] + step * derivative__direction(argument, i);
    out.f = at;
    return out;
}

static double weighted_sum(const struct graph *g, const struct eval_result *run)
{
    double sum = 0;
    for (size_t k = 0; k < g->outputs.n; k++) {
        const struct value *y = &run->values[g->outputs.at[k]];
        for (size_t i = 0; dtype_is_wide_float(y->dtype) && i < y->n; i++)
            sum += weight(k, i) * y->f[i];
    }
    return sum;
}

/* The loss at x + step * direction. *known becomes false if the graph cannot be evaluated there. */
static bool loss_at(struct reference *r, double step, const struct eval_options *noise, bool *known,
                    double *loss, struct err *e)
{
    const struct graph *g = r->model->graph;
    struct arena a;
    struct eval_result run;
    struct eval_options o = *noise;
    arena_init(&a);
    struct value *given = arena_new_array(&a, struct value, g->values.n);
    for (size_t i = 0, k = 0; i < g->inputs.n; i++) {
        uint32_t at = g->inputs.at[i];
        const struct value *v = &r->values.values[at];
        if (!g->values.at[at].initializer && dtype_is_wide_float(v->dtype))
            given[at] = moved(v, k, step, &a);
        k += !g->values.at[at].initializer;
    }
    o.given = given;
    bool ok = eval_run(r->model, &r->c->input_sets[r->input_set], &o, &a, &run, e);
    if (ok)
        *loss = weighted_sum(g, &run);
    *known = ok && *known && isfinite(*loss);
    if (!ok && (e->code == ERR_DATA || e->code == ERR_UNSUPPORTED || e->code == ERR_LIMIT)) {
        err_clear(e);
        ok = true;
    }
    arena_done(&a);
    return ok;
}

/* Frameworks pass gradients through a cast to fewer bits, whose true derivative is 0 or infinite;
 * subgraphs are not looked into. */
static bool has_derivative(const struct graph *g)
{
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        for (uint32_t k = 0; k < n->n_attrs; k++)
            if (n->attrs[k].kind == ATTR_GRAPH || n->attrs[k].kind == ATTR_GRAPHS)
                return false;
        bool casts = str_is(n->op_type, "Cast") || str_is(n->op_type, "CastLike");
        if (!casts || n->inputs[0] == VALUE_NONE || n->outputs[0] == VALUE_NONE)
            continue;
        enum dtype from = g->values.at[n->inputs[0]].dtype, to = g->values.at[n->outputs[0]].dtype;
        if (dtype_is_float(from) && dtype_is_float(to) && dtype_unit(to) > dtype_unit(from))
            return false;
    }
    return true;
}

/* Not for random, undefined or infinite values, nor without an output of floats. */
static bool may_be_told(struct reference *r)
{
    const struct graph *g = r->model->graph;
    const struct ancestry *facts = ancestry__of_values(r);
    bool is_float = false;
    for (size_t k = 0; k < g->outputs.n; k++) {
        const struct ancestry *f = &facts[g->outputs.at[k]];
        is_float |= dtype_is_wide_float(g->values.at[g->outputs.at[k]].dtype);
        if (f->random || f->nonfinite || f->undefined || f->open || f->made)
            return false;
    }
    return is_float && has_derivative(g);
}

static double coarsest_unit(const struct graph *g)
{
    double unit = 0;
    for (size_t i = 0; i < g->values.n; i++)
        if (dtype_is_float(g->values.at[i].dtype))
            unit = fmax(unit, dtype_unit(g->values.at[i].dtype));
    return unit;
}

bool derivative__of(struct reference *r, struct derivative *out, struct err *e)
{
    static const double places[] = {-1, -0.5, 0.5, 1};
    const struct eval_options plain = {0};
    const double here = weighted_sum(r->model->graph, &r->values);
    *out = (struct derivative){.error = INFINITY, .unit = coarsest_unit(r->model->graph)};
    bool is_known = may_be_told(r) && isfinite(here);
    for (size_t s = 0; s < COUNT_OF(STEPS) && is_known; s++) {
        double h = STEPS[s], loss[COUNT_OF(places)];
        for (size_t i = 0; i < COUNT_OF(places) && is_known; i++)
            if (!loss_at(r, h * places[i], &plain, &is_known, &loss[i], e))
                return false;
        if (!is_known)
            break;
        double whole = (loss[3] - loss[0]) / (2 * h), half = (loss[2] - loss[1]) / h;
        double error = fabs(whole - half) + fabs(loss[3] - 2 * here + loss[0]) / h;
        if (error < out->error) {
            out->value = whole;
            out->error = error;
        }
    }
    out->is_known = is_known;
    return true;
}

bool derivative__noise(struct reference *r, const struct derivative *d, double *out, struct err *e)
{
    *out = 0;
    for (uint64_t i = 0; i < N_NOISE; i++) {
        const struct eval_options noise = {.perturb_seed = 0x9d + i,
                                           .unit_at_least = NOISE_UNITS * d->unit};
        double h = STEPS[0], left, right;
        bool known = true;
        if (!loss_at(r, -h, &noise, &known, &left, e) || !loss_at(r, h, &noise, &known, &right, e))
            return false;
        *out = fmax(*out, known ? fabs((right - left) / (2 * h) - d->value) : INFINITY);
    }
    return true;
}
