/* Facts of JAX: dtypes, and how a function over constants is written. */
#include "emit/emit_p.h"

static const struct emit_row rows[] = {
#define OP(name, ...) {#name, {__VA_ARGS__}},
#include "emit/jax.def"
#undef OP
};

const struct emit_framework emit__jax = {
    .name = "jax",
    .module = "jnp",
    .helpers = "emit/jax.py",
    .imports = "import jax\nimport jax.numpy as jnp\nimport numpy as np\nfrom jax import lax\n\n"
               "jax.config.update(\"jax_enable_x64\", True)\n",
    .dtypes = {[DTYPE_FLOAT] = "jnp.float32",
               [DTYPE_DOUBLE] = "jnp.float64",
               [DTYPE_FLOAT16] = "jnp.float16",
               [DTYPE_BFLOAT16] = "jnp.bfloat16",
               [DTYPE_INT8] = "jnp.int8",
               [DTYPE_INT16] = "jnp.int16",
               [DTYPE_INT32] = "jnp.int32",
               [DTYPE_INT64] = "jnp.int64",
               [DTYPE_UINT8] = "jnp.uint8",
               [DTYPE_UINT16] = "jnp.uint16",
               [DTYPE_UINT32] = "jnp.uint32",
               [DTYPE_UINT64] = "jnp.uint64",
               [DTYPE_BOOL] = "jnp.bool_"},
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .scalar = "jnp.array($V, $T)",
    .list = "jnp.array($V, $T)",
    .bytes = "jnp.array(np.frombuffer($V, $T))",
    .empty = "jnp.zeros($D, $T)",
    .head = "\n\n",
    .weight = "$N = $V\n",
    .use = "$N",
    .begin = "\n\ndef model($V):\n",
    .entry = "model",
    .indent = 4,
};
