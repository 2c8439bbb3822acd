"""Keras 3.15.1: the bit-wise operations of keras.ops give symbolic tensors the shape of the first one and do not broadcast.

compute_output_spec returns x.shape in seven classes. A model of inputs (3,) and (2, 3) says (3,), and computes (2, 3), as NumPy does.
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
    arrays = [np.ones(3, "int32"), np.ones((2, 3), "int32")]
    symbols = [keras.KerasTensor(a.shape, a.dtype.name) for a in arrays]
    symbolic, eager = told(keras.ops.bitwise_and(*symbols)), told(keras.ops.bitwise_and(*arrays))
    print("keras.ops.bitwise_and of shapes", *(a.shape for a in arrays))
    print("symbolic", *symbolic)
    print("eager   ", *eager)
    print("the bug is not there" if symbolic == eager else "the bug is there")
    return int(symbolic != eager)


sys.exit(main())
