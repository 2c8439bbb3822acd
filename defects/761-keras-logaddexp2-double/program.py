import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras

x = keras.ops.array([0.0, 1.0], dtype="float64")
print(keras.ops.logaddexp2(x, x))
