import tensorflow as tf

print(tf.reduce_mean(tf.zeros([0], tf.complex64)))
