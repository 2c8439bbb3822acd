"""TensorFlow 2.21.0: tf.math.sin and tf.math.cos of a complex number with a large or infinite imaginary part have a NaN or an infinity too many under jit_compile: sin of an infinite imaginary number is nan + inf j.

sin(iy) = i sinh(y): the real part is 0, as it is without jit_compile; the document says that jit_compile compiles the same function.
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
    print("tf.function(tf.math.sin, jit_compile=True)(tf.constant([complex(0, float('inf')), 89j], tf.complex64))")
    try:
        got = np.asarray(tf.function(tf.math.sin, jit_compile=True)(tf.constant([complex(0, float('inf')), 89j], tf.complex64)))
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = np.array([complex(0, np.inf), complex(0, np.sinh(89))], np.complex64)
    print("got     ", got)
    print("expected", expected)
    same = np.allclose(got.real, expected.real, rtol=1e-3, atol=0) and np.allclose(
        got.imag, expected.imag, rtol=1e-3, atol=0
    )
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
