"""Keras 3.15.1: The real functions of complex numbers in keras.ops give symbolic tensors the complex type of their argument.

compute_output_spec keeps x.dtype. A model with a complex64 input says complex64 for real, imag, abs, absolute and angle, and computes float32.
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
    arrays = [np.array([1 + 2j, 3 - 1j], "complex64")]
    symbols = [keras.KerasTensor(a.shape, a.dtype.name) for a in arrays]
    for name in ("real", "imag", "abs", "absolute", "angle"):
        function = getattr(keras.ops, name)
        symbolic, eager = told(function(*symbols)), told(function(*arrays))
        print(f"keras.ops.{name}: symbolic", *symbolic, "eager", *eager)
        wrong += symbolic != eager
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong > 0)


sys.exit(main())
