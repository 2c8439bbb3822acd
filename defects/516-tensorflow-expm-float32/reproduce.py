"""TensorFlow 2.21.0: tf.linalg.expm of a float32 matrix with a norm between 4 and 8 is off by 7.6e-05, a thousand roundings.

The document names Higham's method, which scales by the next power of two; here the exponent is rounded down, so that the approximation is used outside its domain.
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


def flat(value):
    """Numbers of a result that may be several arrays."""
    parts = value if isinstance(value, (list, tuple)) else [value]
    return [np.asarray(p) for p in parts]


def main():
    print('tf.linalg.expm(tf.constant([[4, 1, 0, 0], [1, 3, 1, 0], [0, 1, 5, 1], [0, 0, 1, 2]], tf.float32))')
    try:
        got = flat(tf.linalg.expm(tf.constant([[4, 1, 0, 0], [1, 3, 1, 0], [0, 1, 5, 1], [0, 0, 1, 2]], tf.float32)))
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = flat((lambda w, v: (v * np.exp(w)) @ v.T)(*np.linalg.eigh(np.float64([[4, 1, 0, 0], [1, 3, 1, 0], [0, 1, 5, 1], [0, 0, 1, 2]]))))
    print("got     ", *got)
    print("expected", *expected)
    same = len(got) == len(expected) and all(
        g.shape == e.shape and np.allclose(g, e, rtol=2e-6, atol=0 + 2e-6 * np.max(np.abs(e)), equal_nan=True) for g, e in zip(got, expected)
    )
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
