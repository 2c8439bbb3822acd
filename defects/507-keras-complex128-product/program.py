import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.multiply(np.complex128([1 + 1e-9]), np.complex128([1])) - 1)
