import tensorflow as tf

tf.signal.irfft(tf.zeros([4, 1], tf.complex64))
