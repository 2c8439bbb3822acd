"""Keras 3.15.1: keras.ops.moments of integers rounds mean and variance to integers (TensorFlow as backend): the mean of 5, 7 and 8 is 6, their variance 2.

The document: "Calculates the mean and variance of x." The mean is 6.67 and the variance 1.56.
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
    x = keras.ops.convert_to_tensor(np.array([5, 7, 8], "int32"))
    mean, variance = (float(v) for v in keras.ops.moments(x, [0]))
    print("mean and variance of 5, 7, 8:", mean, variance)
    wrong = abs(mean - 20 / 3) > 1e-3 or abs(variance - 14 / 9) > 1e-3
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
