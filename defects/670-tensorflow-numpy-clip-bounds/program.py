import tensorflow as tf

print(tf.experimental.numpy.clip(tf.constant([0.0, 1.0, 5.0]), 3.0, 2.0))
