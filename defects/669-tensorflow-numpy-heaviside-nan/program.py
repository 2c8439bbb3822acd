import tensorflow as tf

print(tf.experimental.numpy.heaviside(tf.constant([float('nan'), 1.0]), tf.constant(0.5)))
