/* Facts of PyTorch: dtypes, and how a module with buffers is written. */
#include "emit/emit_p.h"

static const struct emit_row rows[] = {
#define OP(name, ...) {#name, {__VA_ARGS__}},
#include "emit/torch.def"
#undef OP
};

const struct emit_framework emit__torch = {
    .name = "torch",
    .module = "torch",
    .helpers = "emit/torch.py",
    .imports = "import torch\nimport torch.nn.functional as F\n",
    .dtypes = {[DTYPE_FLOAT] = "torch.float32",
               [DTYPE_DOUBLE] = "torch.float64",
               [DTYPE_FLOAT16] = "torch.float16",
               [DTYPE_BFLOAT16] = "torch.bfloat16",
               [DTYPE_INT8] = "torch.int8",
               [DTYPE_INT16] = "torch.int16",
               [DTYPE_INT32] = "torch.int32",
               [DTYPE_INT64] = "torch.int64",
               [DTYPE_UINT8] = "torch.uint8",
               [DTYPE_UINT16] = "torch.uint16",
               [DTYPE_UINT32] = "torch.uint32",
               [DTYPE_UINT64] = "torch.uint64",
               [DTYPE_BOOL] = "torch.bool",
               [DTYPE_COMPLEX64] = "torch.complex64",
               [DTYPE_COMPLEX128] = "torch.complex128",
               [DTYPE_FLOAT8E4M3FN] = "torch.float8_e4m3fn",
               [DTYPE_FLOAT8E4M3FNUZ] = "torch.float8_e4m3fnuz",
               [DTYPE_FLOAT8E5M2] = "torch.float8_e5m2",
               [DTYPE_FLOAT8E5M2FNUZ] = "torch.float8_e5m2fnuz"},
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .scalar = "torch.tensor($V, dtype=$T)",
    .list = "torch.tensor($V, dtype=$T)",
    .bytes = "torch.frombuffer(bytearray($V), dtype=$T)",
    .empty = "torch.zeros($D, dtype=$T)",
    .to_list = "$V.tolist()",
    .as_bool = "bool($V)",
    .stack = "torch.stack($V)",
    .head = "\n\nclass Model(torch.nn.Module):\n"
            "    def __init__(self):\n"
            "        super().__init__()\n",
    .weight = "        self.register_buffer(\"$N\", $V)\n",
    .use = "self.$N",
    .begin = "\n    def forward(self, $V):\n",
    .entry = "Model",
    .indent = 8,
};
