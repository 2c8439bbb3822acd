"""Keras 3.15.1: The gradient of keras.ops.celu at 0 is 2 (TensorFlow as backend).

celu is continuously differentiable, with 1 on both sides of 0. maximum(x, 0) and minimum(x, 0) each hand on the whole gradient of a tie.
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
    x = tf.Variable([-1e-6, 0.0, 1e-6])
    with tf.GradientTape() as tape:
        y = keras.ops.celu(tf.convert_to_tensor(x))
    got = tape.gradient(y, x).numpy()
    print("got", got, "expected", [1.0, 1.0, 1.0])
    wrong = bool(abs(got[1] - 1) > 0.1)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
