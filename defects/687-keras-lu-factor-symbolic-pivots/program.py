import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.lu_factor(keras.KerasTensor((3, 3))))
