"""Keras 3.15.1: keras.ops.lu_factor of a batch fails with TensorFlow as backend.

The document takes (..., M, M). The backend gives the pivots of the whole batch to tf.math.invert_permutation, which takes a vector.
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


def main():
    matrices = np.stack([np.eye(3) * k + 1 for k in (4, 5)]).astype("float32")
    expected = np.stack([np.asarray(keras.ops.lu_factor(m)[0]) for m in matrices])
    try:
        got = np.asarray(keras.ops.lu_factor(matrices)[0])
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    print("got     ", got.tolist())
    print("expected", expected.tolist())
    same = got.shape == expected.shape and np.allclose(got, expected, rtol=1e-3, atol=1e-5)
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
