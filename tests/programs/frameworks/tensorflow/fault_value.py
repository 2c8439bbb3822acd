# expect: 1 out of tf.function, call 1
import planted
import tensorflow as tf

planted.plant(lambda results: [x * 1.001 for x in results])
print(tf.function(lambda x: tf.sin(x) + x)(tf.range(4.0)))
