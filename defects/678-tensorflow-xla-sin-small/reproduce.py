"""TensorFlow 2.21.0: tf.math.sin of a complex number with a small imaginary part loses that part under jit_compile: it is off by 19 % at 1e-07 and 0 below 3e-08.

sin(x + iy) = sin x cosh y + i cos x sinh y, and sinh y is y there, as it is without jit_compile; it is computed as half of exp(y) - exp(-y).
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
    print("tf.function(tf.math.sin, jit_compile=True)(tf.constant([0.5 + 1e-7j, 0.5 + 1e-10j], tf.complex64))")
    try:
        got = np.asarray(tf.function(tf.math.sin, jit_compile=True)(tf.constant([0.5 + 1e-7j, 0.5 + 1e-10j], tf.complex64)))
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = np.sin(np.array([0.5 + 1e-7j, 0.5 + 1e-10j]))
    print("got     ", got)
    print("expected", expected)
    same = np.allclose(got.real, expected.real, rtol=1e-3, atol=0) and np.allclose(
        got.imag, expected.imag, rtol=1e-3, atol=0
    )
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
