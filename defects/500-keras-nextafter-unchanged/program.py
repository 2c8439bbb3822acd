import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.nextafter(np.float32(1), np.float32(2)) == np.nextafter(np.float32(1), np.float32(2)))
