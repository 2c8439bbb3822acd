/*
 * Exact comparison: integers, bool and strings must agree in every element, except where the
 * standard leaves the element open, where a switch nearer than the noise decides it, or where an
 * unstable quantising switch before it explains a difference of one quantum.
 */
#include <math.h>

#include "judge/ancestry_p.h"
#include "judge/compare_p.h"

/* Does element i differ? It is compared in its own storage, because a double cannot hold every
 * 64-bit integer. */
static bool differs(const struct compared *c, size_t i)
{
    const struct tensor *t = c->s->seen, *other = c->s->other;
    switch (c->v->storage) {
    case STORAGE_STRING:
        return !str_eq(t->strings[i], other ? other->strings[i] : c->v->s[i]);
    case STORAGE_I64:
        return tensor_get_i64(t, i) != (other ? tensor_get_i64(other, i) : c->v->i[i]);
    case STORAGE_U64:
        return tensor_get_i64(t, i) != (other ? tensor_get_i64(other, i) : (int64_t)c->v->u[i]);
    default:
        return c->x[i] != c->r[i];
    }
}

/* The largest deviation of an element in a rerun: so far may a quantising switch move integers. */
static double spread_of_value(const struct compared *c, const struct noise *n)
{
    double largest = 0;
    for (size_t i = 0; i < c->v->n; i++)
        largest = fmax(largest, noise__of_element(n, c->s->ref, c->s->value, i));
    return largest;
}

/* Why the difference at element i is no bug; NOT_BUG_COUNT: it may be one. */
static enum not_bug excuse(const struct compared *c, const struct noise *n, double spread, size_t i)
{
    const struct value *tainted = &n->tainted[c->s->value];
    const uint8_t *unstable = n->unstable[c->s->value];
    double d = fabs(c->x[i] - c->r[i]);
    if (c->skip && c->skip[i])
        return NOT_BUG_UNDEFINED;
    if (n->open[c->s->value] || !noise__measures(n, c->s->ref, c->s->value))
        return NOT_BUG_SWITCH;
    if (tainted->undefined && tainted->undefined[i] && n->n_of[TAINT_OPEN] > 0 &&
        ancestry__of_values(c->s->ref)[c->s->value].open)
        return NOT_BUG_SPEC_GAP;
    if (tainted->undefined && tainted->undefined[i])
        return n->n_of[TAINT_SWITCH] > 0 ? NOT_BUG_SWITCH : NOT_BUG_RANGE;
    if (c->v->storage == STORAGE_STRING || c->v->exact) /* an exact tie is a tie for every engine */
        return NOT_BUG_COUNT;
    if (unstable && unstable[i] && d <= 1)
        return NOT_BUG_QUANTUM;
    if (ancestry__of_graph(c->s->ref)[c->s->value].bytes && spread > 0 &&
        d <= c->gauge.factor * spread)
        return NOT_BUG_QUANTUM;
    if (noise__of_element(n, c->s->ref, c->s->value, i) > 0) /* its kernel gives no margin */
        return NOT_BUG_SWITCH;
    return NOT_BUG_COUNT;
}

bool compare__exact(struct compared *c, struct finding *out, struct err *e)
{
    struct noise *n = NULL;
    size_t n_excused = 0, n_wrong = 0, worst = SIZE_MAX;
    double spread = 0;
    for (size_t i = 0; i < c->v->n; i++) {
        if (!differs(c, i))
            continue;
        if (!n) {
            if (!noise__get(c->s->ref, &c->need, &n, e) ||
                !noise__confirm(c->s->ref, &c->need, n, e))
                return false;
            spread = spread_of_value(c, n);
        }
        enum not_bug why = excuse(c, n, spread, i);
        if (why != NOT_BUG_COUNT) {
            judge__count(c->j, why, 1);
            n_excused++;
            continue;
        }
        n_wrong++;
        if (worst == SIZE_MAX || fabs(c->x[i] - c->r[i]) > fabs(c->x[worst] - c->r[worst]))
            worst = i;
    }
    if (n_wrong > 0) {
        compare__fail(c, WRONG_VALUE, worst, out);
        out->measure = c->v->storage == STORAGE_STRING ? 1 : fabs(c->x[worst] - c->r[worst]);
        out->n_unlike = n_wrong;
    } else if (n_excused > 0 && n_excused == c->v->n) {
        out->decision = DECISION_UNSURE;
    }
    return true;
}
