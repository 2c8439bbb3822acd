/*
 * The checker: is the model valid by the standard's text? The error is the first reason found and
 * names node and value. Checked are arity, attributes (known, typed, required), opset ranges,
 * deprecated operators, type constraints with consistent type parameters, subgraph signatures,
 * duplicate names of values and nodes, and the order of nodes in the file. infer.h checks shapes.
 */
#ifndef ONNX_CHECK_H
#define ONNX_CHECK_H

#include "onnx/model.h"

bool check_model(const struct model *m,
                 struct err *e); /* ERR_DATA, or ERR_UNSUPPORTED for what we cannot judge */

#endif
