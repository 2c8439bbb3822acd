/*
 * Sliding windows of Conv, ConvTranspose and the pools: attributes read and checked once, sizes by
 * the standard's formulas. Shape functions and kernels both use them, so they cannot disagree.
 */
#ifndef ONNX_WINDOW_H
#define ONNX_WINDOW_H

#include "onnx/model.h"

enum auto_pad { AUTO_PAD_NOTSET, AUTO_PAD_SAME_UPPER, AUTO_PAD_SAME_LOWER, AUTO_PAD_VALID };

struct window {
    uint32_t n; /* spatial dims */
    enum auto_pad auto_pad;
    bool ceil_mode, is_pool, leaves_out_last;
    int64_t kernel[TENSOR_RANK_MAX], stride[TENSOR_RANK_MAX], dilation[TENSOR_RANK_MAX];
    int64_t pad_begin[TENSOR_RANK_MAX], pad_end[TENSOR_RANK_MAX];
    int64_t output_padding[TENSOR_RANK_MAX]; /* ConvTranspose */
    const int64_t *output_shape;             /* ConvTranspose: spatial part, or NULL */
    int64_t in[TENSOR_RANK_MAX], out[TENSOR_RANK_MAX];
};

/* Reads a node's attributes for n spatial dims. kernel NULL: kernel_shape is required. */
bool window_read(const struct node *node, uint32_t n, const int64_t *kernel, struct window *w,
                 struct err *e);

/* Sets in[d], out[d] and, with auto_pad, the pads of dim d. */
bool window_fit(struct window *w, uint32_t d, int64_t in, struct err *e);
bool window_fit_transposed(struct window *w, uint32_t d, int64_t in, struct err *e);

/* Extent of the dilated kernel in dim d. */
int64_t window_extent(const struct window *w, uint32_t d);

int64_t window_count(const int64_t *dims, uint32_t n); /* product */

#endif
