import tensorflow as tf

x = tf.Variable([2.0, 0.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.math.cumprod(x))
print(tape.gradient(y, x))
