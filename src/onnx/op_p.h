/* The table of facts, for op.c. */
#ifndef ONNX_OP_P_H
#define ONNX_OP_P_H

#include "onnx/op.h"

extern const struct op_fact op__facts[];
extern const size_t op__n_facts;

#endif
