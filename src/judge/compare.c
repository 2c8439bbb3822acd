/*
 * Comparison of one tensor (models.md 5): dtype and shape first, then values, either exactly
 * (compare_exact.c) or as floats (compare_float.c). One pass without noise clears most tensors;
 * only the others need reruns.
 *
 * It must not know which oracle calls it. All that a comparison leaves out is counted.
 */
#include "judge/compare_p.h"

#include <math.h>
#include <string.h>

#include "judge/ancestry_p.h"

static bool same_shape(const struct value *v, const struct tensor *t)
{
    if (v->rank != t->rank)
        return false;
    return t->rank == 0 || memcmp(v->dims, t->dims, t->rank * sizeof *t->dims) == 0;
}

/* Compares dtype and shape; false: they differ, and the finding says so. */
static bool forms_agree(const struct sight *s, const struct value *v, struct finding *out)
{
    enum wrong_kind wrong = WRONG_NOTHING;
    if (s->seen->dtype != v->dtype)
        wrong = WRONG_DTYPE;
    else if (!same_shape(v, s->seen))
        wrong = WRONG_SHAPE;
    if (wrong == WRONG_NOTHING)
        return true;
    out->decision = DECISION_FAIL;
    out->wrong = wrong;
    out->measure = 1;
    return false;
}

/* Is a comparison ruled out, whatever the values are? */
static bool is_ruled_out(struct compared *c, struct finding *out)
{
    const struct ancestry *facts = &ancestry__of_values(c->s->ref)[c->s->value];
    if (facts->random) {
        judge__count(c->j, NOT_BUG_RANDOM, 1);
        out->decision = DECISION_NOT_APPLICABLE;
        return true;
    }
    if (c->s->ref->c->lane == LANE_SHAPES && facts->empty) {
        judge__count(c->j, NOT_BUG_SPEC_GAP, 1);
        out->decision = DECISION_NOT_APPLICABLE;
        return true;
    }
    const struct target_traits *traits = c->s->target->traits;
    if (facts->bytes && facts->products && traits && traits->no_vnni) {
        judge__count(c->j, NOT_BUG_SATURATION, 1);
        out->decision = DECISION_UNSURE;
        return true;
    }
    return false;
}

/* A shape unlike the reference's or another mode's is no fault if noise decides it. */
static bool excuse_shape(struct compared *c, struct finding *out, struct err *e)
{
    struct noise *n;
    if (!noise__get(c->s->ref, &c->need, &n, e) || !noise__confirm(c->s->ref, &c->need, n, e))
        return false;
    if (!noise__moves_shape(n, c->s->ref, c->s->value))
        return true;
    judge__count(c->j, NOT_BUG_SWITCH, 1);
    *out = (struct finding){.decision = DECISION_UNSURE, .element = SIZE_MAX};
    return true;
}

static bool is_equal(const struct compared *c)
{
    const struct tensor *t = c->s->seen;
    if (t->dtype == DTYPE_STRING)
        return false;
    for (size_t i = 0; i < t->n; i++) {
        if (!(c->x[i] == c->r[i] || (isnan(c->x[i]) && isnan(c->r[i]))))
            return false;
    }
    return c->v->storage == STORAGE_F64 || t->dtype == DTYPE_BOOL ||
           dtype_row(t->dtype)->n_bits <= 32; /* 64-bit integers do not fit a double */
}

bool compare__tensor(struct judging *j, const struct sight *s, struct finding *out, struct err *e)
{
    struct compared c = {.j = j, .s = s, .v = &s->ref->values.values[s->value]};
    *out = (struct finding){.decision = DECISION_PASS, .element = SIZE_MAX};
    if (c.v->dtype == DTYPE_UNDEFINED) {
        judge__count(j, NOT_BUG_NO_REFERENCE, 1);
        out->decision = DECISION_NOT_APPLICABLE;
        return true;
    }
    j->counts->n_compared++;
    c.need = (struct noise_need){j->o, j->counts, s->target};
    if (s->other && (s->other->dtype != s->seen->dtype || !tensor_same_shape(s->seen, s->other))) {
        out->decision = DECISION_FAIL;
        out->wrong = s->other->dtype != s->seen->dtype ? WRONG_DTYPE : WRONG_SHAPE;
        out->measure = 1;
        return out->wrong == WRONG_DTYPE || excuse_shape(&c, out, e);
    }
    if (!forms_agree(s, c.v, out)) {
        if (s->other) /* both differ from the reference in the same way, not from each other */
            *out = (struct finding){.decision = DECISION_PASS, .element = SIZE_MAX};
        return s->other || out->wrong != WRONG_SHAPE || excuse_shape(&c, out, e);
    }
    struct arena_mark mark = arena_mark(j->a);
    c.x = compare__doubles(s->seen, j->a);
    c.r = s->other ? compare__doubles(s->other, j->a) : noise__doubles(c.v, j->a);
    c.gauge = tolerance__gauge(j->o, c.v, s->target);
    c.skip = c.v->undefined;
    bool ok = true;
    if (!is_equal(&c)) {
        if (dtype_is_float(c.v->dtype))
            ok = compare__float(&c, out, e);
        else if (!is_ruled_out(&c, out))
            ok = compare__exact(&c, out, e);
        if (ok && out->decision == DECISION_FAIL && dtype_is_float(c.v->dtype) &&
            is_ruled_out(&c, out))
            out->wrong = WRONG_NOTHING;
    }
    if (j->a != s->ref->arena) /* else reruns, which the reference keeps, would be lost */
        arena_return(j->a, mark);
    return ok;
}
