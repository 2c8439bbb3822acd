/*
 * Passes that make values simpler: whole tensors become ones, counts or a seeded pattern; then
 * single elements become 0, 1 or small integers. Only floats, since integers are indices and
 * shapes. Tensors are the graph's inputs and then its initializers, numbered in that order.
 */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/vec.h"
#include "reduce/reduce_p.h"

enum { ELEMENTS_MAX = 1 << 14 };

enum pattern { PATTERN_ONES, PATTERN_COUNTS, PATTERN_SEEDED, PATTERN_COUNT };

/* The k-th tensor; NULL: none. *v is set for initializers. */
static const struct tensor *tensor_at(const struct model *m, const struct tensors *inputs, size_t k,
                                      uint32_t *value)
{
    *value = VALUE_NONE;
    if (k < inputs->n)
        return &inputs->at[k].tensor;
    k -= inputs->n;
    for (size_t i = 0; i < m->graph->values.n; i++) {
        const struct tensor *t = m->graph->values.at[i].initializer;
        if (!t || m->graph->values.at[i].origin != ORIGIN_INITIALIZER)
            continue;
        if (k-- == 0) {
            *value = (uint32_t)i;
            return t;
        }
    }
    return NULL;
}

static size_t n_tensors(const struct model *m, const struct tensors *inputs)
{
    size_t n = inputs->n;
    for (size_t i = 0; i < m->graph->values.n; i++)
        n += m->graph->values.at[i].initializer &&
             m->graph->values.at[i].origin == ORIGIN_INITIALIZER;
    return n;
}

static void replace(struct trial *t, size_t k, uint32_t value, void *data)
{
    uint32_t ignored;
    struct tensor x = *tensor_at(t->m, &t->inputs, k, &ignored);
    x.data = data;
    if (value == VALUE_NONE)
        t->inputs.at[k].tensor = x;
    else
        t->m->graph->values.at[value].initializer = arena_dup(t->a, &x, sizeof x);
}

static double pattern_value(enum pattern p, size_t i, struct rng *r)
{
    switch (p) {
    case PATTERN_ONES:
        return 1;
    case PATTERN_COUNTS:
        return (double)(i % 16);
    default:
        return (double)rng_between(r, -8, 8) / 4;
    }
}

uint32_t pass__count_patterns(const struct state *s)
{
    return (uint32_t)n_tensors(s->m, &s->inputs) * PATTERN_COUNT;
}

/* A site is a tensor and a pattern. Sites are numbered pattern by pattern, the simplest first, with
 * all tensors for each. A tensor that already has this or a simpler pattern is left. */
bool pass__apply_patterns(struct trial *t, uint32_t lo, uint32_t hi)
{
    size_t n = n_tensors(t->m, &t->inputs);
    size_t k = lo % n;
    enum pattern p = (enum pattern)(lo / n);
    uint32_t value;
    const struct tensor *x = tensor_at(t->m, &t->inputs, k, &value);
    (void)hi;
    if (!x || !dtype_is_float(x->dtype) || x->n == 0)
        return false;
    for (enum pattern simpler = PATTERN_ONES; simpler <= p; simpler++) {
        struct rng r;
        bool same = true;
        rng_init(&r, t->seed, RNG_REDUCE, k);
        for (size_t i = 0; same && i < x->n; i++)
            same = tensor_get_double(x, i) == pattern_value(simpler, i, &r);
        if (same)
            return false;
    }
    void *data = arena_alloc(t->a, dtype_size(x->dtype, x->n));
    struct rng r;
    rng_init(&r, t->seed, RNG_REDUCE, k);
    for (size_t i = 0; i < x->n; i++)
        tensor_put_double(x->dtype, data, i, pattern_value(p, i, &r));
    replace(t, k, value, data);
    return true;
}

/* ---- elements, numbered across all float tensors */
static uint32_t n_elements(const struct state *s)
{
    size_t n = 0;
    uint32_t ignored;
    for (size_t k = 0; k < n_tensors(s->m, &s->inputs); k++) {
        const struct tensor *t = tensor_at(s->m, &s->inputs, k, &ignored);
        n += dtype_is_float(t->dtype) ? t->n : 0;
    }
    return n <= ELEMENTS_MAX ? (uint32_t)n : 0;
}

static double to_zero(double x)
{
    (void)x;
    return 0;
}

static double to_one(double x)
{
    return x == 0 ? 0 : 1;
}

static double to_small(double x)
{
    double rounded = number_round_even(x);
    return isfinite(x) && fabs(rounded) <= 16 ? rounded : x;
}

/* Replaces elements lo .. hi - 1 by to(element); false: none changes. */
static bool simplify(struct trial *t, uint32_t lo, uint32_t hi, double (*to)(double))
{
    size_t first = 0, n = n_tensors(t->m, &t->inputs);
    bool changed = false;
    for (size_t k = 0; k < n; k++) {
        uint32_t value;
        const struct tensor *x = tensor_at(t->m, &t->inputs, k, &value);
        if (!dtype_is_float(x->dtype))
            continue;
        size_t from = lo > first ? lo - first : 0;
        size_t until = hi > first ? MIN((size_t)hi - first, x->n) : 0;
        first += x->n;
        void *data = NULL;
        for (size_t i = from; i < until; i++) {
            double old = tensor_get_double(x, i), fresh = to(old);
            if (fresh == old || isnan(old))
                continue;
            if (!data)
                data = arena_dup(t->a, x->data, dtype_size(x->dtype, x->n));
            tensor_put_double(x->dtype, data, i, fresh);
        }
        if (data)
            replace(t, k, value, data);
        changed = changed || data != NULL;
    }
    return changed;
}

uint32_t pass__count_zeros(const struct state *s)
{
    return n_elements(s);
}

bool pass__apply_zeros(struct trial *t, uint32_t lo, uint32_t hi)
{
    return simplify(t, lo, hi, to_zero);
}

uint32_t pass__count_ones(const struct state *s)
{
    return n_elements(s);
}

bool pass__apply_ones(struct trial *t, uint32_t lo, uint32_t hi)
{
    return simplify(t, lo, hi, to_one);
}

uint32_t pass__count_small(const struct state *s)
{
    return n_elements(s);
}

bool pass__apply_small(struct trial *t, uint32_t lo, uint32_t hi)
{
    return simplify(t, lo, hi, to_small);
}
