import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.kron(keras.KerasTensor((3,)), keras.KerasTensor((2, 3))))
