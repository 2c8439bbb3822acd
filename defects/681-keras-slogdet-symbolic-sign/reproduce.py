"""Keras 3.15.1: keras.ops.slogdet gives the sign of a batch of symbolic matrices the shape ().

compute_output_spec makes the sign a scalar whatever the batch is. Of matrices (2, 3, 3) both results have the shape (2,), as in NumPy.
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
    arrays = [np.stack([np.eye(3) * k for k in (4, 5)]).astype("float32")]
    symbols = [keras.KerasTensor(a.shape, a.dtype.name) for a in arrays]
    symbolic, eager = told(keras.ops.slogdet(*symbols)), told(keras.ops.slogdet(*arrays))
    print("keras.ops.slogdet of shapes", *(a.shape for a in arrays))
    print("symbolic", *symbolic)
    print("eager   ", *eager)
    print("the bug is not there" if symbolic == eager else "the bug is there")
    return int(symbolic != eager)


sys.exit(main())
