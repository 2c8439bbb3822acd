"""TensorFlow 2.21.0: tf.nn.gelu of float64 has eight right digits: 1 / sqrt(2) goes through float32 on its way to float64.

The document of tf.nn.gelu: gelu(x) = x * P(X <= x) where P(X) ~ N(0, 1); float64 carries sixteen digits.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import math
import sys

try:
    import tensorflow as tf
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)

x = tf.constant(1.0, tf.float64)
wanted = 0.5 * math.erfc(-math.sqrt(0.5))
by_parts = float(0.5 * x * tf.math.erfc(-x * tf.constant(math.sqrt(0.5), tf.float64)))
got = float(tf.nn.gelu(x))
print("tensorflow", tf.__version__)
print("expected     ", wanted)
print("by its parts ", by_parts)
print("tf.nn.gelu   ", got)
if abs(by_parts - wanted) > 1e-14:
    sys.exit(2)
wrong = abs(got - wanted) > 1e-12
print("the bug is there" if wrong else "the bug is not there")
sys.exit(1 if wrong else 0)
