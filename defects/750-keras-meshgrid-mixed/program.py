import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

x, y = np.array([True, False]), np.array([0.5, 1.5], "float32")
print(keras.ops.meshgrid(x, y))
