"""TensorFlow 2.21.0: The gradient of tf.math.cumprod (so of keras.ops.cumprod) is 0 at an element that is 0.

The sum of the products is a + ab + abc; its derivative by b is a + ac = 8. The gradient divides by x, with 0 for what is divided by 0.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
try:
    import tensorflow as tf
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def main():
    x = tf.Variable([2.0, 0.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.math.cumprod(x))
    got = tape.gradient(y, x).numpy().tolist()
    print("got", got, "expected", [1.0, 8.0, 0.0])
    wrong = got != [1.0, 8.0, 0.0]
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
