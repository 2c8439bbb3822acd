/*
 * Resize and Upsample.
 *
 * Each axis is resized by itself: a table says for each result which input elements count, and with
 * which weight. Coordinates are computed in double and in float32, in two orders of operations;
 * where these differ in the nearest pixel, or in whether it is outside, the element is marked
 * undefined, because the text gives no precision. Before opset 11 the texts give no coordinates:
 * only nearest by whole factors is clear, all else is refused.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/kernel_map_p.h"
#include "onnx/resize.h"

enum resize_mode { RESIZE_NEAREST, RESIZE_LINEAR, RESIZE_CUBIC };

enum coordinate_mode {
    COORDINATE_HALF_PIXEL,
    COORDINATE_HALF_PIXEL_SYMMETRIC,
    COORDINATE_PYTORCH_HALF_PIXEL,
    COORDINATE_ALIGN_CORNERS,
    COORDINATE_ASYMMETRIC,
    COORDINATE_TF_CROP_AND_RESIZE,
    COORDINATE_TF_HALF_PIXEL_FOR_NN
};
static const char *const coordinate_names[] = {
    "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",   "align_corners",
    "asymmetric", "tf_crop_and_resize",   "tf_half_pixel_for_nn",
};

enum nearest_mode { NEAREST_PREFER_FLOOR, NEAREST_PREFER_CEIL, NEAREST_FLOOR, NEAREST_CEIL };
static const char *const nearest_names[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                            "ceil"};
static const char *const mode_names[] = {"nearest", "linear", "cubic"};

struct resize {
    enum resize_mode mode;
    enum coordinate_mode coordinate;
    enum nearest_mode nearest;
    double cubic_a, extrapolation;
    bool exclude_outside, antialias;
    struct resize_plan plan;
};

static bool pick(const struct kernel *k, const char *attr, struct str otherwise,
                 const char *const *names, size_t n_names, size_t *out, struct err *e)
{
    struct str name = node_string(k->n, attr, otherwise);
    for (*out = 0; *out < n_names; ++*out)
        if (str_is(name, names[*out]))
            return true;
    return err_set(e, ERR_DATA, "%s '" STR_FMT "' does not exist", attr, STR_ARG(name));
}

static bool read_modes(const struct kernel *k, struct resize *r, struct err *e)
{
    size_t mode, coordinate, nearest;
    if (!pick(k, "mode", STR("nearest"), mode_names, COUNT_OF(mode_names), &mode, e) ||
        !pick(k, "coordinate_transformation_mode", STR("asymmetric"), coordinate_names,
              COUNT_OF(coordinate_names), &coordinate, e) ||
        !pick(k, "nearest_mode", STR("floor"), nearest_names, COUNT_OF(nearest_names), &nearest, e))
        return false;
    r->mode = (enum resize_mode)mode;
    r->coordinate = (enum coordinate_mode)coordinate;
    r->nearest = (enum nearest_mode)nearest;
    r->cubic_a = node_float(k->n, "cubic_coeff_a", -0.75);
    r->extrapolation = node_float(k->n, "extrapolation_value", 0);
    r->exclude_outside = node_int(k->n, "exclude_outside", 0) != 0;
    r->antialias = node_int(k->n, "antialias", 0) != 0 && r->mode != RESIZE_NEAREST;
    return true;
}

/* Refuses nodes where the text does not say which pixels count. */
static bool check_plan(const struct kernel *k, const struct resize *r, bool is_old, struct err *e)
{
    bool is_aligned = r->coordinate == COORDINATE_ALIGN_CORNERS;
    for (uint32_t d = 0; d < k->in[0]->rank; d++) {
        const struct resize_axis *a = &r->plan.axes[d];
        double width = a->scale * (double)a->in;
        if (is_old && (r->mode != RESIZE_NEAREST ? a->scale != 1 : a->scale != floor(a->scale)))
            return err_set(e, ERR_UNSUPPORTED,
                           "before opset 11 the text does not say where pixels come from");
        if (is_aligned && fabs(width - (double)a->out) > 1e-5 * width)
            return err_set(e, ERR_UNSUPPORTED,
                           "align_corners with a width of %g: the text takes the whole number, the "
                           "standard's tests the fraction",
                           width);
    }
    return true;
}

static bool read_plan(struct kernel *k, struct resize *r, struct err *e)
{
    const struct value *x = k->in[0];
    bool is_old = str_is(k->n->op_type, "Upsample") || k->n->fact->since_version < 11;
    const struct value *scales = kernel__in(k, is_old ? 1 : 2);
    const struct value *roi = is_old ? NULL : kernel__in(k, 1);
    const struct attr *own = node_attr(k->n, "scales");
    struct resize_given g = {0};
    double list[TENSOR_RANK_MAX];
    if (own && own->n <= TENSOR_RANK_MAX) {
        for (size_t i = 0; i < own->n; i++)
            list[i] = own->floats[i];
        g.scales = list;
        g.n_scales = own->n;
    } else if (scales) {
        g.scales = scales->f;
        g.n_scales = scales->n;
    }
    if (!is_old)
        g.sizes = kernel__ints(k, 3, &g.n_sizes);
    if (roi) {
        g.roi = roi->f;
        g.n_roi = roi->n;
    }
    if (!resize_plan(k->n, x->dims, x->rank, &g, &r->plan, e))
        return false;
    return check_plan(k, r, is_old, e);
}

/* The position of result i among the inputs, by three computations of the same formula. */
struct coordinate {
    double exact;
    float narrow[2];
    bool is_open; /* the formula has no value */
};

static struct coordinate half_pixel(double i, double scale, double offset)
{
    float x = (float)i + 0.5f, s = (float)scale, inverse = 1.0f / s;
    struct coordinate c = {(i + 0.5) / scale - 0.5 + offset, {0}, false};
    c.narrow[0] = x / s - 0.5f + (float)offset;
    c.narrow[1] = x * inverse - 0.5f + (float)offset;
    return c;
}

static struct coordinate crop(const struct resize_axis *a, double i)
{
    double last = (double)a->in - 1, n = (double)a->out - 1, way = a->end - a->start;
    struct coordinate c = {0.5 * (a->start + a->end) * last, {0}, false};
    c.narrow[0] = c.narrow[1] = (float)(0.5f * (float)(a->start + a->end)) * (float)last;
    if (a->out > 1) {
        float step = (float)way * (float)last / (float)n;
        c.exact = a->start * last + i * way * last / n;
        c.narrow[0] = (float)a->start * (float)last + (float)i * step;
        c.narrow[1] =
            (float)a->start * (float)last + (float)i * (float)way * (float)last / (float)n;
    }
    return c;
}

static struct coordinate aligned(const struct resize_axis *a, double i)
{
    double last = (double)a->in - 1, n = (double)a->out - 1;
    struct coordinate c = {0, {0}, a->out == 1 && a->in > 1};
    if (a->out > 1) {
        c.exact = i * last / n;
        c.narrow[0] = (float)i * (float)last / (float)n;
        c.narrow[1] = (float)i * ((float)last / (float)n);
    }
    return c;
}

static struct coordinate coordinate_of(const struct resize *r, const struct resize_axis *a,
                                       int64_t at)
{
    double i = (double)at, width = a->scale * (double)a->in;
    struct coordinate c = {i, {(float)i, (float)i}, false};
    if (a->scale == 1 && a->in == a->out && r->coordinate != COORDINATE_TF_CROP_AND_RESIZE)
        return c;
    switch (r->coordinate) {
    case COORDINATE_HALF_PIXEL:
        return half_pixel(i, a->scale, 0);
    case COORDINATE_HALF_PIXEL_SYMMETRIC:
        return half_pixel(i, a->scale, (double)a->in / 2 * (1 - (double)a->out / width));
    case COORDINATE_PYTORCH_HALF_PIXEL:
        return a->out > 1 ? half_pixel(i, a->scale, 0) : (struct coordinate){0};
    case COORDINATE_ALIGN_CORNERS:
        return aligned(a, i);
    case COORDINATE_TF_CROP_AND_RESIZE:
        return crop(a, i);
    case COORDINATE_TF_HALF_PIXEL_FOR_NN:
        c = half_pixel(i, a->scale, 0.5);
        return c;
    case COORDINATE_ASYMMETRIC:
        c.exact = i / a->scale;
        c.narrow[0] = (float)i / (float)a->scale;
        c.narrow[1] = (float)i * (1.0f / (float)a->scale);
        return c;
    }
    return c;
}

static int64_t nearest_index(enum nearest_mode mode, double x, int64_t n)
{
    double i = mode == NEAREST_PREFER_FLOOR  ? ceil(x - 0.5)
               : mode == NEAREST_PREFER_CEIL ? floor(x + 0.5)
               : mode == NEAREST_FLOOR       ? floor(x)
                                             : ceil(x);
    return i < 0 ? 0 : i > (double)(n - 1) ? n - 1 : (int64_t)i;
}

static bool is_outside(double x, int64_t n)
{
    return x < 0 || x > (double)(n - 1);
}

/* For each result along one axis: which inputs count, and with which weight. */
struct axis_table {
    int64_t n_taps;
    int64_t *at;      /* n_taps indices per result, along the axis */
    double *weight;   /* of each */
    double *noise;    /* weights of the rounding */
    uint8_t *outside; /* takes the extrapolation value */
    uint8_t *open;
};

static void set_flags(const struct resize *r, const struct resize_axis *a, struct axis_table *t,
                      int64_t i, const struct coordinate *c)
{
    t->open[i] |= c->is_open;
    if (r->coordinate != COORDINATE_TF_CROP_AND_RESIZE)
        return;
    t->outside[i] = is_outside(c->exact, a->in);
    for (int j = 0; j < 2; j++)
        t->open[i] |= is_outside((double)c->narrow[j], a->in) != t->outside[i];
    double reach = 0x1p-21 * (fabs(c->exact) + 1), last = (double)(a->in - 1);
    bool is_at_end = c->exact == 0 || c->exact == last;
    t->open[i] |= !is_at_end && (fabs(c->exact) < reach || fabs(c->exact - last) < reach);
}

static double cubic(double a, double x)
{
    x = fabs(x);
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* Weights around one coordinate: the filter, stretched when antialiasing, with edges repeated or
 * left out. */
static void weigh(const struct resize *r, const struct resize_axis *a, struct axis_table *t,
                  int64_t i, double x)
{
    double stretch = r->antialias ? fmin(a->scale, 1) : 1, sum = 0;
    double *w = t->weight + i * t->n_taps;
    int64_t first = (int64_t)floor(x) - t->n_taps / 2 + 1;
    for (int64_t j = 0; j < t->n_taps; j++) {
        int64_t at = first + j;
        double d = ((double)at - x) * stretch;
        w[j] = r->mode == RESIZE_CUBIC ? cubic(r->cubic_a, d) : fmax(0, 1 - fabs(d));
        if (r->exclude_outside && (at < 0 || at >= a->in))
            w[j] = 0;
        sum += w[j];
        t->at[i * t->n_taps + j] = MAX(0, MIN(at, a->in - 1));
    }
    bool normalises = r->exclude_outside || r->antialias;
    for (int64_t j = 0; j < t->n_taps; j++) {
        w[j] /= normalises ? sum : 1;
        t->noise[i * t->n_taps + j] = fabs(w[j]) + fabs(x) * stretch;
    }
}

static struct axis_table open_table(struct kernel *k, const struct resize *r,
                                    const struct resize_axis *a)
{
    struct axis_table t = {.n_taps = 1};
    double reach = r->mode == RESIZE_CUBIC ? 2 : 1;
    if (r->mode != RESIZE_NEAREST)
        t.n_taps = 2 * (int64_t)ceil(reach / (r->antialias ? fmin(a->scale, 1) : 1));
    size_t n = (size_t)a->out, n_all = n * (size_t)t.n_taps;
    t.at = arena_new_array(k->scratch, int64_t, n_all);
    t.weight = arena_new_array(k->scratch, double, n_all);
    t.noise = arena_new_array(k->scratch, double, n_all);
    t.outside = arena_alloc(k->scratch, n);
    t.open = arena_alloc(k->scratch, n);
    return t;
}

static bool is_whole_ratio(double a, double b)
{
    double up = a / b, down = b / a;
    return up == floor(up) || down == floor(down);
}

/* Could float32 choose another pixel? Two computations differ, or, where the ratio of sizes is no
 * whole number, the coordinate is within rounding of the switch. */
static bool is_near_switch(const struct resize *r, const struct resize_axis *a,
                           const struct coordinate *c)
{
    int64_t at = nearest_index(r->nearest, c->exact, a->in);
    for (int j = 0; j < 2; j++)
        if (nearest_index(r->nearest, (double)c->narrow[j], a->in) != at)
            return true;
    bool by_ends =
        r->coordinate == COORDINATE_ALIGN_CORNERS || r->coordinate == COORDINATE_TF_CROP_AND_RESIZE;
    if (by_ends
            ? is_whole_ratio((double)a->in - 1, (double)a->out - 1) && a->start == 0 && a->end == 1
            : is_whole_ratio(a->scale, 1))
        return false;
    double reach = 0x1p-21 * (fabs(c->exact) + 1);
    return nearest_index(r->nearest, c->exact - reach, a->in) !=
           nearest_index(r->nearest, c->exact + reach, a->in);
}

/* Sizes that a policy rounds have two scales in the text: "scale = Min(sizes[i] / in_size[d])" of
 * the policy, which onnx.reference takes, and "scale = length_resized / length_original" of the
 * coordinates. Does this result depend on which? */
static bool has_two_values(const struct resize *r, const struct resize_axis *a, int64_t i,
                           const struct coordinate *c)
{
    struct resize_axis other = *a;
    other.scale = (double)a->out / (double)a->in;
    if (!r->plan.is_by_policy || fabs(other.scale - a->scale) <= 0x1p-40 * a->scale)
        return false;
    double exact = coordinate_of(r, &other, i).exact;
    if (r->mode != RESIZE_NEAREST)
        return r->antialias || exact != c->exact;
    return nearest_index(r->nearest, exact, a->in) != nearest_index(r->nearest, c->exact, a->in);
}

static struct axis_table table_of(struct kernel *k, const struct resize *r,
                                  const struct resize_axis *a)
{
    struct axis_table t = open_table(k, r, a);
    for (int64_t i = 0; i < a->out; i++) {
        struct coordinate c = coordinate_of(r, a, i);
        set_flags(r, a, &t, i, &c);
        t.open[i] |= has_two_values(r, a, i, &c);
        if (r->mode != RESIZE_NEAREST) {
            weigh(r, a, &t, i, c.exact);
            continue;
        }
        t.at[i] = nearest_index(r->nearest, c.exact, a->in);
        t.open[i] |= is_near_switch(r, a, &c);
    }
    return t;
}

/* Resizes one axis of `from` (outer, n, inner) into `to` (outer, m, inner). */
static void apply(const struct axis_table *t, const double *weight, struct axis_split s, size_t m,
                  const double *from, double *to)
{
    size_t n_taps = (size_t)t->n_taps;
    for (size_t o = 0; o < s.outer; o++)
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n_taps; j++) {
                double w = weight[i * n_taps + j];
                size_t at = (o * s.n + (size_t)t->at[i * n_taps + j]) * s.inner;
                if (w == 0)
                    continue;
                for (size_t c = 0; c < s.inner; c++)
                    to[(o * m + i) * s.inner + c] += w * from[at + c];
            }
}

/* Resizes all axes, one after the other. with_noise: magnitudes, by the weights of the rounding. */
static const double *filter(struct kernel *k, const struct resize *r,
                            const struct axis_table *tables, bool with_noise)
{
    const struct value *x = k->in[0];
    int64_t dims[TENSOR_RANK_MAX];
    double *from = arena_dup(k->scratch, x->f, x->n * sizeof *from);
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    for (size_t i = 0; with_noise && i < x->n; i++)
        from[i] = fabs(from[i]);
    for (uint32_t d = 0; d < x->rank; d++) {
        const struct resize_axis *a = &r->plan.axes[d];
        if (!tables[d].at)
            continue;
        struct axis_split s = axis_split(&(struct value){.rank = x->rank, .dims = dims}, d);
        double *to = arena_new_array(k->scratch, double, s.outer *(size_t)a->out *s.inner);
        apply(&tables[d], with_noise ? tables[d].noise : tables[d].weight, s, (size_t)a->out, from,
              to);
        dims[d] = a->out;
        from = to;
    }
    return from;
}

/* Sets elements outside the region of interest, and marks those that have no value. */
static void mark(struct kernel *k, const struct resize *r, const struct axis_table *tables)
{
    struct value *out = &k->out[0];
    size_t inner = 1;
    for (uint32_t d = out->rank; d-- > 0;) {
        size_t n = (size_t)out->dims[d];
        for (size_t i = 0; tables[d].at && i < out->n; i++) {
            size_t at = i / inner % n;
            if (tables[d].open[at])
                kernel__undefined(k, 0)[i] = 1;
            if (!tables[d].outside[at])
                continue;
            if (out->storage == STORAGE_F64)
                k->to[0].f[i] = r->extrapolation;
            else
                kernel__undefined(k, 0)[i] = 1;
        }
        inner *= n;
    }
}

static void move_nearest(struct kernel *k, const struct resize *r, const struct axis_table *tables)
{
    const int64_t *maps[TENSOR_RANK_MAX];
    for (uint32_t d = 0; d < r->plan.rank; d++)
        maps[d] = tables[d].at ? tables[d].at : kernel__identity_map(k, r->plan.axes[d].out);
    kernel__map_axes(k, 0, 0, maps);
    kernel__set_exact(k, 0, k->in[0]->exact);
}

static bool run_filter(struct kernel *k, const struct resize *r, const struct axis_table *tables,
                       struct err *e)
{
    uint64_t n_work = 0;
    for (uint32_t d = 0; d < r->plan.rank; d++)
        n_work += (uint64_t)k->out[0].n * (uint64_t)tables[d].n_taps;
    if (k->in[0]->storage != STORAGE_F64)
        return err_set(e, ERR_UNSUPPORTED, "interpolation of %s: the text gives no rounding",
                       dtype_name(k->in[0]->dtype));
    if (!kernel__charge(k, n_work, e))
        return false;
    const double *y = filter(k, r, tables, false);
    memcpy(k->to[0].f, y, k->out[0].n * sizeof *y);
    if (k->want_noise)
        memcpy(kernel__scales(k, 0), filter(k, r, tables, true), k->out[0].n * sizeof *y);
    if (k->in[0]->undefined)
        memset(kernel__undefined(k, 0), 1, k->out[0].n);
    return true;
}

/* Resize, Upsample: X (d0, d1, ..) -> its axes resized. */
bool kernel__resize(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    struct axis_table tables[TENSOR_RANK_MAX] = {{0}};
    struct resize r;
    int64_t dims[TENSOR_RANK_MAX];
    if (!read_modes(k, &r, e) || !read_plan(k, &r, e))
        return false;
    for (uint32_t d = 0; d < x->rank; d++)
        dims[d] = r.plan.axes[d].out;
    if (!kernel__output(k, 0, x->dtype, x->rank, dims, e) || !k->out[0].n)
        return k->out[0].dtype != DTYPE_UNDEFINED;
    for (uint32_t d = 0; d < x->rank; d++) {
        const struct resize_axis *a = &r.plan.axes[d];
        bool stays = a->scale == 1 && a->in == a->out && a->start == 0 && a->end == 1;
        if (a->is_resized && !stays)
            tables[d] = table_of(k, &r, a);
    }
    if (r.mode == RESIZE_NEAREST)
        move_nearest(k, &r, tables);
    else if (!run_filter(k, &r, tables, e))
        return false;
    mark(k, &r, tables);
    kernel__no_taint(k, 0);
    return true;
}
