import os

os.environ["KERAS_BACKEND"] = "tensorflow"

import keras

print(keras.ops.isclose(keras.ops.convert_to_tensor([float('inf'), 1.0]), keras.ops.convert_to_tensor([float('inf'), float('inf')])))
