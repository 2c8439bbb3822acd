/*
 * How coarse one target's arithmetic is at one value. u is the coarsest of: the unit of the value's
 * dtype, the one it inherited from earlier values (value.unit), and that of the dtype in which the
 * target computes. For double it is 16 times larger, because the reference computes in double too.
 */
#include "judge/tolerance_p.h"

#include <float.h>
#include <math.h>

static const struct tolerance_row rows[] = {
#define TOLERANCE(family, dtype, factor, n_models, evidence)                                       \
    {family, DTYPE_##dtype, factor, n_models, evidence},
#include "judge/tolerance.def"
#undef TOLERANCE
};

const struct tolerance_row *tolerance__row(struct str family, enum dtype t)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].dtype == t &&
            (str_is(family, rows[i].family) || str_is(STR("*"), rows[i].family)))
            return &rows[i];
    return &rows[0];
}

enum dtype tolerance__computes(const struct target_traits *traits, enum dtype t)
{
    if (!traits || traits->computes[t] == DTYPE_UNDEFINED)
        return t;
    return traits->computes[t];
}

/* u of a dtype, 16 times larger for double. */
static double unit_of(enum dtype t)
{
    return t == DTYPE_DOUBLE ? 16 * dtype_unit(t) : dtype_unit(t);
}

static double larger_factor(struct str family, enum dtype a, enum dtype b)
{
    double fa = tolerance__row(family, a)->factor, fb = tolerance__row(family, b)->factor;
    return fa > fb ? fa : fb;
}

/* The float dtype with this unit; t: there is none. */
static enum dtype dtype_of_unit(double unit, enum dtype t)
{
    static const enum dtype floats[] = {DTYPE_DOUBLE, DTYPE_FLOAT, DTYPE_FLOAT16, DTYPE_BFLOAT16};
    for (size_t i = 0; i < COUNT_OF(floats); i++)
        if (dtype_unit(floats[i]) == unit)
            return floats[i];
    return t;
}

static void set_range(struct gauge *g, enum dtype t, bool flushes)
{
    const struct number_format *f = dtype_row(t)->format;
    g->largest = f ? number_largest(f) : DBL_MAX;
    double normal = f ? number_smallest_normal(f) : DBL_MIN;
    double subnormal = f ? number_smallest(f) : DBL_TRUE_MIN;
    g->eta = flushes ? normal : subnormal / 2;
}

struct gauge tolerance__gauge(const struct judge_options *o, const struct value *v,
                              const struct target_id *t)
{
    struct gauge g = {0};
    enum dtype computes = tolerance__computes(t->traits, v->dtype);
    enum dtype coarse = dtype_unit(computes) > dtype_unit(v->dtype) ? computes : v->dtype;
    g.unit = unit_of(coarse);
    if (v->unit > g.unit)
        g.unit = v->unit;
    enum dtype on_the_way = dtype_of_unit(g.unit, coarse);
    g.factor = o->factor > 0 ? o->factor : larger_factor(t->family, v->dtype, on_the_way);
    g.minimum = 4 * g.unit;
    set_range(&g, coarse, t->traits && t->traits->flushes_denormals);
    if (coarse != v->dtype && dtype_row(v->dtype)->format) { /* bf16 reaches further than f16 */
        double own = number_largest(dtype_row(v->dtype)->format);
        g.largest = own < g.largest ? own : g.largest;
    }
    return g;
}

double tolerance__unit_at_least(const struct model *m, const struct target_traits *traits)
{
    double unit = 0;
    for (size_t i = 0; traits && i < m->graph->values.n; i++) {
        enum dtype t = m->graph->values.at[i].dtype;
        if (!dtype_is_float(t))
            continue;
        double u = dtype_unit(tolerance__computes(traits, t));
        if (u > dtype_unit(t) && u > unit)
            unit = u;
    }
    return unit;
}
