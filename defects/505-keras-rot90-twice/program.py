import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.rot90(np.arange(6.0).reshape(2, 3), k=2))
