"""Keras 3.15.1: On NumPy keras.ops.view without a dtype reads the bytes as float64.

The function passes dtype=None to numpy.ndarray.view, which takes None for float64. The symbolic call and the other backends keep the type.
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
    array = np.arange(4, dtype="float32")
    same = keras.ops.view(array)
    print("keras.ops.view of", array, array.dtype, "is", same, same.dtype)
    wrong = same.dtype != array.dtype or not np.array_equal(same, array)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
