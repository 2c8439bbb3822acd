import tensorflow as tf

print(tf.math.cumulative_logsumexp(tf.constant([1.0, float('nan'), 2.0])))
