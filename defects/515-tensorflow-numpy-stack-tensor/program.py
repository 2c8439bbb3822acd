import tensorflow as tf

print(tf.experimental.numpy.stack(tf.reshape(tf.range(24), (2, 3, 4)), axis=2))
