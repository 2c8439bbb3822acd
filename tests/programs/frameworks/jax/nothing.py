# expect: 2 no optimised call was made
import jax.numpy as jnp

print(jnp.ones(3).sum())
