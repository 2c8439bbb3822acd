import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.lu_factor(np.stack([np.eye(3) * k + 1 for k in (4, 5)]).astype("float32")))
