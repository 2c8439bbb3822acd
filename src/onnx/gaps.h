/*
 * Gaps of the standard: models whose meaning its text leaves open, or whose meaning differs between
 * its versions, such as pool windows that start in the padding under ceil_mode, and output_padding
 * of a stride or more. A difference between engines on such a model is no defect of either.
 */
#ifndef ONNX_GAPS_H
#define ONNX_GAPS_H

#include "onnx/model.h"

/* Has a node of the top graph a meaning that the text leaves open? Shapes and dtypes must have been
 * inferred; what is not known counts as open where it decides. */
bool model_has_gap(const struct model *m);

#endif
