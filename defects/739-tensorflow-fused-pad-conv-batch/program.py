import tensorflow as tf

x = tf.reshape(tf.constant([1.0, 2.0, 3.0]), (3, 1, 1, 1))
y = tf.raw_ops.FusedPadConv2D(
    input=x, paddings=[[0, 0]] * 4, filter=tf.ones((1, 1, 1, 1)), mode="REFLECT", strides=[1, 1, 1, 1], padding="VALID"
)
print(tf.reshape(y, -1))
