/*
 * The checker: is the model valid by the standard's text? First reason found, with node and value
 * named. Arity, attributes (known, typed, required), opset ranges, deprecated operators, type
 * constraints with consistent type parameters, subgraph signatures, duplicate names of values and
 * nodes, the order of nodes in the file. Shapes are
 * infer.h's business.
 */
#ifndef ONNX_CHECK_H
#define ONNX_CHECK_H

#include "onnx/model.h"

bool check_model(const struct model *m,
                 struct err *e); /* ERR_DATA, or ERR_UNSUPPORTED for what we cannot judge */

#endif
