# expect: 0 eager, written, double  agrees
# expect: 0 refused when it is traced: 1
# expect: 0 not interpreted (NotJudged: io_callback): 1
# What a traced function prints and appends happens as often as without assay.
import jax
import jax.numpy as jnp
from jax.experimental import io_callback

seen = []


@jax.jit
def inner(x):
    jax.lax.cond(x[0] > 0, lambda: jax.debug.print("positive"), lambda: None)
    return jax.lax.fori_loop(0, 2, lambda i, y: y + i, x)


@jax.jit
def loud(x):
    print("traced")
    seen.append(x.shape)
    jax.debug.print("runs with {}", x.sum())
    return inner(x) * 2


@jax.jit
def branches(x):
    return x if x > 0 else -x


@jax.jit
def tells(x):
    io_callback(lambda v: seen.append(float(v)), None, x)
    return x + 1


for n in (2, 2, 3):
    loud(jnp.ones(n))
print(jax.grad(lambda x: loud(x).sum())(jnp.ones(2)), jax.vmap(loud)(jnp.ones((2, 3))))
try:
    branches(1.0)
except jax.errors.TracerBoolConversionError as e:
    print(type(e).__name__)
jax.block_until_ready(tells(3.0))
jax.effects_barrier()
print(seen, loud.lower(jnp.ones(2)).compile()(jnp.ones(2)))
