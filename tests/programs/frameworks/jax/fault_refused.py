# expect: 1 a valid program is refused: no emitter
import jax
import jax.numpy as jnp
import planted


def refuse(product):
    raise RuntimeError("no emitter for a product of this kind")


planted.plant(refuse)
print(jax.jit(lambda x, y: jnp.sin(x) * y)(jnp.arange(4.0), jnp.full(4, 1.001)))
