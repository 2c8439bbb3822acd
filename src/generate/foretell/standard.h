/*
 * What the standard says of an ONNX model of one node, by our checker and shape inference: it
 * raises, or its outputs have these types and shapes.
 */
#ifndef GENERATE_FORETELL_STANDARD_H
#define GENERATE_FORETELL_STANDARD_H

#include "generate/foretell/api_call.h"

/* hex: the model's bytes. ABSTAINS: an operator without a shape function, or a shape that is not
 * known. Texts of *out live in the arena. */
void standard_outcome(struct str hex, struct arena *a, struct call_outcome *out);

#endif
