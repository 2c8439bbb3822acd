/* The kernel of each operator: a column of ops.def, in the order of op_list. */
#include "onnx/eval/kernel_p.h"

kernel_function kernel__of(const struct op *op)
{
    static const kernel_function kernels[] = {
#define OP(name, infer_fn, kernel_fn, exactness, rounding, parameters, certified)                  \
    kernel__##kernel_fn,
#include "onnx/ops.def"
#undef OP
    };
    return kernels[op->row];
}
