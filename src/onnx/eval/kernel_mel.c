/*
 * MelWeightMatrix: triangles over the bins of a one-sided DFT, evenly spaced on the mel scale.
 *
 * The text gives the scale, mel(f) = 2595 log10(1 + f / 700), and that every triangle peaks at 1.
 * The standard's node test gives the rest: the bin of a frequency, floor((dft_length + 1) f /
 * sample_rate), and the spacing, num_mel_bins + 2 steps from edge to edge. Where rounding decides
 * the bin of an edge, the columns that it bounds are marked undefined.
 */
#include <math.h>

#include "base/number.h"
#include "onnx/eval/kernel_p.h"

enum { MEL_EDGES_MAX = 1 << 16 };
static const double mel_factor = 2595, mel_base = 700;

struct edges {
    double *bin; /* n_mel + 2 of them, whole numbers */
    bool *is_open;
};

static double mel_of(double hertz)
{
    return mel_factor * log10(1 + hertz / mel_base);
}

static struct edges edges_of(const struct kernel *k, int64_t n_mel, int64_t length, int64_t rate)
{
    size_t n = (size_t)n_mel + 2;
    double low = mel_of(value_get_double(k->in[3], 0)),
           high = mel_of(value_get_double(k->in[4], 0));
    struct edges out = {arena_new_array(k->scratch, double, n),
                        arena_new_array(k->scratch, bool, n)};
    for (size_t i = 0; i < n; i++) {
        double mel = low + (double)i * (high - low) / (double)n;
        double hertz = mel_base * (pow(10, mel / mel_factor) - 1);
        double at = (double)(length + 1) * hertz / (double)rate, near = number_round_even(at);
        out.bin[i] = floor(at);
        out.is_open[i] = fabs(at - near) <= 0x1p-16 * (1 + fabs(at)) && at != 0;
    }
    return out;
}

/* The triangle from low over peak to high at bin i; 1 at the peak, 0 at the feet. */
static double weight_at(double i, double low, double peak, double high)
{
    if (i == peak)
        return 1;
    if (i > low && i < peak)
        return (i - low) / (peak - low);
    return i > peak && i < high ? (high - i) / (high - peak) : 0;
}

static bool read_number(const struct kernel *k, uint32_t i, int64_t least, int64_t *out,
                        struct err *e)
{
    size_t n;
    const int64_t *at = kernel__ints(k, i, &n);
    if (n != 1 || at[0] < least || at[0] > INT32_MAX)
        return err_set(e, ERR_DATA, "input %u is %zu numbers, or %lld", i, n,
                       n ? (long long)at[0] : 0);
    *out = at[0];
    return true;
}

/* MelWeightMatrix: num_mel_bins, dft_length, sample_rate, lower and upper edge in hertz -> (bins,
 * num_mel_bins). */
bool kernel__mel_weights(struct kernel *k, struct err *e)
{
    int64_t n_mel, length, rate, t = node_int(k->n, "output_datatype", DTYPE_FLOAT);
    if (!read_number(k, 0, 0, &n_mel, e) || !read_number(k, 1, 0, &length, e) ||
        !read_number(k, 2, 1, &rate, e))
        return false;
    if (t <= 0 || t >= DTYPE_COUNT || k->in[3]->n != 1 || k->in[4]->n != 1)
        return err_set(e, ERR_DATA, "output_datatype %lld, or edges of several numbers",
                       (long long)t);
    if (storage_of((enum dtype)t) != STORAGE_F64)
        return err_set(e, ERR_UNSUPPORTED, "weights of %s: the text gives no rounding",
                       dtype_name((enum dtype)t));
    if (n_mel > MEL_EDGES_MAX)
        return err_set(e, ERR_LIMIT, "%lld mel bins", (long long)n_mel);
    int64_t dims[] = {length / 2 + 1, n_mel};
    if (!kernel__output(k, 0, (enum dtype)t, 2, dims, e) || !kernel__charge(k, k->out[0].n, e))
        return false;
    struct edges at = edges_of(k, n_mel, length, rate);
    for (size_t i = 0; i < k->out[0].n; i++) {
        size_t m = i % (size_t)n_mel, bin = i / (size_t)n_mel;
        k->to[0].f[i] = weight_at((double)bin, at.bin[m], at.bin[m + 1], at.bin[m + 2]);
        if (at.is_open[m] || at.is_open[m + 1] || at.is_open[m + 2])
            kernel__undefined(k, 0)[i] = 1;
    }
    kernel__taint_all(k, 0);
    k->out[0].noise_scale = 1;
    return true;
}
