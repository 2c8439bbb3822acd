/*
 * RoiAlign: the mean, or the largest, of samples on a regular grid inside each bin of a region.
 *
 * A sample interpolates the four pixels around it; beyond the image by more than a pixel it is
 * zero, nearer it takes the border (the paper that the text names, and every implementation). What
 * the text leaves open is undefined: a region of negative size under half_pixel, samples at the
 * jump beside the border, an adaptive number of samples that rounding decides, and the maximum
 * where that of the samples differs from that of their weighted corners, since the text does not
 * say which it is.
 */
#include <math.h>

#include "base/number.h"
#include "onnx/eval/kernel_p.h"

enum { ROI_SAMPLES_MAX = 1 << 20 };
static const double roi_near = 0x1p-16; /* nearer than this to a jump, float32 coordinates decide */

struct roi_align {
    bool is_max, is_shifted;
    int64_t out[2], ratio, size[2]; /* height, width */
    double spatial_scale;
};

/* One axis of one region. */
struct roi_axis {
    double start, bin;
    int64_t n_samples;
    bool is_open;
};

static bool read_roi(const struct kernel *k, struct roi_align *t, struct err *e)
{
    const struct value *x = k->in[0], *rois = k->in[1], *images = k->in[2];
    struct str mode = node_string(k->n, "mode", STR("avg"));
    bool has_shift = k->n->fact->since_version >= 16;
    struct str shift = node_string(k->n, "coordinate_transformation_mode",
                                   has_shift ? STR("half_pixel") : STR("output_half_pixel"));
    *t = (struct roi_align){.is_max = str_is(mode, "max"),
                            .is_shifted = str_is(shift, "half_pixel")};
    t->out[0] = node_int(k->n, "output_height", 1);
    t->out[1] = node_int(k->n, "output_width", 1);
    t->ratio = node_int(k->n, "sampling_ratio", 0);
    t->spatial_scale = node_float(k->n, "spatial_scale", 1);
    if (!(t->is_max || str_is(mode, "avg")) ||
        !(t->is_shifted || str_is(shift, "output_half_pixel")))
        return err_set(e, ERR_DATA, "mode '" STR_FMT "', coordinates '" STR_FMT "'", STR_ARG(mode),
                       STR_ARG(shift));
    if (x->rank != 4 || rois->rank != 2 || rois->dims[1] != 4 || images->rank != 1 ||
        images->dims[0] != rois->dims[0])
        return err_set(e, ERR_DATA, "X, regions and batch indices do not fit");
    if (t->out[0] < 1 || t->out[1] < 1 || t->ratio < 0 || t->ratio > INT16_MAX)
        return err_set(e, ERR_DATA, "bins %lld x %lld, sampling_ratio %lld", (long long)t->out[0],
                       (long long)t->out[1], (long long)t->ratio);
    t->size[0] = x->dims[2];
    t->size[1] = x->dims[3];
    if (t->size[0] < 1 || t->size[1] < 1)
        return err_set(e, ERR_UNSUPPORTED, "X has no pixels");
    return true;
}

static struct roi_axis axis_of(const struct roi_align *t, double low, double high, int64_t n_bins)
{
    double shift = t->is_shifted ? 0.5 : 0, size = (high - low) * t->spatial_scale;
    struct roi_axis a = {.start = low * t->spatial_scale - shift};
    a.is_open = !isfinite(a.start) || !isfinite(size) || (size < 0 && t->is_shifted);
    if (a.is_open)
        return (struct roi_axis){.n_samples = 1, .is_open = true};
    if (!t->is_shifted)
        size = MAX(size, 1); /* in the older form a region has at least one pixel */
    a.bin = size / (double)n_bins;
    double wanted = t->ratio ? (double)t->ratio : ceil(a.bin), near = number_round_even(a.bin);
    a.is_open = !t->ratio && a.bin != near && fabs(a.bin - near) <= roi_near * (1 + fabs(a.bin));
    a.n_samples = wanted < 1 ? 1 : wanted > ROI_SAMPLES_MAX ? ROI_SAMPLES_MAX : (int64_t)wanted;
    a.is_open |= !(wanted >= 1) || wanted > ROI_SAMPLES_MAX;
    return a;
}

/* The two pixels around a place on one axis and the weight of the second; false: outside. */
struct roi_place {
    int64_t at[2];
    double weight;
    bool is_inside, is_open;
};

static struct roi_place place_of(double x, int64_t n)
{
    struct roi_place p = {.is_inside = x >= -1 && x <= (double)n};
    double jump = MIN(fabs(x + 1), fabs(x - (double)n));
    p.is_open = jump <= roi_near * (1 + (double)n);
    x = MAX(0, MIN(x, (double)(n - 1)));
    p.at[0] = (int64_t)floor(x);
    p.at[1] = MIN(p.at[0] + 1, n - 1);
    p.weight = x - (double)p.at[0];
    return p;
}

static struct roi_place sample_place(const struct roi_axis *a, int64_t bin, int64_t i, int64_t n)
{
    double at = a->start + (double)bin * a->bin + ((double)i + 0.5) * a->bin / (double)a->n_samples;
    return place_of(at, n);
}

struct roi_sum {
    double sum, most, most_corner, noise;
    bool is_open;
};

/* Adds one sample to the running sums of a bin. Places carry the error of float32 coordinates. */
static void add_sample(struct roi_sum *s, const double *x, int64_t width, const struct roi_place *y,
                       const struct roi_place *w)
{
    double value = 0, corner = -(double)INFINITY;
    s->is_open |= y->is_open || w->is_open;
    if (y->is_inside && w->is_inside)
        for (int i = 0; i < 4; i++) {
            double pixel = x[y->at[i / 2] * width + w->at[i % 2]];
            double share =
                (i / 2 ? y->weight : 1 - y->weight) * (i % 2 ? w->weight : 1 - w->weight);
            value += share * pixel;
            corner = MAX(corner, share * pixel);
            s->noise += fabs(pixel) * (share + 2 + (double)(y->at[0] + w->at[0]));
        }
    else
        corner = 0;
    s->sum += value;
    s->most = MAX(s->most, value);
    s->most_corner = MAX(s->most_corner, corner);
}

static struct roi_sum sum_bin(const struct roi_align *t, const struct roi_axis axes[2],
                              const double *x, int64_t row, int64_t column)
{
    double least = -(double)INFINITY;
    struct roi_sum s = {.most = least, .most_corner = least};
    for (int64_t i = 0; i < axes[0].n_samples; i++) {
        struct roi_place y = sample_place(&axes[0], row, i, t->size[0]);
        for (int64_t j = 0; j < axes[1].n_samples; j++) {
            struct roi_place w = sample_place(&axes[1], column, j, t->size[1]);
            add_sample(&s, x, t->size[1], &y, &w);
        }
    }
    s.is_open |= axes[0].is_open || axes[1].is_open || (t->is_max && s.most != s.most_corner);
    return s;
}

static bool run_region(struct kernel *k, const struct roi_align *t, size_t r, struct err *e)
{
    const struct value *x = k->in[0], *rois = k->in[1];
    size_t n_channels = (size_t)x->dims[1], n_bins = (size_t)(t->out[0] * t->out[1]);
    size_t n_pixels = (size_t)(t->size[0] * t->size[1]);
    int64_t image = k->in[2]->i[r];
    const double *box = rois->f + 4 * r; /* x1 y1 x2 y2 */
    struct roi_axis axes[2] = {axis_of(t, box[1], box[3], t->out[0]),
                               axis_of(t, box[0], box[2], t->out[1])};
    if (image < 0 || image >= x->dims[0])
        return err_set(e, ERR_DATA, "batch index %lld of %lld images", (long long)image,
                       (long long)x->dims[0]);
    double n_samples = (double)axes[0].n_samples * (double)axes[1].n_samples;
    if (n_samples > ROI_SAMPLES_MAX ||
        !kernel__charge(k, (uint64_t)n_samples * 8 * n_bins * n_channels, e))
        return err_set(e, ERR_LIMIT, "a region of %g samples per bin", n_samples);
    for (size_t i = 0; i < n_channels * n_bins; i++) {
        const double *pixels = x->f + ((size_t)image * n_channels + i / n_bins) * n_pixels;
        int64_t bin = (int64_t)(i % n_bins);
        struct roi_sum s = sum_bin(t, axes, pixels, bin / t->out[1], bin % t->out[1]);
        size_t to = r * n_channels * n_bins + i;
        k->to[0].f[to] = t->is_max ? s.most : s.sum / n_samples;
        if (k->want_noise)
            kernel__scales(k, 0)[to] = s.noise / (t->is_max ? 1 : n_samples);
        if (s.is_open)
            kernel__undefined(k, 0)[to] = 1;
    }
    return true;
}

/* RoiAlign: X (N, C, H, W), regions (r, 4), batch indices (r) -> (r, C, height, width). */
bool kernel__roi_align(struct kernel *k, struct err *e)
{
    struct roi_align t;
    if (!read_roi(k, &t, e))
        return false;
    int64_t dims[] = {k->in[1]->dims[0], k->in[0]->dims[1], t.out[0], t.out[1]};
    if (!kernel__output(k, 0, k->in[0]->dtype, 4, dims, e))
        return false;
    for (size_t r = 0; r < (size_t)dims[0]; r++)
        if (!run_region(k, &t, r, e))
            return false;
    kernel__taint_all(k, 0);
    return true;
}
