import numpy as np
import tensorflow as tf

print(tf.linalg.expm(np.array([[4.6, 0.6, -2.2], [0.6, 2.5, 0.9], [-2.2, 0.9, 4.2]], np.float32)))
