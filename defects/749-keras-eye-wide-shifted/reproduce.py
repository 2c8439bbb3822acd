"""Keras 3.15.1: keras.ops.eye of more columns than rows with the diagonal shifted by k has another shape than asked for (TensorFlow as backend): eye(2, 5, k=2) is 3 by 6.

The document: "Return a 2-D tensor with ones on the diagonal and zeros elsewhere", of N rows and M columns. The backend makes the diagonal min(M - k,
N + k) long, 3 here, where there are two rows.
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
    result = keras.ops.convert_to_numpy(keras.ops.eye(2, 5, k=2))
    print("keras.ops.eye(2, 5, k=2) has the shape", result.shape)
    wrong = result.shape != (2, 5)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
