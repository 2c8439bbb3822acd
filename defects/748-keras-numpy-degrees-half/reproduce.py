"""Keras 3.15.1: On NumPy keras.ops.rad2deg and deg2rad of int8, uint8 and bool compute in half precision and call the result float32: 3 radians are 171.875 degrees.

The result is float32, so it is right to seven digits: 171.8873. The backend casts what NumPy computed in float16.
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
    result = keras.ops.rad2deg(np.array([3], "int8"))
    print("rad2deg of int8 3:", result, result.dtype)
    wrong = abs(float(result[0]) - 171.88733853924697) > 1e-3
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
