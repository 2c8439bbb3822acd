/* Results whose sums may leave the float range on the way (overflow.c). */
#ifndef ONNX_EVAL_OVERFLOW_P_H
#define ONNX_EVAL_OVERFLOW_P_H

#include "onnx/eval/kernel_p.h"

/* Are the node's float inputs so large that a sum of their products could leave the range? Then the
 * kernel is to fill scales. */
bool overflow__is_near(const struct kernel *k);

/* Called after the kernel where overflow__is_near was true: marks elements whose sums may have left
 * the range. */
void overflow__mark(struct kernel *k, uint32_t o);

#endif
