import tensorflow as tf

print(tf.experimental.numpy.float_power(tf.constant([100, 7]), 5))
