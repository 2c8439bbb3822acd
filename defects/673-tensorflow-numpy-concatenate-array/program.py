import tensorflow as tf

print(tf.experimental.numpy.concatenate(tf.ones((2, 3))))
