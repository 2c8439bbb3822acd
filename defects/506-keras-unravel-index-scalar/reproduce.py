"""Keras 3.15.1: keras.ops.unravel_index of a scalar or a matrix of indices divides by the sizes in the wrong order (TensorFlow as backend).

The document's example: index 5 of shape (3, 3) is (1, 2). Index 5 of shape (2, 3) becomes (2, 1), which is outside.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import os
import sys

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
try:
    import keras
    import numpy as np
    import tensorflow  # noqa: F401
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def flat(value):
    """Numbers of a result that may be several arrays."""
    parts = value if isinstance(value, (list, tuple)) else [value]
    return [np.asarray(p) for p in parts]


def main():
    print('keras.ops.unravel_index(np.array(5), (2, 3))')
    try:
        got = flat(keras.ops.unravel_index(np.array(5), (2, 3)))
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = flat(np.unravel_index(np.array(5), (2, 3)))
    print("got     ", *got)
    print("expected", *expected)
    same = len(got) == len(expected) and all(
        g.shape == e.shape and np.allclose(g, e, rtol=1e-4, atol=1e-30, equal_nan=True) for g, e in zip(got, expected)
    )
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
