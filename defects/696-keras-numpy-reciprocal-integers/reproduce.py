"""Keras 3.15.1: On NumPy keras.ops.reciprocal truncates the results of integers.

"Calculates 1/x." numpy.reciprocal keeps the integer type, so of [1, 2, 4] it gives [1, 0, 0].
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import os
import sys

os.environ["KERAS_BACKEND"] = "numpy"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
try:
    import keras
    import numpy as np
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def main():
    given = np.array([1, 2, 4], "int32")
    result = keras.ops.reciprocal(given)
    print("keras.ops.reciprocal of", given, "is", result, result.dtype)
    wrong = not np.allclose(result, 1 / given)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
