# expect: 0 eager, written, double  agrees
# expect: 0 of constants, by XLA or before it): 1
import tensorflow as tf

w = tf.Variable(tf.reshape(tf.sin(tf.range(16.0)), (4, 4)))


@tf.function(jit_compile=True)
def attend(x):
    scores = tf.nn.softmax(x @ w @ tf.transpose(x))
    w.assign(w * 0.99)
    return scores @ x, tf.argmax(scores, -1), tf.cast(x, tf.bfloat16) * 3


@tf.function(jit_compile=True)
def drop(x, seed):
    return tf.where(tf.random.stateless_uniform(x.shape, seed) < 0.7, x / 0.7, 0.0)


x = tf.reshape(tf.cos(tf.range(20.0)), (5, 4))
for i in range(3):
    x, _, _ = attend(x)
    x = drop(x, tf.constant([1, i]))
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(attend(x)[0])
print(tape.gradient(y, x))
print(tf.function(lambda: tf.random.stateless_normal([2], [1, 2]), jit_compile=True)())
