/*
 * shadow: compares an optimised call of a program with the same call without its optimiser, both
 * measured against float64. The worker measures (py/assay_worker/measure.py), this file decides.
 *
 * A float result is a failure only if all hold:
 *   error(written, double) > 12 max(error(eager, double), min(noise, 1e-2), 4u), where noise above
 *     0.1 counts in full: the value is ill-conditioned
 *   it is outside torch.testing's default tolerances, compared with double
 *   it is not noise itself: eager's own error is at most 0.1
 *   two calls of its call site fail so, or the noise was measured by 8 runs with perturbed
 * operators Integers, dtypes, shapes and structure must be equal. It is a failure if one side alone
 * raises or both raise unrelated errors, but not if the engine says that it lacks something.
 */
#include "case/subject.h"
#include "judge/judge_p.h"

#define FACTOR 12.0
#define NOISE_CAP 1e-2
#define OWN_ERROR_MAX 0.1
#define ILL_CONDITIONED 0.1
enum { N_NOISE_SURE = 8 };

static double bound_of(const struct capture_measures *m)
{
    double noise = m->noise > ILL_CONDITIONED ? m->noise : MIN(m->noise, NOISE_CAP);
    return FACTOR * MAX(MAX(m->base_error, noise), 4 * m->unit);
}

static bool is_suspicious(const struct capture_measures *m)
{
    if (m->differs == DIFFERS_NOT)
        return false;
    return m->differs != DIFFERS_VALUE ||
           (m->error > bound_of(m) && m->excess > 1 && m->base_error <= OWN_ERROR_MAX);
}

/* Is the same output of another call at the same call site suspicious too? */
static bool is_repeated(const struct observation *x, size_t at)
{
    const struct capture *c = &x->captures[at];
    for (size_t i = 0; i < x->outputs.n; i++) {
        const struct capture *other = &x->captures[i];
        if (other->site == c->site && other->call != c->call && str_eq(other->symbol, c->symbol) &&
            str_eq(other->path, c->path) && other->measures && is_suspicious(other->measures))
            return true;
    }
    return false;
}

static bool is_failure(const struct observation *x, size_t at)
{
    const struct capture_measures *m = x->captures[at].measures;
    return m && is_suspicious(m) &&
           (m->differs != DIFFERS_VALUE || m->n_noise >= N_NOISE_SURE || is_repeated(x, at));
}

static enum wrong_kind wrong_of(enum differs d)
{
    return d == DIFFERS_DTYPE                             ? WRONG_DTYPE
           : d == DIFFERS_SHAPE || d == DIFFERS_STRUCTURE ? WRONG_SHAPE
                                                          : WRONG_VALUE;
}

static struct verdict of_capture(struct judging *j, const struct observation *x, size_t at)
{
    const struct capture *c = &x->captures[at];
    const struct capture_measures *m = c->measures;
    struct verdict v = judge__verdict(ORACLE_SHADOW, x);
    bool is_value = m->differs == DIFFERS_VALUE;
    v.decision = DECISION_FAIL;
    v.wrong = wrong_of(m->differs);
    v.measure = is_value ? m->error : 1;
    v.threshold = is_value ? bound_of(m) : 1;
    v.place.output = x->outputs.at[at].name;
    v.place.op_type = c->symbol;
    v.claim = str_of(arena_printf(j->a, STR_FMT " of " STR_FMT ", call %u: " STR_FMT,
                                  STR_ARG(c->path), STR_ARG(c->symbol), c->call, STR_ARG(m->text)));
    return v;
}

static struct verdict of_values(struct judging *j, const struct observation *x)
{
    struct verdict worst = judge__verdict(ORACLE_SHADOW, x);
    for (size_t i = 0; i < x->outputs.n; i++) {
        if (!is_failure(x, i))
            continue;
        struct verdict v = of_capture(j, x, i);
        if (judge__is_worse(&v, &worst))
            worst = v;
    }
    return worst;
}

static const struct observation *base_of(const struct judging *j, const struct observation *x)
{
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *y = &j->ev->observations[i];
        if (y->target.is_base && y->input_set == x->input_set &&
            str_eq(y->target.engine, x->target.engine) &&
            str_eq(y->target.version, x->target.version))
            return y;
    }
    return NULL;
}

static bool raised(const struct observation *x)
{
    return x->outcome == OUTCOME_EXCEPTION || x->outcome == OUTCOME_ASSERTION ||
           x->outcome == OUTCOME_INTERNAL_ERROR;
}

static void fail_outcome(struct judging *j, const struct observation *x,
                         const struct observation *base)
{
    struct verdict v = judge__verdict(ORACLE_SHADOW, x);
    const struct observation *told = raised(x) ? x : base;
    if (judge__is_unsupported(j->ev, x) || judge__is_unsupported(j->ev, base)) {
        judge__count(j, NOT_BUG_UNSUPPORTED, 1);
        return;
    }
    v.decision = DECISION_FAIL;
    v.wrong = WRONG_OUTCOME;
    v.measure = v.threshold = 1;
    v.claim =
        str_of(raised(x) ? arena_printf(j->a, "raises " STR_FMT " where eager raises " STR_FMT,
                                        STR_ARG(x->message.type), STR_ARG(base->message.type))
                         : arena_printf(j->a, "accepts what eager rejects: " STR_FMT ": " STR_FMT,
                                        STR_ARG(told->message.type), STR_ARG(told->message.raw)));
    judge__add(j, v);
}

bool oracle__shadow(struct judging *j, struct err *e)
{
    (void)e;
    for (size_t i = 0; !judge__model(j) && i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i], *base = base_of(j, x);
        if (x->target.is_base || !base || x->repeat > 0)
            continue;
        if (judge__is_measured(x))
            judge__add(j, of_values(j, x));
        else if (raised(base) && x->outcome == OUTCOME_OK && x->captures)
            fail_outcome(j, x, base);
        else if (raised(base) && raised(x) && !str_eq(base->message.type, x->message.type) &&
                 str_eq(base->message.stack, x->message.stack))
            fail_outcome(j, x, base);
    }
    return true;
}
