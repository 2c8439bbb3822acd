/* Shapes of signal operators: windows, DFT, STFT, MelWeightMatrix. */
#include "onnx/infer/infer_axes_p.h"

/* HannWindow, HammingWindow, BlackmanWindow: (size), of dtype output_datatype. */
bool infer__window(struct infer *in, struct err *e)
{
    int64_t n, t = node_int(in->n, "output_datatype", DTYPE_FLOAT);
    size_t count;
    struct shape out = infer__new_shape(in, 1);
    if (t <= 0 || t >= DTYPE_COUNT || !infer__need_rank(in, 0, 0, 1, e))
        return t <= 0 || t >= DTYPE_COUNT
                   ? err_set(e, ERR_DATA, "output_datatype is %lld", (long long)t)
                   : false;
    if (infer__numbers(in, 0, &n, 1, &count) && count == 1) {
        if (n < 1)
            return err_set(e, ERR_DATA, "a window of %lld", (long long)n);
        out.dims[0] = dim_of(n);
    }
    infer__set(in, 0, (enum dtype)t, out);
    return true;
}

/* The axis: an attribute before opset 20, then an input; *known is false where that input is not
 * known. */
static bool signal_axis(const struct infer *in, uint32_t rank, int64_t *axis, bool *known,
                        struct err *e)
{
    size_t n = 1;
    *known = true;
    *axis = in->n->fact->since_version < 20 ? node_int(in->n, "axis", 1) : -2;
    if (infer__has(in, 2))
        *known = infer__numbers(in, 2, axis, 1, &n) && n == 1;
    if (!*known)
        return true;
    if (!infer__fix_axis(axis, rank, e))
        return false;
    return *axis != rank - 1 ||
           err_set(e, ERR_DATA, "the last axis holds real and imaginary parts");
}

/* DFT: as input with the axis transformed; last dim 2, or 1 for a real result. */
bool infer__dft(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0);
    bool one_sided = node_int(in->n, "onesided", 0), inverse = node_int(in->n, "inverse", 0), known;
    int64_t axis, length = -1;
    size_t n;
    struct shape out = infer__unknown_shape();
    if (!infer__need_rank(in, 0, 2, TENSOR_RANK_MAX, e))
        return false;
    if (x->known) {
        if (!signal_axis(in, x->rank, &axis, &known, e))
            return false;
        out = known ? infer__copy_shape(in, x) : infer__new_shape(in, x->rank);
        if (known) {
            bool has_length = infer__has(in, 1);
            if (has_length && !(infer__numbers(in, 1, &length, 1, &n) && n == 1))
                length = -1;
            if (!has_length && x->dims[axis].value >= 0)
                length = one_sided && inverse ? 2 * (x->dims[axis].value - 1) : x->dims[axis].value;
            if (length == 0 || (length < 0 && has_length && infer__ints(in, 1)))
                return err_set(e, ERR_DATA, "a length of %lld", (long long)length);
            out.dims[axis] = length < 0              ? dim_unknown()
                             : one_sided && !inverse ? dim_of(length / 2 + 1)
                                                     : dim_of(length);
        }
        out.dims[x->rank - 1] = dim_of(one_sided && inverse ? 1 : 2);
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

static int64_t number_of(const struct infer *in, uint32_t i)
{
    int64_t v;
    size_t n;
    return infer__has(in, i) && infer__numbers(in, i, &v, 1, &n) && n == 1 ? v : -1;
}

/* STFT: (batch, frames, bins, 2). */
bool infer__stft(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0), *window = infer__shape(in, 2);
    bool one_sided = node_int(in->n, "onesided", 1) != 0;
    struct shape out = infer__new_shape(in, 4);
    if (!infer__need_rank(in, 0, 3, 3, e) || !infer__need_rank(in, 2, 1, 1, e) ||
        !infer__need_rank(in, 1, 0, 1, e) || !infer__need_rank(in, 3, 0, 1, e))
        return false;
    int64_t step = number_of(in, 1), length = number_of(in, 3);
    int64_t size = x->known ? x->dims[1].value : -1;
    if (infer__ints(in, 1) && step < 1)
        return err_set(e, ERR_DATA, "frame_step is %lld", (long long)step);
    if (window->known && infer__has(in, 2)) {
        if (length >= 0 && dim__differ(window->dims[0], dim_of(length)))
            return err_set(e, ERR_DATA, "a window of %lld for frames of %lld",
                           (long long)window->dims[0].value, (long long)length);
        length = window->dims[0].value;
    } else if (!infer__has(in, 2) && !infer__has(in, 3)) {
        length = size;
    }
    if (size >= 0 && length >= 0 && (length < 1 || length > size))
        return err_set(e, ERR_DATA, "frames of %lld in a signal of %lld", (long long)length,
                       (long long)size);
    if (x->known && x->dims[2].value == 2 && one_sided)
        return err_set(e, ERR_DATA, "a one-sided transform of complex numbers");
    if (x->known)
        out.dims[0] = x->dims[0];
    if (size >= 0 && length >= 0 && step >= 1)
        out.dims[1] = dim_of((size - length) / step + 1);
    if (length >= 0)
        out.dims[2] = dim_of(one_sided ? length / 2 + 1 : length);
    out.dims[3] = dim_of(2);
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* MelWeightMatrix: (floor(dft_length / 2) + 1, num_mel_bins), of dtype output_datatype. */
bool infer__mel_weights(struct infer *in, struct err *e)
{
    int64_t t = node_int(in->n, "output_datatype", DTYPE_FLOAT);
    struct shape out = infer__new_shape(in, 2);
    int64_t n_mel = number_of(in, 0), length = number_of(in, 1);
    if (t <= 0 || t >= DTYPE_COUNT)
        return err_set(e, ERR_DATA, "output_datatype is %lld", (long long)t);
    for (uint32_t i = 0; i < 5; i++)
        if (!infer__need_rank(in, i, 0, 1, e))
            return false;
    if ((infer__ints(in, 0) && n_mel < 0) || (infer__ints(in, 1) && length < 0))
        return err_set(e, ERR_DATA, "%lld bins of a DFT of %lld", (long long)n_mel,
                       (long long)length);
    if (length >= 0)
        out.dims[0] = dim_of(length / 2 + 1);
    if (n_mel >= 0)
        out.dims[1] = dim_of(n_mel);
    infer__set(in, 0, (enum dtype)t, out);
    return true;
}
