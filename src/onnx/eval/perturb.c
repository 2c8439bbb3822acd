/*
 * Adds the noise of the rounding model: each element moves by the whole bound, up or down at
 * random. models.md calls the effect of these reruns e_cond.
 */
#include <math.h>

#include "base/rng.h"
#include "onnx/eval/perturb_p.h"

/* Random signs, 64 per draw. */
struct signs {
    struct rng *r;
    uint64_t bits;
    unsigned n_left;
};

static double next_sign(struct signs *s)
{
    if (!s->n_left) {
        s->bits = rng_u64(s->r);
        s->n_left = 64;
    }
    double sign = s->bits & 1 ? 1 : -1;
    s->bits >>= 1;
    s->n_left--;
    return sign;
}

double perturb__unit(double unit, double at_least)
{
    return MAX(MAX(unit, at_least), 16 * 0x1p-53);
}

double perturb__eta(enum dtype t, bool flushes)
{
    const struct number_format *f = dtype_row(t)->format;
    if (t == DTYPE_DOUBLE)
        return flushes ? 0x1p-1022 : 0;
    if (!f)
        return 0;
    return flushes ? number_smallest_normal(f) : number_smallest(f) / 2;
}

void perturb__input(struct value *v, double unit, struct rng *r, struct arena *a)
{
    struct signs signs = {.r = r};
    double *f = arena_dup(a, v->f, v->n * sizeof *f);
    for (size_t i = 0; i < v->n; i++)
        f[i] *= 1 + unit * next_sign(&signs);
    v->f = f;
    v->exact = false;
}

void perturb__result(struct value *v, double unit, double eta, struct rng *r, struct arena *a)
{
    struct signs signs = {.r = r};
    double *f = arena_dup(a, v->f, v->n * sizeof *f);
    for (size_t i = 0; i < v->n; i++) {
        double s = v->scales ? v->scales[i] : v->noise_scale;
        double bound = unit * (fabs(f[i]) + s) + eta;
        if (isfinite(f[i]) && isfinite(bound))
            f[i] += bound * next_sign(&signs);
    }
    v->f = f;
    v->exact = false;
}
