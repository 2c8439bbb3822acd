import tensorflow as tf

print(tf.math.top_k(tf.constant([1.0, 2.0, 3.0, float('nan')]), k=3).values)
