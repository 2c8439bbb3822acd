# expect: 0 eager, written, double  agrees
# expect: 0 int32 of a float that is out of range): 1
# What becomes of a float that its integer dtype cannot hold is not defined.
import tensorflow as tf

whole = tf.function(lambda x: (tf.cast(x * 2, tf.int32), tf.cast(tf.clip_by_value(x, 0, 255), tf.uint8)), jit_compile=True)
for x in ([1.5, -2.5], [1e20, 2.5]):
    whole(tf.constant(x))
whole(tf.constant([1.5, 3.0], tf.bfloat16))
