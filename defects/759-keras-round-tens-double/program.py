import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras

print(keras.ops.round(keras.ops.array([1234.0, 25.0], dtype="float64"), -1))
