import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras

print(keras.ops.imag(keras.KerasTensor((2,), "complex64")))
