/* Decides what the reruns made so far say of one value: how far its elements moved, and whether its
 * shape changed. Must not rerun anything. */
#include "judge/noise_p.h"

#include <math.h>
#include <string.h>

double noise__of_element(const struct noise *n, const struct reference *r, uint32_t value, size_t i)
{
    const struct value *v = &r->values.values[value];
    double at = value_get_double(v, i), largest = 0;
    for (uint32_t k = 0; k < n->n_runs; k++) {
        const struct value *w = &n->runs[k].values[value];
        if (w->n != v->n)
            continue;
        double d = fabs(value_get_double(w, i) - at);
        if (d > largest) /* never true for NaN */
            largest = d;
    }
    return largest;
}

bool noise__measures(const struct noise *n, const struct reference *r, uint32_t value)
{
    for (uint32_t k = 0; k < n->n_runs; k++)
        if (n->runs[k].values[value].n == r->values.values[value].n)
            return true;
    return false;
}

bool noise__moves_shape(const struct noise *n, const struct reference *r, uint32_t value)
{
    const struct value *v = &r->values.values[value];
    bool moves = n->open[value] || n->n_failed > 0;
    for (uint32_t k = 0; k < n->n_runs && !moves; k++) {
        const struct value *w = &n->runs[k].values[value];
        moves = w->dtype != DTYPE_UNDEFINED &&
                (w->rank != v->rank ||
                 (v->rank > 0 && memcmp(w->dims, v->dims, v->rank * sizeof *v->dims) != 0));
    }
    return moves;
}

const double *noise__doubles(const struct value *v, struct arena *a)
{
    if (v->storage == STORAGE_F64)
        return v->f;
    double *out = arena_new_array(a, double, v->n);
    for (size_t i = 0; v->storage != STORAGE_STRING && i < v->n; i++)
        out[i] = value_get_double(v, i);
    return out;
}
