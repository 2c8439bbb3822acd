/*
 * The inconsistency oracles of the mutation study, as published, for comparison (off unless named):
 * targets against each other, no reference, no noise.
 *
 *   nan    a target gives NaN or infinity where another does not (Test Oracle 1)
 *   r      R = |D - D_pre| / (D_pre + 1e-7), D = mean |M - N| of a layer, D_pre of the layer right
 *          before it; above 1e3 (Test Oracle 3)
 *   d-mad  |d_M - d_N| / (d_M + d_N), d = mean |Y - label|; above 0.4 (CRADLE). Generated models
 *          have no label, so d is the distance from zero.
 */
#include <math.h>

#include "judge/pair_p.h"

static const double r_threshold = 1e3, r_epsilon = 1e-7, d_mad_threshold = 0.4;

static size_t count_nonfinite(const struct observation *x)
{
    size_t n = 0;
    for (size_t k = 0; k < x->outputs.n; k++) {
        const struct tensor *t = &x->outputs.at[k].tensor;
        for (size_t i = 0; dtype_is_float(t->dtype) && i < t->n; i++)
            n += !isfinite(tensor_get_double(t, i));
    }
    return n;
}

bool oracle__nan(struct judging *j, struct err *e)
{
    (void)e;
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        if (!judge__has_outputs(x))
            continue;
        struct verdict v = judge__verdict(ORACLE_NAN, x);
        bool others_finite = false;
        for (size_t k = 0; k < j->ev->n_observations; k++) {
            const struct observation *y = &j->ev->observations[k];
            others_finite =
                others_finite || (judge__has_outputs(y) && y->input_set == x->input_set && y != x &&
                                  count_nonfinite(y) == 0);
        }
        v.measure = (double)count_nonfinite(x);
        if (v.measure > 0 && others_finite) {
            v.decision = DECISION_FAIL;
            v.wrong = WRONG_NAN;
            v.claim = STR("NaN or infinity where another target has none");
        }
        judge__add(j, v);
    }
    return true;
}

static const struct tensor *layer_of(const struct observation *x, struct str name)
{
    const struct tensor *t = tensors_find(&x->inner, name);
    return t ? t : tensors_find(&x->outputs, name);
}

/* D of a value between two targets; 0 for what is given to both; NAN: not seen. */
static double layer_distance(const struct graph *g, uint32_t value, const struct observation *x,
                             const struct observation *y)
{
    const struct graph_value *v = &g->values.at[value];
    if (v->origin != ORIGIN_NODE)
        return 0;
    const struct tensor *a = layer_of(x, v->name), *b = layer_of(y, v->name);
    return a && b ? pair__mean_distance(a, b) : NAN;
}

/* Largest R of all layers whose predecessor was seen too; NAN: none. */
static double largest_r(const struct graph *g, const struct observation *x,
                        const struct observation *y, uint32_t *at)
{
    double largest = NAN;
    for (size_t k = 0; k < g->nodes.n; k++) {
        const struct node *n = &g->nodes.at[k];
        if (n->n_inputs == 0 || n->n_outputs == 0 || n->inputs[0] == VALUE_NONE ||
            n->outputs[0] == VALUE_NONE)
            continue;
        double d = layer_distance(g, n->outputs[0], x, y);
        double before = layer_distance(g, n->inputs[0], x, y);
        double r = fabs(d - before) / (before + r_epsilon);
        if (!isnan(r) && !(r <= largest)) {
            largest = r;
            *at = n->outputs[0];
        }
    }
    return largest;
}

bool oracle__r(struct judging *j, struct err *e)
{
    (void)e;
    const struct model *m = judge__model(j);
    for (size_t i = 0; m && i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        const struct observation *base =
            x->outcome == OUTCOME_OK && x->repeat == 0 ? pair__baseline(j, x) : NULL;
        if (!base)
            continue;
        struct verdict v = judge__verdict(ORACLE_R, x);
        uint32_t at = VALUE_NONE;
        double r = largest_r(m->graph, x, base, &at);
        v.decision = isnan(r)          ? DECISION_NOT_APPLICABLE
                     : r > r_threshold ? DECISION_FAIL
                                       : DECISION_PASS;
        v.measure = isnan(r) ? 0 : r;
        v.threshold = r_threshold;
        if (v.decision == DECISION_FAIL) {
            v.wrong = WRONG_VALUE;
            v.place = judge__place(m, at, SIZE_MAX);
            v.claim = str_of(
                arena_printf(j->a, "distance of two targets changes by %.2e in one layer", r));
        }
        judge__add(j, v);
    }
    return true;
}

static double mean_magnitude(const struct tensor *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->n; i++)
        sum += fabs(tensor_get_double(t, i));
    return t->n > 0 ? sum / (double)t->n : 0;
}

static double d_mad(const struct tensor *a, const struct tensor *b)
{
    double da = mean_magnitude(a), db = mean_magnitude(b);
    double d = fabs(da - db) / (da + db);
    return isfinite(d) ? d : 0;
}

bool oracle__d_mad(struct judging *j, struct err *e)
{
    (void)e;
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        const struct observation *base = judge__has_outputs(x) ? pair__baseline(j, x) : NULL;
        if (!base)
            continue;
        struct verdict v = judge__verdict(ORACLE_D_MAD, x);
        v.threshold = d_mad_threshold;
        for (size_t k = 0; k < x->outputs.n; k++) {
            const struct tensor *t = &x->outputs.at[k].tensor;
            const struct tensor *b = tensors_find(&base->outputs, x->outputs.at[k].name);
            if (b && dtype_is_float(t->dtype) && dtype_is_float(b->dtype))
                v.measure = fmax(v.measure, d_mad(t, b));
        }
        if (v.measure > v.threshold) {
            v.decision = DECISION_FAIL;
            v.wrong = WRONG_VALUE;
            v.claim = STR("two targets lie at very different distances from the label");
        }
        judge__add(j, v);
    }
    return true;
}
