/* The facts behind op.h, and the rules of types that checker, inference and evaluator share. */
#ifndef ONNX_OP_P_H
#define ONNX_OP_P_H

#include "onnx/op.h"

extern const struct op_fact op__facts[];
extern const size_t op__n_facts;

/* Known to us and to the standard at its opset, with the right number of inputs and outputs. */
bool op__check_node(const struct node *n, int opset, struct err *e);

/* Dtypes of a node's inputs or outputs against its fact: arity, allowed types, equal types where
 * one type parameter ("T") stands twice. DTYPE_UNDEFINED entries are left out (optional, or not
 * known). */
struct op_types {
    const enum dtype *inputs, *outputs;
    uint32_t n_inputs, n_outputs;
};
bool op__check_types(const struct op_fact *f, const struct op_types *t, struct err *e);

#endif
