"""TensorFlow 2.21.0: np.asarray of a tensor of rank 0 and dtype bfloat16 raises ValueError.

Tensors of rank 0 in float32 and float16, and of rank 1 in bfloat16, become arrays.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
try:
    import numpy as np
    import tensorflow as tf
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)

print("tensorflow", tf.__version__, "numpy", np.__version__)
for dtype in (tf.float32, tf.float16):
    print(dtype.name, repr(np.asarray(tf.reduce_mean(tf.constant([0.5, 1.5], dtype)))))
try:
    print("bfloat16", repr(np.asarray(tf.reduce_mean(tf.constant([0.5, 1.5], tf.bfloat16)))))
except ValueError as e:
    print("bfloat16 raises ValueError:", e)
    print("the bug is there")
    sys.exit(1)
print("as expected: bfloat16 becomes an array")
