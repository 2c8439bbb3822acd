import tensorflow as tf

print(tf.experimental.numpy.around(tf.constant([1.26, 2.5]), 1))
