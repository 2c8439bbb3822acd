"""Keras 3.15.1: keras.ops.reciprocal gives every symbolic tensor the default type, float32.

compute_output_spec returns KerasTensor(x.shape) without a dtype. A float16 input, as in mixed precision, says float32 and computes float16.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import os
import sys

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
try:
    import keras
    import numpy as np
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def told(value):
    """Shape and dtype of each result."""
    return [(tuple(v.shape), keras.backend.standardize_dtype(v.dtype)) for v in keras.tree.flatten(value)]


def main():
    wrong = 0
    arrays = [np.ones((2, 3), "float16")]
    symbols = [keras.KerasTensor(a.shape, a.dtype.name) for a in arrays]
    for name in ("reciprocal",):
        function = getattr(keras.ops, name)
        symbolic, eager = told(function(*symbols)), told(function(*arrays))
        print(f"keras.ops.{name}: symbolic", *symbolic, "eager", *eager)
        wrong += symbolic != eager
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong > 0)


sys.exit(main())
