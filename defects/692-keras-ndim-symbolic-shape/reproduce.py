"""Keras 3.15.1: keras.ops.ndim gives a symbolic tensor of as many elements as its argument has dimensions, in float32.

"Return the number of dimensions of a tensor." compute_output_spec returns KerasTensor([len(x.shape)]), which takes the number for a shape; of three dimensions it is a vector of three floats.
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
    array = np.ones((2, 3, 4), "float32")
    symbolic, eager = keras.ops.ndim(keras.KerasTensor(array.shape, "float32")), keras.ops.ndim(array)
    print("keras.ops.ndim of shape", array.shape, "symbolic", symbolic, "eager", eager)
    wrong = getattr(symbolic, "shape", ()) != ()
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
