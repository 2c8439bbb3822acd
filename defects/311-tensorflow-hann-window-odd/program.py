import tensorflow as tf

print(tf.signal.hann_window(5, periodic=True))
