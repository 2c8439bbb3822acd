import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras

print(keras.ops.linspace(0.5, 2.5, 5, dtype="int32"))
