"""Keras 3.15.1: keras.ops.image.sobel_edges of an image without edges gives edges along its border (JAX as backend).

The document: "Returns a tensor holding Sobel edge maps." A constant image has none: the backend pads with zeros, where TensorFlow (whose documented
function it is) and NumPy reflect the image.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import os
import sys

os.environ["KERAS_BACKEND"] = "jax"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
try:
    import keras
    import numpy as np
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def main():
    image = np.ones((1, 4, 4, 1), "float32")
    edges = np.asarray(keras.ops.convert_to_numpy(keras.ops.image.sobel_edges(image)))
    print(
        "edges of a constant image at its corner:",
        edges[0, 0, 0, 0],
        "inside:",
        edges[0, 1, 1, 0],
    )
    wrong = bool(np.abs(edges).max() > 1e-6)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
