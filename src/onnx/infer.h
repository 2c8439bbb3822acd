/*
 * Shape inference: dtype and shape of every value, with symbolic dims, and small integer values
 * folded where shapes are computed (Shape, Gather, Concat, Slice, arithmetic), so that Reshape of a
 * computed target is known.
 *
 * Declared output shapes are only compared with what is inferred: a contradiction is an error.
 */
#ifndef ONNX_INFER_H
#define ONNX_INFER_H

#include "onnx/model.h"

/* Fills graph_value.dtype and .shape of the model's values (all subgraphs too). ERR_DATA: the model
 * is invalid (node, reason); ERR_UNSUPPORTED: an operator without a shape function. */
bool infer_model(struct model *m, struct err *e);

/* As infer_model, but only from the node `first_node` on: earlier ones are up to date. */
bool infer_model_from(struct model *m, uint32_t first_node, struct err *e);

#endif
