/*
 * Sizes and scales of Resize and Upsample, by the operators' texts, for both shape function and
 * kernel.
 *
 * Sizes come from float scales (floor) or from sizes and a policy (rounding). Where float32 and
 * exact arithmetic give different sizes, engines may rightly differ, and the node is refused as
 * unsupported.
 */
#ifndef ONNX_RESIZE_H
#define ONNX_RESIZE_H

#include "onnx/model.h"

/* What the node gives besides its attributes; counts of 0: not given. */
struct resize_given {
    const double *scales, *roi;
    const int64_t *sizes;
    size_t n_scales, n_roi, n_sizes;
};

struct resize_axis {
    int64_t in, out;
    double scale;
    double start, end; /* region of interest; 0 .. 1 where there is none */
    bool is_resized;   /* named by axes */
};

struct resize_plan {
    uint32_t rank;
    bool is_by_policy; /* sizes that keep the aspect ratio: one scale for all axes */
    struct resize_axis axes[TENSOR_RANK_MAX];
};

bool resize_plan(const struct node *n, const int64_t *dims, uint32_t rank,
                 const struct resize_given *given, struct resize_plan *out, struct err *e);

#endif
