/*
 * Compares two runs of a case without a float64 reference (a program, or a model with an operator
 * that the reference lacks): both must have the same outputs with the same dtypes and shapes, equal
 * integers and strings, and floats within the tolerances of torch.testing.assert_close for the
 * dtype. NaN equals NaN. Larger differences by an optimiser's reordering are left to the oracles of
 * program cases.
 */
#include <math.h>

#include "judge/claim_p.h"
#include "judge/pair_p.h"

/* https://pytorch.org/docs/stable/testing.html */
static const struct {
    enum dtype dtype;
    double relative, absolute;
} tolerances[] = {
    {DTYPE_DOUBLE, 1e-7, 1e-7},
    {DTYPE_FLOAT, 1.3e-6, 1e-5},
    {DTYPE_FLOAT16, 1e-3, 1e-5},
    {DTYPE_BFLOAT16, 1.6e-2, 1e-5},
};

static double limit_of(enum dtype t, double expected)
{
    for (size_t i = 0; i < COUNT_OF(tolerances); i++)
        if (tolerances[i].dtype == t)
            return tolerances[i].absolute + tolerances[i].relative * fabs(expected);
    return 0;
}

static void fail(struct verdict *v, enum wrong_kind wrong, double measure)
{
    v->decision = DECISION_FAIL;
    v->wrong = wrong;
    v->measure = measure;
    v->threshold = 1;
}

/* Rounding of a long graph explains a few hundred tolerances. */
enum { ROUNDING_MAX = 1000 };

/* Fails with the worst element, in units of its tolerance. */
static void compare_values(struct judging *j, const struct tensor *x, const struct tensor *y,
                           const char *what, struct verdict *v)
{
    for (size_t i = 0; i < x->n; i++) {
        if (x->dtype == DTYPE_STRING) {
            if (!str_eq(x->strings[i], y->strings[i]))
                fail(v, WRONG_VALUE, INFINITY);
            continue;
        }
        double seen = tensor_get_double(x, i), expected = tensor_get_double(y, i);
        double d = fabs(seen - expected), limit = limit_of(x->dtype, expected);
        if (seen == expected || (isnan(seen) && isnan(expected)) || d <= limit)
            continue;
        double measure = isfinite(d) && limit > 0 ? d / limit : INFINITY;
        if (v->decision == DECISION_FAIL && measure <= v->measure)
            continue;
        fail(v, isnan(seen) ? WRONG_NAN : isinf(seen) ? WRONG_INF : WRONG_VALUE, measure);
        v->expected = expected;
        v->observed = seen;
        v->place.element = i;
        v->claim = str_of(arena_printf(j->a, "%.9g where %s gives %.9g", seen, what, expected));
    }
}

static void compare_output(struct judging *j, const struct named_tensor *x,
                           const struct observation *other, const char *what, struct verdict *v)
{
    const struct tensor *t = &x->tensor, *y = tensors_find(&other->outputs, x->name);
    v->place.output = x->name;
    if (!y) {
        fail(v, WRONG_SHAPE, 1);
        v->claim = str_of(arena_printf(j->a, "%s does not give this output", what));
        return;
    }
    if (t->dtype != y->dtype || !tensor_same_shape(t, y)) {
        fail(v, t->dtype != y->dtype ? WRONG_DTYPE : WRONG_SHAPE, 1);
        v->claim = claim__form(j, x->name, t, &(struct form){y->dtype, y->rank, y->dims}, what);
        return;
    }
    compare_values(j, t, y, what, v);
}

static struct verdict compare(struct judging *j, enum oracle o, const struct observation *x,
                              const struct observation *other, const char *what)
{
    struct verdict worst = judge__verdict(o, x);
    for (size_t i = 0; i < x->outputs.n; i++) {
        struct verdict v = judge__verdict(o, x);
        compare_output(j, &x->outputs.at[i], other, what, &v);
        if (judge__is_worse(&v, &worst))
            worst = v;
    }
    if (x->outputs.n < other->outputs.n && worst.decision == DECISION_PASS) {
        fail(&worst, WRONG_SHAPE, 1);
        worst.claim = str_of(arena_printf(j->a, "%zu outputs where %s gives %zu", x->outputs.n,
                                          what, other->outputs.n));
    }
    return worst;
}

void plain__judge(struct judging *j, enum oracle o, const struct observation *x,
                  const struct observation *other, const char *what)
{
    struct verdict v = compare(j, o, x, other, what);
    if (judge__model(j) && v.decision == DECISION_FAIL && v.wrong == WRONG_VALUE) {
        /* it is unknown how much rounding the graph amplifies */
        v.decision = v.measure > ROUNDING_MAX ? DECISION_SECOND_OPINION : DECISION_UNSURE;
        v.wrong = WRONG_NOTHING;
    }
    judge__add(j, v);
}

double judge_apart(const struct observation *x, const struct observation *y, struct arena *a)
{
    struct judging j = {.a = a};
    struct verdict v = compare(&j, ORACLE_LEVELS, x, y, "the other");
    bool is_form = v.wrong == WRONG_SHAPE || v.wrong == WRONG_DTYPE;
    return v.decision == DECISION_PASS ? 0 : is_form ? (double)INFINITY : v.measure;
}
