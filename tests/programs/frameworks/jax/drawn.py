# expect: 0 eager, written, double  agrees
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames="n")
def draw(key, x, n):
    key, a, b, c = jax.random.split(key, 4)
    kept = jax.random.bernoulli(a, 0.7, x.shape)
    noise = jax.random.normal(b, (n, *x.shape))
    return key, jnp.where(kept, x / 0.7, 0) + noise.mean(0), jax.random.permutation(c, n)


key = jax.random.key(5)
x = jnp.linspace(-1, 1, 12)
for n in (3, 3, 4):
    key, x, order = draw(key, x, n=n)
print(x, order)
