# Helpers of programs that are translated to JAX: layouts, tensors, elements, gradients.

import contextlib
import functools

import jax
import jax.numpy as jnp
import jax.scipy
import numpy as np

jax.config.update("jax_enable_x64", True)


def _shape(x):
    return tuple(x) if isinstance(x, (list, tuple)) else (x,)


def _nhwc(x):
    return jnp.moveaxis(x, 1, -1)


def _nchw(x):
    return jnp.moveaxis(x, -1, 1)


def _t(x):
    return jnp.swapaxes(x, -1, -2)


def _swap01(x):
    return jnp.swapaxes(x, 0, 1)


def _int32(x):
    return jnp.asarray(x, "int32")


def _int64(x):
    return jnp.asarray(x, "int64")


def _float32(x):
    return jnp.asarray(x, "float32")


def _bool(x):
    return jnp.asarray(x, "bool")


def _complex64(x):
    return jnp.asarray(x, "complex64")


def _is_tensor(x):
    return isinstance(x, jax.Array)


def _tensor(x, dtype=None):
    if dtype is None and not _is_tensor(x):
        array = np.asarray(x)
        made_of_numbers = not isinstance(x, np.ndarray)
        dtype = {"f": "float32", "i": "int64", "b": "bool", "c": "complex64"}.get(array.dtype.kind)
        dtype = dtype if made_of_numbers else None
    return jnp.asarray(x, dtype=dtype)


def _floating(x):
    whole = _is_tensor(x) and not jnp.issubdtype(x.dtype, jnp.inexact)
    return x.astype("float32") if whole else x


_drawn = iter(globals().get("RECORDED", ()))
_keys = [jax.random.key(0)]


def _seeded(n):
    _keys[0] = jax.random.key(n)


def _key():
    _keys[0], one = jax.random.split(_keys[0])
    return one


def _draw(make, shape):
    """A random tensor; where the source's are recorded, the next of those."""
    value = next(_drawn, None)
    return make(shape) if value is None else jnp.asarray(value)


def _sizes(shape, size=None):
    shape = size if size is not None else shape
    nested = len(shape) == 1 and hasattr(shape[0], "__len__")
    return tuple(int(d) for d in (shape[0] if nested else shape))


def _normal(*shape, dtype=None, size=None, **_):
    return _draw(lambda s: jax.random.normal(_key(), s, "float32"), _sizes(shape, size))


def _uniform(*shape, dtype=None, size=None, **_):
    return _draw(lambda s: jax.random.uniform(_key(), s, "float32"), _sizes(shape, size))


def _randint(low, high, shape):
    return _draw(lambda s: jax.random.randint(_key(), s, low, high, "int64"), shape)


def _randperm(n):
    return _draw(lambda s: jax.random.permutation(_key(), s[0]), (n,))


def _zeros(*shape, dtype=None, size=None, **_):
    return jnp.zeros(_sizes(shape, size), dtype or "float32")


def _ones(*shape, dtype=None, size=None, **_):
    return jnp.ones(_sizes(shape, size), dtype or "float32")


def _full(shape, value, dtype=None, **_):
    kinds = {bool: "bool", int: "int64", float: "float32", complex: "complex64"}
    return jnp.full(_sizes((shape,)), value, dtype or kinds.get(type(value)))


def _full_like(x, value, dtype=None, **_):
    return jnp.full_like(x, value, dtype=dtype)


def _arange(start=0, end=None, step=1, dtype=None, **_):
    ends = (0, start) if end is None else (start, end)
    whole = all(isinstance(v, int) for v in (*ends, step))
    return jnp.arange(*ends, step, dtype=dtype or ("int64" if whole else "float32"))


def _compiled(f=None, *_, **__):
    """torch.compile and torch.jit as jax.jit; modules keep their attributes."""
    if f is None:
        return _compiled
    if isinstance(f, type):
        return f
    return _Jitted(f)


class _Jitted:
    def __init__(self, f):
        self.f, self.fast = f, jax.jit(lambda args: f(*args))

    def __call__(self, *args, **keys):
        plain = keys or not all(_is_array(leaf) for leaf in jax.tree.leaves(args))
        if plain:  # numbers and objects are no values that are traced
            rest = {i: a for i, a in enumerate(args) if not _is_array(a)}
            return _partly(self.f, args, rest, keys)
        return self.fast(args)

    def __getattr__(self, name):
        return getattr(self.f, name)


def _is_array(x):
    return isinstance(x, (jax.Array, np.ndarray))


def _partly(f, args, rest, keys):
    """Traced in its tensors only."""
    arrays = [a for i, a in enumerate(args) if i not in rest]

    def call(arrays):
        given = iter(arrays)
        return f(*(rest[i] if i in rest else next(given) for i in range(len(args))), **keys)

    return jax.jit(call)(arrays)


def _exported(f, args=(), kwargs=None, **_):
    traced = _compiled(f)
    traced(*args, **(kwargs or {}))
    return _Exported(traced)


def _to(x, *where, **how):
    """A tensor in another dtype; devices say nothing here."""
    kinds = [w for w in (*where, *how.values()) if isinstance(w, str)]
    dtype = next((k for k in kinds if k in _DTYPES), None)
    return x if dtype is None or not _is_array(x) else x.astype(dtype)


def _view(x, *shape):
    """Another shape, or the same bytes as another dtype."""
    if isinstance(shape[0], str):
        return jax.lax.bitcast_convert_type(x, shape[0])
    return jnp.reshape(x, _sizes(shape))


def _expanded(x, shape):
    """Sizes of -1 stay as they are."""
    lead = [1] * (len(shape) - len(x.shape)) + list(x.shape)
    return jnp.broadcast_to(x, tuple(d if s == -1 else s for s, d in zip(shape, lead)))


def _scalar(x):
    """The value as a number; while a function is traced there is none, and it stays a tensor."""
    return x.reshape(()) if isinstance(x, jax.core.Tracer) else np.asarray(x).item()


def _get(x, index):
    return x[index]


def _set(x, index, value):
    if not _is_tensor(x):
        x[index] = value
        return x
    return x.at[index].set(value.astype(x.dtype) if _is_tensor(value) else value)


def _stored(x, value):
    """What a change in place leaves under the name: the dtype stays."""
    return value.astype(x.dtype) if _is_array(x) and _is_array(value) else value


def _copied(x, other, non_blocking=False):
    return jnp.broadcast_to(other.astype(x.dtype), x.shape)


def _strided(x, size, stride, storage_offset=0):
    places = np.zeros(tuple(size), int) + storage_offset
    for axis, (n, s) in enumerate(zip(size, stride)):
        wide = [1] * len(size)
        wide[axis] = n
        places = places + (np.arange(n) * s).reshape(wide)
    return jnp.reshape(x, (-1,))[places]


def _grad_function(f, argnums=0, has_aux=False):
    return jax.grad(f, argnums, has_aux)
