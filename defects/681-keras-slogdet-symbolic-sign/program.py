import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.slogdet(keras.KerasTensor((2, 3, 3))))
