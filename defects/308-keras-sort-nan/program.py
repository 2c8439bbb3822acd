import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.sort(np.array([3.0, np.nan, 1.0, 2.0])))
