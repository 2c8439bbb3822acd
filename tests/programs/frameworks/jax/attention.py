# expect: 0 eager, written, double  agrees
import jax
import jax.numpy as jnp


class Attention:
    def __init__(self, key, width, heads):
        self.heads = heads
        self.w = jax.random.normal(key, (4, width, width), jnp.bfloat16) / width**0.5

    def __call__(self, x):
        return self._run(self.w, x)

    def _run(self, w, x):
        n, t, c = x.shape
        q, k, v = ((x @ m).reshape(n, t, self.heads, c // self.heads).swapaxes(1, 2) for m in w[:3])
        scores = jnp.einsum("nhtc,nhsc->nhts", q, k) / (c // self.heads) ** 0.5
        scores = jnp.where(jnp.tril(jnp.ones((t, t), bool)), scores, -1e30)
        mixed = jax.nn.softmax(scores.astype(jnp.float32), -1).astype(x.dtype) @ v
        return x + mixed.swapaxes(1, 2).reshape(n, t, c) @ w[3]


key, data = jax.random.split(jax.random.key(1))
attend = jax.jit(Attention(key, 16, 4))
x = jax.random.normal(data, (2, 5, 16), jnp.bfloat16)
for _ in range(3):
    x = attend(x)
print(float(x.astype(jnp.float32).sum()))
