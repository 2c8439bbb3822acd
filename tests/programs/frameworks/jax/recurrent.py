# expect: 0 eager, written, double  agrees
import jax
import jax.numpy as jnp


def cell(carry, x, w):
    h = jnp.tanh(w["x"] @ x + w["h"] @ carry)
    return h, h


def loss(w, xs):
    last, states = jax.lax.scan(lambda c, x: cell(c, x, w), jnp.zeros(6), xs)
    _, back = jax.lax.scan(lambda c, x: cell(c, x, w), last, xs, reverse=True)
    return jnp.sum(last**2) + jnp.mean(states * back)


step = jax.jit(jax.value_and_grad(loss))
w = {"x": jnp.full((6, 3), 0.1), "h": jnp.eye(6) * 0.5}
for n in (4, 7):
    value, grads = step(w, jnp.sin(jnp.arange(3.0 * n)).reshape(n, 3))
    w = jax.tree.map(lambda p, g: p - 0.1 * g, w, grads)
print(float(value))
