"""Keras 3.15.1: keras.ops.searchsorted refuses values of more than one dim (TensorFlow as backend).

The document: values is an "N-D tensor of query insertion values"; returns indices "of same shape as values".
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import os
import sys

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
try:
    import keras
    import tensorflow as tf
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def main():
    values = keras.ops.array([[3, 6], [0, 4]])
    try:
        got = keras.ops.convert_to_numpy(keras.ops.searchsorted(keras.ops.array([1, 3, 5]), values)).tolist()
    except tf.errors.InvalidArgumentError as e:
        got = str(e)
    print("got", got, "expected", [[1, 3], [0, 2]])
    wrong = got != [[1, 3], [0, 2]]
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
