/*
 * gradient: a mode that differentiates (option "gradients" of its description) gives, beside the
 * outputs, the gradients of a fixed loss by its float inputs. Their sum along one direction is held
 * against central differences of the float64 reference, so that forward and backward of every
 * operator are judged by one number per run, in each mode by itself.
 *
 * Allowed are rounding of every element of a gradient (units of its largest) and what noise in
 * every node of the reference does to the derivative. Not judged are graphs whose derivative is a
 * convention, and inputs so near to a switch that the differences themselves are less exact.
 */
#include <math.h>

#include "judge/derivative_p.h"
#include "judge/judge_p.h"

static const double ROUNDING_UNITS = 16, NOISE_FACTOR = 3, LEAST = 1e-7, SMOOTH = 1e-3;

struct slope {
    double sum;   /* of gradient times direction */
    double scale; /* what it would be if all elements were as the largest, or 1, of one sign */
};

static struct slope slope_of(const struct graph *g, const struct tensors *gradients)
{
    struct slope s = {0};
    for (size_t i = 0, k = 0; i < g->inputs.n; i++) {
        const struct graph_value *v = &g->values.at[g->inputs.at[i]];
        const struct tensor *t = v->initializer ? NULL : tensors_find(gradients, v->name);
        double largest = 1, length = 0;
        for (size_t n = 0; t && n < t->n; n++) {
            double x = tensor_get_double(t, n), d = derivative__direction(k, n);
            s.sum += x * d;
            largest = fmax(largest, fabs(x));
            length += fabs(d);
        }
        s.scale += largest * length;
        k += !v->initializer;
    }
    return s;
}

/* How far the sum may be from the derivative; *near: a switch or a bend of the loss is so near that
 * nothing can be told. */
static bool allowed_of(struct judging *j, struct reference *r, const struct derivative *d,
                       struct slope seen, double *allowed, bool *near, struct err *e)
{
    double off = fabs(seen.sum - d->value), noise = 0;
    *allowed = fmax(ROUNDING_UNITS * d->unit, LEAST) * seen.scale;
    *near = !isfinite(seen.sum) && d->error > SMOOTH * (1 + fabs(d->value));
    judge__count(j, NOT_BUG_SWITCH, *near);
    if (off <= *allowed || !isfinite(seen.sum))
        return true;
    if (!derivative__noise(r, d, &noise, e))
        return false;
    *allowed += NOISE_FACTOR * noise;
    *near = off > *allowed && (d->error > *allowed || !isfinite(*allowed));
    judge__count(j, NOT_BUG_ROUNDING, off <= *allowed);
    judge__count(j, NOT_BUG_SWITCH, *near);
    return true;
}

static bool judge_slope(struct judging *j, struct reference *r, const struct derivative *d,
                        const struct observation *x, struct verdict *v, struct err *e)
{
    struct slope seen = slope_of(r->model->graph, &x->gradients);
    double off = fabs(seen.sum - d->value), allowed;
    bool near;
    if (!allowed_of(j, r, d, seen, &allowed, &near, e))
        return false;
    v->expected = d->value;
    v->observed = seen.sum;
    v->measure = isfinite(off) ? off / seen.scale : INFINITY;
    v->threshold = isfinite(off) ? allowed / seen.scale : 0;
    if (off <= allowed || near) {
        v->decision = near ? DECISION_UNSURE : DECISION_PASS;
        return true;
    }
    v->decision = DECISION_FAIL;
    v->wrong = isnan(seen.sum) ? WRONG_NAN : isinf(seen.sum) ? WRONG_INF : WRONG_VALUE;
    v->claim = str_of(arena_printf(
        j->a,
        "the gradients of the inputs give %.9g along a direction in which the loss grows by %.9g; "
        "relative error %.2e, rounding explains at most %.2e",
        seen.sum, d->value, v->measure, v->threshold));
    return true;
}

bool oracle__gradient(struct judging *j, struct err *e)
{
    struct derivative d = {0};
    struct reference *of = NULL; /* whose derivative d is */
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        struct reference *r = judge__reference(j, x);
        if (!judge__has_outputs(x) || !x->gradients.n || !r)
            continue;
        if (of != r && !derivative__of(r, &d, e))
            return false;
        of = r;
        struct verdict v = judge__verdict(ORACLE_GRADIENT, x);
        if (!d.is_known)
            v.decision = DECISION_NOT_APPLICABLE;
        else if (!judge_slope(j, r, &d, x, &v, e))
            return false;
        judge__add(j, v);
    }
    return true;
}
