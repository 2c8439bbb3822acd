"""Keras 3.15.1: keras.ops.multi_hot gives symbolic tensors the integer type of the indices, not the documented default.

"dtype: (optional) The data type of the resulting tensor. Default is backend's float type." compute_output_spec returns the dtype of the input and reads neither the default nor the argument.
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
    arrays = [np.array([[0, 2]], "int32")]
    symbols = [keras.KerasTensor(a.shape, a.dtype.name) for a in arrays]
    for name in ("multi_hot",):
        function = getattr(keras.ops, name)
        symbolic, eager = told(function(*symbols, num_classes=4)), told(function(*arrays, num_classes=4))
        print(f"keras.ops.{name}: symbolic", *symbolic, "eager", *eager)
        wrong += symbolic != eager
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong > 0)


sys.exit(main())
