"""Keras 3.15.1: keras.ops.logaddexp2 of float64 has nine right digits.

The document: "Logarithm of the sum of exponentiations of the inputs in base-2"; log2(1 + 1) is 1. The logarithm of 2 is a float32 that is
cast to float64.
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
    x = keras.ops.array([0.0, 1.0], dtype="float64")
    got = keras.ops.convert_to_numpy(keras.ops.logaddexp2(x, x))
    print("got", got.tolist(), "expected", [1.0, 2.0])
    wrong = bool(np.abs(got - [1, 2]).max() > 1e-12)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
