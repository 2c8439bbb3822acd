"""Keras 3.15.1: keras.ops.layer_normalization and rms_normalization of integers cut the normalised values to integers: [-1, 0, 1] for [-1.07, -0.27, 1.34].

The document: scales the values to mean 0 and variance 1, and returns the normalised array; keras.ops.normalize promotes integers to floats.
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
    print('keras.ops.layer_normalization(np.array([[1, 2, 4]]))')
    try:
        got = flat(keras.ops.layer_normalization(np.array([[1, 2, 4]])))
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = [np.asarray(np.array([[-1.0690441, -0.26726103, 1.3363053]]))]
    print("got     ", *got)
    print("expected", *expected)
    same = all(
        g.shape == e.shape and np.allclose(g, e, rtol=1e-4, atol=1e-30, equal_nan=True)
        for g, e in zip(got, expected)
    )
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
