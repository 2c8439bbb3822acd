import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.correlate(np.complex64([1 + 2j, 1j, 2]), np.complex64([1j, 2]), mode="valid"))
