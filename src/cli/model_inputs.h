/* Inputs of a model on the command line: --input DIR in any of its layouts, or made from the seed.
 */
#ifndef CLI_MODEL_INPUTS_H
#define CLI_MODEL_INPUTS_H

#include "cli/settings.h"
#include "onnx/model.h"

/* --input: NAME.npy files, the node-test layout (input_0.pb ...), or a case folder's inputs.
 * Without it: values from the seed, unknown dims 2. */
bool model_inputs_find(const struct settings *s, const struct model *m, struct tensors *out,
                       struct err *e);

#endif
