/*
 * nondeterminism: a second run of the same session on the same inputs gives other bits. Outputs fed
 * by random nodes are left out; NaN payloads are not compared. Converters are left out too, since
 * another engine runs their result.
 */
#include <math.h>

#include "judge/ancestry_p.h"
#include "judge/claim_p.h"
#include "judge/compare_p.h"
#include "judge/judge_p.h"

static const struct observation *first_run(const struct judging *j, const struct observation *x)
{
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *y = &j->ev->observations[i];
        if (y->repeat == 0 && y->input_set == x->input_set && y->variant == x->variant &&
            y->outcome == OUTCOME_OK && target_id_eq(&y->target, &x->target))
            return y;
    }
    return NULL;
}

/* The first element whose bits differ; SIZE_MAX: none. */
static size_t first_difference(const struct tensor *a, const struct tensor *b)
{
    if (tensor_same_bits(a, b))
        return SIZE_MAX;
    if (a->dtype != b->dtype || !tensor_same_shape(a, b))
        return 0;
    for (size_t i = 0; i < a->n; i++) {
        if (a->dtype == DTYPE_STRING) {
            if (!str_eq(a->strings[i], b->strings[i]))
                return i;
            continue;
        }
        double x = tensor_get_double(a, i), y = tensor_get_double(b, i);
        bool same = dtype_is_float(a->dtype)
                        ? (isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y))
                        : tensor_get_i64(a, i) == tensor_get_i64(b, i);
        if (!same)
            return i;
    }
    return SIZE_MAX;
}

static bool is_random(const struct judging *j, const struct observation *x, uint32_t value)
{
    struct reference *r = judge__reference(j, x);
    return r && value != VALUE_NONE && ancestry__of_graph(r)[value].random;
}

/* *out: the reference's value there; false: it is unknown or open, or the shape differs. */
static bool reference_gives(const struct judging *j, const struct observation *x, uint32_t value,
                            const struct tensor *seen, size_t at, double *out)
{
    struct reference *r = judge__reference(j, x);
    const struct value *v = r && value != VALUE_NONE ? &r->values.values[value] : NULL;
    if (!v || v->dtype != seen->dtype || v->storage == STORAGE_STRING || at >= v->n ||
        v->n != seen->n || (v->undefined && v->undefined[at]))
        return false;
    *out = value_get_double(v, at);
    return true;
}

/* Is the second run's value wrong by the reference, not only other bits? */
static bool is_wrong(struct judging *j, const struct observation *x, uint32_t value,
                     const struct tensor *seen, bool *out, struct err *e)
{
    struct reference *r = judge__reference(j, x);
    struct judge_counts ignored = {0}, *counts = j->counts;
    struct finding f = {.decision = DECISION_NOT_APPLICABLE};
    const struct sight s = {.ref = r, .value = value, .seen = seen, .target = &x->target};
    j->counts = &ignored; /* limits of the comparison count when the first run is judged */
    bool ok = !r || value == VALUE_NONE || compare__tensor(j, &s, &f, e);
    j->counts = counts;
    *out = f.decision == DECISION_FAIL;
    return ok;
}

static bool judge_pair(struct judging *j, const struct observation *x,
                       const struct observation *first, struct verdict *out, struct err *e)
{
    struct verdict v = judge__verdict(ORACLE_NONDETERMINISM, x);
    const struct model *m = judge__model(j);
    for (size_t i = 0; m && i < x->outputs.n; i++) {
        struct str name = x->outputs.at[i].name;
        uint32_t value = graph_find_value(m->graph, name);
        const struct tensor *b = &x->outputs.at[i].tensor, *a = tensors_find(&first->outputs, name);
        size_t at = a ? first_difference(a, b) : SIZE_MAX;
        if (at == SIZE_MAX)
            continue;
        if (is_random(j, x, value)) {
            judge__count(j, NOT_BUG_RANDOM, 1);
            continue;
        }
        v.decision = DECISION_FAIL;
        v.wrong = WRONG_BITS;
        v.measure = 1;
        v.place = judge__place(m, value, at);
        if (at < a->n && at < b->n && a->dtype != DTYPE_STRING) {
            v.expected = tensor_get_double(a, at);
            v.observed = tensor_get_double(b, at);
        }
        double expected;
        bool is_known = reference_gives(j, x, value, b, at, &expected);
        v.claim = claim__bits(j, v.expected, v.observed, is_known ? &expected : NULL);
        *out = v;
        return is_wrong(j, x, value, b, &out->beyond_rounding, e);
    }
    *out = v;
    return true;
}

bool oracle__nondeterminism(struct judging *j, struct err *e)
{
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        const struct observation *first =
            x->repeat > 0 && x->outcome == OUTCOME_OK && !x->target.runner ? first_run(j, x) : NULL;
        struct verdict v;
        if (first && !judge_pair(j, x, first, &v, e))
            return false;
        if (first)
            judge__add(j, v);
    }
    return true;
}
