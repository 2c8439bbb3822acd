"""Keras 3.15.1: keras.ops.argpartition of a matrix with k=0 returns rows that are no permutation (one index twice), with a larger k it raises (TensorFlow as backend).

The document: partitions along the given axis, the last by default; the mask of the smallest elements is summed over the rows.
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

X = np.array([[3, 1, 2], [6, 5, 4]])


def flat(value):
    """Numbers of a result that may be several arrays."""
    parts = value if isinstance(value, (list, tuple)) else [value]
    return [np.asarray(p) for p in parts]


def main():
    print('np.sort(keras.ops.argpartition(X, 0), axis=1)')
    try:
        got = flat(np.sort(keras.ops.argpartition(X, 0), axis=1))
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = [np.asarray([[0, 1, 2], [0, 1, 2]])]
    print("got     ", *got)
    print("expected", *expected)
    same = all(
        g.shape == e.shape and np.allclose(g, e, rtol=1e-4, atol=1e-30, equal_nan=True)
        for g, e in zip(got, expected)
    )
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
