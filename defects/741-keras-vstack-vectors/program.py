import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

x, y = np.array([1.0, 2.0, 3.0], "float32"), np.array([4.0, 5.0, 6.0], "float32")
print(keras.ops.vstack([x, y]).shape)
