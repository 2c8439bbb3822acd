/* Compares two observations for several oracles. Must not know why they are compared. */
#include "judge/pair_p.h"

#include <math.h>

#include "judge/claim_p.h"

static bool judge_output(struct judging *j, const struct sight *s, struct verdict *worst,
                         const char *what, struct err *e)
{
    struct finding f;
    if (!compare__tensor(j, s, &f, e))
        return false;
    struct verdict v = *worst;
    v.decision = f.decision;
    v.wrong = f.decision == DECISION_FAIL ? f.wrong : WRONG_NOTHING;
    v.measure = f.measure;
    v.threshold = f.threshold;
    v.expected = f.expected;
    v.observed = f.observed;
    v.place = judge__place(s->ref->model, s->value, f.element);
    v.claim = (struct str){0};
    if (v.wrong == WRONG_SHAPE || v.wrong == WRONG_DTYPE)
        v.claim =
            claim__form(j, v.place.output, s->seen,
                        &(struct form){s->other->dtype, s->other->rank, s->other->dims}, what);
    else if (v.wrong != WRONG_NOTHING)
        v.claim = str_of(arena_printf(j->a, "%.9g where %s gives %.9g; relative difference %.2e",
                                      f.observed, what, f.expected, f.measure));
    if (judge__is_worse(&v, worst))
        *worst = v;
    return true;
}

bool pair__judge(struct judging *j, enum oracle o, const struct observation *x,
                 const struct observation *other, const char *what, struct err *e)
{
    struct verdict worst = judge__verdict(o, x);
    struct reference *r = judge__reference(j, x);
    if (!r)
        return true;
    for (size_t i = 0; i < x->outputs.n; i++) {
        struct str name = x->outputs.at[i].name;
        uint32_t value = graph_find_value(r->model->graph, name);
        const struct tensor *t = tensors_find(&other->outputs, name);
        if (value == VALUE_NONE || !t)
            continue;
        struct sight s = {.ref = r,
                          .value = value,
                          .seen = &x->outputs.at[i].tensor,
                          .target = &x->target,
                          .other = t};
        if (!judge_output(j, &s, &worst, what, e))
            return false;
    }
    judge__add(j, worst);
    return true;
}

const struct observation *pair__baseline(const struct judging *j, const struct observation *x)
{
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *y = &j->ev->observations[i];
        if (y == x)
            return NULL;
        if (y->outcome == OUTCOME_OK && y->repeat == 0 && y->variant == x->variant &&
            y->input_set == x->input_set && !target_id_eq(&x->target, &y->target))
            return y;
    }
    return NULL;
}

double pair__mean_distance(const struct tensor *a, const struct tensor *b)
{
    double sum = 0;
    size_t n = 0;
    if (a->dtype == DTYPE_STRING || b->dtype == DTYPE_STRING || !tensor_same_shape(a, b))
        return NAN;
    for (size_t i = 0; i < a->n; i++) {
        double d = fabs(tensor_get_double(a, i) - tensor_get_double(b, i));
        if (isfinite(d)) {
            sum += d;
            n++;
        }
    }
    return n > 0 ? sum / (double)n : NAN;
}
