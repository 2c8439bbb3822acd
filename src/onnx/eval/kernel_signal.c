/*
 * HannWindow, HammingWindow, BlackmanWindow, DFT and STFT.
 *
 * The DFT is the sum of the text, term by term, with angles reduced to one turn first. One-sided
 * inverses take the missing half as the conjugate of the given one. The STFT is that sum over the
 * windowed frames of a signal.
 *
 * The standard's function bodies compute windows in float, whatever output_datatype is.
 */
#include <math.h>

#include "base/number.h"
#include "onnx/eval/kernel_p.h"

static const double turn = 6.283185307179586476925286766559;

/* Sum of cosines: a0 - a1 cos(t) + a2 cos(2 t). */
static const struct {
    const char *name;
    double a0, a1, a2;
} windows[] = {
    {"HannWindow", 0.5, 0.5, 0},
    {"HammingWindow", 25.0 / 46, 21.0 / 46, 0},
    {"BlackmanWindow", 0.42, 0.5, 0.08},
};

/* Windows: size -> (size). */
bool kernel__window(struct kernel *k, struct err *e)
{
    size_t count, row = 0;
    const int64_t *size = kernel__ints(k, 0, &count);
    int64_t t = node_int(k->n, "output_datatype", DTYPE_FLOAT);
    if (count != 1 || size[0] < 1 || t <= 0 || t >= DTYPE_COUNT)
        return err_set(e, ERR_DATA, "a window without a size, or of dtype %lld", (long long)t);
    while (row + 1 < COUNT_OF(windows) && !str_is(k->n->op_type, windows[row].name))
        row++;
    if (!kernel__output(k, 0, (enum dtype)t, 1, size, e))
        return false;
    if (k->out[0].storage != STORAGE_F64)
        return err_set(e, ERR_UNSUPPORTED, "a window of %s: the text gives no rounding",
                       dtype_name((enum dtype)t));
    double n = (double)(node_int(k->n, "periodic", 1) ? size[0] : size[0] - 1);
    for (int64_t i = 0; i < size[0]; i++) {
        double angle = turn * (double)i / n;
        k->to[0].f[i] =
            windows[row].a0 - windows[row].a1 * cos(angle) + windows[row].a2 * cos(2 * angle);
        if (n == 0)
            kernel__undefined(k, 0)[i] = 1;
    }
    k->out[0].noise_scale = 1;
    k->out[0].unit = dtype_unit(DTYPE_FLOAT);
    return true;
}

struct transform {
    struct axis_split s; /* inner counts numbers, each of `parts` */
    size_t parts, length, n_out;
    bool inverse, one_sided;
};

static bool read_transform(const struct kernel *k, struct transform *t, int64_t *axis,
                           struct err *e)
{
    const struct value *x = k->in[0];
    size_t n;
    const int64_t *given = kernel__ints(k, 2, &n);
    *axis = given && n == 1                  ? given[0]
            : k->n->fact->since_version < 20 ? node_int(k->n, "axis", 1)
                                             : -2;
    if (x->rank < 2 || !kernel__fix_axis(axis, x->rank, e) || *axis == x->rank - 1)
        return err_set(e, ERR_DATA, "axis %lld of a signal of rank %u", (long long)*axis, x->rank);
    t->inverse = node_int(k->n, "inverse", 0) != 0;
    t->one_sided = node_int(k->n, "onesided", 0) != 0;
    t->parts = (size_t)x->dims[x->rank - 1];
    if (t->parts < 1 || t->parts > 2 || (t->one_sided && t->parts != (t->inverse ? 2u : 1u)))
        return err_set(e, ERR_DATA, "a last dim of %zu does not fit this transform", t->parts);
    t->s = axis_split(x, *axis);
    t->s.inner /= t->parts;
    given = kernel__ints(k, 1, &n);
    int64_t size = (int64_t)t->s.n;
    int64_t length = given && n == 1              ? given[0]
                     : t->one_sided && t->inverse ? 2 * (size - 1)
                                                  : size;
    if (length < 1)
        return err_set(e, ERR_DATA, "a length of %lld", (long long)length);
    t->length = (size_t)length;
    t->n_out = t->one_sided && !t->inverse ? t->length / 2 + 1 : t->length;
    return true;
}

/* s of one number of a transform of length n: that of the sum and that of the factors. The angle in
 * the text's exponent goes up to n turns and may be rounded before it is reduced to one. */
static double transform_scale(double squares, size_t n)
{
    double length = (double)n;
    double sum = sqrt(length) * MAX(1, sqrt(length) / 8), angle = turn * (length - 1);
    return sqrt(squares) * (sum + angle);
}

/* Part (0 real, 1 imaginary) of number n of a signal; zero after its end. */
static double part_of(const struct value *x, const struct transform *t, size_t first, size_t n,
                      size_t part)
{
    double sign = 1;
    if (t->one_sided && t->inverse && n > t->length / 2) {
        n = t->length - n;
        sign = part ? -1 : 1;
    }
    if (n >= t->s.n || part >= t->parts)
        return 0;
    return sign * x->f[(first + n * t->s.inner) * t->parts + part];
}

/* Number m of the transform of the signal that begins at `first`. */
static void transform_one(const struct value *x, const struct transform *t, size_t first, size_t m,
                          double out[3])
{
    double sign = t->inverse ? 1 : -1, scale = t->inverse ? 1 / (double)t->length : 1;
    out[0] = out[1] = out[2] = 0;
    for (size_t n = 0; n < t->length; n++) {
        double re = part_of(x, t, first, n, 0), im = part_of(x, t, first, n, 1);
        double angle = sign * turn * (double)(m * n % t->length) / (double)t->length;
        out[0] += re * cos(angle) - im * sin(angle);
        out[1] += re * sin(angle) + im * cos(angle);
        out[2] += re * re + im * im;
    }
    out[0] *= scale;
    out[1] *= scale;
    out[2] = scale * transform_scale(out[2], t->length);
}

/* DFT: (.., n, .., 1 or 2), length, axis -> (.., m, .., 2), or 1 part for a one-sided inverse. */
bool kernel__dft(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    struct transform t;
    int64_t axis, dims[TENSOR_RANK_MAX];
    if (!read_transform(k, &t, &axis, e))
        return false;
    size_t parts = t.one_sided && t.inverse ? 1 : 2;
    for (uint32_t d = 0; d < x->rank; d++)
        dims[d] = d == axis ? (int64_t)t.n_out : x->dims[d];
    dims[x->rank - 1] = (int64_t)parts;
    uint64_t n_work;
    if (!kernel__output(k, 0, x->dtype, x->rank, dims, e))
        return false;
    if (CHECKED_MUL((uint64_t)k->out[0].n, 16 * (uint64_t)t.length, &n_work))
        n_work = UINT64_MAX;
    if (!kernel__charge(k, n_work, e))
        return false;
    for (size_t i = 0; i < t.s.outer * t.s.inner; i++) {
        size_t first = i / t.s.inner * t.s.n * t.s.inner + i % t.s.inner;
        for (size_t m = 0; m < t.n_out; m++) {
            double y[3];
            size_t to = ((i / t.s.inner * t.n_out + m) * t.s.inner + i % t.s.inner) * parts;
            transform_one(x, &t, first, m, y);
            for (size_t p = 0; p < parts; p++) {
                k->to[0].f[to + p] = y[p];
                if (k->want_noise)
                    kernel__scales(k, 0)[to + p] = y[2];
            }
        }
    }
    return true;
}

struct frames {
    size_t step, length, n, parts, n_bins;
    const struct value *window; /* NULL: ones */
};

static bool one_number(const struct kernel *k, uint32_t i, int64_t *out, struct err *e)
{
    size_t n;
    const int64_t *at = kernel__ints(k, i, &n);
    *out = n == 1 ? at[0] : 0;
    return *out >= 1 ||
           err_set(e, ERR_DATA, "input %u is %zu numbers, or %lld", i, n, (long long)*out);
}

static bool read_frames(const struct kernel *k, struct frames *f, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t step, length;
    f->window = kernel__in(k, 2);
    if (x->rank != 3 || x->dims[2] < 1 || x->dims[2] > 2)
        return err_set(e, ERR_DATA, "the shape of the signal is not (batch, length, 1 or 2)");
    length = f->window ? (int64_t)f->window->n : x->dims[1];
    if (!one_number(k, 1, &step, e) || (kernel__in(k, 3) && !one_number(k, 3, &length, e)))
        return false;
    f->parts = (size_t)x->dims[2];
    bool one_sided = node_int(k->n, "onesided", 1) != 0;
    if (f->window && (f->window->rank != 1 || f->window->n != (size_t)length))
        return err_set(e, ERR_DATA, "a window of %zu for frames of %lld", f->window->n,
                       (long long)length);
    if (one_sided && f->parts == 2)
        return err_set(e, ERR_DATA, "a one-sided transform of complex numbers");
    if (length < 1 || length > x->dims[1])
        return err_set(e, ERR_DATA, "frames of %lld in a signal of %lld", (long long)length,
                       (long long)x->dims[1]);
    f->step = (size_t)step;
    f->length = (size_t)length;
    f->n = ((size_t)x->dims[1] - f->length) / f->step + 1;
    f->n_bins = one_sided ? f->length / 2 + 1 : f->length;
    return true;
}

/* Bin m of the frame that begins at number `first` of the signal: real, imaginary, noise. */
static void transform_frame(const struct value *x, const struct frames *f, size_t first, size_t m,
                            double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (size_t n = 0; n < f->length; n++) {
        double w = f->window ? f->window->f[n] : 1;
        double re = w * x->f[(first + n) * f->parts];
        double im = f->parts == 2 ? w * x->f[(first + n) * f->parts + 1] : 0;
        double angle = -turn * (double)(m * n % f->length) / (double)f->length;
        out[0] += re * cos(angle) - im * sin(angle);
        out[1] += re * sin(angle) + im * cos(angle);
        out[2] += re * re + im * im;
    }
    out[2] = transform_scale(out[2], f->length);
}

/* STFT: signal (b, n, 1 or 2), frame_step, window, frame_length -> (b, frames, bins, 2). */
bool kernel__stft(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    struct frames f;
    uint64_t n_work;
    if (!read_frames(k, &f, e))
        return false;
    int64_t dims[] = {x->dims[0], (int64_t)f.n, (int64_t)f.n_bins, 2};
    if (!kernel__output(k, 0, x->dtype, 4, dims, e))
        return false;
    if (CHECKED_MUL((uint64_t)k->out[0].n, 16 * (uint64_t)f.length, &n_work))
        n_work = UINT64_MAX;
    if (!kernel__charge(k, n_work, e))
        return false;
    for (size_t i = 0; i < k->out[0].n / 2; i++) {
        size_t m = i % f.n_bins, frame = i / f.n_bins % f.n, batch = i / f.n_bins / f.n;
        double y[3];
        transform_frame(x, &f, batch * (size_t)x->dims[1] + frame * f.step, m, y);
        for (size_t p = 0; p < 2; p++) {
            k->to[0].f[2 * i + p] = y[p];
            if (k->want_noise)
                kernel__scales(k, 0)[2 * i + p] = y[2];
        }
    }
    return true;
}
