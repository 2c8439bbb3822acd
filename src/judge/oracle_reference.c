/*
 * reference: compares every output (and every exposed intermediate) with the float64 reference,
 * then decides who is wrong (models.md 5). If a target of another family or another mode of the
 * same engine agrees with the reference, that is confirmed: FAIL. If another family agrees with
 * this one, the reference is suspect. A target without others fails only when every operator before
 * the output has a certified row; otherwise a second opinion is needed.
 */
#include <math.h>

#include "judge/ancestry_p.h"
#include "judge/claim_p.h"

struct named_sight {
    struct sight s;
    struct str name;
    const struct observation *x;
};

static const struct tensor *tensor_of(const struct observation *x, struct str name)
{
    const struct tensor *t = tensors_find(&x->outputs, name);
    return t ? t : tensors_find(&x->inner, name);
}

static bool is_comparable(const struct observation *x, const struct observation *y)
{
    return y != x && y->input_set == x->input_set && y->repeat == 0 && y->outcome == OUTCOME_OK;
}

static bool other_family(const struct observation *x, const struct observation *y)
{
    return !str_eq(judge__family(x), judge__family(y));
}

/* Adds a tensor of each other family, for e_peer. */
static void add_peers(const struct judging *j, struct named_sight *n)
{
    struct str seen[COMPARE_PEERS_MAX];
    for (size_t i = 0; i < j->ev->n_observations && n->s.n_peers < COMPARE_PEERS_MAX; i++) {
        const struct observation *y = &j->ev->observations[i];
        if (!is_comparable(n->x, y) || !other_family(n->x, y))
            continue;
        bool known = false;
        for (size_t k = 0; k < n->s.n_peers; k++)
            known = known || str_eq(seen[k], judge__family(y));
        const struct tensor *t = tensor_of(y, n->name);
        if (known || !t)
            continue;
        seen[n->s.n_peers] = judge__family(y);
        n->s.peers[n->s.n_peers++] = t;
    }
}

/* Are two wrong tensors wrong in the same way? */
static bool agree(struct judging *j, const struct named_sight *n, const struct tensor *other,
                  const struct finding *f, bool *out, struct err *e)
{
    if (f->wrong == WRONG_SHAPE || f->wrong == WRONG_DTYPE) {
        *out = n->s.seen->dtype == other->dtype && tensor_same_shape(n->s.seen, other);
        return true;
    }
    struct sight pair = n->s;
    struct finding between;
    pair.other = other;
    pair.n_peers = 0;
    if (!compare__tensor(j, &pair, &between, e))
        return false;
    *out = between.decision == DECISION_PASS;
    return true;
}

/* Does a passing target's tensor confirm the reference at the finding's element? One of coarser
 * arithmetic that is as far off there proves nothing. */
static bool confirms(const struct tensor *t, const struct finding *f)
{
    if (f->element == SIZE_MAX || f->element >= t->n || t->dtype == DTYPE_STRING)
        return true;
    double seen = tensor_get_double(t, f->element);
    if (isnan(f->expected) || isnan(seen))
        return isnan(f->expected) && isnan(seen);
    if (isinf(f->expected) || isinf(f->observed) || isnan(f->observed))
        return isinf(seen) ? seen == f->expected : isfinite(f->expected);
    return fabs(seen - f->expected) < fabs(f->observed - f->expected) / 2;
}

static bool decide(struct judging *j, const struct named_sight *n, const struct finding *f,
                   enum decision *out, struct err *e)
{
    bool confirmed = false, joined = false;
    struct judge_counts ignored = {0}, *counts = j->counts;
    j->counts = &ignored; /* other targets count when they are judged themselves */
    for (size_t i = 0; i < j->ev->n_observations && !confirmed; i++) {
        const struct observation *y = &j->ev->observations[i];
        const struct tensor *t = is_comparable(n->x, y) ? tensor_of(y, n->name) : NULL;
        if (!t)
            continue;
        struct sight s = {.ref = n->s.ref, .value = n->s.value, .seen = t, .target = &y->target};
        struct finding own;
        if (!compare__tensor(j, &s, &own, e))
            return false;
        confirmed = own.decision == DECISION_PASS && confirms(t, f);
        if (own.decision == DECISION_FAIL && other_family(n->x, y) && !joined &&
            !agree(j, n, t, f, &joined, e))
            return false;
    }
    j->counts = counts;
    bool certified = !ancestry__of_graph(n->s.ref)[n->s.value].uncertified;
    *out = confirmed   ? DECISION_FAIL
           : joined    ? DECISION_REFERENCE_SUSPECT
           : certified ? DECISION_FAIL
                       : DECISION_SECOND_OPINION;
    return true;
}

static struct str claim_of(struct judging *j, const struct finding *f, const struct named_sight *n)
{
    const struct value *v = &n->s.ref->values.values[n->s.value];
    if (f->wrong == WRONG_DTYPE || f->wrong == WRONG_SHAPE)
        return claim__form(j, n->name, n->s.seen, &(struct form){v->dtype, v->rank, v->dims},
                           "the standard");
    return claim__value(j, f);
}

static bool judge_tensor(struct judging *j, struct named_sight *n, struct verdict *worst,
                         struct err *e)
{
    struct finding f;
    if (j->ev->n_observations > 1)
        add_peers(j, n);
    if (!compare__tensor(j, &n->s, &f, e))
        return false;
    struct verdict v = judge__verdict(ORACLE_REFERENCE, n->x);
    v.decision = f.decision;
    if (f.decision == DECISION_FAIL && !decide(j, n, &f, &v.decision, e))
        return false;
    v.wrong = f.decision == DECISION_FAIL ? f.wrong : WRONG_NOTHING;
    v.measure = f.measure;
    v.threshold = f.threshold;
    v.expected = f.expected;
    v.observed = f.observed;
    if (!worst->oracle || judge__is_worse(&v, worst)) {
        v.place = judge__place(n->s.ref->model, n->s.value, f.element);
        if (v.wrong != WRONG_NOTHING)
            v.claim = claim_of(j, &f, n);
        *worst = v;
    }
    return true;
}

static struct verdict missing_output(struct judging *j, const struct observation *x,
                                     const struct graph *g, uint32_t value)
{
    struct verdict v = judge__verdict(ORACLE_REFERENCE, x);
    v.decision = DECISION_FAIL;
    v.wrong = WRONG_SHAPE;
    v.measure = 1;
    v.place = judge__place(judge__model(j), value, SIZE_MAX);
    v.claim = str_of(
        arena_printf(j->a, "output " STR_FMT " is missing", STR_ARG(g->values.at[value].name)));
    return v;
}

static bool judge_observation(struct judging *j, const struct observation *x, struct reference *r,
                              struct verdict *worst, struct err *e)
{
    const struct graph *g = r->model->graph;
    for (size_t i = 0; i < g->outputs.n; i++) {
        uint32_t value = g->outputs.at[i];
        if (tensors_find(&x->outputs, g->values.at[value].name))
            continue;
        *worst = missing_output(j, x, g, value);
        return true;
    }
    const struct tensors *lists[] = {&x->outputs, &x->inner};
    for (size_t l = 0; l < COUNT_OF(lists); l++) {
        for (size_t i = 0; i < lists[l]->n; i++) {
            const struct named_tensor *t = &lists[l]->at[i];
            uint32_t value = graph_find_value(g, t->name);
            if (value == VALUE_NONE)
                continue;
            struct named_sight n = {
                .s = {.ref = r, .value = value, .seen = &t->tensor, .target = &x->target},
                .name = t->name,
                .x = x};
            if (!judge_tensor(j, &n, worst, e))
                return false;
        }
    }
    return true;
}

bool oracle__reference(struct judging *j, struct err *e)
{
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        struct reference *r = judge__reference(j, x);
        if (x->outcome != OUTCOME_OK || x->repeat != 0)
            continue;
        struct verdict v = {0};
        if (!r) {
            judge__count(j, NOT_BUG_NO_REFERENCE, 1);
            v = judge__verdict(ORACLE_REFERENCE, x);
            v.decision = DECISION_NOT_APPLICABLE;
        } else if (!judge_observation(j, x, r, &v, e)) {
            return false;
        }
        if (v.oracle)
            judge__add(j, v);
    }
    return true;
}
