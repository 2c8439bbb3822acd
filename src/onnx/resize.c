/* See resize.h. */
#include "onnx/resize.h"

#include <math.h>

#include "base/number.h"
#include "onnx/op.h"

/* The axes to which scales, sizes and roi apply, in their order. */
static bool axes_of(const struct node *n, uint32_t rank, int64_t *axes, size_t *n_axes,
                    struct err *e)
{
    size_t n_given;
    const int64_t *given = node_ints(n, "axes", &n_given);
    uint32_t seen = 0;
    *n_axes = node_attr(n, "axes") ? n_given : rank;
    if (*n_axes > rank)
        return err_set(e, ERR_DATA, "%zu axes for a tensor of rank %u", *n_axes, rank);
    for (size_t i = 0; i < *n_axes; i++) {
        axes[i] = node_attr(n, "axes") ? given[i] : (int64_t)i;
        if (axes[i] < -(int64_t)rank || axes[i] >= (int64_t)rank)
            return err_set(e, ERR_DATA, "axis %lld outside a tensor of rank %u", (long long)axes[i],
                           rank);
        axes[i] += axes[i] < 0 ? rank : 0;
        if (seen >> axes[i] & 1)
            return err_set(e, ERR_DATA, "axis %lld is named twice", (long long)axes[i]);
        seen |= 1u << axes[i];
    }
    return true;
}

static bool same_in_float32(double exact, double narrow, int64_t *out, struct err *e)
{
    if (!(exact >= 0 && exact < 0x1p40))
        return err_set(e, ERR_DATA, "a size of %g", exact);
    if (exact != narrow)
        return err_set(e, ERR_UNSUPPORTED, "a size depends on how its float32 product is rounded");
    *out = (int64_t)exact;
    return true;
}

static bool by_scale(struct resize_axis *a, double scale, struct err *e)
{
    double part = a->end - a->start;
    if (!(scale > 0))
        return err_set(e, ERR_DATA, "a scale of %g", scale);
    a->scale = scale;
    if (floor((double)a->in * part * scale) != floor((double)a->in * scale))
        return err_set(e, ERR_UNSUPPORTED,
                       "scales with a region of interest: the text multiplies the size by the "
                       "region, the standard's own shape inference does not");
    float narrow = (float)a->in * (float)part;
    narrow *= (float)scale;
    return same_in_float32(floor((double)a->in * part * scale), floor((double)narrow), &a->out, e);
}

/* Sets one scale for all axes, the least or the largest; sizes are rounded half up. */
static bool by_policy(struct resize_plan *p, const int64_t *axes, size_t n_axes,
                      const int64_t *sizes, bool takes_least, struct err *e)
{
    double scale = takes_least ? (double)INFINITY : 0;
    p->is_by_policy = true;
    for (size_t i = 0; i < n_axes; i++) {
        double own = (double)sizes[i] / (double)p->axes[axes[i]].in;
        scale = takes_least ? fmin(scale, own) : fmax(scale, own);
    }
    for (size_t i = 0; i < n_axes; i++) {
        struct resize_axis *a = &p->axes[axes[i]];
        float narrow = (float)scale * (float)a->in;
        a->scale = scale;
        if (!same_in_float32(floor(scale * (double)a->in + 0.5), floor((double)narrow + 0.5),
                             &a->out, e))
            return false;
    }
    return true;
}

static bool by_sizes(const struct node *n, struct resize_plan *p, const int64_t *axes,
                     size_t n_axes, const int64_t *sizes, struct err *e)
{
    struct str policy = node_string(n, "keep_aspect_ratio_policy", STR("stretch"));
    bool least = str_is(policy, "not_larger"), most = str_is(policy, "not_smaller");
    for (size_t i = 0; i < n_axes; i++) {
        struct resize_axis *a = &p->axes[axes[i]];
        if (sizes[i] < 0 || (!a->in && sizes[i]))
            return err_set(e, ERR_DATA, "a size of %lld from %lld elements", (long long)sizes[i],
                           (long long)a->in);
        a->out = sizes[i];
        a->scale = a->in ? (double)sizes[i] / (double)a->in : 1;
    }
    if (least || most)
        return by_policy(p, axes, n_axes, sizes, least, e);
    return str_is(policy, "stretch") ||
           err_set(e, ERR_DATA, "keep_aspect_ratio_policy '" STR_FMT "' does not exist",
                   STR_ARG(policy));
}

bool resize_plan(const struct node *n, const int64_t *dims, uint32_t rank,
                 const struct resize_given *given, struct resize_plan *out, struct err *e)
{
    int64_t axes[TENSOR_RANK_MAX];
    size_t n_axes;
    struct str mode = node_string(n, "coordinate_transformation_mode", STR(""));
    bool uses_roi = str_is(mode, "tf_crop_and_resize");
    out->rank = rank;
    out->is_by_policy = false;
    for (uint32_t d = 0; d < rank; d++)
        out->axes[d] = (struct resize_axis){dims[d], dims[d], 1, 0, 1, false};
    if (!axes_of(n, rank, axes, &n_axes, e))
        return false;
    if (!given->n_scales == !given->n_sizes)
        return err_set(e, ERR_DATA, "%s scales and sizes are given",
                       given->n_scales ? "both" : "neither");
    if (MAX(given->n_scales, given->n_sizes) != n_axes || (uses_roi && given->n_roi != 2 * n_axes))
        return err_set(e, ERR_DATA, "%zu scales, %zu sizes, roi of %zu numbers for %zu axes",
                       given->n_scales, given->n_sizes, given->n_roi, n_axes);
    for (size_t i = 0; i < n_axes; i++) {
        struct resize_axis *a = &out->axes[axes[i]];
        a->is_resized = true;
        if (uses_roi) {
            a->start = given->roi[i];
            a->end = given->roi[i + n_axes];
        }
    }
    if (given->n_sizes)
        return by_sizes(n, out, axes, n_axes, given->sizes, e);
    if (!str_is(node_string(n, "keep_aspect_ratio_policy", STR("stretch")), "stretch"))
        return err_set(e, ERR_UNSUPPORTED,
                       "keep_aspect_ratio_policy beside scales: the standard "
                       "says that it is not applicable, not what it does");
    for (size_t i = 0; i < n_axes; i++)
        if (!by_scale(&out->axes[axes[i]], given->scales[i], e))
            return false;
    return true;
}
