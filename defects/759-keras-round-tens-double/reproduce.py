"""Keras 3.15.1: keras.ops.round of float64 to tens gives 1229.99998 for 1230, and 29.9999996 for 25 (TensorFlow as backend).

The document: "Evenly round to the given number of decimals." The factor 0.1 becomes a float32 before it becomes a float64.
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
    x = keras.ops.array([1234.0, 25.0], dtype="float64")
    got = keras.ops.convert_to_numpy(keras.ops.round(x, -1))
    print("got", got.tolist(), "expected", [1230.0, 20.0])
    wrong = not np.array_equal(got, [1230.0, 20.0])
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
