import jax.numpy as jnp
import jax.scipy.linalg
import numpy as np

print(jax.scipy.linalg.expm(jnp.asarray([[4, 1, 0, 0], [1, 3, 1, 0], [0, 1, 5, 1], [0, 0, 1, 2]], jnp.float32)))
