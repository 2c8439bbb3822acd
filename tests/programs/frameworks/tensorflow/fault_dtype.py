# expect: 1 float64 where eager gives float32
import planted
import tensorflow as tf

planted.plant(lambda results: [tf.cast(x, tf.float64) for x in results])
print(tf.function(lambda x: tf.sin(x) + x)(tf.range(4.0)))
