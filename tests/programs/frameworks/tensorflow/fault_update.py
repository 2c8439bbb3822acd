# expect: 1 variable[1] of tf.function, call 1
import planted
import tensorflow as tf

total = tf.Variable(1.0)
planted.plant(lambda results: results, after=lambda: total.assign(total * 1.05))


@tf.function
def add(x):
    total.assign_add(x)
    return x * 2


for _ in range(2):
    print(add(tf.constant(2.0)))
