/*
 * The tiny case that every engine runs: y0 = |x0| of floats [2, 3], y1 = |x1| of int64 [2, 2]. It
 * is a worker's first session, the canary of warm workers and a case in the trial of an adapter.
 */
#ifndef TARGET_TINY_P_H
#define TARGET_TINY_P_H

#include "base/arena.h"
#include "base/err.h"
#include "onnx/model.h"
#include "onnx/tensor.h"

enum { TINY_SETS = 2 };

/* `first_op` takes the place of the first Abs. */
bool tiny__model(const char *first_op, struct arena *a, struct model **out, struct err *e);
/* Makes x0 and x1 of input set `at` (< TINY_SETS). No number is negative, so each output equals its
 * input. */
bool tiny__inputs(size_t at, struct arena *a, struct tensors *out, struct err *e);

#endif
