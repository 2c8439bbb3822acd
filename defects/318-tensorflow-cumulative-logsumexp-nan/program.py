import numpy as np
import tensorflow as tf

print(tf.math.cumulative_logsumexp(tf.constant([0.0, np.nan, 1.0], tf.float64)))
