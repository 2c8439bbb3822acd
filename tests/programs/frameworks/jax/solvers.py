# expect: 0 eager, written, double  agrees
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


@jax.jit
def fit(a, b):
    gram = a.T @ a + 1e-3 * jnp.eye(a.shape[1])
    direct = jnp.linalg.solve(gram, a.T @ b)

    def more(state):
        x, n = state
        return (jnp.linalg.norm(gram @ x - a.T @ b) > 1e-6) & (n < 500)

    x, n = jax.lax.while_loop(more, lambda s: (s[0] - 0.01 * (gram @ s[0] - a.T @ b), s[1] + 1), (jnp.zeros_like(direct), 0))
    return jax.lax.cond(n < 500, lambda: x, lambda: direct), jnp.linalg.cholesky(gram), jnp.argsort(direct), jnp.cumsum(b)


a = jnp.sin(jnp.arange(40.0)).reshape(10, 4)
print(fit(a, jnp.cos(jnp.arange(10.0)))[0])
print(fit(a.astype("float32"), jnp.cos(jnp.arange(10.0, dtype="float32")))[0])
