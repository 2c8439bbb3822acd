/* Facts of TensorFlow: dtypes, and how a function over constants is written. */
#include "emit/emit_p.h"

static const struct emit_row rows[] = {
#define OP(name, ...) {#name, {__VA_ARGS__}},
#include "emit/tensorflow.def"
#undef OP
};

const struct emit_framework emit__tensorflow = {
    .name = "tensorflow",
    .module = "np",
    .helpers = "emit/tensorflow.py",
    .imports = "import numpy as np\nimport tensorflow as tf\n",
    .dtypes = {[DTYPE_FLOAT] = "tf.float32",
               [DTYPE_DOUBLE] = "tf.float64",
               [DTYPE_FLOAT16] = "tf.float16",
               [DTYPE_BFLOAT16] = "tf.bfloat16",
               [DTYPE_INT8] = "tf.int8",
               [DTYPE_INT16] = "tf.int16",
               [DTYPE_INT32] = "tf.int32",
               [DTYPE_INT64] = "tf.int64",
               [DTYPE_UINT8] = "tf.uint8",
               [DTYPE_UINT16] = "tf.uint16",
               [DTYPE_UINT32] = "tf.uint32",
               [DTYPE_UINT64] = "tf.uint64",
               [DTYPE_BOOL] = "tf.bool"},
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .scalar = "tf.constant($V, $T)",
    .list = "tf.constant($V, $T, $D)",
    .bytes = "tf.constant(np.frombuffer($V, $T.as_numpy_dtype), $T, $D)",
    .empty = "tf.zeros($D, $T)",
    .head = "\n\n",
    .weight = "$N = $V\n",
    .use = "$N",
    .begin = "\n\ndef model($V):\n",
    .entry = "model",
    .indent = 4,
};
