"""Keras 3.15.1: keras.ops.isclose says that an infinity is not close to itself, and that 1 is close to an infinity (TensorFlow as backend).

The document: whether two tensors are element-wise almost equal; the difference of two infinities is NaN and the tolerance of an infinity is infinite.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["KERAS_BACKEND"] = "tensorflow"
try:
    import keras
    import numpy as np
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def main():
    print("keras.ops.isclose(keras.ops.convert_to_tensor([float('inf'), 1.0]), keras.ops.convert_to_tensor([float('inf'), float('inf')]))")
    try:
        got = np.asarray(keras.ops.isclose(keras.ops.convert_to_tensor([float('inf'), 1.0]), keras.ops.convert_to_tensor([float('inf'), float('inf')])))
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = np.array([True, False])
    print("got     ", got)
    print("expected", expected)
    same = np.array_equal(got, expected)
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
