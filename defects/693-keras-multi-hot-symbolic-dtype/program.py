import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras

print(keras.ops.multi_hot(keras.KerasTensor((1, 2), "int32"), num_classes=4))
