# expect: 0 eager, written, double  agrees
import tensorflow as tf

seen = tf.Variable([1.0, 2.0])


@tf.function
def wander(x, n):
    while tf.reduce_sum(x) < 100.0:
        x = x * 1.5
    for j in tf.range(n):
        x = x + tf.cast(j, tf.float32)
    if x[0] > 3:
        x = tf.sin(x)
        seen.assign_add(x)
    else:
        seen.assign(x)
    rows = tf.TensorArray(tf.float32, size=3)
    for k in tf.range(3):
        rows = rows.write(k, x * tf.cast(k, tf.float32))
    tf.print("wandered")
    return {"x": x, "rows": rows.stack(), "plain": 3, "ragged": tf.ragged.constant([[1.0], [2.0, 3.0]])}


for i in range(3):
    print(wander(tf.constant([1.0, 2.0]) + i, 3)["x"])
