import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.polar(keras.KerasTensor((3,)), keras.KerasTensor((3,))))
