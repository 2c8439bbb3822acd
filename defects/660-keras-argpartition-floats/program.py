import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

print(keras.ops.argpartition([0.9, 0.1, 0.5], 0)[:1])
