# expect: 0 eager, written, double  agrees
# expect: 0 not interpreted (InvalidArgumentError
# A program's own assertion raises on both sides, and a variable that is given and captured is one.
import tensorflow as tf

total = tf.Variable(1.0)


@tf.function
def add(x, into):
    tf.debugging.assert_positive(x)
    into.assign_add(x)
    return total * 2


print(add(tf.constant(3.0), total), add(tf.constant(4.0), total))
try:
    add(tf.constant(-1.0), total)
except tf.errors.InvalidArgumentError:
    print("refused")
