import numpy as np
import tensorflow as tf

print(tf.raw_ops.AudioSpectrogram(input=np.zeros([2, 3], "float32"), window_size=-2, stride=1))
