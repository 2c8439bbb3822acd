"""Keras 3.15.1: keras.ops.vstack of vectors puts them behind each other (TensorFlow as backend): two vectors of 3 give one of 6, not a matrix of 2 rows.

The document: "Stack tensors in sequence vertically (row wise)." The backend concatenates along axis 0, which for vectors has no rows.
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
    x, y = np.array([1.0, 2.0, 3.0], "float32"), np.array([4.0, 5.0, 6.0], "float32")
    result = keras.ops.convert_to_numpy(keras.ops.vstack([x, y]))
    print("keras.ops.vstack of two vectors of 3 has the shape", result.shape)
    wrong = result.shape != (2, 3)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
