/*
 * Finds the largest difference of two tensors and the largest magnitude, of the whole and of each
 * slice, in one pass. A maximum never sees a NaN: elements that are not finite on both sides take
 * no part; compare_float.c compares their classes.
 */
#include "judge/profile_p.h"

#include <math.h>

/* Tells which slices an element belongs to. */
struct axes {
    size_t channel_dim, channel_inner, channel_slices;
    size_t last_dim, last_slices;
};

static size_t slices_of(size_t dim)
{
    return dim < PROFILE_SLICES ? dim : PROFILE_SLICES;
}

static struct axes axes_of(const struct profile_shape *s)
{
    struct axes a = {1, s->n, 0, 1, 0};
    if (s->rank >= 3 && s->n > 0) {
        size_t outer = (size_t)s->dims[0] * (size_t)s->dims[1];
        a.channel_dim = (size_t)s->dims[1];
        a.channel_inner = s->n / outer;
        a.channel_slices = slices_of(a.channel_dim);
    }
    if (s->rank >= 1 && s->n > 0) {
        a.last_dim = (size_t)s->dims[s->rank - 1];
        a.last_slices = slices_of(a.last_dim);
    }
    return a;
}

static void note(struct profile *p, size_t slice, double error, double scale, size_t at)
{
    if (error > p->error[slice] || p->at[slice] == SIZE_MAX) {
        p->error[slice] = error;
        p->at[slice] = at;
    }
    if (scale > p->scale[slice])
        p->scale[slice] = scale;
}

void profile__measure(const struct profile_shape *s, const double *x, const double *r,
                      struct profile *out)
{
    struct axes axes = axes_of(s);
    out->n = (uint32_t)(1 + axes.channel_slices + axes.last_slices);
    out->n_counted = 0;
    for (uint32_t i = 0; i < out->n; i++) {
        out->error[i] = out->scale[i] = 0;
        out->at[i] = SIZE_MAX;
    }
    size_t last_first = 1 + axes.channel_slices;
    size_t channel = 0, in_channel = 0, last = 0;
    for (size_t i = 0; i < s->n; i++) {
        double error = fabs(x[i] - r[i]); /* not finite when either is not */
        if (isfinite(error) && !(s->skip && s->skip[i])) {
            double scale = fabs(r[i]);
            out->n_counted++;
            note(out, 0, error, scale, i);
            if (axes.channel_slices > 0)
                note(out, 1 + channel * axes.channel_slices / axes.channel_dim, error, scale, i);
            if (axes.last_slices > 0)
                note(out, last_first + last * axes.last_slices / axes.last_dim, error, scale, i);
        }
        if (++last == axes.last_dim)
            last = 0;
        if (++in_channel == axes.channel_inner) {
            in_channel = 0;
            if (++channel == axes.channel_dim)
                channel = 0;
        }
    }
}

double profile__relative(const struct profile *p, uint32_t slice)
{
    if (p->error[slice] == 0)
        return 0;
    return p->scale[slice] > 0 ? p->error[slice] / p->scale[slice] : INFINITY;
}
