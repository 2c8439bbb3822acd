"""Keras 3.15.1: keras.ops.histogram of integers counts wrong: [1, 1, 1, 3] for [2, 1, 1, 2] (TensorFlow as backend).

The document: bins between the smallest and the largest element. The edges are cut to integers before the elements are sorted into bins.
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
    print('keras.ops.histogram(np.array([1, 2, 3, 4, 5, 6]), bins=4)[0]')
    try:
        got = flat(keras.ops.histogram(np.array([1, 2, 3, 4, 5, 6]), bins=4)[0])
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = flat(np.histogram(np.array([1, 2, 3, 4, 5, 6]), bins=4)[0])
    print("got     ", *got)
    print("expected", *expected)
    same = len(got) == len(expected) and all(
        g.shape == e.shape and np.allclose(g, e, rtol=1e-4, atol=1e-30, equal_nan=True) for g, e in zip(got, expected)
    )
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
