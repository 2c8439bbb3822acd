"""Keras 3.15.1: On NumPy keras.ops.leaky_relu and keras.activations.relu with a negative slope above 1 scale the positive numbers instead of the negative ones.

The document: f(x) = negative_slope * x for x < 0, and x for x >= 0. The backend takes the larger of x and negative_slope * x.
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
    x = np.array([-1.0, 2.0], "float32")
    result = keras.ops.leaky_relu(x, negative_slope=2.0)
    print("leaky_relu of -1 and 2 with a slope of 2:", result)
    wrong = not np.allclose(result, [-2.0, 2.0])
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
