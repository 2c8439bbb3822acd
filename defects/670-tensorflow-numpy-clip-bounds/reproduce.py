"""TensorFlow 2.21.0: tf.experimental.numpy.clip with a lower bound above the upper one returns the lower one.

The document: TensorFlow variant of NumPy's clip, which documents minimum(a_max, maximum(a, a_min)): the upper one.
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
    print('tf.experimental.numpy.clip(tf.constant([0.0, 1.0, 5.0]), 3.0, 2.0)')
    try:
        got = flat(tf.experimental.numpy.clip(tf.constant([0.0, 1.0, 5.0]), 3.0, 2.0))
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = [np.asarray(np.clip(np.array([0, 1, 5], np.float32), 3.0, 2.0))]
    print("got     ", *got)
    print("expected", *expected)
    same = all(
        g.shape == e.shape and np.allclose(g, e, rtol=1e-4, atol=1e-30, equal_nan=True)
        for g, e in zip(got, expected)
    )
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
