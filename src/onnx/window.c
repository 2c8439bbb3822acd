/*
 * Sizes: out = floor((in + pads - extent) / stride) + 1, or with ceil_mode ceil(...) + 1, without a
 * last window that would begin in the right padding. auto_pad SAME gives ceil(in / stride), VALID
 * no padding. ConvTranspose inverts the formula.
 *
 * Refused as unsupported, because the standard contradicts itself or is silent: a last window that
 * begins in the padding before version 22 of a pool; ceil_mode with VALID where formula and shape
 * inference differ; SAME of a pool whose formula gives negative padding; a ConvTranspose larger
 * than its reach.
 */
#include "onnx/window.h"

#include <string.h>

#include "onnx/op.h"

enum { WINDOW_VALUE_MAX = 1 << 30 };

static bool read_list(const struct node *node, const char *name, uint32_t n, int64_t least,
                      int64_t *out, struct err *e)
{
    size_t n_list;
    const int64_t *list = node_ints(node, name, &n_list);
    for (uint32_t d = 0; !list && d < n; d++)
        out[d] = least;
    if (!list)
        return true;
    if (n_list != n)
        return err_set(e, ERR_DATA, "%s has %zu numbers, %u are expected", name, n_list, n);
    for (uint32_t d = 0; d < n; d++) {
        if (list[d] < least || list[d] > WINDOW_VALUE_MAX)
            return err_set(e, ERR_DATA, "%s holds %lld", name, (long long)list[d]);
        out[d] = list[d];
    }
    return true;
}

static bool read_auto_pad(const struct node *node, struct window *w, struct err *e)
{
    static const char *const names[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"};
    struct str name = node_string(node, "auto_pad", STR("NOTSET"));
    for (unsigned i = 0; i < COUNT_OF(names); i++)
        if (str_is(name, names[i])) {
            w->auto_pad = (enum auto_pad)i;
            return true;
        }
    return err_set(e, ERR_DATA, "auto_pad is '" STR_FMT "'", STR_ARG(name));
}

static bool read_kernel(const struct node *node, const int64_t *kernel, struct window *w,
                        struct err *e)
{
    if (!read_list(node, "kernel_shape", w->n, 1, w->kernel, e))
        return false;
    bool given = node_attr(node, "kernel_shape") != NULL;
    if (!given && !kernel)
        return err_set(e, ERR_DATA, "kernel_shape is missing");
    for (uint32_t d = 0; kernel && d < w->n; d++) {
        if (kernel[d] < 0)
            continue; /* not known */
        if (given && kernel[d] != w->kernel[d])
            return err_set(e, ERR_DATA, "kernel_shape %lld, but W has %lld in that dim",
                           (long long)w->kernel[d], (long long)kernel[d]);
        if (kernel[d] < 1 || kernel[d] > WINDOW_VALUE_MAX)
            return err_set(e, ERR_DATA, "a kernel of size %lld", (long long)kernel[d]);
        w->kernel[d] = kernel[d];
    }
    return true;
}

bool window_read(const struct node *node, uint32_t n, const int64_t *kernel, struct window *w,
                 struct err *e)
{
    int64_t pads[2 * TENSOR_RANK_MAX];
    size_t n_shape;
    memset(w, 0, sizeof *w);
    w->n = n;
    w->ceil_mode = node_int(node, "ceil_mode", 0) != 0;
    w->is_pool = kernel == NULL;
    w->leaves_out_last = !node->fact || node->fact->since_version >= 22;
    if (n > TENSOR_RANK_MAX - 2)
        return err_set(e, ERR_LIMIT, "%u spatial dims", n);
    if (!read_auto_pad(node, w, e) || !read_kernel(node, kernel, w, e) ||
        !read_list(node, "strides", n, 1, w->stride, e) ||
        !read_list(node, "dilations", n, 1, w->dilation, e) ||
        !read_list(node, "pads", 2 * n, 0, pads, e) ||
        !read_list(node, "output_padding", n, 0, w->output_padding, e))
        return false;
    if (w->auto_pad != AUTO_PAD_NOTSET && node_attr(node, "pads"))
        return err_set(e, ERR_DATA, "pads and auto_pad exclude each other");
    for (uint32_t d = 0; d < n; d++) {
        if (w->output_padding[d] && w->output_padding[d] >= MAX(w->stride[d], w->dilation[d]))
            return err_set(e, ERR_DATA, "output_padding %lld must be less than stride or dilation",
                           (long long)w->output_padding[d]);
        w->pad_begin[d] = w->auto_pad == AUTO_PAD_NOTSET ? pads[d] : 0;
        w->pad_end[d] = w->auto_pad == AUTO_PAD_NOTSET ? pads[n + d] : 0;
    }
    w->output_shape = node_ints(node, "output_shape", &n_shape);
    if (w->output_shape && n_shape == n + 2)
        w->output_shape += 2; /* old exporters also give batch and channels */
    else if (w->output_shape && n_shape != n)
        return err_set(e, ERR_DATA, "output_shape has %zu numbers, %u are expected", n_shape, n);
    return true;
}

int64_t window_extent(const struct window *w, uint32_t d)
{
    return (w->kernel[d] - 1) * w->dilation[d] + 1;
}

int64_t window_count(const int64_t *dims, uint32_t n)
{
    int64_t count = 1;
    for (uint32_t d = 0; d < n; d++)
        count *= dims[d];
    return count;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Splits the padding of one dim; an odd one is larger at the end for SAME_UPPER. */
static void split_padding(struct window *w, uint32_t d, int64_t total, bool odd_at_end)
{
    int64_t half = total / 2;
    w->pad_begin[d] = odd_at_end ? half : total - half;
    w->pad_end[d] = total - w->pad_begin[d];
}

static bool fit_same(struct window *w, uint32_t d, struct err *e)
{
    int64_t stride = w->stride[d], in = w->in[d];
    w->out[d] = ceil_div(in, stride);
    int64_t total = in ? (w->out[d] - 1) * stride + window_extent(w, d) - in : 0;
    if (total < 0 && w->is_pool)
        return err_set(e, ERR_UNSUPPORTED,
                       "auto_pad gives spatial dim %u a padding of %lld, and the standard does not "
                       "say what that means",
                       d, (long long)total);
    split_padding(w, d, MAX(0, total), w->auto_pad == AUTO_PAD_SAME_UPPER);
    return true;
}

bool window_fit(struct window *w, uint32_t d, int64_t in, struct err *e)
{
    int64_t extent = window_extent(w, d), stride = w->stride[d];
    w->in[d] = in;
    if (w->auto_pad == AUTO_PAD_SAME_UPPER || w->auto_pad == AUTO_PAD_SAME_LOWER)
        return fit_same(w, d, e);
    int64_t room = in + w->pad_begin[d] + w->pad_end[d] - extent;
    if (room < 0)
        return err_set(e, ERR_DATA,
                       "a kernel that covers %lld does not fit into spatial dim %u of %lld with "
                       "padding",
                       (long long)extent, d, (long long)(room + extent));
    w->out[d] = (w->ceil_mode ? ceil_div(room, stride) : room / stride) + 1;
    if (w->ceil_mode && w->auto_pad == AUTO_PAD_VALID && room % stride != 0)
        return err_set(
            e, ERR_UNSUPPORTED,
            "ceil_mode with auto_pad VALID: the standard gives two sizes for spatial dim "
            "%u",
            d);
    if (!w->ceil_mode || (w->out[d] - 1) * stride < in + w->pad_begin[d])
        return true;
    w->out[d]--;
    return w->leaves_out_last ||
           err_set(e, ERR_UNSUPPORTED,
                   "the last window of spatial dim %u begins in the padding, and the standard does "
                   "not say before version 22 that it is left out",
                   d);
}

bool window_fit_transposed(struct window *w, uint32_t d, int64_t in, struct err *e)
{
    bool same = w->auto_pad == AUTO_PAD_SAME_UPPER || w->auto_pad == AUTO_PAD_SAME_LOWER;
    int64_t full = w->stride[d] * (in - 1) + w->output_padding[d] + window_extent(w, d);
    w->in[d] = in;
    if (!w->output_shape && !same) {
        w->out[d] = full - w->pad_begin[d] - w->pad_end[d];
        return w->out[d] >= 0 || err_set(e, ERR_DATA, "spatial dim %u of the result is %lld", d,
                                         (long long)w->out[d]);
    }
    if (!w->output_shape && w->output_padding[d])
        return err_set(e, ERR_UNSUPPORTED,
                       "auto_pad %s with output_padding: the standard gives two sizes for spatial "
                       "dim %u",
                       w->auto_pad == AUTO_PAD_SAME_UPPER ? "SAME_UPPER" : "SAME_LOWER", d);
    w->out[d] = w->output_shape ? w->output_shape[d] : in * w->stride[d];
    if (w->out[d] < 0 || w->out[d] > WINDOW_VALUE_MAX)
        return err_set(e, ERR_DATA, "output_shape holds %lld", (long long)w->out[d]);
    if (full + 1 == w->out[d] && !same) {
        /* total_padding -1: its halves by the standard, rounded down, are 0 before and -1 after. */
        w->pad_begin[d] = 0;
        w->pad_end[d] = -1;
        return true;
    }
    if (full < w->out[d]) /* with SAME, the standard's own inference then gives another size */
        return err_set(e, ERR_UNSUPPORTED,
                       "spatial dim %u of the result is larger than the kernel reaches, and the "
                       "standard does not say where the rest goes",
                       d);
    split_padding(w, d, full - w->out[d], w->auto_pad == AUTO_PAD_SAME_UPPER);
    return true;
}
