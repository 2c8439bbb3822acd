# expect: 0 eager, written, double  agrees
# expect: 0 6 of 20 optimised calls compared
import tensorflow as tf

tf.random.set_seed(3)
w1, w2 = tf.Variable(tf.random.normal((4, 16))), tf.Variable(tf.random.normal((16, 1)))
momentum = [tf.Variable(tf.zeros_like(w)) for w in (w1, w2)]
steps = tf.Variable(0, dtype=tf.int64)
traced = []


@tf.function
def step(x, y):
    traced.append(1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.tanh(x @ w1) @ w2 - y) ** 2)
    for w, m, g in zip((w1, w2), momentum, tape.gradient(loss, [w1, w2])):
        m.assign(0.9 * m + g)
        w.assign_sub(0.05 * m)
    steps.assign_add(1)
    return {"loss": loss, "steps": steps.read_value()}


x = tf.random.normal((32, 4))
for _ in range(20):
    told = step(x, tf.reduce_sum(x, 1, keepdims=True))
print(float(told["loss"]), int(told["steps"]), len(traced))
