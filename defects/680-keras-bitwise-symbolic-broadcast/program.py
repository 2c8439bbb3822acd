import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.bitwise_and(keras.KerasTensor((3,), "int32"), keras.KerasTensor((2, 3), "int32")))
