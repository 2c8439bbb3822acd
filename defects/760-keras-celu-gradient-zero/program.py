import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import tensorflow as tf

x = tf.Variable([-1e-6, 0.0, 1e-6])
with tf.GradientTape() as tape:
    y = keras.ops.celu(tf.convert_to_tensor(x))
print(tape.gradient(y, x))
