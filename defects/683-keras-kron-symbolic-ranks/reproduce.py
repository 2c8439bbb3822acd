"""Keras 3.15.1: keras.ops.kron of symbolic tensors of different ranks loses dimensions.

compute_output_spec multiplies the shapes pairwise from the left and stops at the shorter one: (3,) and (2, 3) give (6,). The arrays give (2, 9), as in NumPy.
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
    arrays = [np.ones(3, "float32"), np.ones((2, 3), "float32")]
    symbols = [keras.KerasTensor(a.shape, a.dtype.name) for a in arrays]
    symbolic, eager = told(keras.ops.kron(*symbols)), told(keras.ops.kron(*arrays))
    print("keras.ops.kron of shapes", *(a.shape for a in arrays))
    print("symbolic", *symbolic)
    print("eager   ", *eager)
    print("the bug is not there" if symbolic == eager else "the bug is there")
    return int(symbolic != eager)


sys.exit(main())
