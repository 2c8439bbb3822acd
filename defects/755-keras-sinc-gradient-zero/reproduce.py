"""Keras 3.15.1: The gradient of keras.ops.sinc at 0 is NaN (TensorFlow as backend; tf.experimental.numpy.sinc alike).

sinc is smooth, its derivative at 0 is 0. The branch that where does not take divides by 0, and 0 times its infinite gradient is NaN.
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
    x = tf.Variable([-1e-3, 0.0, 1e-3])
    with tf.GradientTape() as tape:
        y = keras.ops.sinc(tf.convert_to_tensor(x))
    got = tape.gradient(y, x).numpy()
    print("got", got, "expected 0 in the middle")
    wrong = not abs(got[1]) < 1e-3
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
