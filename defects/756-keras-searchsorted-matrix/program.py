import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras

print(keras.ops.searchsorted(keras.ops.array([1, 3, 5]), keras.ops.array([[3, 6], [0, 4]])))
