# expect: 0 eager, written, double  agrees
# expect: 0 6 of 20 optimised calls compared
import functools

import jax
import jax.numpy as jnp

traced = []


@functools.partial(jax.jit, donate_argnums=(0, 1))
def step(params, momentum, x, y):
    traced.append(1)

    def loss(p):
        h = jnp.tanh(x @ p["w1"] + p["b1"])
        return jnp.mean((h @ p["w2"] - y) ** 2)

    value, grads = jax.value_and_grad(loss)(params)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, grads)
    return jax.tree.map(lambda p, m: p - 0.05 * m, params, momentum), momentum, value


k1, k2, k3 = jax.random.split(jax.random.key(0), 3)
params = {"w1": jax.random.normal(k1, (4, 16)), "b1": jnp.zeros(16), "w2": jax.random.normal(k2, (16, 1))}
momentum = jax.tree.map(jnp.zeros_like, params)
x = jax.random.normal(k3, (32, 4))
y = x.sum(1, keepdims=True)
for _ in range(20):
    params, momentum, value = step(params, momentum, x, y)
print(float(value), len(traced))
