"""TensorFlow 2.21.0: The gradient of tf.nn.weighted_cross_entropy_with_logits at a logit of 0 is off by one half.

The function is smooth; by the document it is sigmoid_cross_entropy_with_logits where pos_weight is 1. Its form adds abs and relu, whose
gradients at 0 are both taken as 0.
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
    x = tf.Variable([-1e-6, 0.0, 1e-6])
    with tf.GradientTape(persistent=True) as tape:
        weighted = tf.nn.weighted_cross_entropy_with_logits(tf.zeros(3), x, pos_weight=1.0)
        plain = tf.nn.sigmoid_cross_entropy_with_logits(tf.zeros(3), x)
    got, expected = tape.gradient(weighted, x).numpy(), tape.gradient(plain, x).numpy()
    print("got", got, "expected", expected)
    wrong = bool(abs(got - expected).max() > 0.1)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
