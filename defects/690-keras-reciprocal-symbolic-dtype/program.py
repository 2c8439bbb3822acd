import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras

print(keras.ops.reciprocal(keras.KerasTensor((2, 3), "float16")))
