import jax.numpy as jnp

print(jnp.gcd(jnp.array(-128, "int8"), jnp.array(6, "int8")))
