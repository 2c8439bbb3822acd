import tensorflow as tf

print(tf.linalg.expm(tf.constant([[4, 1, 0, 0], [1, 3, 1, 0], [0, 1, 5, 1], [0, 0, 1, 2]], tf.float32)))
