import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import tensorflow as tf

x = tf.Variable([-1e-3, 0.0, 1e-3])
with tf.GradientTape() as tape:
    y = keras.ops.sinc(x)
print(tape.gradient(y, x))
