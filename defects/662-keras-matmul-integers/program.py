import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.matmul(np.array([[16777217]]), np.array([[1]])))
