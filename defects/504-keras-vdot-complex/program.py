import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.vdot(np.complex64([1 + 2j]), np.complex64([3 + 1j])))
