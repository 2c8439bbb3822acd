"""Keras 3.15.1: keras.ops.meshgrid of a vector of bools and one of floats turns the floats into bools, and of integers and floats it raises (TensorFlow as backend).

The document: "Creates grids of coordinates from coordinate vectors." 0.5 and 1.5 become False and True. The symbolic results keep each vector's type.
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
    x, y = np.array([True, False]), np.array([0.5, 1.5], "float32")
    grids = [keras.ops.convert_to_numpy(g) for g in keras.ops.meshgrid(x, y)]
    print("the grid of 0.5 and 1.5 beside bools:", grids[1].tolist())
    wrong = not np.array_equal(grids[1], [[0.5, 0.5], [1.5, 1.5]])
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
