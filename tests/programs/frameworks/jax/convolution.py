# expect: 0 eager, written, double  agrees
import jax
import jax.numpy as jnp


@jax.jit
def step(params, stats, images, labels):
    def loss(p):
        h = jax.lax.conv_general_dilated(images, p["k"], (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        mean, var = h.mean((0, 1, 2)), h.var((0, 1, 2))
        h = jax.nn.relu((h - mean) * jax.lax.rsqrt(var + 1e-5) * p["scale"])
        h = jax.lax.reduce_window(h, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        logits = jax.nn.log_softmax(h.reshape(len(images), -1) @ p["w"])
        moved = jax.tree.map(lambda s, n: 0.9 * s + 0.1 * n, stats, {"mean": mean, "var": var})
        return -jnp.take_along_axis(logits, labels[:, None], 1).mean(), moved

    (value, moved), grads = jax.value_and_grad(loss, has_aux=True)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), moved, value


keys = jax.random.split(jax.random.key(3), 4)
params = {"k": jax.random.normal(keys[0], (3, 3, 3, 8)) * 0.2, "scale": jnp.ones(8), "w": jax.random.normal(keys[1], (32, 5)) * 0.1}
stats = {"mean": jnp.zeros(8), "var": jnp.ones(8)}
images, labels = jax.random.normal(keys[2], (6, 8, 8, 3)), jax.random.randint(keys[3], (6,), 0, 5)
for _ in range(5):
    params, stats, value = step(params, stats, images, labels)
print(float(value))
