"""Keras 3.15.1: keras.ops.matmul, dot, inner, vdot and einsum of int32 and int64 compute in float32: 16777217 times 1 is 16777216 (TensorFlow as backend).

The result has the integers' dtype, whose products are exact; keras.ops.multiply and tensordot are exact.
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
    print('keras.ops.matmul(np.array([[16777217]]), np.array([[1]]))')
    try:
        got = flat(keras.ops.matmul(np.array([[16777217]]), np.array([[1]])))
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = [np.asarray(np.array([[16777217]]))]
    print("got     ", *got)
    print("expected", *expected)
    same = all(
        g.shape == e.shape and np.allclose(g, e, rtol=0, atol=0, equal_nan=True)
        for g, e in zip(got, expected)
    )
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
