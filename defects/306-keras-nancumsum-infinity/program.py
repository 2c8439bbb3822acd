import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.nancumsum(np.array([np.inf, 1.0])))
