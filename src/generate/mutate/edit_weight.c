/*
 * Weights, after the mutation study: WS shuffles inside output channels, NS switches two channels,
 * GF adds Gaussian noise of 0.1 standard deviations, NAI negates channels, NEB zeroes them. A
 * channel is a slice of axis 0, or of axis 1 for a MatMul's [K, N] weight.
 */
#include <math.h>

#include "generate/mutate/edit_p.h"

bool fits__has_weight(const struct edit *e, uint32_t at)
{
    static const char *const shapes[] = {"Resize",           "Pad",     "Clip",    "QuantizeLinear",
                                         "DequantizeLinear", "Dropout", "Upsample"};
    return edit__weight_at(e, at) != VALUE_NONE && !EDIT_IS(e, at, shapes);
}

/* The weight of the node, copied into a fresh initializer that only this node uses. */
struct weight {
    struct tensor *t;
    void *data;
    size_t n_channels, inner, stride; /* element k of channel c: c * inner + k; or k * stride + c */
    bool last_axis;
};

static bool open_weight(struct edit *e, struct weight *w)
{
    uint32_t i = edit__weight_at(e, e->at);
    static const char *const products[] = {"MatMul", "Gemm"};
    const struct tensor *old = edit__weight(e, e->at, i);
    w->data = edit__copy_tensor(e, old, &w->t);
    w->last_axis = old->rank == 2 && EDIT_IS(e, e->at, products);
    w->n_channels = old->rank == 0 ? 1 : (size_t)old->dims[w->last_axis ? 1 : 0];
    w->inner = w->n_channels ? old->n / w->n_channels : 0;
    w->stride = w->n_channels;
    edit__set_input(e, e->at, i, builder__tensor(&e->b, w->t, PLACE_INITIALIZER));
    builder__note(&e->b, "input=%u channels=%zu", i, w->n_channels);
    return w->n_channels > 0 && w->inner > 0;
}

static size_t element(const struct weight *w, size_t channel, size_t k)
{
    return w->last_axis ? k * w->stride + channel : channel * w->inner + k;
}

static double get(const struct weight *w, size_t channel, size_t k)
{
    return tensor_get_double(w->t, element(w, channel, k));
}

static void put(const struct weight *w, size_t channel, size_t k, double v)
{
    tensor_put_double(w->t->dtype, w->data, element(w, channel, k), v);
}

/* A fifth of the channels, at least one. */
static size_t n_chosen(const struct weight *w)
{
    return MAX(w->n_channels / 5, (size_t)1);
}

bool edit__shuffle_weights(struct edit *e)
{
    struct weight w;
    if (!open_weight(e, &w) || w.inner < 2)
        return false;
    for (size_t i = 0; i < n_chosen(&w); i++) {
        size_t c = builder__below(&e->b, (uint32_t)w.n_channels);
        for (size_t k = w.inner; k > 1; k--) {
            size_t j = builder__below(&e->b, (uint32_t)k);
            double t = get(&w, c, k - 1);
            put(&w, c, k - 1, get(&w, c, j));
            put(&w, c, j, t);
        }
    }
    return true;
}

bool edit__switch_channels(struct edit *e)
{
    struct weight w;
    if (!open_weight(e, &w) || w.n_channels < 2)
        return false;
    size_t a = builder__below(&e->b, (uint32_t)w.n_channels);
    size_t b = (a + 1 + builder__below(&e->b, (uint32_t)w.n_channels - 1)) % w.n_channels;
    for (size_t k = 0; k < w.inner; k++) {
        double t = get(&w, a, k);
        put(&w, a, k, get(&w, b, k));
        put(&w, b, k, t);
    }
    return true;
}

bool edit__gaussian_weights(struct edit *e)
{
    struct weight w;
    double sum = 0, squares = 0;
    if (!open_weight(e, &w))
        return false;
    for (size_t i = 0; i < w.t->n; i++) {
        double v = tensor_get_double(w.t, i);
        sum += v;
        squares += v * v;
    }
    double mean = sum / (double)w.t->n, sd = sqrt(fmax(squares / (double)w.t->n - mean * mean, 0));
    if (!isfinite(sd))
        return false;
    for (size_t i = 0; i < w.t->n; i++)
        tensor_put_double(w.t->dtype, w.data, i,
                          tensor_get_double(w.t, i) + 0.1 * fmax(sd, 1e-3) * rng_normal(e->b.r));
    return true;
}

static bool scale_channels(struct edit *e, double factor)
{
    struct weight w;
    if (!open_weight(e, &w) || (factor == 0 && w.n_channels < 2))
        return false;
    for (size_t i = 0; i < n_chosen(&w); i++) {
        size_t c = builder__below(&e->b, (uint32_t)w.n_channels);
        for (size_t k = 0; k < w.inner; k++)
            put(&w, c, k, factor * get(&w, c, k));
    }
    return true;
}

bool edit__negate_channels(struct edit *e)
{
    static const char *const positive[] = {"BatchNormalization"}; /* a variance stays positive */
    if (EDIT_IS(e, e->at, positive) && edit__weight_at(e, e->at) == 4)
        return false;
    return scale_channels(e, -1);
}

bool edit__zero_channels(struct edit *e)
{
    static const char *const divisors[] = {"Div", "BatchNormalization"};
    if (EDIT_IS(e, e->at, divisors))
        return false;
    return scale_channels(e, 0);
}
