import numpy as np
import tensorflow as tf

print(tf.math.angle(tf.constant([np.nan, 1.0], tf.float64)))
