/*
 * r: Test Oracle 3 of the mutation study, as published, for comparison (off unless named). For two
 * targets, D = mean |M - N| of a layer's output, and D_pre is the same of the layer before it.
 * R = |D - D_pre| / (D_pre + 1e-7) above 1e3 is a defect. Layers that were not observed take no
 * part.
 */
#include <math.h>

#include "judge/pair_p.h"

static const double r_threshold = 1e3, r_epsilon = 1e-7;

static const struct tensor *layer_of(const struct observation *x, struct str name)
{
    const struct tensor *t = tensors_find(&x->inner, name);
    return t ? t : tensors_find(&x->outputs, name);
}

/* D of a value between two targets; 0: an input of the model or a constant; NAN: not observed. */
static double layer_distance(const struct graph *g, uint32_t value, const struct observation *x,
                             const struct observation *y)
{
    const struct graph_value *v = &g->values.at[value];
    if (v->origin != ORIGIN_NODE)
        return 0;
    const struct tensor *a = layer_of(x, v->name), *b = layer_of(y, v->name);
    return a && b ? pair__mean_distance(a, b) : NAN;
}

/* The largest R of all layers that were observed with their predecessor; NAN: there are none. */
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
                arena_printf(j->a, "the distance of two targets changes by %.2e in one layer", r));
        }
        judge__add(j, v);
    }
    return true;
}
