"""Keras 3.15.1: keras.ops.linspace of an integer dtype cuts start and stop to integers before it spaces (TensorFlow as backend).

The document: "evenly spaced samples, calculated over the interval [start, stop]", and dtype is "the type of the output tensor". Steps of
large integers overflow for the same reason.
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
    got = keras.ops.convert_to_numpy(keras.ops.linspace(0.5, 2.5, 5, dtype="int32"))
    expected = np.linspace(0.5, 2.5, 5).astype("int32")
    print("got", got, "expected", expected)
    wrong = not np.array_equal(got, expected)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
