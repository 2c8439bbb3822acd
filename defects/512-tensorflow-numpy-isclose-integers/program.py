import tensorflow as tf

print(tf.experimental.numpy.isclose(tf.constant([100, 200]), tf.constant([101, 300]), atol=5))
