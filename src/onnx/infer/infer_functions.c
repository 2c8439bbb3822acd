/* The shape function of each operator: a column of ops.def, in the order of op_list. */
#include "onnx/infer/infer_p.h"

infer_function infer__function_of(const struct op *op)
{
    static const infer_function functions[] = {
#define OP(name, infer_fn, kernel_fn, exactness, rounding, parameters, certified) infer__##infer_fn,
#include "onnx/ops.def"
#undef OP
    };
    return functions[op->row];
}
