import tensorflow as tf

print(tf.experimental.numpy.isinf(tf.constant([1, 2, 3])))
