"""Keras 3.15.1: keras.ops.psnr gives every symbolic tensor the default type, float32.

compute_output_spec returns KerasTensor(shape=()) without a dtype. Float16 inputs say float32 and compute float16.
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
    arrays = [np.ones((2, 3), "float16"), np.zeros((2, 3), "float16")]
    symbols = [keras.KerasTensor(a.shape, a.dtype.name) for a in arrays]
    for name in ("psnr",):
        function = getattr(keras.ops, name)
        symbolic, eager = told(function(*symbols, max_val=1.0)), told(function(*arrays, max_val=1.0))
        print(f"keras.ops.{name}: symbolic", *symbolic, "eager", *eager)
        wrong += symbolic != eager
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong > 0)


sys.exit(main())
