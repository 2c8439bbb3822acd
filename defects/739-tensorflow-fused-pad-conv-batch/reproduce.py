"""TensorFlow 2.21.0: tf.raw_ops.FusedPadConv2D gives each example of a batch the result of the first.

The document: a padding as a preprocess during a convolution; padding, then tf.nn.conv2d, gives 1, 2, 3.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
try:
    import numpy as np
    import tensorflow as tf
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def main():
    x = tf.reshape(tf.constant([1.0, 2.0, 3.0]), (3, 1, 1, 1))
    w = tf.ones((1, 1, 1, 1))
    got = tf.raw_ops.FusedPadConv2D(
        input=x, paddings=[[0, 0]] * 4, filter=w, mode="REFLECT", strides=[1, 1, 1, 1], padding="VALID"
    )
    expected = tf.nn.conv2d(x, w, strides=1, padding="VALID")
    print("got     ", np.reshape(got, -1))
    print("expected", np.reshape(expected, -1))
    same = np.array_equal(got, expected)
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
