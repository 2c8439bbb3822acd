/* See range.h. */
#include "onnx/range.h"

#include <math.h>

#include "base/number.h"
#include "onnx/tensor.h"

bool range_count_ints(int64_t start, int64_t limit, int64_t delta, int64_t *n, struct err *e)
{
    if (!delta)
        return err_set(e, ERR_DATA, "delta is 0");
    *n = 0;
    if (delta > 0 ? limit <= start : limit >= start)
        return true;
    uint64_t distance =
        delta > 0 ? (uint64_t)limit - (uint64_t)start : (uint64_t)start - (uint64_t)limit;
    uint64_t step = delta > 0 ? (uint64_t)delta : 0 - (uint64_t)delta;
    uint64_t count = distance / step + (distance % step != 0);
    if (count > TENSOR_BYTES_MAX)
        return err_set(e, ERR_LIMIT, "%llu elements", (unsigned long long)count);
    *n = (int64_t)count;
    return true;
}

bool range_count_floats(enum dtype dtype, const double at[3], int64_t *n, struct err *e)
{
    const struct number_format *f = dtype_row(dtype)->format;
    double exact = ceil((at[1] - at[0]) / at[2]), declared = exact, mixed = exact;
    if (at[2] == 0)
        return err_set(e, ERR_DATA, "delta is 0");
    if (f) {
        double distance = number_round(f, at[1] - at[0]);
        declared = ceil(number_round(f, distance / at[2]));
        mixed = ceil(distance / at[2]);
    }
    if (!isfinite(exact) || exact > (double)TENSOR_BYTES_MAX)
        return err_set(e, ERR_DATA, "the range from %g to %g by %g has no end", at[0], at[1],
                       at[2]);
    if (exact != declared || exact != mixed)
        return err_set(e, ERR_UNSUPPORTED,
                       "the number of elements depends on how (limit - start) / delta is rounded");
    *n = exact > 0 ? (int64_t)exact : 0;
    return true;
}
