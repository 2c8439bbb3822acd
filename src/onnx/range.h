/*
 * How many elements Range has: max(ceil((limit - start) / delta), 0), in the declared dtype.
 *
 * Floats decide a shape here. The count is accepted where it is the same in the declared dtype, by
 * float32 differences with a wide quotient, and in exact arithmetic; where these differ, engines
 * may rightly differ too, and the case is refused as unsupported.
 */
#ifndef ONNX_RANGE_H
#define ONNX_RANGE_H

#include "base/err.h"
#include "onnx/dtype.h"

bool range_count_ints(int64_t start, int64_t limit, int64_t delta, int64_t *n, struct err *e);
bool range_count_floats(enum dtype dtype, const double at[3], int64_t *n, struct err *e);

#endif
