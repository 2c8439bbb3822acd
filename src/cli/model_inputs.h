/* Inputs of a model on the command line: --input DIR in any of its layouts, or made from the seed.
 */
#ifndef CLI_MODEL_INPUTS_H
#define CLI_MODEL_INPUTS_H

#include "cli/settings.h"
#include "onnx/model.h"

/* One set of inputs, or those of a node test or a case folder. */
struct input_sets {
    struct tensors *at;
    size_t n;
};

/* --input: NAME.npy files, a node test (test_data_set_0/input_0.pb ...) or one of its data sets, or
 * a case folder. Without it: values from the seed, with 2 for unknown dims. */
bool model_inputs_find(const struct settings *s, const struct model *m, struct input_sets *out,
                       struct err *e);

#endif
