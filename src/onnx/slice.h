/*
 * Slice along one axis, clamped as the standard's text says, for both shape function and kernel.
 *
 *     struct slice_range r = slice_range(start, end, step, dim);
 *     // the slice is the elements r.first + j * step for j < r.n
 */
#ifndef ONNX_SLICE_H
#define ONNX_SLICE_H

#include <stdint.h>

#include "base/compiler.h"

struct slice_range {
    int64_t first, n;
};

/* `step` must not be 0, `dim` must not be negative. */
static inline struct slice_range slice_range(int64_t start, int64_t end, int64_t step, int64_t dim)
{
    int64_t low = step > 0 ? 0 : -1, high = step > 0 ? dim : dim - 1;
    if (!dim)
        return (struct slice_range){0, 0};
    start += start < 0 ? dim : 0;
    end += end < 0 ? dim : 0;
    start = MAX(0, MIN(start, high));
    end = MAX(low, MIN(end, high));
    uint64_t distance = 0, stride = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    if (step > 0 ? end > start : end < start)
        distance = step > 0 ? (uint64_t)(end - start) : (uint64_t)(start - end);
    return (struct slice_range){start, (int64_t)(distance / stride + (distance % stride != 0))};
}

#endif
