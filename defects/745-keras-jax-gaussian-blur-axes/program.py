import os

os.environ["KERAS_BACKEND"] = "jax"
import keras
import numpy as np

image = np.zeros((1, 3, 3, 1), "float32")
image[0, :, 1] = 1
print(
    keras.ops.image.gaussian_blur(image)[0, 1, :, 0],
    keras.ops.image.gaussian_blur(image, data_format="channels_last")[0, 1, :, 0],
)
