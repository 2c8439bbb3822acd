import tensorflow as tf

print(tf.experimental.numpy.eye(3, 0))
