import os

os.environ["KERAS_BACKEND"] = "numpy"
import keras
import numpy as np

x = np.array([-1.0, 2.0], "float32")
print(keras.ops.leaky_relu(x, negative_slope=2.0))
