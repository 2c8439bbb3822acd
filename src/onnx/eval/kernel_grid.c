/*
 * GridSample and AffineGrid.
 *
 * A grid location is converted to pixels and, if outside, moved to the border or reflected; the
 * values around it are weighted axis by axis. With a cubic filter a moved location has no defined
 * value: the text does not say whether the location or each pixel is moved.
 */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "onnx/eval/kernel_p.h"

enum grid_mode { GRID_LINEAR, GRID_NEAREST, GRID_CUBIC };
enum grid_padding { GRID_ZEROS, GRID_BORDER, GRID_REFLECTION };
enum { GRID_TAPS_MAX = 4, GRID_RANK_MAX = 8 };
static const double grid_cubic_a = -0.75;

struct sampler {
    enum grid_mode mode;
    enum grid_padding padding;
    bool align_corners;
    uint32_t rank; /* spatial */
    int64_t dims[GRID_RANK_MAX];
};

/* Pixels of one axis and their weights; -1 is a pixel outside, which is zero. */
struct taps {
    int n;
    int64_t at[GRID_TAPS_MAX];
    double weight[GRID_TAPS_MAX], noise[GRID_TAPS_MAX];
    bool is_open;
    double margin; /* distance to a switch, in grid units */
};

static bool read_sampler(const struct kernel *k, struct sampler *s, struct err *e)
{
    struct str mode = node_string(k->n, "mode", STR("linear"));
    struct str padding = node_string(k->n, "padding_mode", STR("zeros"));
    const struct value *x = k->in[0], *grid = k->in[1];
    bool is_cubic = str_is(mode, "cubic") || str_is(mode, "bicubic");
    bool is_linear = str_is(mode, "linear") || str_is(mode, "bilinear");
    s->mode = is_cubic ? GRID_CUBIC : is_linear ? GRID_LINEAR : GRID_NEAREST;
    s->padding = str_is(padding, "border")       ? GRID_BORDER
                 : str_is(padding, "reflection") ? GRID_REFLECTION
                                                 : GRID_ZEROS;
    s->align_corners = node_int(k->n, "align_corners", 0) != 0;
    if ((s->mode == GRID_NEAREST && !str_is(mode, "nearest")) ||
        (s->padding == GRID_ZEROS && !str_is(padding, "zeros")))
        return err_set(e, ERR_DATA, "mode '" STR_FMT "', padding_mode '" STR_FMT "'", STR_ARG(mode),
                       STR_ARG(padding));
    if (x->rank < 3 || grid->rank != x->rank || grid->dims[0] != x->dims[0] ||
        grid->dims[x->rank - 1] != x->rank - 2)
        return err_set(e, ERR_DATA, "the grid does not fit X");
    s->rank = x->rank - 2;
    if (s->rank > GRID_RANK_MAX)
        return err_set(e, ERR_LIMIT, "%u spatial axes", s->rank);
    if (x->storage != STORAGE_F64)
        return err_set(e, ERR_UNSUPPORTED, "%s elements", dtype_name(x->dtype));
    memcpy(s->dims, x->dims + 2, s->rank * sizeof *s->dims);
    for (uint32_t d = 0; d < s->rank; d++)
        if (s->dims[d] < 1 && grid->n)
            return err_set(e, ERR_DATA, "X has no pixels to sample");
    return true;
}

/* x, mirrored at low and high until it lies between them. */
static double reflect(double x, double low, double high)
{
    double range = high - low;
    if (range <= 0)
        return low;
    double way = fmod(x < low ? low - x : x - low, 2 * range);
    return low + (way > range ? 2 * range - way : way);
}

static int64_t pixel_at(const struct sampler *s, int64_t i, int64_t n)
{
    if (i >= 0 && i < n)
        return i;
    if (s->padding == GRID_ZEROS)
        return -1;
    if (s->padding == GRID_REFLECTION) {
        double low = s->align_corners ? 0 : -0.5, high = (double)n - (s->align_corners ? 1 : 0.5);
        i = (int64_t)reflect((double)i, low, high);
    }
    return MAX(0, MIN(i, n - 1));
}

static double cubic_weight(double x)
{
    double a = grid_cubic_a;
    x = fabs(x);
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

static void nearest_tap(const struct sampler *s, double x, int64_t n, struct taps *t)
{
    double tie = floor(x) + 0.5, distance = fabs(x - tie);
    t->n = 1;
    t->at[0] = pixel_at(s, (int64_t)number_round_even(x), n);
    t->weight[0] = 1;
    t->noise[0] = 0;
    t->margin = distance * 2 / (double)n;
    t->is_open |= distance > 0 && distance < 0x1p-20 * (1 + fabs(x));
}

/* The pixels that a normalised location takes along one axis. */
static struct taps taps_of(const struct sampler *s, double location, int64_t n)
{
    struct taps t = {.margin = (double)INFINITY};
    double size = (double)n, low = s->align_corners ? 0 : -0.5;
    double high = size - (s->align_corners ? 1 : 0.5);
    double x = s->align_corners ? (location + 1) / 2 * (size - 1) : ((location + 1) * size - 1) / 2;
    bool is_outside = x < low || x > high;
    if (!isfinite(x) || fabs(x) > 0x1p40) {
        t.is_open = true;
        x = 0;
    }
    double magnitude = fabs(x) + 1;
    if (is_outside && s->padding == GRID_BORDER)
        x = x < 0 ? 0 : size - 1;
    if (is_outside && s->padding == GRID_REFLECTION)
        x = reflect(x, low, high);
    t.is_open |= is_outside && s->mode == GRID_CUBIC && s->padding != GRID_ZEROS;
    if (s->mode == GRID_NEAREST) {
        nearest_tap(s, x, n, &t);
        return t;
    }
    int64_t first = (int64_t)floor(x) - (s->mode == GRID_CUBIC);
    t.n = s->mode == GRID_CUBIC ? 4 : 2;
    for (int j = 0; j < t.n; j++) {
        double d = (double)(first + j) - x;
        t.at[j] = pixel_at(s, first + j, n);
        t.weight[j] = s->mode == GRID_CUBIC ? cubic_weight(d) : 1 - fabs(d);
        t.noise[j] = fabs(t.weight[j]) + magnitude;
    }
    return t;
}

/* Weighted values of one channel around a location: every combination of taps. */
static double gather(const struct sampler *s, const struct taps *taps, const double *x,
                     double *noise)
{
    int pick[GRID_RANK_MAX] = {0};
    double sum = 0;
    for (;;) {
        double w = 1, u = 1;
        size_t at = 0;
        bool is_inside = true;
        for (uint32_t d = 0; d < s->rank; d++) {
            is_inside &= taps[d].at[pick[d]] >= 0;
            w *= taps[d].weight[pick[d]];
            u *= taps[d].noise[pick[d]];
            at = at * (size_t)s->dims[d] + (size_t)MAX(0, taps[d].at[pick[d]]);
        }
        if (is_inside && (w != 0 || s->mode != GRID_LINEAR)) {
            sum += w * x[at];
            *noise += u * fabs(x[at]);
        }
        uint32_t d = s->rank;
        while (d-- > 0) {
            if (++pick[d] < taps[d].n)
                break;
            pick[d] = 0;
        }
        if (d == UINT32_MAX)
            return sum;
    }
}

/* GridSample: X (N, C, d1, .., dr), grid (N, o1, .., or, r; innermost axis first) -> (N, C, o1, ..,
 * or). */
bool kernel__grid_sample(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *grid = k->in[1];
    struct sampler s;
    int64_t dims[TENSOR_RANK_MAX];
    size_t n_pixels = 1, n_places = 1;
    if (!read_sampler(k, &s, e))
        return false;
    dims[0] = x->dims[0];
    dims[1] = x->dims[1];
    for (uint32_t d = 0; d < s.rank; d++) {
        dims[d + 2] = grid->dims[d + 1];
        n_places *= (size_t)dims[d + 2];
        n_pixels *= (size_t)s.dims[d];
    }
    uint64_t n_work = 1;
    for (uint32_t d = 0; d < s.rank; d++)
        n_work *= s.mode == GRID_CUBIC ? 4 : 2;
    if (!kernel__output(k, 0, x->dtype, x->rank, dims, e) ||
        !kernel__charge(k, n_work * k->out[0].n, e))
        return false;
    size_t n_channels = (size_t)x->dims[1];
    bool is_tainted = kernel__is_tainted(x);
    for (size_t i = 0; i < (size_t)x->dims[0] * n_places; i++) {
        struct taps taps[GRID_RANK_MAX];
        bool is_open = is_tainted;
        double margin = (double)INFINITY;
        for (uint32_t d = 0; d < s.rank; d++) {
            size_t at = i * s.rank + (s.rank - 1 - d);
            taps[d] = taps_of(&s, grid->f[at], s.dims[d]);
            is_open |= taps[d].is_open || (grid->undefined && grid->undefined[at]);
            margin = MIN(margin, taps[d].margin);
        }
        for (size_t c = 0; c < n_channels; c++) {
            size_t plane = i / n_places * n_channels + c, to = plane * n_places + i % n_places;
            double noise = 0;
            k->to[0].f[to] = gather(&s, taps, x->f + plane * n_pixels, &noise);
            if (k->want_noise)
                kernel__scales(k, 0)[to] = noise;
            if (k->want_margins && s.mode == GRID_NEAREST)
                kernel__margin(k, 0)[to] = margin;
            if (is_open)
                kernel__undefined(k, 0)[to] = 1;
        }
    }
    kernel__no_taint(k, 0);
    return true;
}

/* Position i of n evenly spaced from -1 to 1: centres of the corner pixels, or their outer edges.
 */
static double position(int64_t i, int64_t n, bool align_corners)
{
    if (align_corners)
        return n > 1 ? -1 + 2 * (double)i / (double)(n - 1) : 0;
    return (2 * (double)i + 1) / (double)n - 1;
}

/* AffineGrid: theta (N, r, r + 1), size (N, C, d1, .., dr) -> (N, d1, .., dr, r), innermost axis
 * first. */
bool kernel__affine_grid(struct kernel *k, struct err *e)
{
    const struct value *theta = k->in[0];
    size_t n;
    const int64_t *size = kernel__ints(k, 1, &n);
    bool aligned = node_int(k->n, "align_corners", 0) != 0;
    int64_t dims[5];
    if ((n != 4 && n != 5) || theta->rank != 3 || theta->dims[0] != size[0] ||
        theta->dims[1] != (int64_t)n - 2 || theta->dims[2] != (int64_t)n - 1)
        return err_set(e, ERR_DATA, "the shape of theta does not fit a size of %zu elements", n);
    uint32_t r = (uint32_t)n - 2;
    dims[0] = size[0];
    memcpy(dims + 1, size + 2, r * sizeof *dims);
    dims[r + 1] = r;
    if (!kernel__output(k, 0, theta->dtype, r + 2, dims, e))
        return false;
    for (size_t i = 0; i < k->out[0].n; i++) {
        size_t row = i % r, left = i / r;
        double at[4], sum = 0, noise = 0;
        bool is_open = false;
        for (uint32_t d = r; d-- > 0; left /= (size_t)dims[d + 1]) {
            at[r - 1 - d] = position((int64_t)(left % (size_t)dims[d + 1]), dims[d + 1], aligned);
            is_open |= aligned && dims[d + 1] == 1;
        }
        at[r] = 1;
        for (uint32_t j = 0; j <= r; j++) {
            double term = theta->f[(left * r + row) * (r + 1) + j] * at[j];
            sum += term;
            noise += fabs(term);
        }
        k->to[0].f[i] = sum;
        if (k->want_noise)
            kernel__scales(k, 0)[i] = noise;
        if (is_open || kernel__is_tainted(theta))
            kernel__undefined(k, 0)[i] = 1;
    }
    kernel__no_taint(k, 0);
    return true;
}
