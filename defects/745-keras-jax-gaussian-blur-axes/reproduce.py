"""Keras 3.15.1: keras.ops.image.gaussian_blur blurs over batch and height instead of height and width, unless data_format is given (JAX as backend).

The document: data_format "will default to the image_data_format value found in your Keras config file", channels_last. The backend compares the
missing value with "channels_last".
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
    image = np.zeros((1, 3, 3, 1), "float32")
    image[0, :, 1] = 1
    blurred = keras.ops.convert_to_numpy(keras.ops.image.gaussian_blur(image))
    named = keras.ops.convert_to_numpy(
        keras.ops.image.gaussian_blur(image, data_format="channels_last")
    )
    print(
        "the middle row without data_format:",
        blurred[0, 1, :, 0],
        "with it:",
        named[0, 1, :, 0],
    )
    wrong = not np.allclose(blurred, named)
    print("the bug is there" if wrong else "the bug is not there")
    return int(wrong)


sys.exit(main())
