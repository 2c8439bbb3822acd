import tensorflow as tf

print(tf.experimental.numpy.argmin(tf.constant([0.5, float('nan'), -1.0])))
