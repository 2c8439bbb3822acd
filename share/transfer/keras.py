# Helpers of programs that are translated to Keras on TensorFlow: layouts, tensors, elements, gradients.

import contextlib
import functools
import operator
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
import keras
import numpy as np
import tensorflow as tf


def _shape(x):
    return tuple(x) if isinstance(x, (list, tuple)) or hasattr(x, "as_list") else (x,)


def _perm(x, axes):
    return keras.ops.transpose(x, axes)


def _nhwc(x):
    return _perm(x, (0, *range(2, len(x.shape)), 1))


def _nchw(x):
    return _perm(x, (0, len(x.shape) - 1, *range(1, len(x.shape) - 1)))


def _hwio(x):
    return _perm(x, (*range(2, len(x.shape)), 1, 0))


def _hwoi(x):
    return _perm(x, (*range(2, len(x.shape)), 0, 1))


def _t(x):
    return keras.ops.swapaxes(x, -1, -2)


def _swap01(x):
    return keras.ops.swapaxes(x, 0, 1)


def _int32(x):
    return keras.ops.cast(x, "int32")


def _int64(x):
    return keras.ops.cast(x, "int64")


def _float32(x):
    return keras.ops.cast(x, "float32")


def _bool(x):
    return keras.ops.cast(x, "bool")


def _complex64(x):
    return tf.cast(x, "complex64")


def _is_tensor(x):
    return keras.ops.is_tensor(x) or isinstance(x, keras.Variable)


def _floating(x):
    """Integers as floats, for functions that have no kernel for them."""
    whole = _is_tensor(x) and not (x.dtype.is_floating or x.dtype.is_complex)
    return keras.ops.cast(x, "float32") if whole else x


# TensorFlow's own operators take equal dtypes only; those of keras.ops promote as the source does.
_OPERATORS = {
    "+": (operator.add, keras.ops.add),
    "-": (operator.sub, keras.ops.subtract),
    "*": (operator.mul, keras.ops.multiply),
    "/": (operator.truediv, keras.ops.true_divide),
    "//": (operator.floordiv, keras.ops.floor_divide),
    "%": (operator.mod, keras.ops.mod),
    "**": (operator.pow, keras.ops.power),
    "@": (operator.matmul, keras.ops.matmul),
    "&": (operator.and_, keras.ops.bitwise_and),
    "|": (operator.or_, keras.ops.bitwise_or),
    "^": (operator.xor, keras.ops.bitwise_xor),
    "<": (operator.lt, keras.ops.less),
    "<=": (operator.le, keras.ops.less_equal),
    ">": (operator.gt, keras.ops.greater),
    ">=": (operator.ge, keras.ops.greater_equal),
    "==": (operator.eq, keras.ops.equal),
    "!=": (operator.ne, keras.ops.not_equal),
}
_LOGICAL = {
    "&": keras.ops.logical_and,
    "|": keras.ops.logical_or,
    "^": keras.ops.logical_xor,
    "*": keras.ops.logical_and,
    "+": keras.ops.logical_or,
}


def _is_bool(x):
    return isinstance(x, bool) or (_is_tensor(x) and x.dtype == "bool")


def _binary(sign, x, y):
    plain, ours = _OPERATORS[sign]
    if not (_is_tensor(x) or _is_tensor(y)) or x is None or y is None:
        return plain(x, y)
    if sign in _LOGICAL and _is_bool(x) and _is_bool(y):
        return _LOGICAL[sign](x, y)
    return ours(x, y)


def _unary(sign, x):
    if not _is_tensor(x):
        return {"-": operator.neg, "+": operator.pos, "~": operator.invert}[sign](x)
    if sign == "~":
        return keras.ops.logical_not(x) if x.dtype == "bool" else keras.ops.bitwise_not(x)
    if sign == "+":
        return x
    if x.dtype.is_unsigned:  # no kernel; wraps around
        return keras.ops.cast(keras.ops.negative(keras.ops.cast(x, "int64")), x.dtype)
    return keras.ops.negative(x)


def _scalar(x):
    """The value as a number; while a function is traced there is none, and it stays a tensor."""
    if tf.executing_eagerly():
        return keras.ops.convert_to_numpy(x).item()
    return keras.ops.reshape(x, ())


def _tensor(x, dtype=None):
    if dtype is None and not keras.ops.is_tensor(x):
        array = np.asarray(x)
        dtype = {"f": "float32", "i": "int64", "b": "bool"}.get(array.dtype.kind)
    return keras.ops.convert_to_tensor(x, dtype=dtype)


_drawn = iter(globals().get("RECORDED", ()))


def _draw(make, shape, dtype=None):
    """A random tensor; where the source's are recorded, the next of those."""
    value = next(_drawn, None)
    return make(shape) if value is None else keras.ops.convert_to_tensor(value)


def _normal(*shape, dtype=None, size=None, **_):
    return _draw(keras.random.normal, _sizes(shape, size), dtype)


def _uniform(*shape, dtype=None, size=None, **_):
    return _draw(keras.random.uniform, _sizes(shape, size), dtype)


def _randint(low, high, shape):
    return _draw(lambda s: keras.random.randint(s, low, high, dtype="int64"), shape)


def _arange(start=0, end=None, step=1, dtype=None):
    return keras.ops.arange(*((start,) if end is None else (start, end)), step=step, dtype=dtype)


def _compiled(f=None, *_, **__):
    if f is None:
        return _compiled
    return tf.function(f, jit_compile=True, autograph=False)


def _traced(f=None, *_, **__):
    return f if f is None or isinstance(f, type) else tf.function(f, autograph=False)


def _to(x, *where, **how):
    """A tensor in another dtype; devices say nothing here."""
    kinds = [w for w in (*where, *how.values()) if isinstance(w, str)]
    dtype = next((k for k in kinds if k in _DTYPES), None)
    return x if dtype is None or not keras.ops.is_tensor(x) else keras.ops.cast(x, dtype)


def _fixed(index):
    """An index without tensors, as NumPy takes it."""
    if isinstance(index, tuple):
        return tuple(_fixed(i) for i in index)
    return keras.ops.convert_to_numpy(index) if keras.ops.is_tensor(index) else index


def _places(x, index):
    """The positions, in the flattened tensor, of the elements of an index."""
    return np.arange(int(np.prod(x.shape))).reshape(x.shape)[_fixed(index)]


def _get(x, index):
    if not keras.ops.is_tensor(x):
        return x[int(index) if keras.ops.is_tensor(index) else index]
    if isinstance(index, int) or (
        keras.ops.is_tensor(index) and not len(index.shape) and index.dtype != "bool"
    ):
        return x[index]
    places = _places(x, index)
    return keras.ops.reshape(
        keras.ops.take(keras.ops.reshape(x, (-1,)), places.reshape(-1), axis=0), places.shape
    )


def _set(x, index, value):
    if not keras.ops.is_tensor(x):
        x[index] = value
        return x
    places = _places(x, index)
    value = keras.ops.broadcast_to(keras.ops.cast(value, x.dtype), places.shape)
    flat = tf.tensor_scatter_nd_update(
        keras.ops.reshape(x, (-1,)), places.reshape(-1, 1), keras.ops.reshape(value, (-1,))
    )
    return keras.ops.reshape(flat, x.shape)


def _copied(x, other, non_blocking=False):
    return keras.ops.broadcast_to(keras.ops.cast(other, x.dtype), x.shape)


def _strided(x, size, stride, storage_offset=0):
    places = sum(
        np.arange(n).reshape(-1, *(1,) * (len(size) - 1 - i)) * s
        for i, (n, s) in enumerate(zip(size, stride))
    )
    places = np.broadcast_to(places + storage_offset, size)
    return keras.ops.reshape(
        keras.ops.take(keras.ops.reshape(x, (-1,)), places.reshape(-1), axis=0), size
    )


_tape, _leaves, _grads, _recording = tf.GradientTape(persistent=True), [], {}, []


def _record():
    if not _recording:
        _recording.append(_tape.__enter__())


def _watch(x, on=True):
    _record()
    if on and keras.ops.is_tensor(x) and x.dtype.is_floating:
        _tape.watch(x)
        _leaves.append(x)
    return x


def _variables(x):
    return [v.value if isinstance(v, keras.Variable) else v for v in x]


def _backward(y, gradient=None, retain_graph=None, **_):
    leaves = [*_leaves, *_tape.watched_variables()]
    for leaf, g in zip(leaves, _tape.gradient(y, leaves, gradient)):
        if g is not None:
            g = tf.convert_to_tensor(g)
            _grads[id(leaf)] = _grads[id(leaf)] + g if id(leaf) in _grads else g


def _grad_of(x):
    return _grads.get(id(_variables([x])[0]))


def _gradients(y, inputs, grad_outputs=None, **_):
    found = _tape.gradient(y, _variables(_list(inputs)), grad_outputs)
    return tuple(None if g is None else tf.convert_to_tensor(g) for g in found)


def _sizes(shape, size=None):
    shape = size if size is not None else shape
    return tuple(
        int(d) for d in (shape[0] if len(shape) == 1 and hasattr(shape[0], "__len__") else shape)
    )


def _zeros(*shape, dtype=None, size=None, **_):
    return keras.ops.zeros(_sizes(shape, size), dtype=dtype or keras.config.floatx())


def _ones(*shape, dtype=None, size=None, **_):
    return keras.ops.ones(_sizes(shape, size), dtype=dtype or keras.config.floatx())


def _full_like(x, value, dtype=None, **_):
    return keras.ops.full_like(x, value, dtype=dtype)


def _grad_function(f, argnums=0, has_aux=False):
    def call(*args, **keys):
        watched = _watch(args[argnums])
        with tf.GradientTape() as tape:
            tape.watch(watched)
            y = f(*args, **keys)
        return tape.gradient(y, watched)

    return call


def _view(x, *shape):
    """Another shape, or the same bytes as another dtype."""
    if isinstance(shape[0], str):
        return tf.bitcast(x, shape[0]) if x.dtype != shape[0] else x
    return keras.ops.reshape(x, _sizes(shape))


def _stored(x, value):
    """What a change in place leaves under the name: a variable keeps its identity."""
    if isinstance(x, keras.Variable):
        x.assign(value)
        return x
    return value
