import tensorflow as tf

print(tf.function(tf.math.sin, jit_compile=True)(tf.constant([complex(0, float('inf')), 89j], tf.complex64)))
