/* Results whose sums may leave the float range on the way (overflow.c). */
#ifndef ONNX_EVAL_OVERFLOW_P_H
#define ONNX_EVAL_OVERFLOW_P_H

#include "onnx/eval/kernel_p.h"

/* Are the node's float inputs so large that a sum of their products could leave the range? Then
 * scales are wanted of the kernel. */
bool overflow__is_near(const struct kernel *k);

/* After the kernel has run, where overflow__is_near was true: marks what may have left it. */
void overflow__mark(struct kernel *k, uint32_t o);

#endif
