# expect: 1 a valid program is refused: no layout was assigned
import planted
import tensorflow as tf


def refuse(results):
    raise tf.errors.InternalError(None, None, "no layout was assigned")


planted.plant(refuse)
print(tf.function(lambda x: tf.sin(x) + x)(tf.range(4.0)))
