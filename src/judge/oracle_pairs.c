/*
 * pairs: one call that a program writes for several frameworks (generate/transfer/call.h). Decides
 * which framework is wrong: the one that differs from two others of different families, which agree
 * with each other. Must not know frameworks, nor what the call computes.
 *
 * Frameworks round differently: floats are equal within the tolerance of the coarser dtype
 * (pair_tolerances.def), relative to the largest element, or to PAIR_ZEROS_SCALE; NaN equals NaN.
 * The witnesses must agree within a tenth of that. Dtypes are compared only where the program says
 * so (an output ".dtype"). A framework that raises is no finding: it may lack what the others have.
 */
#include <math.h>

#include "case/subject.h"
#include "judge/judge_p.h"
#include "judge/pair_tolerances.h"

#define WITNESSES_CLOSER 10.0

static const struct {
    enum dtype dtype;
    double relative;
} tolerances[] = {
#define PAIR_TOLERANCE(dtype, name, complex_name, relative) {DTYPE_##dtype, relative},
#include "judge/pair_tolerances.def"
#undef PAIR_TOLERANCE
};

static double tolerance_of(enum dtype x, enum dtype y)
{
    for (size_t i = 0; i < COUNT_OF(tolerances); i++) /* coarsest first */
        if (tolerances[i].dtype == x || tolerances[i].dtype == y)
            return tolerances[i].relative;
    return 0;
}

struct difference {
    enum wrong_kind wrong; /* WRONG_NOTHING: equal */
    size_t output, element;
    double seen, expected, measure; /* measure: in tolerances */
};

static double largest(const struct tensor *t)
{
    double most = 0;
    for (size_t i = 0; i < t->n; i++) {
        double x = fabs(tensor_get_double(t, i));
        most = isfinite(x) && x > most ? x : most;
    }
    return most;
}

/* The magnitude that rounding is relative to: a complex result, of which the real and the imaginary
 * parts are outputs one after the other, has one. */
static double scale_of(const struct observation *x, size_t at)
{
    double scale = largest(&x->outputs.at[at].tensor);
    if (str_ends(x->outputs.at[at].name, STR(".real")) && at + 1 < x->outputs.n)
        scale = fmax(scale, largest(&x->outputs.at[at + 1].tensor));
    if (str_ends(x->outputs.at[at].name, STR(".imag")) && at > 0)
        scale = fmax(scale, largest(&x->outputs.at[at - 1].tensor));
    return scale;
}

static bool is_dtype(const struct named_tensor *t)
{
    return str_ends(t->name, STR(".dtype"));
}

/* scale: of y */
static void compare_tensor(const struct named_tensor *x, const struct named_tensor *y, double scale,
                           double closer, struct difference *d)
{
    const struct tensor *a = &x->tensor, *b = &y->tensor;
    if (!tensor_same_shape(a, b)) {
        d->wrong = WRONG_SHAPE;
        d->measure = INFINITY;
        return;
    }
    double limit =
        tolerance_of(a->dtype, b->dtype) * (scale > 0 ? scale : PAIR_ZEROS_SCALE) / closer;
    for (size_t i = 0; i < a->n; i++) {
        double seen = tensor_get_double(a, i), expected = tensor_get_double(b, i);
        double apart = fabs(seen - expected);
        if (seen == expected || (isnan(seen) && isnan(expected)) || apart <= limit)
            continue;
        double measure = isfinite(apart) && limit > 0 ? apart / limit : INFINITY;
        if (d->wrong != WRONG_NOTHING && measure <= d->measure)
            continue;
        *d = (struct difference){.wrong = is_dtype(x)   ? WRONG_DTYPE
                                          : isnan(seen) ? WRONG_NAN
                                          : isinf(seen) ? WRONG_INF
                                                        : WRONG_VALUE,
                                 .output = d->output,
                                 .element = i,
                                 .seen = seen,
                                 .expected = expected,
                                 .measure = measure};
    }
}

/* The first output that differs; closer: by how much the tolerances are divided. */
static struct difference compare(const struct observation *x, const struct observation *y,
                                 double closer)
{
    struct difference d = {.wrong = WRONG_NOTHING, .element = SIZE_MAX};
    for (size_t i = 0; i < x->outputs.n && d.wrong == WRONG_NOTHING; i++) {
        d.output = i;
        if (i < y->outputs.n)
            compare_tensor(&x->outputs.at[i], &y->outputs.at[i], scale_of(y, i), closer, &d);
    }
    if (d.wrong == WRONG_NOTHING && x->outputs.n != y->outputs.n) {
        d.wrong = WRONG_SHAPE;
        d.output = 0;
        d.measure = INFINITY;
    }
    return d;
}

static bool is_witness(const struct observation *x)
{
    return judge__has_outputs(x) && x->target.is_base && x->captures && x->outputs.n > 0;
}

/* Two other families that agree with each other and not with x. */
static bool find_witnesses(const struct judging *j, const struct observation *x,
                           const struct observation *out[2])
{
    const struct evidence *ev = j->ev;
    for (size_t i = 0; i < ev->n_observations; i++) {
        const struct observation *y = &ev->observations[i];
        if (!is_witness(y) || str_eq(judge__family(y), judge__family(x)))
            continue;
        if (compare(x, y, 1).wrong == WRONG_NOTHING)
            return false;
        for (size_t k = i + 1; k < ev->n_observations; k++) {
            const struct observation *z = &ev->observations[k];
            if (!is_witness(z) || str_eq(judge__family(z), judge__family(x)) ||
                str_eq(judge__family(z), judge__family(y)))
                continue;
            if (compare(x, z, 1).wrong == WRONG_NOTHING)
                return false;
            if (compare(y, z, WITNESSES_CLOSER).wrong == WRONG_NOTHING) {
                out[0] = y;
                out[1] = z;
                return true;
            }
        }
    }
    return false;
}

static struct verdict judge_one(struct judging *j, const struct observation *x)
{
    struct verdict v = judge__verdict(ORACLE_PAIRS, x);
    const struct observation *others[2];
    if (!find_witnesses(j, x, others))
        return v;
    struct difference d = compare(x, others[0], 1);
    const struct named_tensor *seen = &x->outputs.at[d.output];
    v.decision = DECISION_FAIL;
    v.wrong = d.wrong;
    v.measure = d.measure;
    v.threshold = 1;
    v.expected = d.expected;
    v.observed = d.seen;
    v.place.output = seen->name;
    v.place.element = d.element;
    v.place.op_type = x->captures[d.output].symbol;
    const struct capture *a = &others[0]->captures[0], *b = &others[1]->captures[0];
    if (d.wrong == WRONG_SHAPE || d.wrong == WRONG_DTYPE)
        v.claim = str_of(arena_printf(j->a, "another %s than " STR_FMT " and " STR_FMT,
                                      d.wrong == WRONG_SHAPE ? "shape" : "dtype",
                                      STR_ARG(a->symbol), STR_ARG(b->symbol)));
    else
        v.claim = str_of(arena_printf(j->a, "%.9g where " STR_FMT " and " STR_FMT " give %.9g",
                                      d.seen, STR_ARG(a->symbol), STR_ARG(b->symbol), d.expected));
    return v;
}

bool oracle__pairs(struct judging *j, struct err *e)
{
    const struct program *p = case_program(j->ev->c);
    (void)e;
    for (size_t i = 0; p && !p->framework.n && i < j->ev->n_observations; i++)
        if (is_witness(&j->ev->observations[i]))
            judge__add(j, judge_one(j, &j->ev->observations[i]));
    return true;
}
