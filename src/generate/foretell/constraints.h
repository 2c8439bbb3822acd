/*
 * The predictor out of the schema of an ONNX operator, as records keep it, one line each:
 *
 *     input X: T Single          output Y: T Single
 *     attribute axis: INT=1      type T: tensor(float), tensor(double)
 *
 * It abstains unless the working seed keeps to the schema.
 */
#ifndef GENERATE_FORETELL_CONSTRAINTS_H
#define GENERATE_FORETELL_CONSTRAINTS_H

#include "generate/foretell/predict.h"

void predict__constraints(const struct situation *s, struct prediction *out);

#endif
