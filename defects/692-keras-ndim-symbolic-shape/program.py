import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras

print(keras.ops.ndim(keras.KerasTensor((2, 3, 4))))
