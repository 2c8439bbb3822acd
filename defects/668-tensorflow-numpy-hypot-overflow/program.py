import tensorflow as tf

print(tf.experimental.numpy.hypot(tf.constant(1e200, tf.float64), tf.constant(1e200, tf.float64)))
