import os

os.environ["KERAS_BACKEND"] = "numpy"
import keras
import numpy as np

print(keras.ops.view(np.arange(4, dtype="float32")))
