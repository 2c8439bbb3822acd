import os

os.environ["KERAS_BACKEND"] = "numpy"
import keras
import numpy as np

data, ids = np.array([2**53 + 1, 5, 2], "int64"), np.array([0, 0, 1], "int32")
print(keras.ops.segment_max(data, ids, 2))
