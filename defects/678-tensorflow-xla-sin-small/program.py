import tensorflow as tf

print(tf.function(tf.math.sin, jit_compile=True)(tf.constant([0.5 + 1e-7j, 0.5 + 1e-10j], tf.complex64)))
