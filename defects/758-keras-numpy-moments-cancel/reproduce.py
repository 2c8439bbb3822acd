"""Keras 3.15.1: On NumPy keras.ops.moments (so layer_normalization) takes the variance as mean(x * x) - mean(x) ** 2 in float32.

The document: layer_normalization keeps the "standard deviation close to 1". The formula was taken out of the other backends as a defect
(keras#18795).
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
    x = np.array([5000.0, 5001.0, 5002.0], "float32")
    _, variance = keras.ops.moments(x, axes=0)
    expected = np.var(x.astype("float64"))
    print("got", float(variance), "expected", expected)
    wrong = bool(abs(float(variance) - expected) > 0.1)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
