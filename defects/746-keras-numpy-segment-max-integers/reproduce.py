"""Keras 3.15.1: On NumPy keras.ops.segment_max and segment_min of integers give float64, and infinity for an empty segment.

A maximum of integers is one of them; the symbolic result of the same call has the integers' type. The backend begins with -inf, so 2**53 + 1 becomes
2**53.
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
    data, ids = np.array([2**53 + 1, 5, 2], "int64"), np.array([0, 0, 1], "int32")
    result = keras.ops.segment_max(data, ids, 2)
    print("segment_max of int64:", result, result.dtype)
    wrong = result.dtype.kind != "i" or int(result[0]) != 2**53 + 1
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
