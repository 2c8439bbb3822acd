"""TensorFlow 2.21.0: tf.math.erfinv (so keras.ops.erfinv) is wrong near 1.

The document: "the inverse error function". It is computed as ndtri((1 + x) / 2), and the sum rounds the distance to 1 away; in double five
digits are left at 1 - 1e-12.
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
    got = tf.math.erfinv(tf.constant([0.999999, 0.99999994])).numpy()
    print("got", got, "expected [3.4570747 3.8325069]")
    wrong = bool(abs(got[0] - 3.4570747) > 1e-3)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
