# expect: 1 out of jax.jit, call 1
import jax
import jax.numpy as jnp
import planted


def square(product):
    product.operands[0] = product.operands[1]


planted.plant(square)
print(jax.jit(lambda x, y: jnp.sin(x) * y)(jnp.arange(4.0), jnp.full(4, 1.001)))
