import tensorflow as tf

print(tf.experimental.numpy.meshgrid(tf.constant([True, False]), tf.constant([0.5, 1.5])))
