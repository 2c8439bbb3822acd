import tensorflow as tf

print(tf.experimental.numpy.rad2deg(tf.constant([1, 2])))
