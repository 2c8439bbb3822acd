# expect: 0 eager, written, double  agrees
# expect: 0 a resource that is no variable: 1
# expect: 0 RandomStandardNormal has a state of its own): 1
# Iterators are read once, and what holds a state that is not known is not compared.
import tensorflow as tf

tf.random.set_seed(1)
table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1.0, 2.0]), 0.0)
rows = iter(tf.data.Dataset.from_tensor_slices(tf.range(12.0)).shuffle(12, seed=4).batch(4))


@tf.function
def look(words):
    return table.lookup(words) * 2


@tf.function
def noisy(x):
    return x + tf.random.normal(tf.shape(x))


@tf.function
def take(rows):
    return next(rows) * 2


print(look(tf.constant(["a", "c"])), noisy(tf.zeros(3)), take(rows), take(rows), next(rows))
try:
    take(rows)
except tf.errors.OutOfRangeError:
    print("the end")
