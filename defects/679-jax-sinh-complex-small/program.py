import jax.numpy as jnp

print(jnp.sinh(jnp.asarray([1e-6 + 0.5j, 1e-10 + 0.5j], jnp.complex64)))
