/*
 * The operator table. Two tables meet here, by op_type:
 *
 *   facts  op_facts.def, written by tools/make-ops from onnx.defs: what the standard says for each
 *          since_version: arity, attributes with type and default, type constraints
 *   rows   ops.def, written by hand, one line per operator: what assay knows: shape function,
 *          kernel, exactness class, rounding model, which inputs are parameters, certification
 *
 * An operator is supported when it has a row, which names both a shape function and a kernel; per
 * version, dtype and attribute the kernel may still refuse, with ERR_UNSUPPORTED and the reason.
 * The functions themselves are in tables of inference and evaluator (infer_functions.c, kernels.c),
 * so that a model can be read and built without them.
 */
#ifndef ONNX_OP_H
#define ONNX_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "onnx/model.h"

enum op_arity { OP_SINGLE, OP_OPTIONAL, OP_VARIADIC };

struct op_param_fact {
    const char *name;
    const char *type; /* "T", or a fixed type "tensor(int64)" */
    uint32_t dtypes;  /* set of dtype_bit: tensors allowed here */
    bool other_types; /* sequences, optionals or maps are allowed too */
    bool mixed_types; /* variadic: each may have a type of its own */
    uint8_t arity;    /* enum op_arity */
};

struct op_attr_fact {
    const char *name;
    uint8_t kind; /* enum attr_kind */
    bool required, has_default;
    int64_t default_i;
    float default_f;
    const char *default_s; /* of strings */
};

struct op_fact {
    const char *name, *domain;
    int since_version;
    bool deprecated, has_function_body;
    int min_inputs, max_inputs, min_outputs, max_outputs; /* max INT32_MAX: variadic */
    const struct op_param_fact *inputs, *outputs;
    int n_input_facts, n_output_facts; /* a variadic one has one entry, the last */
    const struct op_attr_fact *attrs;
    int n_attrs;
};

/* How results of the operator may differ from the reference's. */
enum op_exactness {
    OP_EXACT,   /* data movement, integer, bool: bit equality */
    OP_ROUNDED, /* floats: by its rounding model */
    OP_SWITCH,  /* has switches (Round, Cast to int, ArgMax): margins decide */
    OP_RANDOM   /* not comparable */
};

/* The rounding model: what s is in u|y| + u s + eta (the judge's reference oracle); kernels fill
 * value.noise_scale by it. */
enum op_rounding {
    OP_ROUND_NONE,  /* exact operators */
    OP_ROUND_PLAIN, /* s = 0: one rounding of the result */
    OP_ROUND_UNIT,  /* s = 1: Sigmoid, Softmax, Tanh, Erf, Softplus */
    OP_ROUND_SCALE, /* s = alpha gamma: Elu, Celu, Selu */
    OP_ROUND_INPUT, /* s = |x|: Gelu, SiLU, Mish, HardSwish */
    OP_ROUND_NORM,  /* s = |scale| max|x| / sqrt(var + eps) */
    OP_ROUND_SUM,   /* s = max(1, sqrt(K)/8) |a|2 |b|2 over K terms */
    OP_ROUND_SCAN   /* s = sqrt(K) |a|2 |b|2: sequential sums */
};

struct op {
    const char *name, *domain;
    size_t row; /* in op_list, and in the tables of shape functions and kernels */
    enum op_exactness exactness;
    enum op_rounding rounding;
    uint32_t
        parameter_inputs; /* bit i: input i is a parameter (shape, axes, scale ...), not data */
    bool certified; /* all its node tests pass and it was cross-checked on a second engine family */
};

const struct op *op_find(struct str domain, struct str name); /* NULL */
const struct op *op_list(size_t *n);                          /* sorted by name */
const struct op_fact *op_fact_find(struct str domain, struct str name,
                                   int opset); /* newest <= opset */
const struct op_fact *op_fact_list(size_t *n); /* sorted by domain, name, version */

/* The dtypes that its first input may have (without inputs: its first output), in its newest
 * version. */
uint32_t op_lead_dtypes(const struct op *op);

const struct op_attr_fact *op_fact_attr(const struct op_fact *f, const char *name); /* NULL */

/* The fact of the node's i-th input; from a variadic one on, that one. NULL: the operator has
 * fewer. */
const struct op_param_fact *op_fact_input(const struct op_fact *f, uint32_t i);
const struct op_param_fact *op_fact_output(const struct op_fact *f, uint32_t i);

/* The rules that checker, inference and evaluator share: */

/* Is the operator known to us and to the standard at this opset, and the number of inputs and
 * outputs right? */
bool op_check_node(const struct node *n, int opset, struct err *e);

/* Dtypes of a node's inputs and outputs, to be checked against its fact: arity, allowed types,
 * equal types where a type parameter ("T") occurs twice. DTYPE_UNDEFINED entries are not checked
 * (optional, or not known). */
struct op_types {
    const enum dtype *inputs, *outputs;
    uint32_t n_inputs, n_outputs;
};
bool op_check_types(const struct op_fact *f, const struct op_types *t, struct err *e);

#endif
