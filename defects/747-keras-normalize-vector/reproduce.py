"""Keras 3.15.1: keras.utils.normalize of a NumPy vector gives a matrix of one row; so on NumPy the cosine similarity of two vectors has a dimension too many.

The document: "A normalized copy of the array." The norm of a vector gets two dimensions, so that dividing broadcasts.
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
    x = np.array([3.0, 4.0], "float32")
    result = keras.utils.normalize(x)
    print("keras.utils.normalize of a vector of 2 has the shape", result.shape)
    wrong = result.shape != (2,)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
