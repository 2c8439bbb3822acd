# expect: 0 eager, written, double  agrees
# expect: 0 int32 of a float that is out of range): 1
# What becomes of a float that its integer dtype cannot hold is not defined.
import jax
import jax.numpy as jnp

whole = jax.jit(lambda x: ((x * 2).astype(jnp.int32), jnp.clip(x, 0, 255).astype(jnp.uint8)))
for x in ([1.5, -2.5], [1.5, float("nan")]):
    whole(jnp.array(x))
whole(jnp.array([1.5, 300.0], jnp.bfloat16))
