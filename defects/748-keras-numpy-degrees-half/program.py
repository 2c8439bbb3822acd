import os

os.environ["KERAS_BACKEND"] = "numpy"
import keras
import numpy as np

print(keras.ops.rad2deg(np.array([3], "int8")))
