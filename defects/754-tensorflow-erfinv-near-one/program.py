import tensorflow as tf

print(tf.math.erfinv(tf.constant([0.999999, 0.99999994])))
