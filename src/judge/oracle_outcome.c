/*
 * outcome: an engine raises an error on a case that the checker and the reference accept. It is
 * only counted if the engine says that it lacks something, or if an operator gets an undefined
 * value (an engine may refuse an index out of range).
 *
 * Who is wrong: a case that another target runs is valid. Where all engines refuse, two families
 * make the checker suspect; one family alone fails only when the rows of all operators are
 * certified.
 */
#include "judge/ancestry_p.h"
#include "judge/claim_p.h"
#include "judge/judge_p.h"
#include "onnx/op.h"

static bool is_refusal(enum outcome o)
{
    return o == OUTCOME_EXCEPTION || o == OUTCOME_ASSERTION || o == OUTCOME_INTERNAL_ERROR;
}

static bool has_undefined(struct reference *r)
{
    const struct ancestry *ancestries = ancestry__of_values(r);
    for (size_t i = 0; i < r->values.n_values; i++)
        if (ancestries[i].undefined)
            return true;
    return false;
}

static bool all_certified(struct reference *r)
{
    const struct ancestry *ancestries = ancestry__of_graph(r);
    for (size_t i = 0; i < r->values.n_values; i++)
        if (ancestries[i].uncertified)
            return false;
    return true;
}

/* What the other targets did with the same inputs. */
struct witnesses {
    bool runs, other_family_refuses,
        lacks; /* lacks: another mode of the engine says that it lacks the operator */
};

static struct witnesses hear(const struct judging *j, const struct observation *x)
{
    struct witnesses w = {false, false, false};
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *y = &j->ev->observations[i];
        if (y->input_set != x->input_set)
            continue;
        w.runs = w.runs || y->outcome == OUTCOME_OK;
        w.lacks = w.lacks || (y != x && str_eq(y->target.family, x->target.family) &&
                              judge__is_unsupported(j->ev, y));
        w.other_family_refuses =
            w.other_family_refuses || (is_refusal(y->outcome) && !judge__is_unsupported(j->ev, y) &&
                                       !str_eq(judge__family(y), judge__family(x)));
    }
    return w;
}

/* A program is valid where the engine runs it without optimisations. */
static enum decision decide_program(struct judging *j, const struct observation *x)
{
    if (judge__base_passes(j, x))
        return DECISION_FAIL;
    judge__count(j, NOT_BUG_NO_REFERENCE, 1);
    return DECISION_NOT_APPLICABLE;
}

static enum decision decide(struct judging *j, const struct observation *x)
{
    struct reference *r = judge__reference(j, x);
    struct witnesses w = hear(j, x);
    if (!judge__model(j))
        return decide_program(j, x);
    if (!r) {
        judge__count(j, NOT_BUG_NO_REFERENCE, 1);
        return DECISION_NOT_APPLICABLE;
    }
    if (has_undefined(r)) {
        judge__count(j, NOT_BUG_UNDEFINED, 1);
        return DECISION_NOT_APPLICABLE;
    }
    if (w.lacks) { /* an operator that it does not claim to run may fail differently in each mode */
        judge__count(j, NOT_BUG_UNSUPPORTED, 1);
        return DECISION_NOT_APPLICABLE;
    }
    if (w.runs)
        return DECISION_FAIL;
    if (w.other_family_refuses)
        return DECISION_REFERENCE_SUSPECT;
    return all_certified(r) ? DECISION_FAIL : DECISION_SECOND_OPINION;
}

/* Is the model's opset newer than those that the engine claims to know? */
static bool is_too_new(const struct judging *j, const struct observation *x)
{
    const struct model *m = judge__model(j);
    const struct target_traits *t = x->target.traits;
    return m && t && t->largest_opset > 0 && m->opset > t->largest_opset;
}

static struct verdict judge_one(struct judging *j, const struct observation *x)
{
    struct verdict v = judge__verdict(ORACLE_OUTCOME, x);
    if (!outcome_is_failure(x->outcome) && x->outcome != OUTCOME_UNSUPPORTED) {
        if (x->outcome != OUTCOME_OK) {
            judge__count(j, NOT_BUG_NOT_RUN, 1);
            v.decision = DECISION_NOT_APPLICABLE;
        }
        return v;
    }
    if (judge__is_unsupported(j->ev, x) || is_too_new(j, x)) {
        judge__count(j, NOT_BUG_UNSUPPORTED, 1);
        v.decision = DECISION_NOT_APPLICABLE;
        return v;
    }
    v.decision = decide(j, x);
    if (v.decision == DECISION_NOT_APPLICABLE)
        return v;
    v.wrong = WRONG_OUTCOME;
    v.measure = 1;
    v.claim = claim__refusal(j, x->message.raw);
    return v;
}

bool oracle__outcome(struct judging *j, struct err *e)
{
    (void)e;
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        if (is_refusal(x->outcome) || !outcome_is_failure(x->outcome))
            judge__add(j, judge_one(j, x));
    }
    return true;
}
